"""What the engine says differently in Argentina (vos)."""

PHRASES: dict[str, tuple[str, ...]] = {
    "greeting": ("¡Hola! ¿Cómo va?", "¡Hola de nuevo!"),
    "off_topic": (
        "Con eso no te puedo ayudar por acá, pero sigamos con lo nuestro.",
        "De eso no sabría decirte. Volvamos a lo que estábamos viendo.",
        "Eso se me escapa, disculpá. Sigamos donde quedamos.",
    ),
    "cannot_help": ("Con eso no te puedo ayudar por acá.", "De eso no sabría decirte.", "Eso se me escapa, disculpá."),
    "small_talk": ("Acá estoy para lo que necesites.", "Cuando quieras, decime en qué te ayudo."),
    "go_ahead": ("Sí, decime.", "Dale, contame."),
    "about_questions": ("Por acá te pido unos datos para que el equipo pueda ayudarte.",),
    "why": ("Lo pido para poder ayudarte con lo que necesitás.",),
    "explain": ("Te lo pregunto de otra forma.", "Perdoná, me explico mejor."),
    "thanks_back": ("¡De nada!", "¡A vos!", "Para eso estamos."),
    "ask_correct": ("Dale, decime cuál es tu {label}.", "Bueno, ¿cuál es entonces tu {label}?"),
    "ask_offered": ("¿A cuál te referís?",),
    "ask_alike": ("¿Querés decir {value}?", "¿Te referís a {value}?"),
    "ask_meaning": ("¿Qué necesitás exactamente?", "¿A cuál de estas cosas te referís?"),
    "ask_likely": ("¿Te referís a {label}?", "¿Hablás de {label}?"),
    "menu": (
        "Por acá te puedo ayudar con esto: {choices}. ¿Qué necesitás?",
        "Te puedo ayudar con: {choices}. ¿Por dónde empezamos?",
    ),
    "offer_person": (
        "No logro entenderte. ¿Querés que te atienda una persona del equipo?",
        "Sigo sin entenderte. ¿Preferís hablar con una persona?",
    ),
    "person_if_wanted": ("Si preferís, te atiende una persona del equipo.", "Si querés, te paso con una persona."),
    "bot": (
        "Soy un asistente virtual: un programa que responde por acá. Si querés hablar con una persona, decime.",
        "Soy un programa, no una persona. Si necesitás a alguien del equipo, decime y te paso.",
    ),
    "rephrase": ("Entonces contámelo con otras palabras.", "Decímelo de otra forma, por favor."),
    "ask_which": ("¿Qué dato querés corregir? ¿Tu {label}?", "¿Cuál corrijo? ¿Tu {label}?"),
    "ask_which_gets": ("¿Cuál cambio a {value}?", "¿A cuál te referís con {value}?"),
    "ask_sure": ("¿Cambio tu {label} a {value}?", "¿Querés que tu {label} sea {value}?"),
    "ask_change": ("Dale, ¿qué querés cambiar?", "Bueno, decime qué cambio."),
    "done_already": ("Lo que ya quedó hecho no cambia con eso. Si querés modificarlo, pedímelo y lo vemos.",),
    "cancelled": ("Listo, lo dejamos acá. Cuando quieras retomarlo, escribime.",),
    "already_done": (
        "Ya tengo todos tus datos. Si querés corregir alguno, decime cuál.",
        "Está todo anotado. Si algo no está bien, decime qué corrijo.",
    ),
    "handoff": ("Te paso con una persona del equipo; enseguida te escribe por acá.",),
    "awaited": ("Tu mensaje queda para el equipo: te escribe una persona por acá en cuanto pueda.",),
    "unanswered": (
        "Todavía no pudo escribirte nadie del equipo; siguen avisados. Mientras tanto puedo seguir yo por acá.",
        "Aún no hay nadie libre en el equipo; ya lo saben. Mientras, seguimos por acá si querés.",
    ),
    "released": ("Ya estoy de vuelta con vos.",),
    "not_shown": ("Antes de confirmar, mirá esto, por favor.",),
    "late": (
        "Este mensaje tuyo llegó con mucho retraso y no hicimos nada con él. Si lo necesitás igual, mandalo de nuevo.",
        "Este también llegó tarde y no hicimos nada con él: si todavía hace falta, escribilo otra vez.",
    ),
    "not_understood": ("Perdoná, no te entendí.", "No estoy seguro de haberte entendido."),
    "attachment_kept": (
        "Recibí lo que mandaste y queda guardado para el equipo, pero yo solo puedo leer texto. ¿Me lo escribís?",
        "Eso también queda guardado para el equipo, pero no puedo abrirlo: escribímelo, por favor.",
    ),
}

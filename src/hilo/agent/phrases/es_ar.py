"""What the engine says otherwise in Argentina (vos)."""

PHRASES: dict[str, tuple[str, ...]] = {
    "greeting": ("¡Hola! ¿Cómo va?", "¡Hola de nuevo!"),
    "off_topic": (
        "Con eso no te puedo ayudar por acá, pero sigamos con lo nuestro.",
        "De eso no sabría decirte. Volvamos a lo que estábamos viendo.",
        "Eso se me escapa, disculpá. Sigamos donde quedamos.",
    ),
    "explain": ("Te lo pregunto de otra forma.", "Perdoná, me explico mejor."),
    "thanks_back": ("¡De nada!", "¡A vos!", "Para eso estamos."),
    "ask_correct": ("Dale, decime cuál es tu {label}.", "Bueno, ¿cuál es entonces tu {label}?"),
    "ask_offered": ("¿A cuál te referís?",),
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
    "ask_change": ("Dale, ¿qué querés cambiar?", "Bueno, decime qué cambio."),
    "done_already": ("Lo que ya quedó hecho no cambia con eso. Si querés modificarlo, pedímelo y lo vemos.",),
    "cancelled": ("Listo, lo dejamos acá. Cuando quieras retomarlo, escribime.",),
    "already_done": (
        "Ya tengo todos tus datos. Si querés corregir alguno, decime cuál.",
        "Está todo anotado. Si algo no está bien, decime qué corrijo.",
    ),
    "handoff": ("Te paso con una persona del equipo; enseguida te escribe por acá.",),
    "released": ("Ya estoy de vuelta con vos.",),
    "not_shown": ("Antes de confirmar, mirá esto, por favor.",),
    "not_understood": ("Perdoná, no te entendí.", "No estoy seguro de haberte entendido."),
}

"""What the engine says otherwise in Colombia (usted)."""

PHRASES: dict[str, tuple[str, ...]] = {
    "greeting": ("¡Hola! Con mucho gusto.", "¡Hola de nuevo!"),
    "off_topic": (
        "Con eso no le puedo ayudar por aquí, pero sigamos con lo nuestro.",
        "De eso no sabría decirle. Volvamos a lo que estábamos viendo.",
        "Eso se me escapa, qué pena con usted. Sigamos donde quedamos.",
    ),
    "explain": ("Se lo pregunto de otra forma.", "Disculpe, me explico mejor."),
    "too_long": ("Su mensaje es muy largo y solo alcancé a leer el principio.",),
    "thanks_back": ("¡Con mucho gusto!", "¡A usted!", "Para eso estamos."),
    "corrected": ("Listo, corregí su {label}: {value}.", "Hecho, su {label} queda así: {value}."),
    "noted": ("Anotado: su {label} es {value}.", "Bien, anoté su {label}: {value}."),
    "ask_correct": ("Claro que sí, dígame cuál es su {label}.", "De acuerdo, ¿cuál es entonces su {label}?"),
    "ask_offered": ("¿A cuál se refiere?",),
    "ask_meaning": ("¿Qué necesita exactamente?", "¿A cuál de estas cosas se refiere?"),
    "ask_likely": ("¿Se refiere a {label}?", "¿Habla de {label}?"),
    "menu": (
        "Por aquí le puedo ayudar con esto: {choices}. ¿Qué necesita?",
        "Le puedo ayudar con: {choices}. ¿Por dónde empezamos?",
    ),
    "about": ("Le ayudo con esto: {choices}.", "Por aquí resuelvo esto: {choices}."),
    "offer_person": (
        "No logro entenderle. ¿Quiere que lo atienda una persona del equipo?",
        "Sigo sin entenderle. ¿Prefiere hablar con una persona?",
    ),
    "person_if_wanted": (
        "Si prefiere, lo atiende una persona del equipo.",
        "Si quiere, lo comunico con una persona.",
    ),
    "bot": (
        "Soy un asistente virtual: un programa que responde por aquí. Si quiere hablar con una persona, dígamelo.",
        "Soy un programa, no una persona. Si necesita a alguien del equipo, dígamelo y lo comunico.",
    ),
    "rephrase": ("Entonces cuéntemelo con otras palabras.", "Dígamelo de otra forma, por favor."),
    "ask_which": ("¿Qué dato quiere corregir? ¿Su {label}?", "¿Cuál corrijo? ¿Su {label}?"),
    "ask_change": ("De acuerdo, ¿qué quiere cambiar?", "Bien, dígame qué cambio."),
    "failed": ("Qué pena, algo falló de nuestro lado y no se pudo hacer.",),
    "done_already": ("Lo que ya quedó hecho no cambia con eso. Si quiere modificarlo, pídamelo y lo vemos.",),
    "cancelled": ("Listo, lo dejamos aquí. Cuando quiera retomarlo, escríbame.",),
    "already_done": (
        "Ya tengo todos sus datos. Si quiere corregir alguno, dígame cuál.",
        "Está todo anotado. Si algo no está bien, dígame qué corrijo.",
    ),
    "handoff": ("Lo comunico con una persona del equipo; enseguida le escribe por aquí.",),
    "released": ("Ya estoy de vuelta con usted.",),
    "not_shown": ("Antes de confirmar, mire esto, por favor.",),
    "not_understood": ("Disculpe, no le entendí.", "No estoy seguro de haberle entendido."),
}

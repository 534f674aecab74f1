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
    "rephrase": ("Entonces cuéntemelo con otras palabras.", "Dígamelo de otra forma, por favor."),
    "ask_which": ("¿Qué dato quiere corregir? ¿Su {label}?", "¿Cuál corrijo? ¿Su {label}?"),
    "ask_change": ("De acuerdo, ¿qué quiere cambiar?", "Bien, dígame qué cambio."),
    "ask_switch": ("¿Dejamos esto un momento y vamos a {label}?",),
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

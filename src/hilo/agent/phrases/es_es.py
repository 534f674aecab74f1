"""What the engine says differently in Spain (tú, and the perfect for what has just happened)."""

PHRASES: dict[str, tuple[str, ...]] = {
    "greeting": ("¡Hola! ¿Qué tal?", "¡Hola otra vez!"),
    "off_topic": (
        "Eso no te lo sé decir; si quieres, te lo averigua una persona del equipo.",
        "De eso no tengo el dato. Si lo necesitas, te paso con una persona.",
        "Eso se me escapa, perdona. Sigamos donde lo habíamos dejado.",
    ),
    "no_text": ("De momento solo puedo leer texto.", "No me ha llegado ningún texto que pueda leer."),
    "too_long": ("Tu mensaje es muy largo y solo he podido leer el principio.",),
    "thanks_back": ("¡De nada!", "¡A ti!", "Para eso estamos."),
    "corrected": ("Vale, he corregido tu {label}: {value}.", "Hecho, tu {label} queda así: {value}."),
    "noted": ("Apuntado: tu {label} es {value}.", "Vale, he apuntado tu {label}: {value}."),
    "ask_correct": ("Claro, dime cuál es tu {label}.", "Vale, ¿cuál es entonces tu {label}?"),
    "ask_likely": ("¿Te refieres a {label}?", "¿Me hablas de {label}?"),
    "menu": (
        "Por aquí te puedo ayudar con esto: {choices}. ¿Qué necesitas?",
        "Te puedo ayudar con: {choices}. ¿Por dónde empezamos?",
    ),
    "about": ("Te puedo ayudar con esto: {choices}.", "Por aquí me encargo de esto: {choices}."),
    "offer_person": (
        "No consigo entenderte. ¿Quieres que te atienda una persona del equipo?",
        "Sigo sin entenderte, perdona. ¿Prefieres hablar con una persona?",
    ),
    "bot": (
        "Soy un asistente virtual: un programa que contesta por aquí. Si quieres hablar con una persona, dímelo.",
        "Soy un programa, no una persona. Si necesitas a alguien del equipo, me lo dices y te paso.",
    ),
    "nothing_to_correct": ("Todavía no he apuntado ningún dato que corregir.",),
    "ask_change": ("Vale, ¿qué quieres cambiar?", "De acuerdo, dime qué cambio."),
    "failed": ("Algo ha fallado por nuestra parte y no se ha podido hacer. Probemos otra vez más tarde.",),
    "done": ("Hecho.", "Vale, ya está."),
    "resumed": ("Sigamos con lo que estábamos.", "Volvamos a lo de antes."),
    "left": ("Vale, eso lo dejamos. Sigamos con lo de antes.",),
    "done_already": ("Lo que ya está hecho no cambia con eso. Si quieres modificarlo, pídemelo y lo vemos.",),
    "cancelled": ("Vale, lo dejamos aquí. Cuando quieras retomarlo, escríbeme.",),
    "completed": ("¡Gracias! Esto es lo que he apuntado:\n{summary}",),
    "already_done": (
        "Ya tengo todos tus datos. Si quieres corregir alguno, dime cuál.",
        "Está todo apuntado. Si algo no está bien, dime qué corrijo.",
    ),
    "understood": ("Vale.", "De acuerdo."),
    "not_yet": ("Sin prisa: te lo guardo tal como está.", "Vale, lo dejo así hasta que me digas."),
    "late": (
        "Este mensaje tuyo ha llegado muy tarde y no hemos hecho nada con él. Si aún lo necesitas, escríbelo de nuevo.",
        "Este también ha llegado tarde y no hemos hecho nada con él: si todavía hace falta, escríbelo otra vez.",
    ),
    "not_understood": ("Perdona, no te he entendido.", "No estoy seguro de haberte entendido."),
}

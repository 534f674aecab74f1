"""What the engine says differently in Mexico (tú)."""

PHRASES: dict[str, tuple[str, ...]] = {
    "greeting": ("¡Hola! ¿Qué tal?", "¡Hola de nuevo!"),
    "off_topic": (
        "Eso no te lo sé decir; si gustas, te lo averigua una persona del equipo.",
        "De eso no tengo el dato. Si lo necesitas, te comunico con una persona.",
        "Ahí sí te quedo a deber, disculpa. Sigamos donde nos quedamos.",
    ),
    "displeased": (
        "Disculpa, entiendo la molestia. Si prefieres, te atiende una persona: dime y te comunico.",
        "Lamento que sea así. Dime qué necesitas, o te comunico con una persona del equipo.",
    ),
    "explain": ("Te lo pregunto de otra forma.", "Disculpa, me explico mejor."),
    "thanks_back": ("¡Con mucho gusto!", "¡Gracias a ti!", "Para eso estamos."),
    "noted": ("Anotado: tu {label} es {value}.", "Muy bien, anoté tu {label}: {value}."),
    "ask_correct": ("Claro, ¿me compartes tu {label}?", "Va, ¿cuál es entonces tu {label}?"),
    "ask_meaning": ("¿Qué necesitas exactamente?", "¿A cuál de estas opciones te refieres?"),
    "ask_likely": ("¿Te refieres a {label}?", "¿Se trata de {label}?"),
    "menu": (
        "Por aquí te puedo ayudar con esto: {choices}. ¿Qué necesitas?",
        "Te puedo ayudar con: {choices}. ¿Con qué empezamos?",
    ),
    "about": ("Te puedo ayudar con esto: {choices}.", "Por aquí te apoyo con esto: {choices}."),
    "offer_person": (
        "No logro entenderte. ¿Quieres que te atienda una persona del equipo?",
        "Sigo sin entenderte, disculpa. ¿Prefieres que te comunique con una persona?",
    ),
    "person_if_wanted": (
        "Si prefieres, te atiende una persona del equipo.",
        "Si gustas, te comunico con una persona.",
    ),
    "bot": (
        "Soy un asistente virtual: un programa que responde por aquí. Si quieres hablar con una persona, dime.",
        "Soy un programa, no una persona. Si necesitas a alguien del equipo, dime y te comunico.",
    ),
    "rephrase": ("Entonces platícamelo con otras palabras.", "¿Me lo dices de otra forma, por favor?"),
    "skipped": ("No hay problema, lo dejamos en blanco.", "No pasa nada, seguimos."),
    "needed": ("Ese dato sí lo necesito para poder seguir.", "Sin ese dato no puedo avanzar."),
    "ask_change": ("Va, ¿qué quieres cambiar?", "Claro, dime qué cambio."),
    "failed": ("Algo falló de nuestro lado y no se pudo hacer. Intentémoslo de nuevo más tarde.",),
    "done": ("Listo.", "Ya quedó."),
    "handoff": ("Te comunico con una persona del equipo; en un momento te escribe por aquí.",),
    "handoff_closed": ("Te comunico con una persona del equipo. Ahora está cerrado: te responde {open.next}.",),
    "not_now": ("Eso por ahora no lo puedo hacer.", "En este momento no puedo hacer eso."),
    "understood": ("Entendido.", "Va."),
    "not_shown": ("Antes de confirmar, revisa esto, por favor.",),
    "not_yet": ("Sin prisa: te lo guardo tal como está.", "Está bien, lo dejo así hasta que me digas."),
    "not_understood": ("Disculpa, no te entendí.", "No estoy seguro de haberte entendido."),
}

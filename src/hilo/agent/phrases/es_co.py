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
    "invalid.person_name": ("Eso no me parece un nombre. Escríbalo tal como quiere que lo llamemos.",),
    "invalid.email": (
        "Ese correo no parece válido. Tiene que ser como nombre@dominio.com.",
        "Sigo sin poder leer el correo. Escríbalo completo, con la arroba: nombre@dominio.com.",
    ),
    "invalid.phone": (
        "Ese teléfono no parece válido. Escríbalo completo, por ejemplo 300 123 4567.",
        "Sigo sin poder leer el teléfono. Escriba solo los números, por favor.",
    ),
    "invalid.date": ("No entendí la fecha. Puede escribirla como 25/12/2027 o «el viernes que viene».",),
    "invalid.time": ("Necesito una hora, por ejemplo 17:30 o «a las cinco de la tarde».",),
    "invalid.city": ("No reconozco esa ciudad. Escriba solo su nombre.",),
    "invalid.address": ("Necesito la dirección completa, por ejemplo calle 10 # 43-12.",),
    "invalid.national_id": ("Ese documento no parece válido. Escríbalo completo, sin puntos ni espacios.",),
    "invalid.choice": ("Elija una de estas opciones: {choices}.",),
    "invalid.boolean": ("Respóndame «sí» o «no», por favor.",),
    "corrected": ("Listo, corregí su {label}: {value}.", "Hecho, su {label} queda así: {value}."),
    "noted": ("Anotado: su {label} es {value}.", "Bien, anoté su {label}: {value}."),
    "ask_correct": ("Claro que sí, dígame cuál es su {label}.", "De acuerdo, ¿cuál es entonces su {label}?"),
    "ask_which": ("¿Qué dato quiere corregir? ¿Su {label}?", "¿Cuál corrijo? ¿Su {label}?"),
    "yes_or_no": ("Respóndame «sí» o «no», por favor.", "Necesito un «sí» o un «no» para seguir."),
    "ask_change": ("De acuerdo, ¿qué quiere cambiar?", "Bien, dígame qué cambio."),
    "cancelled": ("Listo, lo dejamos aquí. Cuando quiera retomarlo, escríbame.",),
    "already_done": (
        "Ya tengo todos sus datos. Si quiere corregir alguno, dígame cuál.",
        "Está todo anotado. Si algo no está bien, dígame qué corrijo.",
    ),
    "handoff": ("Lo comunico con una persona del equipo; enseguida le escribe por aquí.",),
    "released": ("Ya estoy de vuelta con usted.",),
    "not_understood": ("Disculpe, no le entendí.", "No estoy seguro de haberle entendido."),
}

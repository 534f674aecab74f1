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
    "invalid.person_name": ("Eso no me parece un nombre. Escribilo tal como querés que te llamemos.",),
    "invalid.email": (
        "Ese mail no parece válido. Tiene que ser como nombre@dominio.com.",
        "Sigo sin poder leer el mail. Escribilo completo, con la arroba: nombre@dominio.com.",
    ),
    "invalid.phone": (
        "Ese teléfono no parece válido. Escribilo con el código de área, por ejemplo 11 5555-1234.",
        "Sigo sin poder leer el teléfono. Escribí solo los números, con el código de área.",
    ),
    "invalid.date": ("No entendí la fecha. Podés escribirla como 25/12/2027 o «el viernes que viene».",),
    "invalid.time": ("Necesito una hora, por ejemplo 17:30 o «a las cinco de la tarde».",),
    "invalid.city": ("No reconozco esa ciudad. Escribí solo su nombre.",),
    "invalid.address": ("Necesito la dirección completa, con calle y número.",),
    "invalid.national_id": ("Ese documento no parece válido. Escribilo completo, sin puntos ni espacios.",),
    "invalid.choice": ("Elegí una de estas opciones: {choices}.",),
    "invalid.boolean": ("Respondeme «sí» o «no», por favor.",),
    "ask_correct": ("Dale, decime cuál es tu {label}.", "Bueno, ¿cuál es entonces tu {label}?"),
    "ask_offered": ("¿A cuál te referís?",),
    "ask_meaning": ("¿Qué necesitás exactamente?", "¿A cuál de estas cosas te referís?"),
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

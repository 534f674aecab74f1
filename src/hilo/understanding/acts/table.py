"""The words of corrections, of asking for a person and to repeat; the table of all acts.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

from hilo.understanding.acts.answers import AFFIRM, AFFIRM_SHORT, DENY, DENY_SHORT
from hilo.understanding.acts.courtesy import BYE, COURTESY, GREET, GREET_AFTER, QUESTION_AHEAD, THANKS, TOPIC_CHANGE
from hilo.understanding.acts.refusals import CANCEL, SKIP

CLASSES: dict[str, str] = {
    "want": """
        quiero quisiera queria necesito necesitaba deseo prefiero preferiria puedo podria puede podes puedes
        podrias pueden podrian solicito pido exijo quieroo dejame deje dejen permitame permiteme gustaria
        can could want need like
    """,
    "talk": """
        hablar comunicarme charlar chatear conversar contactarme comunicar contactar platicar escribirme
        hablarle ablar
    """,
    "pass": """
        pasame paseme pasarme pasenme pasas pases comunicame comuniqueme comunicarme comunicas conectame
        conecteme conectarme derivame deriveme derivarme derivas transferime transfiereme transfierame
        transferirme transfieres ponme poneme pongame ponerme dame deme denme contactame contacteme
        contactarme mandame enlazame enlaceme pasan comunican derivan transfieren conectan
    """,
    "someone": """
        persona personas humano humana humanos asesor asesora asesores agente agentes operador operadora
        ejecutivo ejecutiva representante vendedor vendedora alguien encargado encargada dueno duena gerente
        supervisor supervisora jefe jefa empleado empleada responsable soporte operario consultor consultora
        administrador administradora atencion servicio recepcion administracion ventas secretaria patron
        moderador tecnico doctor doctora abogado abogada gente
    """,
    "machine": "bot robot maquina contestador chatbot ia automatico automatica grabacion computadora",
    "a": "un una algun alguna el la los las otro otra al uno",
    "my": "mi el la mis los las tu su ese esa lo",
    "field": """
        email mail correo gmail hotmail nombre apellido telefono celular cel movil numero direccion
        domicilio dni documento rut cedula nit cuit cuil ruc rfc curp pasaporte fecha hora horario dia
        cantidad ciudad destino origen datos dato talle talla color presupuesto empresa calle altura barrio
        piso depto departamento codigo cp localidad provincia pais edad whatsapp wsp instagram web pagina
        sitio cargo fono contacto referencia respuesta factura tarjeta usuario name phone address number
        date time city company budget last surname id
    """,
    "change": """
        cambia cambiar cambiame cambiale cambien cambies cambie cambias cambiarme cambiarle cambialo
        modifica modificar modificame modifique modifiquen actualiza actualizar actualizame actualice
        corrige corregi corregir corregime corrijan corrija corrigeme edita editar editame rectificar
        rectifica change update fix correct edit
    """,
    "order": """
        pedido pedidos orden compra reserva turno cita carrito todo operacion solicitud proceso tramite eso
        order
    """,
    "put": """
        puse escribi anote cargue di pase mande tipee ingrese dije pusiste anotaste escribiste pusieron
        anotaron cargaron
    """,
    "help": """
        ayude ayuda ayudar ayudarme atienda atiende atender atenderme ayuden responda responder escuche
        explique asesore oriente entienda conteste lea
    """,
    "ask": """
        tengo tenia hago hacer hacerte hacerle haria surgio salio tendria pregunto quiero quisiera necesito
        va queria es consulto
    """,
    "a2": "a an the some any another",
    "human": "human person agent someone somebody representative operator manager people rep supervisor",
    "ser": "es son era eran seria fue is was its are sera",
    "cancel": """
        cancela cancelar cancelo cancele cancelen canceles cancelame cancelalo cancelarlo anular anula
        anulen anule anulame cancelarla anularlo anularla canselar
    """,
}

CORRECT = """
    eso|ese|esa|esos|esto no es|era|son mi|el|la|lo|asi|lo? que? @field?
    yo no dije|pedi|puse eso|ese|esa|asi
    te|se|os equivocaste|equivocaron|confundieron
    eso|esto|ese|esa|asi no es|esta|son correcto|correcta|cierto|verdad|bien
    ^@change @field$
    es|esta|estan|va|fue al reves
    @my @field cambio
    cambie de @field
    asi no se escribe|llama|dice|es @my? @field?
    i mean
    wait it|its s|is
    en realidad
    mejor dicho
    deberia|tendria|tenia|debe que? ser|decir
    dejame|dejeme|permitame|quiero|quisiera|necesito|tengo|debo|hay|puedo|voy|queria que|a? corregir|rectificar
    corrijo|correccion|rectifico|corregime|corregi
    esta|estan mal|equivocado|equivocada|incorrecto @my? @field?
    esta|quedo mal escrito|el|la|mi|anotado|cargado|puesto @field?
    @my @field esta|estan|quedo|es mal escrito|anotado|anotada|cargado|puesto
    @my @field no es|era *
    @my nuevo|nueva @field es
    eso|esto|ese|esa|lo es|son incorrecto|mentira
    ^digo
    @my @field esta|estan|quedo|es mal|equivocado|equivocada|incorrecto
    hay|hubo un error
    me|nos equivoque|ekivoque|equiboque|confundi|corrijo
    le|la erre
    quise|queria decir|poner|escribir
    @put mal @my? @field?
    te|le|les di|pase|puse|mande|dije|escribi mal|el|otro|la @field? equivocado|equivocada|viejo|anterior|mal
    @change @my @field
    @change eso|esto
    @want @change @my @field
    @want @change eso|esto|algo
    @want @change un|unos dato|datos
    @want hacer una|un correccion|cambio
    @my @field correcto|correcta|real|nuevo|nueva es
    @my correcto|correcta es
    ojo que|es
    donde dice|puse|dije
    ^actually
    i meant|misspelled
    i mean$
    that|thats|this s|is? wrong
    that s|is not right|correct|it|my|what @field?
    thats not right|correct|it|my|what @field?
    that isn t right|correct|my
    wrong @field
    there s|is a|an mistake|error|typo
    my|the @field is|was wrong|misspelled
    my mistake|bad
    i made a mistake|typo
    i was wrong
    i got|gave|typed|put that|it|my|the|you @field? wrong
    it|that|this should be|have|read|say
    ^should be
    @change my|the @field @field?
    i want|need|de|would like? to @change my|the @field @field?
    i want|need|de|would like? to @change that|it
    oops|whoops|typo
    scratch that
    na verdade
    perdon|disculpa|disculpe|disculpame|perdona|perdoname|sorry|ups|uy|oops no? @ser|soy|quise|queria|son|digo
    correction
"""

# correct something only right after a no or a sorry
CORRECT_AFTER = """
    @my @field? @field? @ser
    es|era|son|eran|seria|fue|soy|somos
    mejor|digo|sino|quise
    it s|is|was
    its|it
    my name|email|phone|address|number is|was|s
    i m|am|said
    im|rather
"""

# a no and a correction in one
DENY_CORRECT = """
    ^no wait it|its s|is
    ^no es|son|era asi|ese|esa|eso|esos|correcto|correcta|cierto|verdad|mi|exacto @field?
    ^no es|son|era|soy|fue|eran * es|son|sino|era|soy|fue|eran
    ^no es|son|era|soy|fue|eran * * es|son|sino|era|soy|fue|eran
    ^no me llamo
    ^eso|esto|ese|esa? no es|era|fue lo que pedi|dije|queria|quise|puse
    ^no dije|pedi|puse eso|ese|esa|asi
    ^it s|is not * it|its|but
    ^not * but
"""

HUMAN = """
    @want que me? llamen|llame|contacten|contacte|atiendan|escriban
    basta|harto|harta|cansado|cansada de bots|robots|maquinas|@machine
    hay? algun|alguna|un|una|alguien @someone? que me? pueda|puede|podria @help
    no quiero|quisiera hablar|tratar con bots|robots|maquinas
    carne y hueso
    @want hablar con alguien de carne y hueso
    es|sos|eres @a? @someone o @a? @machine
    me|nos? pasarias|pasaria con|a @a? @someone real?|humano?
    hay? algun|alguna|un|una @someone disponible|libre|que|para me? @help?
    is there @a2? real? person|human|anyone|someone here|there
    @want hablar con|a soporte|servicio|atencion tecnico|al|a cliente?|clientes?
    @want @talk con @a? @someone de? verdad?|real?|humano?|humana?|fisica?|carne?|ustedes?
    con quien puedo|podria? hablar|comunicarme
    hablar|ablar|charlar|comunicarme|conversar con @a? @someone real?|humano?|humana?
    que|puede|pueden|podria|podrian|alguien? me? llame|llamen|llamar|llamarme|contacte|contacten|atienda|atiendan|
        atender|atenderme|ayude|escriba @a @someone real?|humano?|humana?
    @a? @someone que me? @help
    @want? que me @help|llame|contacte alguien|@someone
    hay alguien|@a @someone real?|humana?|humano? ahi?|que?|del? me? @help?
    hay alguien mas? del? lado? ahi?|vivo?|real?
    alguien ahi|vivo|real|humano
    @pass con @a? @someone de? verdad?|real?|humano?|humana?|carne?
    @pass a @a? @someone real?|humano?|humana?
    @pass con|a atencion|servicio al? cliente|clientes
    atencion|servicio al cliente|clientes
    me|nos puede|puedes|podes|podrias|podria|pueden pasar|comunicar|conectar|transferir|poner con @a? @someone real?|
        humano?
    @want @a asesor|asesora|agente|operador|operadora|humano|humana|representante|ejecutivo|ejecutiva real?|humano?|
        humana?
    @want @a persona real|humana|fisica|que|de @help?|verdad?
    @want atencion|asistencia|ayuda humana|real|personalizada|personal
    @want ayuda de verdad|@a|alguien|persona|asesor @someone?
    ^@a? asesor|asesora|agente|operador|operadora|humano|humana|representante|ejecutivo|ejecutiva|supervisor|persona|
        encargado|vendedor humano?|humana?|real?|comercial?$
    ser humano
    @want que? me? atienda|atiendan|atender|llame|llamen|contacte|contacten @a @someone real?|humana?
    me atiende @a? @someone|@machine real?
    sos|eres|es|usted @a? @machine o? @a? @someone?
    sos|eres @a? @someone real?|humana?|humano?|o? @a? @machine?|de? verdad?
    sos|eres real|automatico
    estoy? hablando|hablo con @a? @machine|@someone real?|o?|humana?|de? con? @a? @machine?|@someone?|verdad?
    no quiero|quisiera hablar|tratar|seguir|que|mas hablando? con? me? atienda? @a? @machine
    @want @a persona$
    no quiero|mas @a? @machine|bots|robots|maquinas
    contesta|conteste|responde|atienda|contesten @a? @someone
    me? pueden|podrian|puede|podes|podrias llamarme|llamar
    is anyone|someone there|here
    talk|speak|chat|connect|transfer|get|put to|with|me|through to?|with? @a2? @human
    i? want|need|like|can|could|may|let|d i|me|like? to? talk|speak|chat to|with @a2? real?|live? @human
    i want|need @a2 real|live? @human
    @a2? real|live|human person|human|agent|representative|operator|being|someone
    human$
    agent|representative|operator|human please?$
    are you @a2? real? @machine|human|person|real
    is this|that @a2? @machine|human|person|automated|real
    am i talking to|with @a2? real? @machine|human|person
    atendente$
    ayuda humana|real|personalizada
    ^con @a? @someone real?|humano?|humana?$
    hay alguien real|vivo|humano ahi|aca|aqui
    @want ayuda en? serio|real
    agente|asesor|operador|persona|atencion|representante humano|humana|real
    @want|@talk @talk? con otra? @a? persona|humano real?
    puede|podria|pueden atender|atenderme|ayudar @a @someone real?
    talk|speak|chat to|with @a2? real|live|human? person|human|agent|someone|representative|being
    connect|transfer|put|get me to|with|through|a to?|with? @a2? real?|live? @human
    customer service
    falar com @a|um|uma @someone|atendente
"""

# may name anybody
HUMAN_BY_NAME = """
    quiero|quisiera|necesito|puedo|podria|deseo hablar|comunicarme|charlar con *
"""

NOT_HUMAN = """
    @want hablar|comunicarme|charlar con vos|ustedes|usted|ti|mi|mis|su|tu|nadie|el|la|un|una
"""

REPEAT = """
    que significa|es eso|esto
    me explicas|explica$
    ^como como$
    ^como|komo$
    ^que|q|ke|k$
    ^mande|huh|what|pardon$
    ^como asi|dice|dices|dijo|dijiste|decis|perdon|que$
    ^que cosa|dice|dices|dijo|dijiste|decis$
    no te|le|les|lo|la? entendi|entiendo|comprendo|cache|cacho|capto|escuche|oi nada?|bien?|la? pregunta?|eso?
    no se entiende nada?|bien?|eso?
    no me queda|quedo claro
    no entiendo|entendi que|lo|a quieres|queres|quiere|decis|dices|dijiste|que|te decir?
    @want? que? me|lo? repetis|repite|repetir|repetime|repetirlo|repiteme|repeti$
    @want? me? repetir|repetis|repite|repeti la|lo|eso pregunta?|que? dijiste?
    me lo? repetis|repite|explicas|explica|decis|dices|dice otra|de|mejor vez?|nuevo?
    me lo? repetis|repite
    explicame|expliqueme|decime|dime|digame otra|de|mejor vez?|nuevo?
    otra vez|ves$
    a que te|se refieres|referis|refiere
    que me dijiste|preguntaste|pregunto
    cual era la pregunta
    what did|do you|that just? say|mean|said
    what was|is the|your question
    ^what was that$
    i don t understand|get|follow it?|that?|you?
    i dont understand|get|follow it?|that?|you?
    i didn t understand|get|hear it?|that?|you?
    come again
    say that|it again
    can|could you please? repeat|explain that?|it? again?|please?
    repeat that|please|it|again
    sorry what
    nao entendi
"""

# ask to repeat only with a question mark
REPEAT_ASKED = """
    ^eh|ehh|ah|aja|uh|perdon|disculpa|disculpe|sorry me?$
"""

TABLE = {
    "affirm": AFFIRM,
    "affirm:90$": AFFIRM_SHORT,
    "deny": DENY,
    "deny:90$": DENY_SHORT,
    "cancel": CANCEL,
    "skip": SKIP,
    "correct:90": CORRECT,
    "correct_after:90": CORRECT_AFTER,
    "deny_correct:90": DENY_CORRECT,
    "human": HUMAN,
    "human:60": HUMAN_BY_NAME,
    "none": NOT_HUMAN,
    "repeat:90": REPEAT,
    "repeat_asked": REPEAT_ASKED,
    "greet": GREET,
    "greet_after": GREET_AFTER,
    "thanks": THANKS,
    "bye": BYE,
    "topic_change:90": TOPIC_CHANGE,
    "topic_change:60": QUESTION_AHEAD,
    "courtesy": COURTESY,
}

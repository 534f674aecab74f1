"""The words of ordering: verbs that add, take away and change, and the words that end the name of a product.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

from collections.abc import Iterator
from decimal import Decimal

from hilo.recognisers.phrases import word_set

# stems of the imperatives: as they end in -a, as they end in -e (where the spelling changes)
_ADDING_AR = """
    agreg:agregu sum:sum anot:anot mand:mand envi:envi prepar:prepar apart:apart reserv:reserv
    encarg:encargu regal:regal ech:ech coloc:coloqu adicion:adicion despach:despach prest:prest alcanz:alcanc
    aument:aument acerc:acerqu carg:cargu separ:separ apunt:apunt arm:arm llev:llev pas:pas
"""
_REMOVING_AR = """
    sac:saqu quit:quit elimin:elimin borr:borr descart:descart descont:descont rest:rest retir:retir
    cancel:cancel suspend:suspend anul:anul remov:remuev
"""
_A_ENDINGS = ["me", "a", "ame", "ale", "anos", "alle", "amelo", "enme"]
_E_ENDINGS = ["e", "eme", "ele", "en", "enme", "eles", "es", "enos"]
_INFINITIVES = ["ar", "arme", "arle", "arnos", "arles"]
_PRONOUNS = ["alo", "ala", "alos", "alas", "amelo", "amela", "amelos", "amelas"]


def _imperatives(stems: str) -> Iterator[str]:
    for pair in stems.split():
        plain, _, changed = pair.partition(":")
        yield from (plain + ending for ending in _A_ENDINGS)
        yield from (changed + ending for ending in _E_ENDINGS)


def _infinitives(stems: str) -> Iterator[str]:
    for pair in stems.split():
        yield from (pair.partition(":")[0] + ending for ending in _INFINITIVES)


def _with_pronouns(stems: str) -> Iterator[str]:
    for pair in stems.split():
        yield from (pair.partition(":")[0] + ending for ending in _PRONOUNS)


_NOT_ALONE = word_set("pasa pase pasen pases lleva lleve lleven lleves carga cargue arma arme armen armes sume sumen")
_NOT_REMOVING = word_set("resta reste restar retira retire retirar retiren suspend suspenda")

_ADD = """
    @add_verb
    me|nos|te|se lo? @asked
    por|x? favor me @asked
    @wish @buy?
    @wish que? me|nos @subjunctive
    me gustaria|encantaria @buy?
    me gustaria|encantaria que me @subjunctive
    @could @buy
    me @could @buy
    se puede @buy
    puedo|podria|podre|podemos @buy
    vamos|voy|vaya a @buy_or_want
    va|van|iria|irian a? ser
    vamos|arranco|empiezo|arrancamos con
    me|nos? llevo|llevare|llevaria|llevamos|llevaremos
    para mi|nosotros|ella
    tomame|tome|toma nota|pedido? de?
    haceme|hazme|hagame|hagan|haganme llegar
    hacen|haces|hace|hagan|haga falta
    ^mi|el|este|esta|la|un|una? pedido|orden|lista|compra|pedidito es|seria|son|sera|de|:|=|-
    quiero|quisiera|necesito hacer|armar|realizar un|el|mi? pedido|orden de|con
    ^serian|seran|seria|sera
    ^@add_infinitive
    olvide|falto|olvidaba pedir|pedirte|agregar|encargar|sumar
    give|get|bring|send|pack|order|fetch me|us?
    i|we? want|need|wanna|would|will to|like|have|take|get|order|love? to? order|get|buy|have|take|add?
    i|we '|’? d|ll like|have|take|get|need|want|love
    can|could|may i|we|you? get|have|order|add|send|bring|give|take|put me|us?
    let me|us? get|have
    let '|’? s get|have
    add|put|throw in?
    eu? quero|queria|gostaria|preciso de?
    me ve|veja|manda|da|traz
    coloca|adiciona|poe|bota
"""
_REMOVE = """
    @remove_verb
    ya? no quiero|necesito|llevo|quisiera|queremos mas?
    ya? no va|van|vaya|vayan
    ya? no me|nos? mandes|manden|mande|traigas|traigan|traiga|agregues|agregue|agreguen|pongas|ponga|pongan|sumes|
        envies|envien|envie|anotes|des|incluyas|cargues
    @wish|@could|puedo me? @remove_infinitive
    me @could @remove_infinitive
    me|nos lo? sacas|quitas|saca|quita|sacan|quitan|borras|eliminas
    deja|dejen|deje|dejame|dejar|dejemos sin efecto
    da|den|de|dar de baja
    remove|delete|drop|cancel
    take|leave out|off|away
    i|we? don '|’? t want|need
    i|we? do not want|need
    i|we? dont want|need
    tira|remove
    retire|retira|retiren|reste|resta|restale el|la|los|las
    ^y|pero|si|ok|dale? sin|menos|excepto el|la|los|las
"""
_SET = """
    que|q sean|sea|se
    que fueran|fuera|queden|quede|vayan solo?
    mejor que sean|sea
    ^no|perdon|mejor|si|ok|bueno? mejor
    mejor solo|solamente|dame|mandame|poneme|ponme|quiero|deja|dejame|dejalo|pone|pon|deme|haceme|manda
    mejor me das|da|mandas|traes|llevo
    @change a|en|por|con
    @change lo|la|los|las|el? cantidad a|por|en
    @change a|por|en? que sean
    deja|dejame|deje|dejemos|dejemoslo|dejar|dejen|dejalo|dejala|dejalos|dejalas|dejemelo|dejamelo solo|solamente|
        nomas|en|con
    @keep en|a
    deja|deje|dejemos
    que queden|quede en|con?
    ^eran|era|son solo?
    en realidad son|eran|es|serian|quiero
    ^no|perdon? quise|queria decir|poner
    make it|that|them|those
    change|update|set it|that|them|quantity|the? quantity? to
    actually make? it?
    muda|troca para
"""
_CHANGE = """
    @change
    @wish|@could|puedo me? cambiar|cambiarme|reemplazar|sustituir|modificar
    change|swap|replace|switch
    troca
"""
# what is asked for and is no product
_NONE = """
    @wish saber|conocer|consultar|preguntar|hablar|ver|que|pagar|cancelar|hacer|reclamar|quejarme|averiguar|
        devolver|comunicarme|reservar|agendar|ir|confirmar|modificar|seguir|empezar|terminar|volver
    me|nos|te|se lo? @asked cuenta|miedo|igual|lo|gusto|verguenza|pena|risa|bronca|asco|hambre|sueno|que|a|por|si
    no me|nos|te|se lo? @asked
    no mandes|manden|agregues|pongas|traigas|sumes todavia|aun|nada
    ya? no quiero|necesito|llevo|quisiera mas? nada|que|hablar|seguir
    es|son|seria para llevar
    @wish dar|darme de|un|mi|una baja|aviso|opinion|datos?
    @wish que? me|nos|te|se lo|la|los|las @subjunctive
    antes|despues de las|la
    para llevar|retirar
    no necesito ayuda
    quien|quienes|quienquiera
    no saque|quite|saques|quites|saquen|quiten|borres|elimines|canceles|elimine|borre
    para|p cuando
    por|x ahora
    no quiero problemas|molestar|pagar
"""
# products and other things one letter away from a verb
_OWN = """
    precio|precios|canela|canelas|mantel|manteles|descartable|
        descartables|retirable|sacher|salir|pasta|pastas|passion|quinoto
"""
_ORDERED_VERBS = """
    pon ponme ponle ponga pongame pongan ponganme pongale pone poneme ponele ponenos ponnos pongo
    dame deme denme danos dadme trae traeme traenos traiga traigame traiganme traigan traele traete
    anade anademe anadele anada anadame anadime anadi anadile mete meteme metele metan metame vendeme vendame
    vendenos surteme surtame haceme hazme hagame incluye incluyeme incluya incluime inclui incluyan
    quiero quisiera queria querria kiero quero keremos queremos necesito necesitaria nesecito necesitamos ocupo
    ocupamos ocuparia deseo desearia deseamos deseaba pido pedimos encargo encargamos quisieramos queriamos
    agrego agregamos sumamos anoto compro compramos llevamos llevare llevo solicito quieroo dejame
    antojo fiame fieme tirame tirate kisiera precisaria preciso precisamos apetece colaboreme colaborame
    facilitame facilite qero kero quieor quieo quierro quier
    want wanna need
"""
_WISH = """
    quiero quisiera queria querria quero queremos necesito necesitaria nesecito necesitamos deseo desearia
    quisieramos queriamos ocupo deseamos kisiera pueden podrian preciso precisaria quieren prefiero preferiria
"""
_COULD = "puede puedes podes podrias podria pueden podrian podras podra pueds podeis"
_BUY = """
    comprar pedir llevar encargar tomar ordenar comprarte pedirte pedirle comprarle encargarte encargarle llevarme
    adquirir pedirles solicitar poner ponerme ponerle meter meterme dar darme darnos traer traerme traernos vender
    venderme anadir anadirme anadirle incluir incluirme comer probar pedirme sumarle hacerme facilitar facilitarme
    surtir surtirme servir servirme conseguir conseguirme colaborar
"""
_ASKED = """
    das da dan mandas manda mandan traes trae traen pones pone ponen pon regalas regala regalan vendes vende venden
    envias envia envian agregas agrega agregan sumas suma suman anotas anota anotan pasas pasan preparas prepara
    alcanzas alcanza reservas reserva apartas aparta guardas guarda guardan encargas haces colabora colaboras
    llevas anades anade incluyes incluye separas separa cargas apuntas apunta daria darias mandarias traerias
    empaca empacas fia fias mandaria traeria despacha despachas separe apunte facilita facilitas surte echas echa dejas
"""
_SUBJUNCTIVE = """
    mandes manden mande traigas traigan traiga des den agregues agreguen agregue pongas pongan ponga sumes sumen
    envies envien envie anotes anoten anote prepares preparen reserves reserven
"""
_CHANGES = """
    cambia cambialo cambiala cambialos cambialas cambiame cambiamelo cambie cambielo cambieme cambiar cambiarlo
    cambiarla cambiarlas cambiarlos cambias modifica modificalo modificame corrige corrigelo corregi corregilo
    actualiza actualizalo actualizame reemplaza reemplazame reemplazalo reemplaze remplaza cambiale cambiemos
    cambiamela cambiamelos cambien cambiarme cambiarle modificar
"""
_KEEPS = """
    pone ponlo ponelo ponela ponelos ponelas ponlos ponlas subi sube subilo subilos subile subelo subelos baja
    bajalo bajale bajalos bajame aumentalo reducilo reduce reducelo subela bajala sumalo quede queda quedaria
    quedarian deja
"""

TABLE = {
    "add": _ADD,
    "remove": _REMOVE,
    "set": _SET,
    "change": _CHANGE,
    "none": _NONE,
    "word": _OWN,
}
CLASSES = {
    "add_verb": " ".join(sorted({*_imperatives(_ADDING_AR), *_ORDERED_VERBS.split()} - _NOT_ALONE)),
    "remove_verb": " ".join(
        sorted(
            {*_imperatives(_REMOVING_AR), *_infinitives(_REMOVING_AR), *_with_pronouns(_REMOVING_AR)} - _NOT_REMOVING
        )
    ),
    "remove_infinitive": " ".join(_infinitives(_REMOVING_AR)),
    "wish": _WISH,
    "add_infinitive": """
        agregar sumar anadir pedir comprar ordenar encargar llevar adicionar incluir anotar agregarle sumarle
    """,
    "buy": " ".join((*_infinitives(_ADDING_AR), *_BUY.split())),
    "buy_or_want": " ".join(("querer", "necesitar", "ocupar", "tomar", *_infinitives(_ADDING_AR), *_BUY.split())),
    "could": _COULD,
    "asked": _ASKED,
    "subjunctive": _SUBJUNCTIVE,
    "change": _CHANGES,
    "keep": _KEEPS,
}

ARTICLES = word_set("el la los las lo the esas esos estas estos todo toda todos todas")
ONE = word_set("un una uno otro otra another unos unas some algun alguna algunos algunas")
LINKS = word_set("de d del con sin al a la el los las lo en y e - ' para of with")
LINKS_OF_NAMES = word_set("de d del con sin al a la el los las lo of with")
JOINERS = word_set("y e and")
VARIES = word_set("de d con sin al")
SKIPPED = ARTICLES | word_set("x de d del mas unidades u of por more solo")  # between a number and what it counts
PAIRS = word_set("par parcito couple pair")
GLUE = frozenset("-/'’.&")
BREAKS = word_set("no perdon ah uy , : ( ) - – — • * · + y e pero and")
BULLETS = frozenset("-*•·–—")
AND = word_set("y e i and & + , / - ademas tambien mas plus con ( ) : • *")
INTERROGATIVES = word_set("""
    cuanto cuanta cuantos cuantas cual cuales que q donde como cuando tenes tienen tiene tienes hay venden sabes
    porque what how do does is are which where when quien
""")
PRONOUNS = ("lo", "la", "los", "las", "melo", "mela", "melos", "melas")
ORDINAL_ENDINGS = word_set("ro do er to vo mo no ra da ta ero th st nd rd")
NOT_NUMBERS = word_set("zero cero")  # they name a variety
# what is counted here is money, time or people
NOT_COUNTED = word_set("""
    pesos peso lucas luca lukas palos mil soles dolares euros mangos cuotas hs horas hora min minutos minuto
    segundos dias dia semanas meses anos cuadras personas veces vez % am pm km pisos segundo momento
""")
MONEY = word_set("luca lucas luka lukas pesos peso soles sol dolares euros varos mangos guita palos")
SHARES = {"medio": Decimal("0.5"), "media": Decimal("0.5"), "cuarto": Decimal("0.25")}
TIMES = {"doble": 2, "triple": 3}
IN_A_PACK = {"maple": 30}  # packages that are a number of pieces
BARE_UNITS = {
    **dict.fromkeys(("kilo", "kilito", "kg", "quilo"), "kg"),
    **dict.fromkeys(("litro", "litrito", "lt"), "l"),
    **{unit: unit for unit in ("caja", "paquete", "botella", "lata", "bolsa", "cajon", "pack", "maple", "pote")},
    **{f"{unit}s": unit for unit in ("caja", "paquete", "botella", "lata", "bolsa")},
    "docena": "docena",
    "libra": "lb",
}
MEASURES = word_set("l ml kg g")
ADJECTIVES = word_set("""
    grande grandes chica chicas chico chicos familiar familiares mediana medianas mediano medianos pequena pequenas
    pequeno pequenos negra negras negro blanca blancas surtida surtidas surtido mixta mixtas mixto individual
    individuales personal personales roja rojas verde verdes azul azules chiquita chiquito chiquitas chiquitos
    chiquitita grandota grandecita gigante
""")
ABOUT = word_set("precio precios lista listas catalogo carta menu foto fotos info informacion")
WITHOUT = {"sin azucar": ("zero", "light", "diet"), "sin azucares": ("zero", "light", "diet")}
DIMINUTIVES = ("sito", "sita", "ito", "ita", "iyo", "iya", "it")
# what goods are called in the street, by what catalogues call them
ALSO = {
    **dict.fromkeys(("birra", "chela", "birrita", "cheve"), ("cerveza", "cervezas")),
    **dict.fromkeys(("pucho", "faso", "cigarro", "cigarrillo", "pitillo"), ("cigarrillos", "cigarros")),
    **dict.fromkeys(("gaseosa", "refresco", "soda", "bebida"), ("gaseosa", "gaseosas", "bebidas", "refrescos")),
    **dict.fromkeys(("palta", "aguacate"), ("palta", "aguacate")),
    **dict.fromkeys(("galleta", "galletita", "masita"), ("galletitas", "galletas")),
    **dict.fromkeys(("golosina", "dulce", "caramelo"), ("golosinas", "dulces", "caramelos")),
    **dict.fromkeys(("mechero", "fosforera"), ("encendedor",)),
    **dict.fromkeys(("muza", "muzza", "muzarela", "mozzarella"), ("muzzarella", "mozzarella")),
}
TALK = word_set("""
    es son era eran esta estan estoy estamos estaba soy somos sos eres fue fui seria mi mis tu tus su sus nuestro
    me te se nos les le tengo tiene tienen tenes tienes tenemos hay habia porque xq pq pero aunque cuando si no
    quien donde como cual cuanto cuantos cuantas cuanta adonde quiere vivo pago pagar paso retiro busco espero
    gracias entonces asi my is are i you we they it this that there am was do does have has will for when where
    what who how your minha meu estou llego llega llegan llegaron llegaria va voy vas van vamos creo espera
    digo dije dijo dijeron ayer manana hoy ahora antes despues luego ya todavia aun nunca siempre tambien
    tampoco nada nadie alguien ninguno ninguna aca aqui ahi alla casa hasta desde ella ellos ustedes usted
    uds vos nosotros yo debo deben debe puedo puede pueden podes hacer hago hace hacen fueron salio sale salen
    cuesta cuestan vale valen cobran cobraron vinieron falta faltan faltaron falto pedi pediste pidio compre
    compramos mande mandaron trajeron trajo olvide olvidaron encontre hola buenas saludos llama llamo listo dale
    ok okey porfa favor please thanks chau adios luego vi vale dicen dice sabes sabe saben conoces avisame
    avisen avise confirmo confirmame cierran cierra abren abre atienden envian hacen queda quedan funciona
    confirma confirmar avisas dime decime digame ojala ojo urgente rapido perfecto
    mio mia suyo direccion entrega entregar entregame entregan pasan buscar retirar recoger
    eso esa ese esto este estos estas esos esas aquello algun q que k ke
    algo mejor to bro wey guey che amigo amiga parce hermano vecino jefe
""")
NOT_PRODUCTS = word_set("""
    precio precios catalogo catalogos menu carta lista ubicacion direccion link enlace alias cbu cvu factura total
    info informacion turno cita reserva pedido pedidos orden compra ayuda persona personas asesor asesora humano
    operador vendedor vendedora encargado encargada gerente reembolso devolucion dinero plata peso pesos dolar
    dolares euros soles minuto minutos minutito segundo segundos momento momentito consulta consultas
    consultita pregunta preguntas
    preguntita duda dudas favor foto fotos numero telefono celular whatsapp mail correo email nombre horario
    horarios hora horas hs descuento descuentos envio delivery domicilio reclamo queja respuesta datos dato
    comprobante recibo boleta ticket vuelto cambio tiempo rato ratito dia dias semana semanas mes meses ano anos
    vez veces cuota cuotas cuadra cuadras hijo hijos hija hijas nene nenes amigos gracias abrazo beso besos saludo
    piso depto departamento casa calle cuenta presupuesto cotizacion problema problemas error errores queja
    motivo razon idea placer gusto desastre verguenza monton lado forma manera mensaje mensajes audio llamada
    lucas luca mil millon millones palos km kilometros metros transferencia efectivo pago pagos deposito
    code codigo clave contrasena usuario carrito saldo deuda deudas opcion opciones detalle detalles seguimiento
    estado repartidor cadete moto chofer entrega habitacion price menu list invoice bill help
    person agent question minute minutes second hours hour days day people kids years times enero febrero marzo
    abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre lunes martes miercoles jueves
    viernes sabado domingo am pm ultima ultimo primera misma mismo siempre nada alguien todos
    cupon garantia pena gente cosa cosas cosita montones ganas hambre sed frio lio quilombo
    responsable servicio soporte atencion adelanto esquina barrio ciudad zona hotel oficina trabajo puerta timbre
    cuil cuit dni rut documento cedula curp nit rfc mentira broma capo genio crack lujo exito bendicion salud
    mesa timbre lote ruta torre bloque local interior apto apartamento edificio sector casilla puerta
    puntos punto estrellas estrella felicitaciones likes
    lastima mitad barato barata baratos caro economico doble entre
""")
FILLERS = word_set("""
    hola holaa holi ola buenas buenos buen saludos hello hi hey oi dia dias tarde tardes noche noches there que tal
    como va andas andan estas estan por favor fa porfa porfavor porfis xfa xfavor plis please pls porfi plz
    muchas mil gracias thanks thx obrigado obrigada si dale ok oka okey okay bueno listo perfecto ah eh che mira mire
    oye oiga disculpa disculpe perdon perdona amigo amiga vecino vecina senor senora senorita jefe jefa maestro genio
    claro vale pues entonces este yes sim genial buenisimo joven veci bro hermano flaco don reina rey linda corazon
    sale ya ahora hoy tambien ademas aparte luego despues tipo caballero well also so oh um plus too no pero igual
    rapido urgente asap hermosa mami papi mijo parce wey compa man uf uy solo yo primero ahorita finalmente ultimo
    muy muchisimas amable x necesitando i think now then sip sii anda seguro obvio
    okis buenass buenaas vecinos gente chicos chicas equipo estimados estimado quiubo hubo onda po cachai
""")

# verbs that tell or ask and order nothing: a clause that has one is no order without a verb of ordering
TELLING = word_set("""
    es son era eran esta estan estoy estaba fue fui tengo tiene tienen tenes tienes tenemos hay habia habra llego llega
    llegan llegaron vino vinieron falta faltan faltaron falto pedi pediste pidio pedimos compre compraron mande mandaron
    trajeron trajo olvidaron cobran cobraron sale salen cuesta cuestan vale valen queda quedan quedo quedaron venden
    vendes vende trabajan debo deben debe gusta gustan encanta prefiero vence vencido vencida rota roto roba robaron
    sirve sirven saco incluye lleva llevan trae traen viene vienen dijo dijeron dicen creo conviene
    alcanza alcanzan consiguen manejan ofrecer ofrezco vendo soy somos receta
""")
NEVER = (
    ARTICLES
    | LINKS
    | ONE
    | word_set(
        "me te se nos le les no ni si ya x por que q cada mas more menos and & varios varias otros otras general"
    )
)
COMMON = TALK | FILLERS | TELLING | INTERROGATIVES | NOT_PRODUCTS | ADJECTIVES | NEVER | frozenset(NOT_COUNTED)

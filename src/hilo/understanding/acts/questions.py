"""How clauses start that ask without a question mark.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

QUESTION = """
    ^y? que * tienen|tenes|tienes|tiene|hay|venden|trae|traen|manejan|hacen|aceptan|ofrecen|necesito|puedo|incluye|
        viene|vienen|queda|quedan|usan|cuesta|sale
    ^y? cuanto|cuantos|cuantas|cual|como * cuesta|sale|tarda|demora|vale
    ^y? a|de|en|con|por|para|hasta|desde|hacia que|q|cual|cuanto|cuantos|cuantas|cuando|donde|quien|cuales
    ^y? cuanto|cuanta|cuantos|cuantas|cto|ctos|qto|cuant|kuanto|cuantoo|cunto|cuato|cual|cuales|cuando|donde|dnde|
        onde|adonde|quien|quienes|aonde
    ^y? como|komo @doing|es|se|puedo|hago|son|esta|estan|va|seria|lo|la|me|te|le|funciona|llego|pago|compro|
        trabajan|hacemos|retiro|sigue|quedo
    ^y? que|q|ke @thing
    ^y? por que|q
    ^porque no? me|se|te|tardan|tarda|cuesta|sale|es|esta
    ^y? cada cuanto|cuando
    ^y? sera|seria que|posible me|se|hay|tienen|que|puedo|pueden|puede|nos|les|lo|la
    ^y? a como|komo el|la|los|las|esta|estan|sale|salen|tienen|tiene|lo|dan|das|es|son|vende|venden
    ^y? ustedes|uds|alla|ahi hacen|tienen|venden|aceptan|envian|entregan|reciben|atienden|
        trabajan|abren|cierran|cobran|manejan
    ^decime|dime|digame|diganme|avisame cuanto|cuantos|cual|cuales|donde|como
    ^me|nos @give cuanto|si|que|como|donde|cual|cuando|a|cuales
    ^y? no? se|lo|la? @verb
    ^me|nos lo|la? @could decir|informar|explicar|contar|pasar|confirmar|mandar|ayudar|dar|indicar|asesorar|brindar|
        recomendar el?|la?|los?
    ^me|nos @give el|los|la|mas|un? precio|precios|info|informacion|direccion|catalogo|menu|carta|lista|ubicacion|
        datos
    me|les|te|le|yo? quiero|quisiera|queria|necesito|deseo|gustaria|queriamos|queremos|necesitaria|solo|para? saber|
        consultar|preguntar|preguntarte|consultarte|preguntarle|consultarle|averiguar|conocer|saver si|cuanto|como|
        donde|que|cual|cuando|quien|por|el|la|los|las|cuales|cuantos|sobre|acerca|a|hasta|precios|precio|porque|q
    consulta|pregunta cuanto|como|donde|que|cual|cuando|si|tienen|tenes|hacen|venden|hay
    ^y? el|la|los|las|mi|ese|esa|eso|esto|este|esta|su|con * cuanto|cuando|donde|cual|como @cost|@verb|es|esta|estan|
        seria|llega|lo|la|se
    ^y? eso|esto|ese|esa|esos|esas|entonces|ustedes|usted|uds cuanto|cuando|donde|cual|como|que
    ^sabes|saben|sabe|sabras|cachai|cachas|sabrias|sabria si|cuanto|donde|cuando|cual|que|como
    ^what|when|where|who|why|how|which|whose|whats|hows|wheres
    ^do|does|did|is|are|can|could|would|will|should|have|has|may you|i|they|it|there|this|that|we|the|your|any
    ^qual|quanto|onde|quando
"""

# ask inside a sentence too, with no mark
INSIDE = """
    no se|sabia si @verb|se|realizan|trabajas|entregas|envias|queda|abren|sera
    fijate|fijese|fijense|chequea|chequeame|revisa|revisame|averigua|averiguame|confirmame|decime|dime|digame|avisame|
        mira|mirame|pregunta|checa|checame si @verb|se|queda|todavia|aun|les|me
    cuanto|cuanta|cto|kuanto|qto me|te|le|nos|les? @cost
    y? si lo|la|los|las? @buy me|nos @offer
    y? si lo|la|los|las? @buy * me|nos @offer
    y? si lo|la|los|las? @buy * * me|nos @offer
    y? si lo|la|los|las? @buy * * * me|nos @offer
    y? si lo|la|los|las? @buy hay|tienen|hacen|tiene|cuanto|tendria|tendrian
    y? si lo|la|los|las? @buy * hay|tienen|hacen|tiene|cuanto|tendria|tendrian
    y? si lo|la|los|las? @buy * * hay|tienen|hacen|tiene|cuanto|tendria|tendrian
"""

# start like a question and are none
NO_QUESTION = """
    ^como siempre|quieras|quieran|digas|dije|dijo|maximo|minimo|mucho|poco|habia|guste|sea|decia|acordamos|quedamos|
        ves|veras|no
    ^como te|les|le|ya dije|dijo|digo|comente|conte|decia|pedi|mencione|dijimos
    ^cuando puedas|puedan|pueda|quieras|quieran|guste|gustes|sea|llegue|lleguen|tengas|tengan|vengas|vengan|estes|
        este|salga|termine|tenga|pase|vuelva
    ^cuanto antes|mas
    ^cuantos mas
    ^donde siempre|quieras|sea|puedas|quieran
    ^cual sea|quiera
    ^quien sea
    ^quien quiera
    ^me puede|puedes|podes|pueden traer|agregar|anotar|poner|sumar
    ^hay que
    ^no hay|tiene|tienen|tenes|tienes|puedo|puede|pueden|llega|llegan|funciona|sirve|vale|sale|salen|necesito|queda|
        quedan|estan|debo|podria|conviene
    ^no lo|la @verb
    ^vale|sale|puede|llega|viene|existe|queda|sirve|funciona|estas|tiene|demora
    ^lo|la @verb
"""

CLASSES: dict[str, str] = {
    "doing": """
        hago hacen haces hace puedo pueden se llego llegar pagar pago comprar hacer compro pido pedir envian
        mandan saber retirar funciona reservo reservar cancelo cambio devuelvo consigo contacto
    """,
    "thing": """
        precio precios hora horario horarios dia dias es son tienen tenes tienes tiene venden hay cuesta
        vale incluye color colores talle talles talla tallas medio medios forma formas marca marcas tipo
        tipos sabor sabores recomendas recomiendas recomiendan me pasa paso significa requisitos documentos
        datos necesito debo tengo puedo trae traen modelo modelos producto productos opciones opcion promos
        promociones promo ofertas descuento diferencia servicios bancos tarjetas costo valor planes plan tan
        tanto tamano tamanos medidas hacen ofrecen manejan numero direccion sucursal sucursales lleva
        garantia zona zonas otra otras otros mas te hago sale cosas posibilidades seria
    """,
    "verb": """
        hacen haces tienen tenes tienes tiene tendran tendras hay habra habria venden vendes aceptan aceptas
        reciben mandan llevan envian entregan puedo puede pueden podes puedes podria podrias podrian saben
        estan trabajan
        atienden abren cierran cuesta cuestan toman manejan ofrecen disponen fabrican alquilan arriendan
        cobran demora demoran tarda tardan llega llegan sirve funciona viene vienen incluye quedan queda
        tienees tiens tenei tienne hacn aceptn tinen tieen existe consiguen traen cubren emiten realizan
        reparten despachan financian conviene estas seguis siguen cuentan sale salen vale valen arreglan
        reparan prestan
    """,
    "cost": """
        sale salen saldria saldrian salio cuesta cuestan costaria costarian vale valen valdria seria serian queda
        quedaria cobran cobras cobra cobrarian tarda tardan tardaria demora demoran demoraria es son pagaria debo
    """,
    "buy": """
        pido llevo compro pago encargo transfiero somos llevamos pedimos compramos encargamos pagamos quiero
        queremos reservo contrato vamos
    """,
    "offer": """
        hace haces hacen ase ases asen das dan da dejas deja dejan rebajas rebaja rebajan cobras cobra cobran llega
        llegan mandas manda mandan envias envia envian descuentas descuenta descuentan regalas regala regalan sale
        salen queda quedan harias haria harian darias daria darian dejarias dejaria aplica aplican
    """,
    "could": "puede puedes podes podrias podria pueden podrian podras podra pueds",
    "give": """
        pasas pasan pasa das dan da mandas mandan manda dices decis dicen dice regalas regala regalan
        informas informan envia envias envian compartes
    """,
}

TABLE = {"question:85": QUESTION, "question_inside:85": INSIDE, "none": NO_QUESTION}

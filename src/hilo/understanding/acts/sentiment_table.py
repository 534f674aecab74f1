"""The words of sentiment, as data: Spanish by region and English, in folded letters.

What follows a kind's underscore is its strength; the cause that is reported is the part before.
"""

WEIGHTS: dict[str, float] = {
    "insult_strong": -0.9,
    "insult": -0.7,
    "insult_friendly": -0.2,
    "threat": -0.8,
    "anger_strong": -0.8,
    "anger": -0.65,
    "frustration": -0.65,
    "frustration_once": -0.45,
    "frustration_mild": -0.4,
    "complaint_formal": -0.4,
    "complaint_words": -0.3,
    "complaint": -0.3,
    "praise_strong": 0.8,
    "praise": 0.5,
    "thanks": 0.4,
    "neutral": 0.0,
}

# one of each kind of sign counts, however often it is repeated
EMOJI_WEIGHTS: dict[str, float] = (
    dict.fromkeys("😍🥰🤩💖💯", 0.7)
    | dict.fromkeys("😘❤💕💗💙💚💛🧡💜♥👏🎉🙌🥳", 0.5)
    | dict.fromkeys("😊😃😄😁🤗☺🙂👌", 0.1)
    | dict.fromkeys("👍", 0.2)
    | dict.fromkeys("🤬🖕", -0.8)
    | dict.fromkeys("😡👿", -0.7)
    | dict.fromkeys("😠😤💩🤮", -0.5)
    | dict.fromkeys("🙄😒👎😾", -0.35)
    | dict.fromkeys("😞😔😢☹🙁😕😩😫", -0.25)
)

CLASSES: dict[str, str] = {
    "crap": """
        mierda porqueria basura cagada asco bosta poronga verga chingadera verguenza estafa burla mugre
        cochinada garcha mrd crap
    """,
    "bad": """
        pesimo pesima pesimos pesimas horrible horribles malisimo malisima terrible espantoso espantosa
        desastroso desastrosa nefasto nefasta deplorable lamentable patetico patetica asqueroso asquerosa
        inaceptable inadmisible indignante vergonzoso vergonzosa awful horrendous disgusting unacceptable
        pathetic ridiculous worst
    """,
    "poor": "malo mala malos malas mal bad poor feo fea lento lenta caro cara carisimo carisima chafa flojo floja",
    "fine": "bueno buena buenos buenas bien good rico rica lindo linda",
    "great": """
        excelente excelentes genial geniales espectacular espectaculares increible buenisimo buenisima
        riquisimo riquisima hermoso hermosa fantastico fantastica maravilloso maravillosa perfecto impecable
        estupendo estupenda delicioso deliciosa divino divina brutal bacan bacanes chingon chingona chevere
        cheveres bacano
        precioso preciosa preciosos preciosas hermosos hermosas divinos divinas buenisimos buenisimas riquisimos
        riquisimas increibles fabuloso fabulosa bellisimo bellisima hermosisimo padrisimo chingones
        buenazo buenaza amazing awesome excellent wonderful great fantastic perfect lovely
    """,
    "fool": """
        idiota idiotas imbecil imbeciles estupido estupida estupidos tarado tarada tarados inutil inutiles
        inservible inservibles pelotudo pelotuda pelotudos forro forra forros garca garcas chanta chantas
        mogolico retrasado retrasados tonto tonta tontos bruto burro burros  inepto inepta
        ineptos incompetente incompetentes payaso payasos ladron ladrona ladrones chorro chorros ratero
        rateros ratas estafador estafadora estafadores mentiroso mentirosa mentirosos sinverguenza
        sinverguenzas caradura caraduras desgraciado desgraciados maldito malditos maldita basuras pendejo
        pendeja pendejos cabron cabrona cabrones culero culeros mamon malparido malparida malparidos
        gonorrea gonorreas cojudo cojudos gilipollas capullo subnormal cretino cretinos miserable miserables
        rata delincuentes corruptos hdp hdps hp hijueputa hijueputas gil giles pajero nabo salame zoquete
        huevonazo conchudo lacra lacras idiot idiots stupid moron morons useless bastard bastards asshole
        assholes scammer scammers thieves liar liars incompetent dumb jerk jerks careverga pirobo huevada
        guarro mongolico
    """,
    "angry": """
        enojado enojada furioso furiosa indignado indignada cabreado cabreada encabronado encabronada
        emputado emputada arrecho arrecha harto harta podrido podrida enfurecido enojadisimo enojadisima
        enojadisimos enojados emputadisimo calentisimo furious angry pissed mad outraged encachimbado
        rabioso
    """,
    "upset": """
        molesto molesta disgustado disgustada decepcionado decepcionada inconforme insatisfecho insatisfecha
        frustrado frustrada preocupado preocupada disconforme cansado cansada upset disappointed annoyed
        frustrated unhappy dissatisfied
    """,
    "are": "es son fue esta estan estuvo era estas sos eres is are was were sois",
    "a": "un una unos unas el la los las a an the",
    "very": "muy re super tan mas bastante demasiado recontra bien very so really totally medio",
    "will": "voy vamos pienso quiero vamo going gonna will",
    "said": "dije dijimos explique conte repeti escribi pedi comente mencione pase di mande expliqué envie",
    "understand": """
        entendes entiendes entiende entienden entendiste entendieron entendio comprendes comprende
        comprenden escuchas escuchan lees leen cachai entendeis captas sirves
    """,
    "time": "hora horas dia dias minutos semana semanas mes meses rato manana tarde tiempo",
    "order": "pedido paquete producto plata dinero compra encargo envio comida pizza orden reembolso",
}

INSULT_STRONG = """
    hijo|hija|hijos|ijo de|e|d una? mil? puta|putas|perra|remil|re putas?
    la concha de tu|su|la|mi madre|hermana|lora|vieja
    conchetumare|conchadetumadre|conchetumadre|ctm|csm|ctmr|qliao|culiao|culiaos|qlo|qlos|kuliao|aweonao|aweonaos|
        wnqlo|chuchetumare
    chinga|chinguen|chingate|chingas tu|a|su? madre|tu? madre?
    vayanse|andate|vete al|a carajo|diablo|infierno
    fuck|fucking|fuckin|motherfucker|fucker|fucked|bitch|bullshit|wtf|stfu you?|off?|this?
    go to hell
    screw you
"""

INSULT = """
    @fool
    damn you|it|bot
"""

INSULT_FRIENDLY = """
    carajo|joder|coño|puchica|puchis|mierda$
    damn|damnit
"""

THREAT = """
    defensa al|del consumidor
    los|te|las|les denuncio|demando|reporto|escracho|funo|denunciamos
    @will a? reclamar|quejarme|denunciar|demandar
    profeco|sernac|indecopi|condusef|superintendencia|facua|demanda|denuncia|denunciarlos|demandarlos|tribunales
    my lawyer|attorney
    i ll|will sue|report you?
"""

ANGER_STRONG = """
    @are? @a? @very? autentica?|verdadera?|completa?|total?|reverenda? @crap
    me robaron|estafaron|cagaron|timaron|mintieron|enganaron|clavaron|chingaron|tumbaron|asaltaron
    estoy|ando|stoy|toy @very? @angry
    me|nos tienen|tenes|tienes|tiene @very? @angry|cansado|cansada|hasta|recontra|los las|el|la? pelotas?|huevos?|
        bolas?|madre?|coronilla?|repodrido?
    me estan|estas|tas|esta jodiendo|cargando|boludeando|tomando|vacilando|cogiendo|verguiando|viendo|mamando|
        hueveando|webeando|agarrando|forreando el|la|de|cara? pelo?|cara?|pelotudo?|boludo?
    i hate|am this|you|it|furious
    this|it|you|that sucks
    sucks
"""

ANGER = """
    @bad
    @are? una? verdadera? falta de respeto|seriedad|profesionalismo
    @are el|la colmo|peor
    estan|estas|esta|andan jugando|burlando|burlandose conmigo?|nosotros?|de? mi?
    se? toman|tomando|tomadura|vieron|viendo|ven el|la|de pelo|cara
    que|una|tremenda|menuda mamera|huevada|vaina|wea|weada de? @order|servicio|atencion|empresa|mas|tan? @bad?|@poor?
    no vuelvo|voy|pienso a volver? comprar|pedir|comprarles|elegirlos nunca? mas? aca?
    devuelvanme|devuelvan|devolveme|devuelveme|devuelva|regresenme|reembolsenme mi|la|el plata|dinero|guita|lana|
        platica
    worst
    i want my money back
    ni|no tienen verguenza|idea|cara|perdon
"""

FRUSTRATION = """
    ya te|se|les|le|os lo|la|los|las? @said mil|tres|dos|varias|cien|muchas|3|10|como mil?|cien? veces?
    esto|este|esta|eso bot|app|pagina|chat|sistema|servicio? no sirve|funciona|anda|entiende para|un|de nada?
    esto|este bot? no sirve$
    no me|nos|te|les|lo|se? estas? @understand nada?
    no me|nos estas|estan|esta entendiendo|escuchando|leyendo|ayudando|comprendiendo|solucionando|contestando|
        respondiendo
    te|les lo? estoy|vengo diciendo|repitiendo|explicando|pidiendo
    cuantas veces|vces mas? tengo|te|les|hay|debo|quieres|lo que? lo? decir?|decirte?|repetir?|digo?|explicar?
    nadie me|nos|te|ha|se contesta|responde|atiende|ayuda|da|soluciona|contesto|respondio|hace|resuelve|soluciono|
        ayudo|me responde?|cargo?|bola?|pelota?|respuesta?|solucion?
    no contestan|responden|atienden|cumplen|cumplieron|respondieron|contestaron nunca?|nada?|el? telefono?
    llevo|llevamos|hace|hacen|tengo|van una|un|dos|tres|2|3|4|5|mas|media|varias|varios|mil|como|todo|la|rato de|
        toda|el? una|dos|la? @time? esperando|sin|que
    estoy? perdiendo|perder|perdida|perdi de|el|mi|la tiempo|paciencia
    gracias por nada
    que inutil|lentos|lento|lentitud|ineficientes|ineficiencia|mal|mala servicio?|atencion?|atienden?
    i|ive already|have already? told|said|explained you?|that?
    i ve already told|said you?
    waste of time|money
    useless
"""

# once said, it only tires
FRUSTRATION_ONCE = """
    ya te|se|les|le|os lo|la|los|las? @said
"""

FRUSTRATION_MILD = """
    quiero|necesito mi|mis|el @order ya|ahora|hoy
    sigo|seguimos esperando|sin
    todavia|aun sigo|estoy|estamos esperando|sin
"""

# announced in all form, without rage
COMPLAINT_FORMAL = """
    quiero|quisiera|deseo|necesito|vengo|queria a? hacer|poner|presentar|dejar una|un queja|reclamo|reclamacion
    quiero|quisiera|deseo|necesito|vengo|queria a? quejarme|reclamar
"""

COMPLAINT = """
    @are @very? @poor
    no me|nos|les|se? llego|llega|llegaron|llegan|trajeron|mandaron|entregaron|enviaron|gusto|gustaron|gusta|
        convence|anda|funciono|funciona|funcionan|sirve|sirvio|quedo nada?|mi|el|la|nunca? @order?
    no les|te|le creo nada?|mas?
    @very mal|malo|mala|caro|cara|lento|lenta|tarde|frio|fria|feo|fea
    llego|vino|llegaron|vinieron|estaba|salio|esta|estan|recibi|trajeron @very? tarde|frio|fria|frias|frios|roto|
        rota|rotos|mal|incompleto|incompleta|equivocado|equivocada|danado|danada|vencido|vencida|golpeado|defectuoso|
        defectuosa|sucio|sucia|podrido|crudo|cruda|quemado|quemada|pasado|derramado|aplastado|otro|otra
    me|nos mandaron|enviaron|trajeron|dieron|vendieron otra|otro|mal|el|cualquier|algo|un|una cosa?|equivocado?|
        incorrecto?|roto?|distinto?|vencido?
    tarda|tardan|demora|demoran|demorado|tardando|demorando|demoraron|tardaron mucho|demasiado|bastante|tanto|horas|
        anos|muchisimo
    tengo|tuve|tenemos|hay|hubo un|una|el|este|varios problema|inconveniente|queja|problemas|reclamo|drama|lio
    no vale|valen|valio lo|la que|pena cuesta?|pague?|cobran?|vale?
    no estoy|estamos conforme|conformes|satisfecho|satisfecha|contento|contenta|feliz|de
    estoy|quede|me siento? @very? @upset
    @upset con|por|de|with
    no es|era|fue|son|eran lo que pedi|compre|esperaba|queria|esperabamos|pague|prometieron|dijeron
    se re|super? zarparon|zarpan|abusan|abusaron|cebaron|aprovechan|aprovecharon|excedieron con|de|en? el? precio?
    broken|late|damaged|missing|defective|delayed
    not happy|satisfied|good|great|working|right
    i m|am|im @very? @upset
"""

# tell a complaint wherever they stand
COMPLAINT_WORDS = """
    injusto|injusticia|abusivo|abusivos|abuso|atropello
"""

PRAISE_STRONG = """
    son|sos|eres unos|un|una|los? genios|genio|genia|crack|cracks|capos|idolos
    la rompieron|rompiste|rompen
    que? buena|buen|gran atencion|servicio|trato
    @are? @very? @great
    son|sos|eres|es lo mas|maximo$
    de diez|10|maravilla|lujo|primera
    me|nos encanto|encanta|encantaron|fascina|fascino|encantan mucho?|todo?
    mola|molan|mola|molo mucho|mogollon|un|mazo|cantidad huevo?|monton?
    diez|10 puntos|10|estrellas
    @are? una|un|otra joya|joyita|maravilla|delicia|belleza|hermosura|genialidad
    un lujo|exito|golazo|flash|diez$
    esta|estuvo|estan|quedo|salio|quedaron @very? chingon|padre|padrisimo|rico|buenisimo|riquisimo|brutal|bacan|
        chido|chida|chula|chulo|precioso|preciosa|bonito|bonita|lindo|linda|hermoso|hermosa|rica|ricas|ricos|genial|
        divino|divina|espectacular|guay|fino|increible|bello|bella|lindos|lindas|bonitos|bonitas
    los|las|lo|la super? recomiendo|recomendare|recomendaria
    you guys|people|all? rock|rule
    love it|this|you
    i love|loved it?|this?
    you re|are? the|a|so best|awesome|amazing|great|helpful|kind|lifesaver
"""

PRAISE = """
    @very amable|amables|atento|atenta|atentos|rapido|rapida|rapidos|rico|rica|buena|bueno|buen|bien|lindo|linda|
        claro|contento|contenta|feliz|conforme
    que amable|amables|bueno|buena|lindo|linda|rico|rica|rapido|bien|alegria|crack|genio|onda|chevere|padre|chido|
        bacan onda?
    estoy|quede|quedamos|ando @very? fascinado|fascinada|maravillado|maravillada|enamorado|enamorada|chocho|chocha|
        fascinados|encantados|felices|agradecido|agradecida|agradecidos|impresionado|impresionada
    jajaja|jajajaja|jaja|jeje
"""

THANKS = """
    muchas|mil|muchisimas|infinitas? gracias|grax|grasias por? todo?|la? ayuda?|atencion?
    gracias|grax|grasias|thx|thanks|thank|ty|obrigado|obrigada you?|por? todo?|a? lot?|so? very? much?
    te|le|les|se lo? agradezco|agradece mucho?
"""

NEUTRAL = """
    no estoy|esta|estamos @very? @angry|@upset
    para nada @angry
    no fue|es culpa tuya|suya
    cuanta? perdida|perdido
    gracias a dios
    mal entendido
    menos mal
    mas o menos
    no gracias
    tengo un problema de? salud
    demanda de? @a? producto
    bien|muy bueno? frio|fria|frias|frios|cocido|cocida|picante|caliente
    @very temprano
    de pollo
"""

TABLE = {
    "insult_strong": INSULT_STRONG,
    "insult": INSULT,
    "insult_friendly": INSULT_FRIENDLY,
    "threat": THREAT,
    "anger_strong": ANGER_STRONG,
    "anger": ANGER,
    "frustration": FRUSTRATION,
    "frustration_once": FRUSTRATION_ONCE,
    "frustration_mild": FRUSTRATION_MILD,
    "complaint_formal": COMPLAINT_FORMAL,
    "complaint_words": COMPLAINT_WORDS,
    "complaint": COMPLAINT,
    "praise_strong": PRAISE_STRONG,
    "praise": PRAISE,
    "thanks": THANKS,
    "neutral": NEUTRAL,
}

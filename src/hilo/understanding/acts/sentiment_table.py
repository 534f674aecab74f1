"""The words of sentiment, as data: Spanish by region and English, in folded letters.

What follows a kind's underscore is its strength; the cause that is reported is the part before.
"""

from hilo.understanding.acts.complaint_table import COMPLAINT, COMPLAINT_FORMAL, COMPLAINT_WORDS, SADNESS
from hilo.understanding.acts.praise_table import NEUTRAL, PRAISE, PRAISE_MILD, PRAISE_STRONG, THANKS

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
    "complaint_strong": -0.65,
    "complaint_formal": -0.4,
    "complaint_words": -0.3,
    "complaint": -0.3,
    "sadness": -0.2,
    "praise_strong": 0.8,
    "praise": 0.5,
    "praise_mild": 0.25,
    "thanks": 0.4,
    "neutral": 0.0,
}

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
    "broken": """
        roto rota rotos rotas vencido vencida vencidos vencidas danado danada danados danadas golpeado golpeada
        golpeados golpeadas defectuoso defectuosa defectuosos defectuosas incompleto incompleta incompletos incompletas
        podrido podrida podridos podridas fallado fallada fallados falladas aplastado aplastada aplastados averiado
        averiada descompuesto descompuesta malogrado malograda malogrados rayado rayada
    """,
    "harmed": """
        arruinaron arruino arruinaste perjudicaron perjudica perjudicaste fallaron fallo fallaste estropearon rompieron
        perdieron ignoran ignoraron ignora maltrataron bloquearon discriminaron faltaron ningunearon colgaron cortaron
        gritaron hicieron cobraron dejaron mandaron mienten
    """,
    "fiasco": "desastre fiasco chasco papelon bodrio desmadre despelote quilombo estafa robo mierda mugrero asalto",
    "order": "pedido paquete producto plata dinero compra encargo envio comida pizza orden reembolso",
}

INSULT_STRONG = """
    hijo|hija|hijos|ijo de|e|d una? mil? puta|putas|perra|remil|re putas?
    hijos? de su? putisima|chingada madre
    la|tu|su|re puta|concha|reputa|putisima|conchetumare madre|que|de|tu|hermana te|su|tu|la? pario|parió|madre|
        lora|hermana?
    la concha de tu|su|la|mi madre|hermana|lora|vieja
    concha tu|su|e madre|mare
    conchetumare|conchadetumadre|conchetumadre|ctm|csm|ctmr|qliao|culiao|culiaos|qlo|qlos|kuliao|aweonao|aweonaos|
        wnqlo|chuchetumare
    andate|andá|vete|vayanse|vayase|anda|vayan a la? mierda|concha|verga|cagar|chingada|puta|carajo|chingar
    a la verga|chingada|mierda
    chinga|chinguen|chingate|chingas tu|a|su? madre|tu? madre?
    metanselo|metetelo|metelo|metetela|metanse por|en el|donde culo|orto|no? les? quepa?
    que|hijos|manga de|te la parta|forros|chupes|chupen|inutiles|ladrones|pelotudos?
    vayanse|andate|vete al|a carajo|diablo|infierno
    chupala|chupame|chupenla|mamalo|mamame|cometela
    sorete|soretes|puto|puta|putos|putas|mierdas|cagones|cagon|malnacidos|malnacido|lpm|lptm|lpqtp|hdrmp|alv|vtv
    fuck|fucking|fuckin|motherfucker|fucker|fucked|bitch|bullshit|wtf|stfu you?|off?|this?
    go to hell
    screw you
    son of a bitch
    piece of shit|crap
    no me jodas|jodan
"""

INSULT = """
    @fool
    sos|eres|son|es|que @a? @very? @fool|boludo|boluda|boludos|weon|huevon|marica|pendejo|burro|animal
    pinche|pinches|pinshi|maldito|maldita|malditos|puto|puta|fucking @fool|bot|robot|maquina|gente|empresa
    de mierda|porqueria|cuarta|quinta
    callate|callense|calla
    manga|banda|bola|sarta|partida|cueva de @fool|boludos|weones
    shut up
    damn you|it|bot
"""

INSULT_FRIENDLY = """
    boludo|boluda|weon|weona|huevon|huevona|marica|guevon|wevon
    maldita sea
    carajo|joder|coño|puchica|puchis|mierda$
    damn|damnit
"""

THREAT = """
    los|te|las|lo|la|les? @will|vamos a? denunciar|demandar|reportar|escrachar|funar|quemar|publicar|acusar|
        enjuiciar|denunciarlos|demandarlos|reportarlos|escracharlos|funarlos|denunciarte|demandarte|sue|report you?|
        them?
    los|te|las|les denuncio|demando|reporto|escracho|funo|denunciamos
    @will a? reclamar|quejarme|denunciar|demandar
    @will a? iniciar|tomar|emprender|presentar acciones|accion legales|legal
    @will a? iniciar|hacer|poner|presentar|meter|interponer|radicar una|un|la denuncia|demanda|juicio|pqr|tutela
    @will a? ir|acudir|recurrir a|al|con la? defensa|abogado|indecopi|profeco|sernac|policia|sic|defensoria|consumidor
    @will a? llamar a la|mi policia|abogado
    @will a? dejar|poner|escribir|publicar una|un mala|mal|pesima resena|comentario|opinion|calificacion
    @will a? publicar|subir|contar esto|todo|lo en? redes|facebook|twitter|internet
    defensa al|del consumidor
    profeco|sernac|indecopi|condusef|superintendencia|facua|demanda|denuncia|denunciarlos|demandarlos|tribunales
    mi|mis abogado|abogados|abogada
    carta documento
    acciones legales
    hablar con mi abogado
    se van a arrepentir|enterar|acordar
    te|los|les voy a hacer|reventar|matar|romper|buscar|encontrar|cagar pelota?|mierda?
    see you in court
    my lawyer|attorney
    legal action
    i ll|will sue|report you?
"""

ANGER_STRONG = """
    @are? @a? @very? autentica?|verdadera?|completa?|total?|reverenda? @crap
    que @crap|@bad
    @crap de @a? @order|servicio|atencion|empresa|app|pagina|bot|lugar|negocio
    me cago en|@crap la|todo|dios|su|ustedes
    me robaron|estafaron|cagaron|timaron|mintieron|enganaron|clavaron|chingaron|tumbaron|asaltaron
    nos robaron|estafaron|mintieron
    @are @a robo|chorros|afano|estafa|asalto|atraco|fraude|scam|ripoff|rip
    @are @very? @angry
    estoy|ando|stoy|toy @very? @angry
    me|nos tienen|tenes|tienes|tiene @very? @angry|cansado|cansada|hasta|recontra|los las|el|la? pelotas?|huevos?|
        bolas?|madre?|coronilla?|repodrido?
    hasta las|los|la pelotas|bolas|huevos|madre|coronilla|cojones|tetas|narices|manos|chingada
    me estan|estas|tas|esta jodiendo|cargando|boludeando|tomando|vacilando|cogiendo|verguiando|viendo|mamando|
        hueveando|webeando|agarrando|forreando el|la|de|cara? pelo?|cara?|pelotudo?|boludo?
    se estan? burlan|burlando|cagan|rien|riendo de mi?|nosotros?
    i hate|am this|you|it|furious
    this|it|you|that sucks
    sucks
    fraude|estafa|scam|ripoff
"""

ANGER = """
    @bad
    @are @a? @very? @bad
    @are? una? verdadera? falta de respeto|seriedad|profesionalismo
    falta|faltan|poca|cero|nula de? respeto|seriedad|profesionalismo|educacion|etica|compromiso|responsabilidad
    @are el|la colmo|peor
    el|la|los|su|lo peor servicio|atencion|empresa|experiencia|de|compra|cosa|lugar
    el|la|lo peor
    cada dia|vez|mes peor|peores
    lo mal|pesimo que atienden|trabajan|funciona|responden|tratan|anda|esta|atendieron
    estan|estas|esta|andan jugando|burlando|burlandose conmigo?|nosotros?|de? mi?
    no puede ser$
    no lo puedo creer
    que bronca|rabia|coraje|desastre|verguenza|impotencia|indignacion|falta|poca|atropello|abuso|arrechera|
        mamada de? respeto? verguenza?
    me da|dan|genera mucha? bronca|rabia|asco|verguenza|coraje|impotencia
    @are @a? @very? desastre|abuso|atropello|mamada|vergueza|despelote|quilombo|joda|disaster|joke
    un desastre
    menudo|menuda|tremendo|tremenda|vaya|que|un|una|flor|puro|pura|total de? @fiasco
    pura|puras|puro|puros|son mentira|mentiras|cuento|cuentos|chamullo|verso|versos|blabla
    se? toman|tomando|tomadura|vieron|viendo|ven el|la|de pelo|cara
    que|una|tremenda|menuda mamera|huevada|vaina|wea|weada de? @order|servicio|atencion|empresa|mas|tan? @bad?|@poor?
    la|que|esta|puta wea|weada|huevada mas? @very? @bad|@poor|fome|penca|culia
    me|nos re|super|recontra|muy? enoje|calente|cabree|indigne|encabrone|emputo|emputa|saca|arreche|enfurece|enoja|
        indigna|calienta de? quicio? mucho?
    por culpa de ustedes|vos|usted|su|la|los|el|suya|suyo|tuya|ti
    por su|tu culpa
    nunca|jamas mas les|los|aca|vuelvo|a? compro|pido|comprar|pedir|vengo|recomiendo|elijo|volver nada?|aca?|aqui?
    nunca|jamas mas|vuelvo|volvere|vuelva|nunca les|a|los compro|comprar|comprarles|compraria?
    no vuelvo|voy|pienso a volver? comprar|pedir|comprarles|elegirlos nunca? mas? aca?
    no les|vuelvo compro|a? mas|comprar nunca?|mas?
    devuelvanme|devuelvan|devolveme|devuelveme|devuelva|regresenme|reembolsenme mi|la|el plata|dinero|guita|lana|
        platica
    quiero|exijo|reclamo mi|la|el plata|dinero|guita|reembolso|devolucion ya|ahora|de de? vuelta?|mi? plata?|dinero?
    exijo una|que|mi|un|hablar
    me tienen cansado|cansada
    basta ya?|de|por
    ya basta
    worst
    unacceptable
    i want my money back
    fed up
    estafadores
    ni|no tienen verguenza|idea|cara|perdon
"""

FRUSTRATION = """
    no me|nos|te|les|lo|se? estas? @understand nada?
    no me|nos estas|estan|esta entendiendo|escuchando|leyendo|ayudando|comprendiendo|solucionando|contestando|
        respondiendo
    no @understand nada? lo? que? te?|digo?|escribo?|pido?
    ya te|se|les|le|os lo|la|los|las? @said mil|tres|dos|varias|cien|muchas|3|10|como|mas mil?|de?|cien? veces?
    te|se|les|le lo|la? @said mil|tres|dos|varias|cien|muchas|10|3|como|ya|veces mil?|cien? veces?
    te|les lo? estoy|vengo diciendo|repitiendo|explicando|pidiendo
    te|les lo? acabo de decir|dar|pasar|explicar|escribir|mandar
    cuantas veces|vces mas? tengo|te|les|hay|debo|quieres|lo que? lo? decir?|decirte?|repetir?|digo?|explicar?
    por|x tercera|segunda|cuarta|quinta|enesima|ultima vez
    otra|siempre vez? lo|con mismo|la misma?
    siempre lo|la mismo|misma
    ya? van|es|son la? dos|tres|cuatro|2|3|4|varias|muchas|segunda|tercera|cuarta|mil|5|cinco veces|vez que
    me? pasa|paso siempre|otra|de lo|vez|nuevo mismo?
    preguntas|preguntan|pregunta|pedis|pides siempre? lo mismo
    me|nos preguntas|preguntan|pregunta|pedis siempre|otra|de lo|vez|nuevo mismo?
    esto|este|esta|eso|el|la|ustedes bot|app|pagina|aplicacion|chat|robot|sistema|servicio? no sirve|funciona|
        sirven|anda|entiende|ayuda para|un|una|nada|de? nada?|carajo?|mierda?
    no sirve|sirven|sirves|funcionan|sirvio para|de|un|pa nada|carajo|pito
    nadie me|nos|te|ha|se contesta|responde|atiende|ayuda|da|soluciona|contesto|respondio|hace|resuelve|soluciono|
        ayudo|me responde?|cargo?|bola?|pelota?|respuesta?|solucion?
    nadie da|dio|pone|puso la cara
    nadie se hace|hizo cargo|responsable
    no se hacen|hace|hicieron|hizo cargo|responsables
    no dan|da|dieron|dio la? cara
    me|nos dejaron|dejan|dejas|dejaste|clavaron|clavan en|el visto
    ni bola|pelota|pelotas|caso|pio me|nos dan|dieron|da|dio|pasan
    no me|nos dan|dieron|da|dio|pasan bola|pelota|caso|respuesta|solucion|bolilla
    no me|nos? resolvieron|resuelven|resolvio|solucionaron|ayudaron|ayudo|avisaron|devolvieron|reintegraron|cumplieron|
        contestaron|devuelven|cumplen|aparecen|aparecieron nada?|nunca?|todavia?|aun?
    no contestan|responden|atienden|cumplen|cumplieron|respondieron|contestaron nunca?|nada?|el? telefono?
    dejaron de contestar|responder|contestarme|responderme
    me|nos tienen|traen|traian de|a|dando aca|aqui|vueltas|un? para? alla?|lado? a?|otro?
    me|nos quede|quedamos|dejaron esperando|plantado|plantada|vestido|vestida|colgado|colgada|sin
    nadie contesta|responde|atiende|soluciona|hace|ayuda nada?
    no me|nos contestan|responden|atienden|solucionan|contesta|responde|dan|ayudan|resuelven|soluciona|solucionaron|
        contestaron|respondieron nunca?|nada?|una? solucion?|respuesta?|bola?
    llevo|llevamos|hace|hacen|tengo|van una|un|dos|tres|2|3|4|5|mas|media|varias|varios|mil|como|todo|la|rato de|
        toda|el? una|dos|la? @time? esperando|sin|que
    que parte no|de @understand?|lo? que? no?
    estoy|me cansado|cansada|cansé|canse|aburri|aburrido|cansaron de
    estoy? perdiendo|perder|perdida|perdi de|el|mi|la tiempo|paciencia
    me|se hacen|haces|hace|hicieron perder el tiempo
    se me acaba|agota|acabo|agoto la paciencia
    gracias por nada
    no sirve$
    que inutil|lentos|lento|lentitud|ineficientes|ineficiencia|mal|mala servicio?|atencion?|atienden?
    asi no se puede|trabaja
    me rindo
    i|ive already|have already? told|said|explained you?|that?
    i ve already told|said you?
    you|u don|dont|do|are t|not? understand|listen|listening|get|understanding me?|it?
    how many times do|must|should i|have
    nobody answers|responds|replies|helps
    no one answers|responds|replies|helps
    waste of time|money
    not|isnt|isn t? helpful|helping
    useless
    for the third|second|last|fourth|hundredth time
"""

# once said, it only tires
FRUSTRATION_ONCE = """
    ya te|se|les|le|os lo|la|los|las? @said
    ya lo|la|los? @said
"""

FRUSTRATION_MILD = """
    quiero|necesito mi|mis|el @order ya|ahora|hoy
    hasta cuando$
    cuanto mas|tiempo tengo|hay|debo|voy que|a esperar
    sigo|seguimos esperando|sin
    todavia|aun sigo|estoy|estamos esperando|sin
    no lo|la|te|le entiendo por|porque|como que?
    dale che|apurate|apurense|apurale|rapido
    apurense|apurate|muevanse|apresurense
    still waiting
    hello|hola hay? alguien$
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
    "sadness": SADNESS,
    "praise_strong": PRAISE_STRONG,
    "praise": PRAISE,
    "praise_mild": PRAISE_MILD,
    "thanks": THANKS,
    "neutral": NEUTRAL,
}

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
    "frustration_mild": -0.4,
    "complaint_strong": -0.65,
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
        estupendo estupenda delicioso deliciosa divino divina brutal bacan chingon chingona chevere bacano
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
    falta de respeto|seriedad
    @are el|la colmo|peor
    el|la|los|su|lo peor servicio|atencion|empresa|experiencia|de|compra|cosa|lugar
    el|la peor
    no puede ser$
    no lo puedo creer
    que bronca|rabia|coraje|desastre|verguenza|impotencia|indignacion|falta|poca|atropello|abuso|arrechera|
        mamada de? respeto? verguenza?
    me da|dan|genera mucha? bronca|rabia|asco|verguenza|coraje|impotencia
    @are @a? @very? desastre|abuso|atropello|mamada|vergueza|despelote|quilombo|joda|disaster|joke
    un desastre
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
    ya te|se|les|le|os lo|la|los|las? @said mil?|tres?|dos?|varias?|cien? veces?
    ya lo|la|los? @said
    te|se|les|le lo|la? @said mil|tres|dos|varias|cien|muchas|10|3|como|ya|veces mil?|cien? veces?
    te|les lo? estoy|vengo diciendo|repitiendo|explicando|pidiendo
    te|les lo? acabo de decir|dar|pasar|explicar|escribir|mandar
    cuantas veces|vces mas? tengo|te|les|hay|debo|quieres|lo que? lo? decir?|decirte?|repetir?|digo?|explicar?
    por|x tercera|segunda|cuarta|quinta|enesima|ultima vez
    otra|siempre vez? lo|con mismo|la misma?
    siempre lo|la mismo|misma
    preguntas|preguntan|pregunta|pedis|pides siempre? lo mismo
    me|nos preguntas|preguntan|pregunta|pedis siempre|otra|de lo|vez|nuevo mismo?
    esto|este|esta|eso|el|la|ustedes bot|app|pagina|aplicacion|chat|robot|sistema|servicio? no sirve|funciona|
        sirven|anda|entiende|ayuda para|un|una|nada|de? nada?|carajo?|mierda?
    no sirve|sirven|sirves|funcionan|sirvio para|de|un|pa nada|carajo|pito
    nadie me|nos|te|ha|se contesta|responde|atiende|ayuda|da|soluciona|contesto|respondio|hace|resuelve|soluciono|
        ayudo|me responde?|cargo?|bola?|pelota?|respuesta?|solucion?
    nadie contesta|responde|atiende|soluciona|hace|ayuda nada?
    no me|nos contestan|responden|atienden|solucionan|contesta|responde|dan|ayudan|resuelven|soluciona|solucionaron|
        contestaron|respondieron nunca?|nada?|una? solucion?|respuesta?|bola?
    llevo|llevamos|hace|hacen|tengo|van una|un|dos|tres|2|3|4|5|mas|media|varias|varios|mil|como|todo|la|rato de|
        toda|el? una|dos|la? @time? esperando|sin|que
    quiero|quisiera|deseo|necesito|vengo a? quejarme|reclamar
    quiero|quisiera|deseo|necesito|vengo a? hacer|poner|presentar|dejar|levantar|radicar|realizar una|un queja|
        reclamo|reclamacion|denuncia|pqr|complaint
    libro de quejas|reclamaciones
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
    i want|need|de|would like? to? make|file|lodge a complaint
    i want|need|de|would like? to complain
    waste of time|money
    not|isnt|isn t? helpful|helping
    useless
    for the third|second|last|fourth|hundredth time
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

COMPLAINT = """
    no me|nos|les|se? llego|llega|llegaron|llegan|trajeron|mandaron|entregaron|enviaron|gusto|gustaron|gusta|
        convence|anda|funciono|funciona|funcionan|sirve|sirvio|quedo nada?|mi|el|la|nunca? @order?
    no anda|funciona|funcionan|carga|abre|sirve|enciende|prende|llego
    nunca|jamas me|lo|la? llego|llegaron|trajeron|contestaron|respondieron|avisaron
    @are @very? @poor
    @very mal|malo|mala|caro|cara|lento|lenta|tarde|frio|fria|feo|fea
    me parece @very? @poor
    llego|vino|llegaron|vinieron|estaba|salio|esta|estan|recibi|trajeron @very? tarde|frio|fria|frias|frios|roto|
        rota|rotos|mal|incompleto|incompleta|equivocado|equivocada|danado|danada|vencido|vencida|golpeado|
        defectuoso|defectuosa|sucio|sucia|podrido|crudo|cruda|quemado|quemada|pasado|derramado|aplastado|otro|otra
    falto|faltan|faltaba|faltaron @a|mi|algo|parte|2|cosas @order?|producto?|productos?
    me|nos mandaron|enviaron|trajeron|dieron|vendieron otra|otro|mal|el|cualquier|algo|un|una cosa?|equivocado?|
        incorrecto?|roto?|distinto?|vencido?
    me|nos cobraron|cobran|descontaron|facturaron dos|de|mal|doble|demas|el mas?|veces?|doble?
    tarda|tardan|demora|demoran|demorado|tardando|demorando|demoraron|tardaron mucho|demasiado|bastante|tanto|horas|
        anos|muchisimo
    esta tardando|demorando|demorado|atrasado|retrasado mucho?|demasiado?
    tengo|tuve|tenemos|hay|hubo un|una|el|este|varios problema|inconveniente|queja|problemas|reclamo|drama|lio
    queja|reclamo|quejas|complaint|complain
    no estoy|estamos conforme|conformes|satisfecho|satisfecha|contento|contenta|feliz|de
    estoy|quede|me siento? @very? @upset
    @upset con|por|de|with
    mala|mal|malos|malas|poor|bad atencion|servicio|experiencia|calidad|trato|gusto|service|experience
    que|muy mal|mala|malo|tardan|lento|caro|lastima|decepcion|pena|caros servicio?|atencion?
    una decepcion
    me|nos dejaron esperando|plantado|plantada|sin|clavado|colgado
    hace|ya una|un|dos|tres|varios|2|3? @time que|y espero|pedi|estoy|no|compre esperando?
    deja|dejan|dejo mucho|bastante que desear
    no es lo que pedi|compre|esperaba|queria
    no se|es entiende|justo|posible|serio nada?
    demasiado|muy caro|lento|tarde|complicado
    broken|late|damaged|missing|defective|delayed
    i haven|havent|didn|didnt t? received|receive|gotten|got
    does|did|doesn|doesnt t|not? not? work
    doesnt work
    not happy|satisfied|good|great|working|right
    i m|am|im @very? @upset
    problem with
    too expensive|slow|late|long
"""

SADNESS = """
    estoy|me siento? triste|mal|deprimido|deprimida|angustiado|angustiada
    que|una lastima|pena|triste
    lamentablemente|desgraciadamente
"""

PRAISE_STRONG = """
    @are? @very? @great
    que @great
    de puta madre
    de diez|10|maravilla|lujo|primera
    me|nos encanto|encanta|encantaron|fascina|fascino|encantan mucho?|todo?
    te|los quiero mucho
    los|te|las amo|adoro|felicito|amamos|recomiendo mucho?
    felicitaciones|felicidades|felicito|congratulations
    la|el mejor servicio|atencion|experiencia
    lo mejor de|que lo|hay mejor?
    son|sos|eres|es @a? lo|los|el|la|unos|un|muy @very? mejor|mejores|genio|genia|genios|crack|cracks|maximo|
        maximos|grosos|groso|capo|capa|capos|idolo|idolos|amor|divino|divina|amables|amable|maquina|fenomeno|tesoro
    genio|genia|crack|genios|capo|idolo|maestro
    la raja|rompe|zorra
    esta|estuvo chingon|padre|padrisimo|rico|buenisimo|riquisimo|brutal|bacan
    esta|estuvo de|a poca|toda madre
    de poca madre
    a toda madre
    love it|this|you
    i love|loved it?|this?
    you re|are? the|a|so best|awesome|amazing|great|helpful|kind|lifesaver
    well done
    great job|service|work
    super|muy|re recomendable|recomendado|recomendados|bueno|buena|buen|rico|rica|ricas|ricos|lindo|linda servicio?|
        atencion?
"""

PRAISE = """
    me|nos gusto|gusta|gustan|gustaron mucho?|todo?
    @very amable|amables|atento|atenta|atentos|rapido|rapida|rapidos|rico|rica|buena|bueno|buen|bien|lindo|linda|
        claro|contento|contenta|feliz|conforme
    que amable|amables|bueno|buena|lindo|linda|rico|rica|rapido|bien|alegria|crack|genio|onda|chevere|padre|chido|
        bacan onda?
    buen|buena|excelente|gran|good|nice|great servicio|atencion|trabajo|onda|producto|experiencia|calidad|service|
        job|work
    estoy|quede|quedamos @very? contento|contenta|feliz|conforme|satisfecho|satisfecha|encantado|encantada|happy
    todo @very? rico|perfecto|bien|excelente|buenisimo|ok|genial|lindo
    te pasaste|rifaste|luciste
    i|we am|m|are|re @very? happy|glad|pleased|satisfied
    happy with
    jajaja|jajajaja|jaja|jeje
"""

PRAISE_MILD = """
    no esta|es|estuvo|son|estan tan|nada|muy? mal|malo|mala|feo|fea|horrible|pesimo
    nada mal|malo
    no me quejo|puedo quejar?
    no not|s? bad
    not bad at? all?
    no tengo|tuve ninguna? queja|quejas|problema|problemas|inconveniente|ningun problema?|inconveniente?
    sin problema|problemas|queja|quejas
    no hay|hubo ningun? problema|drama|lio|problemas|inconveniente
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
    "frustration_mild": FRUSTRATION_MILD,
    "complaint": COMPLAINT,
    "sadness": SADNESS,
    "praise_strong": PRAISE_STRONG,
    "praise": PRAISE,
    "praise_mild": PRAISE_MILD,
    "thanks": THANKS,
    "neutral": NEUTRAL,
}

"""The words of greetings, thanks, goodbyes, courtesy and changes of subject.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

GREET = """
    hola|holaa|holi|holis|ola|alo|oe|hey|ey|hi|hello|buenas|wenas|saludos|epa|epale|quiubo|oi
    muy? buenas|buenos|buena|buen|wenas dias|dia|tardes|tarde|noches|noche|tardess
    hola de nuevo
    hola otra vez
    ^que tal todo?|como? va|estas|estan|andas?$
    ^que|k onda|hubo|hace|haces|cuentas|mas|lo|pasa que|bro?$
    good morning|afternoon|evening|day
    hi|hello|hey there|again|everyone
    how s it going
    what s up
    bom dia
    boa tarde|noite
    tudo bem$
    how are|r you|u doing?|today?
    whats up
"""

# greet only right after a greeting
GREET_AFTER = """
    todo bien
    como estas|esta|estan|andas|va todo?
    tudo bem
"""

THANKS = """
    gracias|gracia|grasias|grax|graciass|agradecido|agradecida|agradezco
    me|nos re|super|muy? sirvio|ayudaste|ayudo|salvaste|salvo mucho?|muchisimo?|banda?
    gracias por|x todo|la|tu|su|el|responder|contestar atencion?|ayuda?|tiempo?|info?|informacion?|respuesta?
    dios|diosito te|le|la|lo|los|me bendiga|pague|guarde|la?|lo? siempre?|bendiga?
    thanks|thank|thx|ty you? so? very? much? lot?
    many thanks
    muchas|mil|muchisimas|millones|much|tantas de? gracias|grax
    thanks a lot|million
    thank you so|very much
    obrigado|obrigada|valeu
"""

BYE = """
    chau|chao|chaito|adios|bye|goodbye|tchau
    hasta luego|pronto|manana|despues|lugo|nunca
    nos vemos|hablamos|belen manana?|luego?|despues?|hablando?|pronto?|viendo?
    nos estamos|quedamos hablando|viendo
    estamos|quedamos|seguimos en contacto
    cuidate|suerte|saludos|saludo|abrazo|besos$
    que tengas|tenga|tengan|pase|pasen un|una? lindo|linda|buen|buena|bonito|excelente|bello|feliz|hermoso dia|tarde|
        noche|finde|fin|jornada|semana de? semana?
    que esten|estes|este muy? bien
    ^buen|buena|lindo|feliz|linda|bonito finde|domingo|jornada|semana|descanso|fin|viaje de?|fin? semana?
    feliz|linda|lindo|bonito|hermoso|excelente dia|tarde|noche|finde|semana
    good night|bye
    see you|u|ya later?|soon?|tomorrow?
    take care
    have a nice|good|lovely day|one|evening|night|weekend
    talk to? you? later|soon
    ate logo|mais|amanha
"""

TOPIC_CHANGE = """
    otra|otras duda|pregunta|consulta|cosa que tengo|queria|quiero|quisiera consultar?|preguntar?|preguntarte?|saber?
    i have|ve|got another|one more? question
    te|le|les? @ask? otra|otras|otro pregunta|preguntas|consulta|duda|dudas|preguntita|tema
    ^y? por? ultimo? otra cosa|cosita
    una ultima pregunta|consulta|duda|cosa|cosita
    ^una|un pregunta|consulta|duda|cosa|cosita|tema|preguntita mas|aparte|adicional
    cambiando|cambiemos|cambio|cambiar|cambia|cambiamos|cambiame de|el? de? tema
    @want preguntar|consultar|preguntarte|preguntarle|hacer|hacerte algo|otra mas|distinto|cosa|aparte|pregunta|
        consulta
    hablemos de otra cosa
    pasando|pasemos|vamos a|al otro tema
    ^por otro lado|parte
    ^aparte
    ^por cierto
    ^antes de eso|seguir|continuar
    another|different|other question|thing|topic|subject
    one more thing|question
    by the way
    let s? talk? about? something else
    something else
    change of|the? subject|topic
    ^btw
    changing|change the? subject|topic
    on another note
"""

# announce a question without changing the subject for sure
QUESTION_AHEAD = """
    te|le|les? @ask una|un|unas? pregunta|consulta|duda|preguntita|preguntas|dudas
    ^una|1 pregunta|consulta|duda|preguntita$
    i have|ve got? a question
"""

# may stand around any act
COURTESY = """
    ^y bueno|entonces|pues
    por favor|fa
    porfavor|porfis|porfi|plis|please|favor|pls
    si es tan amable
    si fuera|seria tan amable
    che|amigo|amiga|amigos|senor|senora|senorita|sr|sra|joven|bro|hermano|hermana|maestro|genio|crack|reina|linda|
        lindo|corazon|amor|parce|parcero|wey|guey|we|compa|pana|vecino|vecina|mijo|mija|don|dona|estimado|estimados|
        querida|caballero|socio|loco|bb|bebe|nena|mami|papi|mano|causa|brother|man|guys|chicos|chicas|gente|equipo|
        profe|doctora|doctor|tio|tia|viejo|primo|veci|hija|hijo|patron|jefe|jefa|muchachos
    mi|mis amor|vida|reina|cielo|estimado|corazon|amigo|amiga|pana|bro|hermano|gente
    disculpa|disculpe|disculpame|perdon|perdona|perdone|perdoname|sorry|permiso
    disculpa|disculpe|disculpame|perdon|perdona|perdone la molestia|que|por molestia?|moleste?
    con permiso
    jaja|jajaja|jajajaja|jeje|jajaj|lol|xd
    ah|eh|oh|uh|ay|uy|uf|m|mm|hm|hmm|ehm|um|ehh|uff|ups
    pues|pue|pos|po|poh|p|pe|entonces|nomas|mira|mire|miren|oye|oiga|ves|viste|vio|bueno|sabes|hombre|tio|mujer|epa|
        then|ala|orale|andale
    a ver
    sabes|sabe|saben|sabe que|q
    la verdad que?
    gracias a dios
    estoy bien
    digo que|yo
    asi nomas
    o sea
    mucho gusto
    un|es gusto|placer
    igualmente
    encantada
    de|x|por nada
    no hay de que
    con confianza
    te cuento|consulto|molesto
"""

"""The words of greetings, thanks, goodbyes, courtesy and changes of subject.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

GREET = """
    buen|buenos|buenas dia|dias|tardes|noches a? todos|todas|equipo|gente
    hola|holaa|holi|holis|hla|ola|olaa|holiwi|olis|hoola|hloa|holla|jola|holas|alo|oe|alou|ei|hey|ey|heyy|hi|hello|
        helo|hii|hiya|hallo|buenas|wenas|guenas|bnas|buens|saludos|salu2|epa|epale|quiubo|kiubo|quihubo|oi|opa
    muy? buenas|buenos|buena|buen|bns|bnos|bnas|buens|wenos|wenas|buenoa dias|dia|tardes|tarde|noches|noche|tardess|
        dis|tards|nochs|diaa|diass
    bueno dia|dias
    muy? buenas a? todos?
    hola|buenas a todos|todas
    hola|buenas|buenos dias?|tardes?|noches? a la orden
    hola de nuevo
    hola otra vez
    que tal$
    ^que tal todo?|como? va|estas|estan|andas?$
    ^que|k onda|hubo|hace|haces|cuentas|mas|ubo|lo|pasa que|bro?$
    ^que mas pues$
    ^como|komo esta|estas|estan|anda|andas|andan|va|vamos|te|le|les|estamos|andamos|amaneces|amanecio|amaneciste|
        estai va?|todo?|baila?$
    ^como te|le|les va|baila|ha ido?$
    espero que? @estes bien
    good morning|afternoon|evening|day
    hi|hello|hey there|again|everyone
    how are|r you|u doing?|today?
    how s it going
    what s up
    whats up
    bom dia
    boa tarde|noite
    tudo bem$
"""

# greet only right after a greeting
GREET_AFTER = """
    todo bien
    como estas|esta|estan|andas|va todo?
    que tal|onda|hay
    tudo bem
    espero que? @estes bien
"""

THANKS = """
    gracias|gracia|grasias|grax|grcs|grac|graciass|grs|grx|graxias|gcias|grazie|agradecido|agradecida|agradezco
    muchas|mil|muchisimas|infinitas|millones|much|mchas|mxas|muxas|muchs|tantas de? gracias|grax|grcs
    muchas|mil|muchisimas gracias por|x todo|la|tu|su|el atencion?|ayuda?|tiempo?|info?|informacion?
    gracias por|x todo|la|tu|su|el|responder|contestar atencion?|ayuda?|tiempo?|info?|informacion?|respuesta?
    gracias a vos|ti|usted|ustedes|vosotros
    gracias igual|igualmente|totales|de|eh|nuevamente
    gracias de antemano|todas|todos formas?|modos?
    te|le|les|se lo|la? agradezco|agradece|agradeceria mucho?
    sos|que|eres muy? amable|gentil
    ^muy amable|gentil
    que amable
    dios|diosito te|le|la|lo|los|me bendiga|pague|guarde|la?|lo? siempre?|bendiga?
    thanks|thank|thx|thnx|tks|ty|tysm|thankyou|tnx you? so? very? much? lot?
    thanks a lot|bunch|million
    thank you so|very much
    many thanks
    obrigado|obrigada|valeu
"""

BYE = """
    chau|chao|ciao|chaito|chaucito|chauu|chauchas|adios|adiosito|bye|byee|bai|bay|baibai|goodbye|tchau|agur|chaolin|
        cya|xau|xao|chaus|aios
    hasta luego|pronto|manana|despues|lueguito|lugo|nunca
    hasta otro|otra dia|rato|vez
    hasta la proxima|vista|vuelta
    hasta el lunes|martes|miercoles|jueves|viernes|sabado|domingo
    nos vemos|hablamos|leemos|belen manana?|luego?|despues?|hablando?|pronto?|viendo?
    nos? estamos|quedamos hablando|viendo
    estamos|quedamos|seguimos en contacto
    hablamos luego|despues|manana|pronto
    ^hablamos$
    te veo luego|manana|despues
    cuidate|cuidense|cuidese|suerte|saludos|saludo|abrazo|besos|beso|abrazos$
    un|muchos|te abrazo|beso|saludo|saludos|mando|gran
    que tengas|tenga|tengan|tenags|pases|pase|pasen|esten|estes|este|descanses|descanse un|una|muy|buenas? lindo|
        linda|buen|buena|bonito|excelente|bello|feliz|hermoso|bien|gran|bonita dia|tarde|noche|finde|fin|jornada|
        semana|tardes|noches de? semana?
    que tengas|tenga|tengan|pases|pase|pasen un|una? lindo|linda|buen|buena|bonito|excelente|bello|feliz|hermoso|
        bonita dia|tarde|noche|finde|fin|jornada|semana de? semana?
    que esten|estes|este muy? bien
    que le|te|les vaya bien|bonito
    que descanses|descanse|descansen
    ^buen|buena|lindo|feliz|linda|bonito finde|domingo|jornada|semana|descanso|fin|viaje de?|fin? semana?
    feliz|linda|lindo|bonita|bonito|hermoso|excelente dia|tarde|noche|finde|semana
    good night|bye
    see you|u|ya later?|soon?|tomorrow?
    talk to? you? later|soon
    take care
    have a nice|good|great|lovely day|one|evening|night|weekend
    ate logo|mais|amanha
    me despido|voy$
"""

TOPIC_CHANGE = """
    otra|otras duda|pregunta|consulta|cosa que tengo|queria|quiero|quisiera consultar?|preguntar?|consultarte?|
        preguntarte?|saber?
    i have|ve|got another|one more? question
    te|le|les? @ask? otra|otras|otro pregunta|preguntas|consulta|consultas|duda|dudas|preguntita|consultita|tema|
        inquietud|cuestion
    ^y? otra|una cosa|cosita mas?
    ^y? por? ultimo? otra cosa|cosita
    tengo|tenia|pregunto|consulto|es|hay|ah|y otra cosa|cosita
    una ultima pregunta|consulta|duda|cosa|cosita
    @want preguntarte|preguntar|consultar otra|una cosa|cosita
    ^una|un pregunta|consulta|duda|cosa|cosita|tema|preguntita|consultita mas|aparte|adicional
    una cosa|cosita mas|aparte
    cambiando|cambiemos|cambio|cambiar|cambia|cambiamos|cambiame de|el|completamente? de? tema
    @want cambiar de tema
    @want hablar|preguntar|consultar de otra|otro tema|cosa
    @want hablar|preguntar|consultar|preguntarte|consultarte|preguntarle de|por|sobre|acerca? de? otra cosa
    @want preguntar|consultar|preguntarte|consultarte|preguntarle|consultarle|hacer|hacerte algo|otra mas|distinto|
        cosa|aparte|pregunta|consulta
    hablando de otra cosa|todo
    hablemos de otra cosa
    pasando|pasemos|vamos a|al otro tema
    ^por otro lado|parte
    ^por otra parte
    ^aparte|ademas de eso|esto|lo
    ^aparte
    ^a proposito
    ^por cierto
    ^antes de eso|seguir|continuar
    ^antes que nada
    volviendo a|al
    another|different|other question|thing|topic|subject
    one more thing|question
    by the way
    ^btw
    let|lets s? talk? about? something else
    something else
    change of|the? subject|topic
    changing|change the? subject|topic|subjects
    on another note
"""

# announce a question without changing the subject for sure
QUESTION_AHEAD = """
    te|le|les? @ask una|un|unas|algunas? pregunta|consulta|duda|preguntita|consultita|preguntas|dudas|consultas|
        inquietud
    ^una|1 pregunta|consulta|duda|preguntita|consultita$
    ^pregunta|consulta|consultita|preguntita$
    @want preguntar|consultar|preguntarte|consultarte|preguntarle|consultarle|preguntarles|consultarles algo
    @want preguntar|consultar|hacerte|hacerle|hacer|hacerles una|un pregunta|consulta|preguntita|consultita
    i have|ve got? a question
    quick question
"""

# may stand around any act
COURTESY = """
    ^y bueno|entonces|pues
    por favor|fa|fis|fi|fabor|fvor|faa
    porfavor|porfis|porfi|porfas|plis|please|plz|favor|porfaa|pf|porfita|porfavorcito|pliss|pfv|xfis|pls
    si es tan amable
    si fuera|fueras|seria tan amable
    che|chee|amigo|amiga|amigos|senor|senora|senorita|sr|sra|srta|joven|bro|hermano|hermana|maestro|genio|genia|
        crack|idolo|reina|rey|linda|lindo|corazon|amor|parce|parcero|wey|guey|we|compa|pana|vecino|vecina|mijo|mija|
        don|dona|estimado|estimada|estimados|querido|querida|caballero|socio|loco|boludo|flaco|capo|bb|bebe|nena|
        mami|papi|carnal|mano|causa|brother|man|dude|sir|maam|guys|chicos|chicas|gente|equipo|mister|profe|doc|
        doctora|doctor|tio|tia|weon|huevon|viejo|campeon|mae|primo|veci|ñero|hija|hijo|fiera|patron|jefe|jefa|
        muchachos|muchachas
    mi|mis amor|vida|rey|reina|cielo|estimado|corazon|amigo|amiga|querido|estimada|pana|bro|hermano|gente
    disculpa|disculpe|disculpen|disculpame|disculpeme|perdon|perdona|perdone|perdoname|sorry|permiso|excuse
    disculpa|disculpe|disculpame|perdon|perdona|perdone la molestia|que|por molestia?|moleste?
    con permiso
    ja|jaja|jajaja|jajajaja|je|jeje|jejeje|ji|jiji|jijiji|jajaj|jajajaj|jjaja|jajaa|jaj|haha|hahaha|lol|xd|xdd|lmao|
        jsjs|ajaj|ajaja|jojo|hehe|ajajaj
    ah|eh|oh|uh|ay|uy|uf|m|mm|hm|hmm|em|ehm|um|er|ahh|ehh|uhh|uff|ups|upa|ui|ains|well
    pues|pue|pos|po|poh|p|pe|pes|entonces|nomas|mira|mire|miren|oye|oiga|oigan|ves|viste|vio|bueno|buenoo|sabes|
        hombre|tio|mujer|epa|then|ps|pz|ala|orale|ostia|hostia|caray|andale
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
    encantado|encantada
    de|x|por nada
    no hay de que
    con confianza
    nice to meet you
    te cuento|comento|consulto|molesto
"""

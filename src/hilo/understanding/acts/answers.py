"""The words of yes and no: Spanish of all regions in chat spelling, English, some Portuguese.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

# may open a longer message
AFFIRM = """
    re|super|mega si|ok|obvio
    si es|son mi|mis
    no pasa nada$
    no importa$
    no te|se preocupes|preocupe|preocupen$
    si|sii|sip|sipi|sipo|sep|seep|sipis|sisi|sisas|sim
    si si
    si si si
    si necesito|deseo|puedo
    si lo|la|los|las|me quiero|confirmo|llevo|gusta|interesa|sirve|parece|necesito|acepto
    si me gustaria
    si esta|ta bien|ok|correcto|perfecto|confirmado
    si esta todo? bien|ok|correcto|perfecto
    si es|son correcto|asi|ese|esa|eso|correctos|correcta|cierto|verdad
    si no hay problema|drama|lio|inconveniente
    si soy yo?
    si se puede$
    si todo bien|correcto|ok|perfecto
    si me parece bien?
    si claro|obvio|dale|correcto|hombre|va|ok|exacto|eso
    claro que si|yes
    claro
    clarisimo
    por supuesto que? si?
    desde luego que? si?
    obvio|obvi|obviamente|ovio|obio que? si?
    ok|okk|oka|okas|okay|okey|oki|okis|okei|oks|oc|okok|okeydokey|okidoki
    ok ok
    dale|dali|dalee|dalep|dle|dael
    dale dale
    dale que si|va
    dale si|nomas|pues|po|joya
    dale de una
    listo|listop|listoo|lixto
    listo pues|si|dale|po
    simon
    orale pues?
    andale pues?
    hagale|agale|hagalo|hazlo|hacelo|haganle|hagamosle|hagamoslo pues|pue|nomas
    hagale|dale no mas
    hagale|hagamosle|hagamoslo|hagalo|hazlo|hacelo|agale
    como no$
    afirmativo
    confirmo|confirmado|confirmada|confirmadisimo|confirmamos
    confirmo todo|el|la pedido?|compra?|orden?|reserva?$
    confirma|confirmar|confirmalo|confirmame|confirme|confirmen|confirmemos el|la|mi|todo? pedido?|compra?|orden?|
        reserva?$
    quiero|quisiera|deseo confirmar el|la|mi|todo? pedido?|compra?|orden?|reserva?$
    acepto|aceptado|acordado
    de acuerdo
    estoy de acuerdo
    vale|valee|bale
    vale vale|perfecto|si|ok
    no hay problema|problemas|drama|dramas|lio|inconveniente|tema|bronca|pex|pedo|falla|dilema
    no hay ningun problema|inconveniente|drama
    no tengo ningun? problema|drama|inconveniente|objecion
    no veo problema|inconveniente
    sin|ningun problema|problemas|drama|dramas|falta|pedos|lios|inconveniente|inconvenientes
    no me molesta|jode|importa$
    cero drama|dramas|problema|problemas
    sin duda|dudas
    por que no$
    porque no$
    puede|podria ser
    ya? te|le|les? dije|digo|repito que si
    seguro que si
    creo|supongo|diria|imagino|pienso|digo|parece que si
    yo creo|digo|diria que si
    que si$
    ahora si$
    eso si$
    yo si$
    pues si|claro|ok|dale|bueno
    pos si|claro|ok
    bueno si|dale|ok|va|listo
    bueno esta bien
    bueno$
    yes|yeah|yep|yup|yess|yas|yea|ya$
    yes|yeah|yep i do|am|did|want|would|will|agree
    yes|yeah|yep|sure please|sure|correct
    sure|surely|certainly|absolutely|definitely|totally
    sure thing
    of course
    go ahead
    go for it
    ^metale|metamosle
    sounds good|great|perfect|fine|right|ok
    that sounds good|great|perfect|fine
    please do$
    you bet
    with pleasure$
    why not$
    no problem|worries|prob|problemo
    that|thats s|is? right|correct|fine|ok|okay|perfect|good|great
    all good|right|correct|set|fine
    it s|is correct|right|fine|ok|okay
    its correct|right|fine|ok|okay
    looks good|right|correct|fine|great
    i agree|accept|confirm
    alright|aight|righto|affirmative
    pode ser$
    com certeza$
    ta bom$
    beleza|blz|isso$
    con gusto|mucho gusto$
    con todo gusto$
"""

# say yes only where the clause ends: the same words begin other sentences
AFFIRM_SHORT = """
    totalmente|completamente|literal|buena|buenas|mandale|metele|echale|dele|meta|tal|venga|sisi
    de pana
    esta|ta|suena bien|bueno|chido|chevere|bacan|genial|perfecto|joya|padre|fino|piola
    se ve|oye|escucha bien|genial|perfecto|bueno
    mandale|metele|dale|echale nomas|pues|gas
    me va bien
    como usted|tu|vos diga|digas|quiera|quieras|prefiera|prefieras
    de una|one|unaa|uan
    de una si|dale|vez
    sale
    sale y vale|pues|va|si
    va|vaa|vaya|vayaa
    va va|que|pues|dale
    va que va
    vamos|vamo|venga|ale|adelante|procede|proceda|procedan|prosiga|continua|continue|continuar|seguimos|sigamos|
        sigue|siga|segui|avancemos|avanza|avance|proceder|procedamos|seguir
    vamos con eso|todo|esa|ese
    vamos adelante|dale|nomas
    por mi si|dale|bien|ok|perfecto|genial
    por mi esta? bien
    de mi parte si|ok|dale|bien|perfecto
    de mi parte esta bien
    correcto|correcta|correctos|exacto|exactamente|exactoo|precisamente|efectivamente|cierto|verdad|verdadero|
        seguro|segurisimo|positivo|corecto|true|exactly|correct|right|indeed|fine|great|perfect|cool|good|awesome|
        excellent
    es correcto|correcta|cierto|verdad|asi|eso|esa|ese|exacto|perfecto
    son correctos|correctas|esos|esas
    esta|estan correcto|correctos|correcta|bien|perfecto|perfectos|perfecta|ok|joya|genial|confirmado|okey|barbaro|
        buenisimo|excelente
    esta todo bien|correcto|ok|perfecto|joya
    esta todo en orden
    todo bien|correcto|ok|perfecto|joya|piola|okey|excelente
    todo esta bien|correcto|ok|perfecto
    todo en orden
    ta
    ta bien|bueno|ok|perfecto|joya|legal
    asi es|mero|mismo|sea|perfecto
    asi esta bien|perfecto|ok|excelente
    asi es correcto|mismo|tal
    eso es|mismo|mero
    eso esta bien|perfecto|ok|correcto|genial
    es eso|asi|ese|esa
    ese mismo|mero|es
    esa misma|mera|es
    exacto|exactamente|correcto asi|eso|ese|esa
    tal cual
    tal como dice|decis|dices
    entendido|entiendo|enterado|understood|bien|perfecto|perfecta|perfect|perfectoo|perfectirijillo|genial|
        excelente|buenisimo|barbaro|joya|joyaa|fenomeno|fantastico|espectacular|barbara|macanudo|chevere|bacan|
        bakan|fino|finisimo|estupendo|maravilloso|impecable|joyita|padrisimo|chido|nice|piola|copado|tranqui|ideal|
        estupenda|optimo|super|hecho|pfecto|prefecto|perfcto|prfecto|perfe|perf|brillante|arre|sobres|jalo|fierro|
        listorti|yap|yapo|yastas|yasta|aja|ajam|mhm|mjm|uhum|aham|ujum|ya|yaa|eso
    muy|re|todo|super|bien bien|bueno|perfecto|buena|genial|chevere
    trato hecho
    ya esta|estuvo|quedo
    ya pues|po|si|dale|ok|perfecto|listo|vale|bueno
    a huevo|webo
    a la orden
    de ley|lujo|pelos
    nos parece bien|perfecto|ok|genial
    quiero|queremos continuar|seguir|avanzar|proceder|hacerlo|comprarlo|llevarlo
    continuemos|sigamos
    cuenta con eso|ello
    si? esa|ese|eso|esos|esas si?$
    me parece|sirve|gusta|encanta|interesa|conviene|copa|late|cuadra|anoto|apunto|prendo|sumo|va|tinca|vale
    me parece bien|perfecto|ok|genial|excelente|barbaro|buenisimo|correcto|joya|bueno
    me parece que si
    me parece buena idea
    me parece muy bien
    si? lo|la|los|las quiero|llevo|compro|acepto|confirmo|tomo
    me lo|la|los|las llevo|quedo|anoto
    quiero
    quiero si|ese|esa|eso
    me gustaria
    te|le|se lo|la confirmo
    cuenta|contad|cuenten conmigo
    con mucho? gusto
    encantado|encantada
    como quieras|quieran|digas|guste|gustes
    ok|dale|listo|bueno|perfecto|genial|si dale|listo|perfecto|genial|si|ok|bueno|bien|va|claro|obvio|buenisimo|
        barbaro|joya
    sin lugar a dudas
    mas vale|bien
    mas bien que si
    yes|yeah|ok sir|please|maam|sure|ok|great
    do it|so
    let s? do|go it?
    lets do|go it?
    i|id would? love|like to|that
    works for? me?
    that works
    i guess|think so
    positive|true|roger|gotcha|cheers
    got it
    make it so
    fair enough
    pode sim
    tudo bem|certo|ok
    certo|perfeito|otimo|positivo
"""

DENY = """
    nunca|jamas|ni en la|mi vida
    ni de chiste|broma|coña|cona|casualidad|vaina
    ahora|hoy|ahorita|manana no puedo$
    no puedo$
    no pero|gracias igual
    no lo? creo$
    nop|nope|noup|nopo|nopis|noo|nao|naa|neh|nel|nelazo|nones|negativo|nah|nanai|nonono|nono
    nel pastel
    no po|pues
    no por ahora|favor
    no por el momento
    no de momento
    no por? hoy$
    no para nada
    no todavia|aun|ahora|hoy|tampoco|nada|nunca|jamas|nop|mas|asi$
    no nada mas
    no nada$
    no nada mas por ahora|hoy
    no mas nada
    no quiero|deseo|necesito nada mas?
    no quiero|deseo|necesito mas nada?
    no quiero|quisiera|deseo|acepto|confirmo
    no lo|la|los|las|le quiero|deseo|acepto|confirmo|creo|necesito|llevo$
    no estoy de acuerdo
    no estoy interesado|interesada|conforme
    no me interesa|gusta|convence|sirve|parece|conviene|late|cuadra|tinca|copa|gustaria
    no hace falta
    no hace falta nada? mas?
    no es|sera necesario|preciso
    no necesito$
    no va|vale|confirmes|confirmen|sigas|procedas$
    no esta bien asi?$
    para nada
    de ningun|ninguna modo|manera|forma
    en absoluto
    ni loco|loca|ahi|hablar|modo|ebrio|mamado|cagando|borracho|muerto|muerta|pensarlo|soñarlo|sonarlo
    ni en pedo|sueños|suenos|joda|broma|chiste
    ni a palos|gancho|balazos
    que va$
    todavia|aun|ahora|ahorita|hoy|tampoco no$
    por|de ahora|momento|hoy|ahorita no
    por el momento no
    por lo pronto no
    mejor no
    mejor otro dia|momento
    ya? te|le|les? dije|digo|repito que no
    no? ese|esa|eso|esos|esas|asi no$
    creo|supongo|diria|pienso|parece que no
    me parece que no
    no creo$
    claro|obvio|obviamente|dije|digo que no
    por supuesto que no
    desde luego que no
    que no$
    yo no$
    pues|bueno|pos|ok|uy|ay|ah no$
    jamas|tampoco|nunca$
    nunca jamas
    incorrecto|incorrecta|falso|rechazo|rechazado|incorrect$
    es|esta incorrecto|falso$
    not really|now|yet|today|interested|correct|right|ok
    not at all
    not right now
    not for now
    never$
    no way|sir|maam
    i dont|don want|need|think it?|that?|so?|any?
    i don t want|need|think it?|that?|so?|any?
    i de? rather not
    maybe later
    another time
    i m good$
    im good$
    i m not interested
    im not interested
    agora nao
    nem pensar
"""

# say no only where the clause ends
DENY_SHORT = """
    por ahora|hoy|el nada mas?
    eso|esto? seria|es todo por? ahora?|hoy?
    por ahora eso|es todo?
    no
    nada
    na
    nada mas|nada
    nada mas por ahora|hoy|favor
    nada por ahora
    por ahora nada
    nada de eso|nada
    nada que ver
    eso|esto es|seria todo
    eso|esto nomas|nada|no
    eso nada mas
    solo|solamente|unicamente eso|esto
    eso solo|solamente|nomas
    con eso|esto estoy|esta|es bien|suficiente
    con eso alcanza|basta|estoy|ya
    ya esta todo
    that s|is all
    thats all
    nothing else|more
    nothing
    paso de eso|todo
    negative|false|wrong
"""

"""The words and signs of praise, thanks and of what only sounds like a feeling, in folded letters."""

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

PRAISE_STRONG = """
    @are? @very? @great
    que @great
    de puta madre
    son|sos|eres|es lo mas|maximo$
    de diez|10|maravilla|lujo|primera
    me|nos encanto|encanta|encantaron|fascina|fascino|encantan mucho?|todo?
    te|los quiero mucho
    los|te|las amo|adoro|felicito|amamos|recomiendo mucho?
    felicitaciones|felicidades|felicito|congratulations
    la|el mejor servicio|atencion|experiencia
    mola|molan|mola|molo mucho|mogollon|un|mazo|cantidad huevo?|monton?
    diez|10 puntos|10|estrellas
    cien|100 puntos
    @are? una|un|otra joya|joyita|maravilla|delicia|belleza|hermosura|genialidad
    @are una|un exito|fiesta|placer|lujo
    un lujo|exito|golazo|flash|diez$
    volvere|volveria|volveremos a comprar|pedir|comprarles siempre?
    son|fueron @very? puntuales|serios|responsables|confiables|atentos|profesionales|cumplidores|rapidos|eficientes
    muy|super|re puntual|puntuales|serios|responsables|confiable|confiables|profesional|profesionales|eficiente|
        eficientes|prolijo|prolijos|cumplidores
    impecable|impecables|excelentisimo|insuperable|insuperables|inmejorable
    lo mejor de|que lo|hay mejor?
    son|sos|eres|es @a? lo|los|el|la|unos|un|muy @very? mejor|mejores|genio|genia|genios|crack|cracks|maximo|
        maximos|grosos|groso|capo|capa|capos|idolo|idolos|amor|divino|divina|amables|amable|maquina|fenomeno|tesoro
    genio|genia|crack|genios|capo|idolo|maestro
    la raja|rompe|zorra
    esta|estuvo|estan|quedo|salio|quedaron @very? chingon|padre|padrisimo|rico|buenisimo|riquisimo|brutal|bacan|chido|
        chida|chula|chulo|precioso|preciosa|bonito|bonita|lindo|linda|hermoso|hermosa|rica|ricas|ricos|genial|divino|
        divina|espectacular|guay|fino|increible|bello|bella|lindos|lindas|bonitos|bonitas
    que chulada|chimba|nota|hermosura|preciosidad|elegancia|belleza|maravilla|delicia|gusto|lujo
    me|nos salvaste|salvaron|salvo|salvas|alegraste|alegraron la?|el? vida?|dia?
    la rompieron|rompiste|rompen|sacaron|parten|partieron del? estadio?
    se lucieron|rifaron|pasaron|lucen
    vale|valio la pena
    los|las|lo|la super? recomiendo|recomendare|recomendaria
    super|muy|re|altamente|totalmente recomendable|recomendados|recomendadisimo|recomendada
    recomendadisimo|recomendadisimos|recomendable|recomendables
    you guys|people|all? rock|rule
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
    estoy|quede|quedamos|ando @very? fascinado|fascinada|maravillado|maravillada|enamorado|enamorada|chocho|chocha|
        fascinados|encantados|felices|agradecido|agradecida|agradecidos|impresionado|impresionada
    cumplieron|cumplen con|todo|super|re|lo todo?|que?|lo? prometido?|prometieron?
    estoy|quede|quedamos @very? contento|contenta|feliz|conforme|satisfecho|satisfecha|encantado|encantada|happy
    llego|salio|quedo|vino|estuvo todo|super|muy? bien|perfecto|impecable|barbaro|joya
    todo @very? rico|perfecto|excelente|buenisimo|genial|lindo|hermoso|riquisimo
    todo muy|re|super|bien bien|bueno|chevere
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

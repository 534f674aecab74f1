"""The words of complaints and sadness, without rage, in folded letters."""

# announced in all form, without rage
COMPLAINT_FORMAL = """
    quiero|quisiera|deseo|necesito|vengo|queria a? quejarme|reclamar
    quiero|quisiera|deseo|necesito|vengo|queria a? hacer|poner|presentar|dejar|levantar|radicar|realizar una|un queja|
        reclamo|reclamacion|denuncia|pqr|complaint
    libro de quejas|reclamaciones
    i want|need|de|would like? to? make|file|lodge a complaint
    i want|need|de|would like? to complain
"""

COMPLAINT = """
    no me|nos|les|se? llego|llega|llegaron|llegan|trajeron|mandaron|entregaron|enviaron|gusto|gustaron|gusta|
        convence|anda|funciono|funciona|funcionan|sirve|sirvio|quedo nada?|mi|el|la|nunca? @order?
    no anda|funciona|funcionan|carga|abre|sirve|enciende|prende|llego
    nunca|jamas me|nos|lo|la|les? mandaron|enviaron|dieron|entregaron|devolvieron|llamaron|aviso|atendieron|resolvieron|
        solucionaron|cumplieron|mando|dio
    no les|te|le creo nada?|mas?
    nunca|jamas me|lo|la? llego|llegaron|trajeron|contestaron|respondieron|avisaron
    @are @very? @poor
    @very @poor|trucho|trucha|berreta|ordinario|ordinaria|penca|fome|mediocre|mediocres|deficiente
    muy|que|re mala|mal onda|leche|actitud|gente|vibra de? su? parte?
    mal ahi|hecho
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
    no vale|valen|valio lo|la que|pena cuesta?|pague?|cobran?|vale?
    no cumple|cumplio|cumplen|cumplieron|coincide|corresponde con|lo|las|nada|expectativas lo? que? expectativas?
    deberian|deberia darles|darte|sentir verguenza|pena
    me|nos|le|lo|la @harmed el|la|mi|todo|los|las|mis
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
    no es|era|fue|son|eran lo que pedi|compre|esperaba|queria|esperabamos|pague|prometieron|dijeron
    se? tardaron|demoraron|tardan|demoran|tardo|demoro una|un|horas|dias|mil|anos|siglos|semanas|meses eternidad?|
        siglo?|monton?
    todo @very? mal|horrible|feo|pesimo|lento|roto
    se re|super? zarparon|zarpan|abusan|abusaron|cebaron|aprovechan|aprovecharon|excedieron con|de|en? el? precio?
    se re|super? pasaron|pasan|fueron con|de|al el|los|precio|vivos|listos|carajo precio?|precios?
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

# tell a complaint wherever they stand
COMPLAINT_WORDS = """
    @broken
    decepcionante|decepcionantes|decepcion|decepcionado|decepcionada|decepcionados
    impuntual|impuntuales|incumplidos|incumplido|incumplieron|incumplimiento|informales|desprolijo|desprolijos
    grosero|grosera|groseros|groseras|maleducado|maleducada|maleducados|irrespetuoso|irrespetuosos|soberbios|antipatica
    impresentable|impresentables|lamentable|mediocre|mediocres|deficiente|enganoso|enganosa|publicidad enganosa
    injusto|injusticia|abusivo|abusivos|abuso|atropello
    peor
    insoportable|insufrible
    disappointing|rude|unprofessional|overpriced|misleading|unfair
"""

SADNESS = """
    estoy|me siento? triste|mal|deprimido|deprimida|angustiado|angustiada
    que|una lastima|pena|triste
    lamentablemente|desgraciadamente
"""

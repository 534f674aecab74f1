"""The words of yes and no: Spanish of all regions in chat spelling, English, some Portuguese.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

from hilo.recognisers.phrases import word_set

# words that are a yes by themselves and together, whatever else they may open
PLAIN = word_set("""
    s si sii sip sipi sipo sep sisi simon claro obvio ok oka okey okay oki dale hagale vale bueno listo perfecto
    correcto exacto confirmo confirmado acepto afirmativo adelante genial buenisimo barbaro excelente joya metale orale
    andale sale chevere
""")
PLAIN_PHRASES = frozenset({
    "va", "va que va", "ya", "ya po", "ya pues", "de una", "de acuerdo", "tal cual", "asi es", "eso es", "eso mismo",
    "a huevo", "me late", "como no", "desde luego", "por supuesto", "por supuesto que si", "claro que si",
    "obvio que si", "esta bien", "ta bien", "todo bien", "esta perfecto", "asi esta bien", "me parece bien",
    "no hay problema",
    "no hay drama", "sin problema", "ningun problema", "trato hecho", "quiero confirmar", "quiero continuar",
    "continuar", "si me interesa", "bacan", "chido", "esta chido", "aja",
})  # fmt: skip

# may open a longer message
AFFIRM = """
    ok|okey|oka|okay|dale|listo|vale|confirmo|acepto|hagale|bueno
    si es|son mi|mis
    no importa$
    si|sii|sip|sipi|sipo|sep|sisi|sisas|sim
    claro
    por supuesto que? si?
    obvio que? si?
    ok ok
    simon
    afirmativo
    estoy de acuerdo
    que si$
    yo si$
    yes|yeah|yep i do|am|did|want|would|will|agree
    yes|yeah|yep|sure please|sure|correct
    sure|certainly|absolutely
    sure thing
    of course
    go ahead
    go for it
    sounds good|perfect|fine|right|ok
    that sounds good|perfect|fine
    please do$
    why not$
    that|thats s|is? right|correct|fine|ok|okay|perfect|good
    all good|right|correct|set|fine
    it s|is correct|right|fine|ok|okay
    its correct|right|fine|ok|okay
    looks good|right|correct|fine
    pode ser$
    com certeza$
    ta bom$
    yes|yeah|yep|yup|ya$
    with pleasure$
    no problem|worries
    i agree|accept|confirm
    alright|affirmative
    beleza|blz|isso$
"""

# say yes only where the clause ends: the same words begin other sentences
AFFIRM_SHORT = (
    "\n".join([*sorted(PLAIN), *sorted(PLAIN_PHRASES)])
    + """
    totalmente|completamente|literal|buena|buenas|mandale|metele|echale|dele|meta|tal|venga|sisi
    de pana
    esta|ta|suena bien|bueno|chido|chevere|bacan|genial|perfecto|joya|padre|fino|piola
    de una|one|unaa|uan
    correcto|correcta|correctos|exacto|exactamente|exactoo|precisamente|efectivamente|cierto|verdad|verdadero|seguro|
        segurisimo|positivo|corecto|true|exactly|correct|right|indeed|fine|great|perfect|cool|good|awesome|excellent
    asi es|mero|mismo|sea|perfecto
    ese|esa|eso mero|mera
    quiero|queremos continuar|seguir|avanzar|proceder|hacerlo|comprarlo|llevarlo
    me parece|sirve|gusta|encanta|interesa|conviene|copa|late|cuadra|anoto|apunto|prendo|sumo|va|tinca|vale
    me parece bien|perfecto|ok|genial|excelente|barbaro|buenisimo|correcto|joya|bueno
    si? lo|la|los|las quiero|llevo|compro|acepto|confirmo|tomo
    quiero
    yes|yeah|ok sir|please|maam|sure|ok|great
    i|id would? love|like to|that
    works for? me?
    positive|true|roger|gotcha|cheers
    make it so
    fair enough
    certo|perfeito|otimo|positivo
    do it|so
    let s? do|go it?
    lets do|go it?
    that works
    i guess|think so
    got it
    pode sim
    tudo bem|certo|ok
"""
)

DENY = """
    nunca|jamas|ni en la|mi vida
    nop|nope|noup|nopo|nopis|noo|nao|naa|nel|nones|negativo|nah|nanai|nono
    no todavia|aun|ahora|hoy|tampoco|nada|nunca|jamas|nop|mas|asi$
    no me interesa|gusta|convence|sirve|parece|conviene|late|cuadra|tinca|gustaria
    no necesito$
    ni en pedo|joda|broma|chiste
    ni a palos
    de ninguna manera|forma
    de ningun modo
    que va$
    todavia|aun|ahora|ahorita|hoy|tampoco no$
    por|de ahora|momento|hoy|ahorita no
    por el momento no
    ya? te|le|les? dije|digo que no
    jamas|tampoco|nunca$
    not at all
    not right now
    never$
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
    not really|now|yet|today|interested|correct|right|ok
    not for now
    no way
    nem pensar
"""

# say no only where the clause ends
DENY_SHORT = """
    eso|esto? seria|es todo por? ahora?|hoy?
    con eso|esto estoy|esta|es bien|suficiente
    por ahora|hoy|el nada mas?
    no
    nada mas|nada
    nada mas por ahora|hoy|favor
    eso|esto nomas|nada|no
    solo|solamente|unicamente eso|esto
    that s|is all
    thats all
    nothing else|more
    nothing
    negative|false|wrong
"""

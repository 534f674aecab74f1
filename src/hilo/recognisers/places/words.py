"""Words that tell places from other words, as data, in folded letters."""

from hilo.recognisers.phrases import word_set

# a place follows these, whatever else the word may mean
BEFORE_A_PLACE = word_set("""
    en desde hasta hacia ciudad localidad municipio poblacion pueblo comuna origen destino entre from in
""")
# a place often follows these, and much else does
BEFORE_MUCH = word_set("de a para por y e o to at ser es al")
# words that make a place of what follows the next "a", "de" or "para"
TRAVEL = word_set("""
    soy somos vengo venimos salgo salimos saliendo salida viene llego llegamos llega llegan llegando llegada voy vamos
    vas van ir yendo iria viajo viaja viajar viajamos viaje viajes viajando vuelo vuelos volar volamos pasaje pasajes
    boleto boletos tiquete tiquetes billete billetes ticket tickets envio envios enviar envian envia envias mandar
    mandan mandas mandame mandarlo despacho despachos despachar despachan entrega entregas entregar entregan
    entregarlo reparto domicilio domicilios flete flight flights fly ship shipping ciudad municipio localidad natal
    mudo mude traslado ruta trayecto tramo conexion escala aeropuerto delivery pedidos reparten cobertura distribuyen
    hotel regreso vuelvo vuelta
""")
# what follows these is a street, a quarter or a shop, no city
BEFORE_NO_CITY = word_set("""
    calle cll cl av avda avenida ave jr jiron psje pje carrera cra kra cr kr diagonal dg diag transversal tv
    trans circular autopista boulevard blvd bulevar paseo camino barrio bo colonia col urbanizacion urb edificio edif
    torre conjunto hospital clinica colegio escuela plaza parque puente estacion esquina esq banco ruta club hotel
    restaurante provincia departamento dpto depto estado region equipo selecto cerveza jamon queso tarta torta marca
    tienda local ron vino loteria universidad estadio copa liga calz calzada ronda travesia glorieta circuito prol
    prolongacion privada priv lote mz manzana vereda fraccionamiento fracc residencial sector senor senora sra sr don
    dona doctor doctora dr dra virgen san santa santo iglesia parroquia capilla cancha panaderia drogueria
""")
NAMING = word_set(
    "con soy llamo llama nombre dicen atentamente saluda escribe habla senora senor sra sr don dona seno profe"
)
BEFORE_A_REGION = word_set("de del en provincia departamento dpto depto estado depto region prov edo pais")
AFTER_A_CITY = word_set("capital ciudad centro city")

# names of towns that are words of every day: only after a sure sign and with a capital letter
EVERYDAY = word_set("""
    para gracias since senor young universidad lista america justicia libertad republica cabo federal iglesia campana
    rio china sol union mala espera sort leader constitucion isla reforma independencia azul registro flores grado
    blanca altura fundacion frontera resistencia antigua vice altos santos toca avion campos madera palacio bonito
    estrella onda gracia libres salt haria mexicanos coronel carino castillo artes nacimiento jardin minas guia
    triunfo torres mina federacion ventas oriental regla rios progreso franco colonia conde esquina piedras juntas
    muro tome gigante silla bienvenida obligado retiro jurado espejo ronda corrientes americana salto plato pacifico
    une quinto cerro fortuna bello cabezas pesca barra extrema coca limpio ventanas salas sauce fortaleza rama
    campamento toro cuenca milagro palma alegre rosas selva herencia paraiso imperial estancia apartado rincon tela
    supe pelotas pasaje bahia coin asientos gama sana pilar playas muros coro colon natal rubio tigre laguna banos
    andes delgado custodia delta condado limon deba jardines dorado corredor montes arroyo granja tarifa tanque mora
    palmas horizonte fomento coco pila mascota altar almirante amparo socorro contratacion pajaros leones peligros
    pilas centenario barras camina obispos prado cabildo tinta mineros cebolla lobos colina matanza santuario rota
    sober pasto prosperidad honda boo vina niebla vecindario paste pinto angles crucero camas oliva ovejas diamante
    cabra arenas breves remedios cruces colinas arcos codo ingenio parrilla manta agrado porta paradas martires pica
    pego manto corral rejas marfil lagunas recreo turbo castellana dragones pinos infantes monjas molinos pastores
    nieves picos providencia guardo embajadores presas metan canela panales casillas tequila franca caldera palomas
    mangas tambores galan padron caseros serra velada marica baba encarnacion castillos concordia aguilas apostoles
    pizarra conejos barranco mao distraccion esmeralda nilo pinas tias mazo oasis rodeo canas lama embarcacion iguala
    pronunciamiento posadas mula porvenir alameda vaqueros lloro cabanas sueca bata patos cofradia alcazar cota moya
    ica ejido reconquista paterna melo devoto sastre ascension regidor tala mani naranjo casinos emboscada pergamino
    timon comillas sombrio nata lucero duenas paramo embalse esmeraldas lagarto clemencia venado calabozo tostado
    pliego corrales purificacion pradera perico durazno nono peque agudos vertientes camarones encrucijada moraleja
    mercaderes arrecife bonanza arrecifes trazo torrent peras comendador riachuelo mos navegantes cee ibi lerma
    campina rus barracas herradura dehesa tambo palenque manzanilla jala versalles sama campanario morteros barranca
    arboleda palomar alcantarilla tena fresno laureles mojados colegiales silos palmar cubas coloso oratorio fortin
    atalaya consulta centro buenavista nueva nuevo vega vegas mesa salud plata venta ventana una hay pueblo van hola
    sur alta superior sale miles alma salida cuyo chico liberal hope nice price save reading page male split orange
    independence wise gap trail temple alliance atlantic enterprise amarillo globe refugio oral rifle casino marathon
    paradise grants tours buffalo eagle saga derby goma ende thermal salmon junction crane terrace ranger raton
    mariposa caro man along gol paro fria hilo bo po wa palacios gore faro pampa thames needles willow laurel pala
    boulder sterling molde bol atar novato bishop cruz mobile lion flor campo vista mar monte tarde noche dia bien mal
    mas solo casa todo nada algo otro alto bajo largo corto rapido lugar tierra agua luz sal pan chat can may day the
    pen ver mil son del era dos tres cali mede bella pago pagar cuotas central medio media merced viejo vieja banda
    segui cal lobo lomas grande cristal puerta puerto playa quinta toma carta mejor norte este oeste boca cine mayor
    menor libre primera primavera verano
    bear bell bend bountiful brick clay commerce concord converse crystal cypress defiance fountain golden goodyear
    green groves highland hickory holiday homestead humble hurricane jupiter keystone liberty linden marina mason
    meridian midway mission mustang normal opportunity orchards pace paramount parole pearl plantation plum portage
    prosper providence republic revere sandy savage seaside shoreline spring sparks stow summit sunrise sunset surprise
    university uptown vineyard walker walnut wheeling parker tucker chandler carson draper fishers taylors
""") - {"cali"}
# names of towns that are also persons, families or things: surer signs are asked for
ORDINARY = EVERYDAY | word_set("""
    david jesus victoria santiago manuel esperanza marco garcia lopez leon valencia sanchez rodriguez gonzalez lima
    salvador perez reyes castro cordoba morales moreno rojas castilla rosario lucas rivera concepcion mendoza
    hernandez allen arizona carmen berlin bolivar anna dolores lincoln toledo kennedy ruiz santander herrera elena
    miranda medina vera ortega margarita ramirez suarez gutierrez salamanca navarro trinidad rubio molina hidalgo
    constancia alicia guadalupe zamora allende belgrano salinas roses palestina maldonado asuncion jerusalen serrano
    florencia quintana magdalena sarmiento tailandia ginebra aguilar volcan arias cervantes trujillo cox henderson
    mariana cabrera claudio jamaica morelos rioja frias armstrong armenia cardenas soria duarte alcala morrison
    argelia venecia atenas avila rivas montero sacramento lugo belen silvia segovia velez ponce villanueva alvarado
    valdes roque machado jerez sosa darwin moron inca marin espinosa marti lorca osorio pereira libano valdivia
    pizarro garzon quilmes montenegro hernando patrocinio heredia palencia murillo peralta alfaro borja goya lorena
    quintero crespo gaspar quiroga artigas beltran loreto solano puig hercules bustamante rocha funes restrepo ocampo
    fonseca cisneros pineda paez candelaria altamira ordonez navas olivares portillo quevedo caldas flandes olmedo
    galvez colombo aranda aguilera tamara galindo iberia oliveira genova buenaventura cepeda carmelo narino zambrano
    cortazar alvear eusebio albania acevedo espinal quesada tamayo valdez ares cardona polanco talavera lujan barbosa
    tovar liberia cabral fraga vito lares pavon leticia ceballos valera petra vicuna canete ulloa salcedo mosquera
    nava mier monzon tula ospina haro benavente palau nazareno balboa roa lucena benavides arevalo rodas montoro luque
    roldan tello lautaro viana sotomayor moctezuma teo olmos pando rafaela rufino galvan arteaga timoteo camargo
    nazaret leiva llorente constanza montalvo pimentel santillana garibaldi roxana sousa gamarra castanos muniz
    toribio zafra iniesta moncada colombia venezuela australia california mexico londres panama guatemala tequila
    marsella milan santana colima girona limon avellaneda rivadavia merlo paula luisa martinez gomez diaz jimenez
    fernandez carolina aurora sofia adrian hugo leo gary george albert nelson marshall mitchell douglas franklin
    stanley craig tyler norman stuart rogers butler harrison spencer logan orlando hudson duncan palmer brandon bryan
    brady pierre newton andrews sullivan montgomery homer monroe powell beverly sherman princeton milton katherine
    newman amos carroll eugene marion vernon charleston cody coleman valentine shannon bradford windsor clayton
    shirley ada sidney modesto tara helena mena regina pau jos alexandra ames augusta adam clinton jackson taylor
    anthony mary perry washington hamilton russell lawrence thompson charlotte phoenix madison jefferson troy houston
    austin denver dallas santa santo san isidro juarez comodoro conce barqui cocha habana viedma surco malta
    philadelphia merida
""")
# three letters that are words before they are airports
CODE_WORDS = word_set("""
    sea ver son can may day the pen mil sol mar rio pan sal luz dos del una uno por que con sin los las les sus mis
    tus fue ser dar voy vas van hay hoy aca asi eso esa ese muy mas aun tal vez dia mes ano paz rey oro gas red web
    app ida iva dni ruc nit cel tel msj usd eur cop ars mxn clp uyu sms pdf ram usb led tvs kit abc ojo ley fin mal
    sos amo ama ven dan das era han has ira iba oir ole uva val and for you not are but was all any one our out get
    him his how man new now old see two way who boy did its let put say she too use yes car cat dog big end ask bus
    buy cut eat far fun got hot key lot low map met net off own pay per pop ran sat set six sun tax ten top try war
    win won yet com www min max tan nos par pie pez sur fan cup cam hdp ptm pls thx ola ahi ahy nop sip aja uff wow
    ash bah hey ups plz bye gym spa bar tia tio mia tuy suy sra vip oye ajo cal col pim fon box cbu cvu rut qro ccs
    mvd
""") - word_set("ccs mvd pen sol")
# airports that people write by their code, in small letters too
KNOWN_CODES = word_set("""
    mad bcn eze aep cor mdz ros brc igr ush fte nqn sla tuc mdq bog mde clo ctg baq smr adz pei bga mex cun gdl mty
    tij sjd pvr mid nlu lim cuz aqp tru piu scl ccp anf iqq pmc zos uio gye ccs pty sjo gua tgu sap mga sdq puj sti
    hav sju asu mvd vvi lpb gru gig sdu cgh bsb ssa fln rec poa cwb mia mco jfk ewr lga lax sfo ord dfw iah atl bos
    iad dca sea cdg ory lhr lgw stn fco mxp lin bgy fra muc ber ams bru lis opo zrh gva vie prg cph arn osl hel ath
    ist dub bud waw agp vlc svq bio pmi ibz alc lpa tfn tfs ace fue scq lcg ovd vgo yyz yul hnd nrt icn pek pvg dxb
    doh fll phl den phx
""")
COUNTRY_NAMES = {
    "argentina": "AR", "bolivia": "BO", "brasil": "BR", "brazil": "BR", "chile": "CL", "colombia": "CO",
    "costa rica": "CR", "cuba": "CU", "republica dominicana": "DO", "rep dominicana": "DO", "ecuador": "EC",
    "espana": "ES", "spain": "ES", "guatemala": "GT", "honduras": "HN", "mexico": "MX", "mejico": "MX",
    "nicaragua": "NI", "panama": "PA", "peru": "PE", "puerto rico": "PR", "paraguay": "PY", "el salvador": "SV",
    "uruguay": "UY", "venezuela": "VE", "francia": "FR", "italia": "IT", "alemania": "DE", "portugal": "PT",
    "estados unidos": "US", "eeuu": "US", "usa": "US", "inglaterra": "GB", "reino unido": "GB", "japon": "JP",
    "china": "CN", "canada": "CA",
}  # fmt: skip
REGION_NAMES = {
    "valle": "Valle del Cauca", "edomex": "Estado de México", "edo mex": "Estado de México",
    "edo de mexico": "Estado de México",
    "nl": "Nuevo León", "jal": "Jalisco", "ver": "Veracruz", "slp": "San Luis Potosí", "bc": "Baja California",
    "bcs": "Baja California Sur", "q roo": "Quintana Roo", "pba": "Buenos Aires", "bs as": "Buenos Aires",
    "provincia de buenos aires": "Buenos Aires", "gto": "Guanajuato", "mich": "Michoacán", "pue": "Puebla",
    "nds": "Norte de Santander", "n de santander": "Norte de Santander", "rm": "Región Metropolitana",
    "cataluna": "Barcelona", "andalucia": "Andalucía", "guajira": "La Guajira", "araucania": "La Araucanía",
    "bio bio": "Biobío", "metropolitana": "Región Metropolitana",
}  # fmt: skip
# names of towns that people mean as countries and states
NO_CITIES = (
    frozenset(COUNTRY_NAMES)
    | word_set("""
    australia jamaica california arizona tailandia argelia albania andorra america palestina libano pensilvania
    antioquia hispania hispanoamerica atlantida iberia
""")
    | {"la puerta"}
)
SPELLED_OUT = {
    "sta": "santa", "sto": "santo", "cd": "ciudad", "gral": "general", "pto": "puerto", "sn": "san", "vlla": "villa",
    "pte": "presidente", "cnel": "coronel", "sgo": "santiago", "fco": "francisco", "ma": "maria",
}  # fmt: skip
# words of their own, one letter away from a city
NO_TYPO = word_set("""
    pueblo
    cuenta verdad igual mierda reason example capital tampoco habian prueba medida buscar medico photos matar recien
    capitan hablan cocina crimen recibe corriente clima marido alegria ambito legales enviado enviada corona chamber
    grecia babies campanas colonel soldado medalla parada olvido calma huelga hospitales mariano mataron landed recipe
    alarma cubana brutal morena marvel habran grandma magico armonia huella colin tribal ladder barata pasadas
    milagros caroline matado bares cuanta enviados enviadas magica barnes valer comuna valentia callado ensenado
    semilla callar calla bailes ganarse enviando chaco toalla capita salvado calmar posada parra calcio paran valora
    tutela villano metida cubrio pesadas pesada grabada matarlo mandas cambias perdera fortalezas ganarle bruta hazana
    chaleco salvando marcel granadas copiado alergia tardia buscara ganada igualar juliana basilica abasto sacada
    mantas climas charco cautela moreira armenio valeria calado paraba cuencas chicha macizo ensenaba ordene ladera
    hueva florencio antoja soleado resistencias chacon callo burros callas sacara marico valdra salvados leida ganarme
    palmera pereyra cabinas caminas callan carmena valero sacaban magnus climax tarima ganarte marciano comian vitrina
    marcia alabar forzosa cometan coloma clama cautelar amerita ensenara capataz iguana ovidio cuenco corina llamare
    manas batuta matara ganadas marcara malayo huela carcasa pisadas morenos mansilla coimas medallon malaya callos
    bucear boquilla sultana salvadora parara cornea pagana perrera vetado leidas armeria reynoso potros claman carola
    tonada cubico calabozos manana manera semana contra podria dolares apenas cambio regalo salidas ventas vendas
    cordobes caleta limonada madrina marinada granola valencianas santandereano bogotano cancion contado contar sabias
    sabia mandado pesado pesados pasada pasado posadas enviarlo envidia maletas maleta malagueta cartera carteras
    cartagenera madera maderas aduana paraguas corrige corrijo resiste merienda mariscos marisco marisa marina
    patricia mostaza pastas cerezas sacala sacalas guaranas guarana change
""")

"""Words that tell names from other words, as data, in folded letters."""

from hilo.recognisers.phrases import word_set

GIVEN_NAMES = word_set("""
    aaron abel abigail abril adela adolfo adrian adriana agostina agustin agustina aida ailen aitana aitor alan
    alba alberto alejandra alejandro alejo alex alexa alexander alexis alfonso alfredo alicia alma alonso alvaro
    amalia amanda amelia ana anabel andrea andres angel angela angeles angelica angie anibal anita antonella
    antonia antonio ariana ariel armando arturo asuncion augusto aurelio aurora axel ayelen barbara bartolome
    bautista beatriz belen benito benjamin bernardo berta bianca blanca brandon brenda brian brisa bruno camila
    camilo candela candelaria carina carla carlos carlota carmen carolina caterina catalina cecilia celeste celia
    cesar charo christian cindy cintia clara claudia claudio clemente concepcion constanza consuelo cristian
    cristina cristobal cruz daiana dalia damian dana daniel daniela danilo dante dario david dayana debora delfina
    denis denise diana diego dolores domingo dora doris dulce edgar edith eduardo edwin elena eliana elias elisa
    elizabeth eloy elsa elvira emanuel emilia emiliano emilio emma enrique erica erick erika ernesto esperanza
    esteban estefania estela ester esther eugenia eugenio eva evelyn ezequiel fabian fabiana fabio fabiola facundo
    fatima federico felipe felix fermin fernanda fernando fidel fiorella flavia flor florencia francesca francisca
    francisco franco gabriel gabriela gaston genaro george gerardo german giovanni gisela gladys gloria gonzalo
    graciela gregorio guadalupe guillermina guillermo gustavo harold hector helena henry heriberto hernan hilda
    horacio hugo humberto ignacio ines ingrid inma irene iris irma isaac isabel isabella isaias ismael israel
    itzel ivan ivana ivonne jacinto jacobo jaime javier jazmin jennifer jenny jeronimo jesica jessica jesus jhon
    jimena joan joaquin joel john johanna jonas jonathan jordi jorge jose josefa josefina joseph josue juan juana
    juanita juanjo juancho julia julian juliana julieta julio karen karina karla katherine kevin laia lara laura
    lautaro lazaro leandro leidy lena leo leon leonardo leonel leonor leticia lidia liliana lina linda lola lorena
    lorenzo lourdes luana lucas lucia luciana luciano lucila lucrecia luis luisa luna luz macarena magali
    magdalena maite malena manolo manuel manuela mar marc marcela marcelo marcia marco marcos margarita maria
    mariana marianela mariano maribel marina mario marisa marisol marta martha martin martina mary mateo matias
    matilde mauricio mauro maxi maximiliano maximo mayra melanie melina melisa melissa mercedes mia micaela
    michael miguel mike milagros milena mirta mirtha miriam moises monica montserrat nacho nadia nahuel nancy
    natalia nazareno nelida nelly nelson nestor nicolas nicole nieves nilda noelia noemi nora norberto norma nuria
    octavio olga oliver olivia omar orlando oscar osvaldo pablo paco paloma pamela paola patricia patricio paul
    paula paulina paulo pedro pepe peter pilar pia priscila rafael ramiro ramon raquel raul rebeca regina rene
    reyna ricardo rita robert roberto rocio rodolfo rodrigo rogelio roman romina ronald roque rosa rosalia rosana
    rosario rosaura roxana ruben rufino ruth sabrina salome salvador samanta samuel sandra santiago santino sara
    sarah sasha saul sebastian selena sergio shirley silvana silvia silvina simon simona sofia sol soledad sonia
    stella stephanie susana tamara tania tatiana teo teresa thiago tobias tomas trinidad ulises uriel valentin
    valentina valeria vanesa vanessa vera veronica vicente victor victoria vilma violeta virginia viviana walter
    wendy wilfredo william wilson ximena xavier yamila yanina yasmin yesica yolanda zoe zulma tom james mark anna
    emily lisa steve kate jane jack sam ben chris matt nick tony bob joe jim pancho lalo memo beto chucho toño
    tono cacho fede nico guille mati santi juanma sofi flopi caro dani gabi vale vicky pau lau mica cami agus
    fredy freddy yuliana jhonatan jhonathan jonatan jhoan johan yeison jeison duvan leydi leidi yesenia yurany yurani
    nidia nubia ligia myriam astrid edison edinson wilmer jaider yerson jerson brayan bryan maicol deisy deysi
    katherin katerine karol stiven steven emmanuel isabela mariangel valery luzmila ofelia orfa edilma marleny
    nathalia natalie dayanna mayerly yadira yeny yenny jenifer weimar wilder yamile yaneth janeth jhoana johana
    yohana dary
""")
# given names that are cities just as often: names only where one was asked for
LIKE_CITIES = word_set("""
    austin madison jackson brooklyn savannah charlotte dallas phoenix lincoln houston denver carson chandler cheyenne
    memphis raleigh tyler eugene
""")

# "anotá", "póngale", "agendame": somebody or something is put down
NOTING = (
    r"(?:(?:anot|apunt|agend|registr|agreg|guard|sum|dej)[aeo]n?|inscrib[aeio]n?|pon(?:e|ga|gan)?)"
    r"(?:me|nos|l[aoe]|mel[ao]|sel[ao])?"
)
# how one speaks to somebody, and the particles that end a sentence in some countries: no part of a name beside them
ADDRESSED = word_set("""
    po pos pes pe pues parce parcero parcera che wey guey buey cachai mija mijo mijita mijito vecino vecina vecinita
    veci caserita caserito casera casero amigo amiga amiguito amiguita jefe jefa jefecito patron patrona joven
    jovencita jovencito senorita senor senora seno corazon carino hermano hermana bro broder
    compa compadre comadre causa pana chamo chama primo prima boludo huevon weon manito
""")

# stand before a name and are no part of it
TITLES = word_set("""
    don dona sr sra srta srita senor senora senorita dr dra doctor doctora lic licenciado licenciada ing ingeniero
    ingeniera prof profe profesor profesora arq arquitecto arquitecta abg mr mrs ms miss
""")
# titles that also say what somebody is: soy profesora universitaria
PROFESSIONS = word_set("""
    doctor doctora licenciado licenciada ingeniero ingeniera profesor profesora arquitecto arquitecta senor senora
    senorita profe
""")
KIN = word_set("""
    esposa esposo marido mujer senora hija hijo hermana hermano mama papa mami papi madre padre novia novio amiga amigo
    jefe jefa socio socia tia tio abuela abuelo suegra suegro pareja nena nene cunada cunado prima primo sobrina
    sobrino nieta nieto vecina vecino companera companero abuelita abuelito mamita papito hermanita hermanito hijita
    hijito vieja viejo viejita viejito polola pololo nana nano enamorada enamorado comadre compadre madrina padrino
    wife husband son daughter
    mom mother dad father wife husband sister brother son daughter friend grandma grandpa aunt uncle
""")
# surnames and given names that go on after "de", "de la" and "del"; what else follows is a place or a company
AFTER_DE = word_set("""
    dios jesus leon lourdes fatima guadalupe luna castro zarate souza sousa oliveira anda haro paula luca angelis rosa
    marco simone francisco diego miguel pedro guzman oca kirchner tejada alarcon mendoza avila vega silva lima paz
    mesa blas urquiza alvear armas asis arce aguirre ita nigris vita santis stefano carolis gregorio grazia cordova
    santiago loyola padua nazaret belen borja moya andres hoyos soto mello moura alba pablo juan antonio benito
    jose lara narvaez heredia vicente nicolas prado padilla sena benedetti filippo lorenzo martino maria
""")
AFTER_ARTICLE = word_set("""
    cruz vega torre torres fuente fuentes rosa paz hoz mora rua serna cuesta barrera pena garza maza cerda calle riva
    parra puente rocha cueva cuevas colina hera huerta madrid mata merced luz concha caridad espriella lama cal
    angeles reyes santos rios heras casas nieves mercedes dolores milagros remedios flores guardia rosas palmas
    cobos llanos monteros iglesia jara ossa piedra plaza sota quintana rubia oliva horra peza pava cadena
""")
AFTER_DEL = word_set("""
    carmen valle pilar rosario rio castillo campo mar sol socorro aguila toro solar bosque pino cid moral monte
    potro corral pozo prado rey portillo rincon risco real refugio transito consuelo huerto olmo barrio castellano
    cerro milagro sagrario barco caño cano piero carpio arco moro amo cielo
""")

PARTICLES = word_set("de del la las los y e da das do dos di van von der san santa santo mac mc el st")

# never part of a name, wherever they stand
FUNCTION_WORDS = word_set("""
    an anything something someone nobody anymore besides going back not out now just
    a al ante bajo con contra desde durante en entre hacia hasta para por segun sin sobre tras un una unos unas lo
    le les me te se nos os mi mis tu tus su sus yo vos usted ustedes ella ellos ellas nosotros que quien cual
    cuando como donde cuanto cuanta cuantos cuantas porque pero aunque si no ni o u ya muy mas menos tan tanto
    tambien tampoco nunca siempre jamas aqui aca ahi alli alla hoy ayer manana ahora luego despues antes entonces
    bien mal mejor peor solo solamente es son era fue soy sos eres somos estoy esta estas estan estamos ser estar
    hay haber tengo tenes tienes tiene tienen tenemos tener quiero queres quieres quiere quieren queremos quisiera
    queria querer puedo podes puedes puede pueden podemos podria podrias necesito necesitas necesita necesitamos
    busco buscando vivo vive trabajo trabaja llamo llama llamas hablo habla escribo escribe compro compre comprar
    vender vendo vende venden pago pagar pague pedi pedir pido pedido precio precios envio envios enviar mandar
    mande mandame mandan dame deme dime digo dice decir hacer hago hace hacen hacemos ir voy va vamos van vengo
    viene venir ver veo saber sabe sabes gusta gustaria interesa interesado interesada hola holis buenas buenos
    buen buena dia dias tarde tardes noche noches gracias favor porfa porfavor ok okey okay dale listo claro obvio
    perfecto genial bueno vale sale sip nop nope nada ninguno ninguna algo alguien nadie todo todos todas toda
    cada otro otra otros otras este esto esos esas ese esa eso aquel mismo misma gusto placer mucho mucha muchos
    muchas poco poca encantado encantada saludos chau chao adios disculpa disculpe perdon che eh ah oh uh mmm jaja
    jeje email mail correo telefono celular numero direccion dni documento nombre apellido cedula rut whatsapp
    anos pregunta consulta duda informacion info cliente clienta producto productos servicio compra cuenta tarjeta
    efectivo transferencia the and or but with for from my your his her our their is are was were am i you he she
    we they it this that what who where when how why which want need would like could can please thanks thank
    hello hi hey yes yeah sure not never here there looking calling writing interested name to at in on of about
    by oui nombres apellidos completo respuesta arroba punto com http https www llamarme decirte decirme digas
    sabria ponele ponme anotame agregame sumame quita saca cambia cambiar cancela cancelar confirmo reservar
    reserva turno cita asi igual aun todavia quiza quizas tal vez acaso ojala pues mientras excepto salvo mediante
    dudo creo pienso espero supongo prefiero darlo darla darte dimelo represento estaba represento solicito consulto
    pregunto preguntar llame llamo estuve vine vengo ando traigo pedimos hicimos compramos pague quedo queda quedan
    interesan adjunto mando paso pasame necesitaba andaba aparece aparezco necesitan necesitas piden
    sirve pides preguntas importa viuda vda cc ti dni ced cel tel rut nit cuit cuil nie curp rfc ruc xq pq tlf
    movil fono wsp cpf venga nomas dolar dolares peso pesos euro euros soles mangos gambas guita usd ars anonimo anonima
""")

# what people are, feel or come from: never the first word of a name after "soy"
NOT_FIRST = word_set("""
    one two three
    el la los las de del alergico alergica alergicos celiaco celiaca diabetico diabetica vegano vegana vegetariano
    vegetariana intolerante hipertenso dueno duena jefe jefa gerente encargado encargada empleado empleada
    estudiante alumno alumna profesor profesora maestro maestra docente medico medica doctor doctora abogado
    abogada contador contadora ingeniero ingeniera arquitecto arquitecta enfermero enfermera psicologo psicologa
    vendedor vendedora comerciante empresario empresaria programador programadora disenador disenadora socio socia
    nuevo nueva nuevos mayor menor grande chico chica alto alta bajo gordo flaco joven viejo vieja hombre mujer
    madre padre mama papa hijo hija hermano hermana tio tia abuelo abuela esposo esposa marido novio novia amigo
    amiga vecino vecina soltero soltera casado casada argentino argentina colombiano colombiana mexicano mexicana
    peruano peruana chileno chilena espanol espanola uruguayo uruguaya venezolano venezolana boliviano ecuatoriano
    ecuatoriana paraguayo paraguaya brasileno brasilena cubano cubana italiano aleman frances ingles americano
    extranjero extranjera latino portena porteno responsable titular suscriptor usuario usuaria paciente pasajero
    turista jubilado jubilada monotributista autonomo consumidor comprador revendedor revendedora mayorista
    minorista distribuidor proveedor emprendedor emprendedora freelance persona humano humana real bot robot
    asesor agente operador feliz triste zurdo diestro fan hincha seguidor miembro parte capaz consciente asmatico
    sensible fanatico residente propietario inquilino nativo consultor consultora ama periodista policia chofer
    conductor repartidor cadete mozo camarero cocinero chef musico artista cantante actor actriz panadero
    carnicero plomero electricista mecanico peluquero peluquera modista tecnico tecnica contratista director
    directora presidente presidenta secretario secretaria asistente recepcionista cajero cajera casa calle avenida
    av pasaje barrio edificio piso depto departamento local negocio empresa tienda restaurante hotel oficina pizza
    coca fanta empanada empanadas hamburguesa agua cerveza vino leche pan cafe litro docena kilo media talle color
    rojo azul verde negro blanco amarillo lunes martes miercoles jueves viernes sabado enero febrero marzo abril
    mayo junio julio agosto septiembre octubre noviembre diciembre uno dos tres cuatro cinco seis siete ocho nueve
    diez cien mil buenos aires cordoba mendoza bogota medellin cali lima santiago madrid barcelona mexico
    monterrey guadalajara quito rosario montevideo good great fine sorry interested looking new allergic vegan
    vegetarian customer client owner student happy sad here ready done back late afternoon morning evening night
    horrible feo lindo rico caro barato urgente rapido lento facil dificil imposible posible correcto incorrecto
    seguro segura igual cualquiera gratis entrega delivery domicilio retiro demora queja reclamo factura boleta
    recibo ticket cambio devolucion garantia oferta promo promocion descuento stock talla tamano modelo marca
    catalogo menu carta lista horario horarios ubicacion sucursal primero segundo tercero ultimo dato datos ciudad
    pais barrio colonia dinero plata cosa cosas problema problemas ayuda foto fotos imagen video audio link pagina
    web mensaje chat anuncio publicidad zapatillas zapatos remera camisa pantalon vestido torta pastel helado pollo
    carne papas queso arroz caja cajas paquete bolsa botella lata unidad unidades mesa silla persona personas nino
    ninos nina ninas perro gato auto moto carro casa hogar trabajo facebook instagram messenger vuelo pasaje
    familia habitacion cuarto sitio lugar dia hora semana mes fecha momento rato veces vez
""")

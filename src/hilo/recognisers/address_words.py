"""The words that addresses are made of, as data, in folded letters."""

import re

from hilo.recognisers.phrases import word_set

# streets that have numbers for names: calle 10 # 43-12
GRID = word_set("""
    calle cll clle cl calles carrera carr cra kra kr cr crr carreras diagonal dg diag dig transversal transv tv trv
    trans tranv tr avenida av avda ave ac ak circular circ autopista avcalle avcarrera
""")
STREETS = GRID | word_set("""
    jiron jr jir pasaje psje pje pasj psj boulevard blvd bulevar bv bvd blv paseo po pso camino cno calzada calz
    privada priv cerrada cda andador circuito cto prolongacion prol retorno ret rinconada callejon cjon alameda
    malecon rambla ronda rda travesia tva plaza pza plza plazoleta carretera ctra ruta costanera pasaxe rua calleja
    cuesta glorieta eje periferico libramiento c urbano peatonal vereda autovia carrer gran
""")
# these are other words just as often: they need a number, and no small word after them
DOUBTFUL = word_set("""
    c pasaje carrera carreras paseo camino plaza ruta po cr cl tr dig trans ret gran circular cuesta eje retorno
    vereda privada peatonal urbano
""")
MARKS = word_set("# no n nro num numero nr ° º o al altura")
NUMBER_MARKS = word_set("# no nro num numero n")
QUADRANTS = word_set("sur norte este oeste s n e o oriente poniente")
AREAS = word_set("""
    barrio bo colonia col urbanizacion urb fraccionamiento fracc frac sector villa poblacion pobl residencial unidad
    conjunto cj conj edificio edif ed condominio cond reparto parcela poligono etapa localidad zona coto barriada
    ciudadela cdla aahh residencias complejo supermanzana parcelacion finca hacienda corregimiento vda vereda
""")
COUNTRYSIDE = word_set("vereda vda finca hacienda corregimiento caserio parcela rancho")
UNITS = word_set("""
    pb ph piso p depto dpto dto depa dep departamento apto apartamento apt apart ap torre tor bloque bloq blq block bl
    interior int casa local loc oficina of ofi ofc unidad manzana mz mza lote lt lte puerta pta escalera esc planta
    bajo bajos atico portal solar timbre uf cp etapa sm nivel cuarto habitacion hab porton modulo mod entrada suite ste
    km bis duplex principal entresuelo semisotano exterior ext izq izquierda izda dcha derecha der cs bodega
    chalet nave galpon
""")
ALONE_UNITS = word_set(
    "bajo bajos atico izq izquierda izda dcha derecha der principal entresuelo exterior ext interior duplex bis"
)
LODGINGS = word_set("hotel hostal hostel posada motel apart aparthotel apartahotel pension residencia cabanas")
BETWEEN = word_set("entre e x esquina esq")
COLOURS = word_set("""
    blanca blanco verde azul roja rojo amarilla amarillo negra negro gris cafe rosada rosado naranja morada beige crema
    blancas verdes azules rojas amarillas negras
""")
BESIDE = word_set("frente cerca lado detras atras diagonal costado pasando junto")
ENGLISH_STREETS = word_set("""
    st street ave avenue rd road blvd boulevard dr drive ln lane way ct court pl place hwy highway sq square ter
    terrace pkwy parkway cir circle trl trail
""")
ENGLISH_ROADS = word_set("rd road hwy highway")  # those that may have a number for a name: 45 County Road 12
MONTHS = word_set("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre")
# no name of a street goes on over these
STOPS = word_set("""
    mi mis tel telefono telf tlf fono cel celular celu movil whatsapp wsp wpp wasap correo email mail mails soy me
    llamo nombre ciudad gracias por para quiero quisiera necesito es esta este queda son dni cedula cc documento rut
    pago pagar pagare efectivo porfa favor hoy manana ayer tarde noche con que se lo le les si pero porque pues donde
    cuando como cuanto hola buenas buenos tengo hay puedo pueden envio envios mandame manden enviar envien recibe a
    contacto numero horario lunes martes miercoles jueves viernes sabado domingo desde hasta hacia en un una unos unas
    pesos usd soles y o cuesta vale the my and i please phone name in at city estoy vivo te nos su sus muy no ya ahi
    aqui aca referencia ref ahora
""")
# what leads to an address
LEADS = word_set("""
    direccion dir domicilio vivo vive vivimos estoy estamos resido queda quedamos ubicado ubicada ubicacion enviar
    envien envia enviame manda mandar mandame manden entregar entrega entregan entreguen llevar lleven traer traeme
    envio despacho despachar retiro address live addr casa oficina trabajo local negocio calle vivia viviamos estaba
    estabamos mude mudamos mudo ahora
""")
# … and a verb that sends what was named: mandalas, envíenmelo, traérselos, me lo mandás
SENDS = re.compile(r"(?:mand|envi|llev|trae|traig|entreg|alcanz|acerc|despach|dej)(?:\w*l[oa]s?|[ae][sn]|s|n)")
# a number after these is no house number
NO_STREETS = word_set("""
    pedido orden factura ticket codigo cod clave numero nro talle talla mesa habitacion cuarto total son quiero
    quisiera dame deme mandame necesito precio cuesta sale vale pago pague pagar deposite transferi transferencia
    cuota cuotas menos mas hasta desde casi como unos unas unidad unidades cantidad presupuesto tengo hay somos
    reserva vuelo guia tramite reclamo articulo modelo producto ref referencia sku edicion version iphone galaxy
    samsung xiaomi moto motorola redmi play playstation xbox windows android coca cola pepsi fanta sprite agua cerveza
    leche arroz aceite azucar harina yerba fernet vino pizza hamburguesa empanadas opcion menu paso nivel pagina
    capitulo canal ano anos mes dia dias hora horas enero febrero marzo abril mayo junio julio agosto septiembre
    setiembre octubre noviembre diciembre ene feb mar abr may jun jul ago sep sept oct nov dic lunes martes miercoles
    jueves viernes sabado domingo dni cedula cc nit ruc rut cuit cuil pasaporte telefono tel cel celular whatsapp
    interno ext extension cp postal cbu cvu alias cuenta tarjeta terminada terminacion clp cop ars mxn usd pen eur
    pesos dolares euros soles lucas mil order number invoice code size room table flight pay paid model kilos gramos
    litros metros puntos serie lote tanque placa patente chapa expediente legajo contrato poliza contador medidor
    sucursal caja banco bono cupon oferta promo combo descuento pack cajas bolsa bolsas botella botellas lata latas
    docena docenas media edad peso altura stock linea ruta bus colectivo metro tren calle avenida av queda quedan
    faltan falta sobran llegaron llega grupo equipo copia copias hojas paginas foto fotos video minuto minutos segundo
    segundos semana semanas compra comprar vender vendo abono saldo deuda debo monto valor costo importe ingreso gaste
    compre cobre cobraron perdi ahorre junte ofrezco sueldo gano recibi recibo envie
""")
UNITS_OF_MEASURE = word_set("""
    ml l lt lts litro litros cc kg kgs kilo kilos g gr grs gramos pesos peso usd ars cop mxn clp soles sol euros
    dolares lucas mil millones mts metros m cm mm hs hrs horas hora am pm min minutos dias dia anos meses semanas
    personas unidades uds gb tb mb w v mah k pulgadas x cajas cuotas porciento de d
""")
# these are short for numbered streets only, and other words besides
GRID_ONLY = word_set("tv trv tranv trans ac ak cr kr dg tr dig circ cto ret cda tva")
# these begin an address even without a number
PLAIN_STREETS = word_set("""
    calle avenida av avda jiron jr boulevard blvd bulevar calzada callejon prolongacion cll carrera cra diagonal
    transversal
""")

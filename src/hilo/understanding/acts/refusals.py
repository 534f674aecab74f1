"""The words of cancelling and of not giving what was asked.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

CANCEL = """
    @want salir|terminar|parar|detener|abandonar|desistir
    @want dar de baja el|la|mi? @order?
    ya no hace falta
    ya no va|corre|sigo
    mejor nada$
    me echo|hago para atras
    se cancela todo?$
    cancela|cancelar|cancelo|cancele|cancelen|canceles|cancelame|cancelalo|cancelala|cancelelo|cancelarlo|
        cancelarla|cancelemos|cancelenlo|canselar|canselalo|cansela|anular|anula|anulalo|anulala|anulen|anule|
        anulame|anulemos|anulo
    cancela|cancelar|cancelo|cancele|cancelen|canceles|cancelame|cancelemos|canselar|cansela|anular|anula|anulen|
        anule|anulame|anulo el|la|mi|mis|los|las|todo? ultimo?|ultima? @order por? completo? entero? entera?
    @want que? me? @cancel el|la|mi|mis|los|las|todo? ultimo? ultima? @order?
    olvidalo|olvidala|olvidate|olvidelo|olvidense|olvidenlo|olvidemoslo|olvida todo? eso? lo? de|del? @order?
    olvidate|olvida|olvidemos|olvidese lo? que? dije|pedi|hablamos
    olvidate|olvida|olvidemos|olvidese de|del|el|lo mi|la|el? @order|eso
    mejor? dejalo|dejala|dejelo|dejela|dejemoslo|dejemosla|dejenlo asi?
    dejalo|dejelo|dejemoslo ahi|nomas|estar|para
    deja asi|nomas|no
    dejemos|dejamos todo? asi|ahi mejor?
    deja todo? asi
    lo dejo|dejamos asi|ahi|para
    lo dejamos? por aca|ahi
    ya no lo|la|los|las? quiero|deseo|necesito|interesa|me nada? mas? @order? nada?
    ya no me interesa|sirve|hace
    ya no quiero|deseo|voy el|la|mi|a? @order|comprar|seguir|nada|pedir
    ya no$
    no quiero|deseo|voy a? seguir|continuar|comprar mas?
    no quiero mas
    no quiero el|la|mi pedido|compra|orden|reserva|turno
    no lo|la quiero mas
    no sigas|sigamos|sigo|continues|continuemos mas?
    me arrepenti|arrepiento
    cambie de opinion|idea
    desisto|abortar|aborta|aborten
    dar|da|den|dame|darme de baja el|la|mi? @order?
    ^deja|deje|dejen$
    nvm
    ya fue$
    borra|borralo|borrar|elimina|eliminar|vacia|vaciar|borrame todo|eso$
    borra|borrar|elimina|eliminar|vacia|vaciar|borrame|borren|elimine el|la|mi|todo|todos? el? la? mi? pedido|orden|
        carrito|compra|reserva
    deshace|deshacer|deshaz|descarta|descartar|descartalo el|la|mi|todo? @order?
    para todo|ahi
    frena|detente|detengan|detene|stop|salir|terminar|parar|alto$
    cancel it|that|this|everything|please|all?
    cancel|cancell my|the|this order|booking|reservation|appointment|purchase|it
    cancel|cancell
    i want|need|would|wanna to|like? to? cancel|cancell
    forget it|about|that it?
    never mind
    nevermind
    leave|drop|scrap it
    call it off
    i dont|don want it|this|that anymore
    i don t want it|this|that anymore
    i changed my mind
    i ve changed my mind
    esquece|deixa pra la
"""

# the contact will not give what was asked
SKIP = """
    no te|le|les voy|pienso|quiero|puedo a? dar|decir|pasar @my? @field?
    lo? desconozco
    ni la|una mas|menor|minima|remota minima? idea
    prefiero reservarmelo|reservarlo|guardarmelo|omitirlo|saltarlo|saltearlo|omitir|pasar
    ^eso|esto|es es? privado|confidencial|personal|secreto$
    lo dejo|dejo|dejalo|deja en blanco|vacio
    no me se|acuerdo|lo @my? se? @field?
    no tengo segundo|otro @field
    pasapalabra
    i have no @field
    no te lo? puedo|quiero decir|dar
    no tengo por? que? decirlo|decirtelo|darlo
    no quiero dejar @my? @field
    no se|ce$
    no se cual|bien|todavia|aun|ahora|decirte|mi|cuanto|cuando|donde|exactamente|seguro
    no se si$
    no se si tengo|puedo|podre|voy|me|lo|la|los|las|es|sea|quiero|estare
    no se que poner|decir|decirte|responder|numero|codigo|fecha
    no se la verdad
    no estoy muy? seguro|segura
    lo que sea|quieras
    ^en blanco$
    ^n a$
    no lo|la se|tengo|recuerdo|conozco|encuentro|uso
    no lo se todavia|aun|bien|ahora
    no lo tengo todavia|aun|aca|conmigo|a|en|ahora|encima|disponible mano?
    ni idea
    ni puta|zorra|la|mas idea
    no tengo idea
    no tengo ni|la|mas mas|menor|puta|zorra? idea
    nose|noc|nosee|nosep|npi|ns|nidea|idk|dunno$
    no tengo$
    no tengo|uso|manejo|cuento ningun|ninguno|ninguna|un|mi|el|la|ese|esa? @field
    no tengo ese dato
    no tengo el dato
    no tengo ninguno|ninguna|uno|una|nada|eso|ahora|todavia|aun$
    no cuento con @a? @field?|eso|ese|uno
    no poseo|dispongo de? @field?
    todavia|aun|ahora no lo? se|tengo
    todavia|aun no decidi|decido|defini
    no me acuerdo
    no recuerdo
    no sabria decirte|decirle|decir
    se me olvido
    me lo|la? olvide$
    lo olvide$
    prefiero|prefieria|preferiria no decir|decirlo|darlo|dar|darte|compartir|compartirlo|responder|contestar|darlos|
        darle|decirte|pasarlo|pasar|hacerlo|mencionarlo|brindarlo|dejarlo @my? @field?
    prefiero|preferiria no$
    no quiero|quisiera|deseo|puedo|voy a? decir|decirlo|darlo|dar|darte|compartir|compartirlo|responder|contestar|
        decirte|darle|pasarlo|pasarte|brindar @my? @field?
    no te|le|se lo|la voy a? decir|dar|pasar|compartir
    no te|le lo|la? digo|doy|paso$
    no doy|comparto @my? @field?|eso|datos
    no corresponde|aplica$
    ^paso$
    yo paso$
    paso de esa|esta|eso
    ^ninguno|ninguna|ningunos|ningun$
    ninguno|ninguna de? los|las? dos|ellos|ellas|esos|esas|anteriores?$
    despues|luego|mas|manana|ahorita|dsps|dps tarde|adelante|rato? te|le|se|les lo|la|los? digo|doy|paso|mando|
        confirmo|aviso|envio|cuento|comento|escribo
    despues|luego|mas tarde? lo|la veo|vemos|paso|mando|envio|pienso|digo
    despues|luego|mas tarde? veo|vemos|respondo|contesto|aviso
    te|le|se|les lo|la|los? digo|doy|paso|mando|confirmo|aviso|envio|cuento despues|luego|manana|mas|ahorita|dsps|
        dps|otro tarde? rato? dia?
    ^te|le aviso|digo$
    en otro momento
    ^otro dia$
    ^despues|luego|dsps$
    ^mas tarde$
    ^mas adelante$
    lo dejo|dejamos para despues|luego|mas tarde?
    ^omitir|saltar|saltear|saltealo|saltalo|omite|omitelo|omitilo|salta|skip|pass|siguiente|next|none$
    omitir|saltar|saltear|skip ese|esa|este|esta|esto|eso|that|this|it paso|pregunta|dato|one|question|step$
    ^sin @field$
    no aplica
    me da igual
    me da lo mismo
    da igual
    da lo mismo
    me es indiferente
    ^cualquiera|indistinto|indiferente$
    i dont|don know|have|remember one|it|that|any|an|my|email? @field?
    i don t know|have|remember one|it|that|any|an|my? email? @field?
    i have no idea
    no idea|clue
    not sure
    i de|d? rather|prefer not to? say|tell|share|answer|give it?
    prefer not to say|tell|share|answer
    i prefer not to? say|tell|share|answer
    i ll tell you later
    ill tell you later
    ^later$
    skip it|this|that|please
    none of them|these|those|your business?
    neither$
    nao sei|tenho
"""

"""The words of cancelling and of not giving what was asked.

Phrases are written as `phrases.compile_phrases` reads them, in folded letters.
"""

CANCEL = """
    cancela|cancelar|cancelo|cancele|cancelen|canceles|cancelame|cancelalo|cancelala|cancelelo|cancelemos|canselar|
        anular|anula|anulalo|anulen|anule|anulame|anulo
    @want que? me? @cancel el|la|mi|mis|los|las|todo? ultimo? ultima? @order?
    olvidalo|olvidate|olvidelo|olvidense|olvidemoslo|olvida todo? eso? lo? de|del? @order?
    mejor? dejalo|dejala|dejelo|dejela|dejemoslo asi?
    dejemos|dejamos todo? asi|ahi mejor?
    ya no$
    no quiero|deseo|voy a? seguir|continuar|comprar mas?
    no sigas|sigamos|sigo|continuemos mas?
    me arrepenti|arrepiento
    cambie de opinion|idea
    ya lo|la|los|las? consegui|compre|encontre|resolvi|solucione|pedi en|por|con otro|otra lado|lugar|parte|tienda|
        negocio|sitio
    ya lo|la resolvi|solucione|consegui
    ^deja|deje|dejen$
    nvm
    ya fue$
    borra|borrar|elimina|eliminar|vacia|vaciar|borrame|borren el|la|mi|todo|todos? el? la? mi? pedido|orden|carrito|
        compra|reserva
    frena|stop|salir|terminar|alto$
    cancel it|that|this|everything|please|all?
    cancel|cancell
    i want|need|would to|like? to? cancel|cancell
    forget it|about|that it?
    never mind
    i dont|don want it|this|that anymore
    i don t want it|this|that anymore
    i changed my mind
    cancel|cancell my|the|this order|booking|reservation|appointment|purchase|it
    leave|drop it
    call it off
    i ve changed my mind
    esquece|deixa pra la
"""

# the contact will not give what was asked
SKIP = """
    nose|idk$
    me da igual
    me lo|la? olvide$
    lo? desconozco
    ni la|una mas|menor|minima minima? idea
    prefiero reservarmelo|reservarlo|omitir|pasar
    ^eso|esto|es es? privado|confidencial|personal|secreto$
    lo dejo|dejo|dejalo|deja en blanco|vacio
    pasapalabra
    i have no @field
    lo que sea|quieras
    ^en blanco$
    ^n a$
    no tengo$
    prefiero|preferiria no decir|decirlo|darlo|dar|compartir|compartirlo|responder|contestar|darle|decirte|pasar|
        hacerlo|dejarlo @my? @field?
    no quiero|quisiera|deseo|puedo|voy a? decir|decirlo|darlo|dar|compartir|compartirlo|responder|contestar|decirte|
        darle @my? @field?
    ^paso$
    ninguno|ninguna de? los|las? dos|ellos|ellas|esos|esas|anteriores?$
    despues|luego|mas|manana|ahorita|dsps tarde|adelante|rato? te|le|se|les lo|la|los? digo|doy|paso|mando|confirmo|
        aviso|envio|cuento|escribo
    despues|luego|mas tarde? lo|la veo|vemos|paso|mando|envio|pienso|digo
    te|le|se|les lo|la|los? digo|doy|paso|mando|confirmo|aviso|envio|cuento despues|luego|manana|mas|ahorita|dsps|
        otro tarde? rato? dia?
    ^otro dia$
    ^despues|luego|dsps$
    ^mas tarde$
    ^omitir|saltar|salta|skip|pass|siguiente|next|none$
    ^sin @field$
    ^cualquiera$
    i dont|don know|have|remember one|it|that|any|an|my|email? @field?
    i don t know|have|remember one|it|that|any|an|my? email? @field?
    i have no idea
    not sure
    i de|d? rather|prefer not to? say|tell|share|answer|give it?
    i ll tell you later
    ill tell you later
    ^later$
    skip it|this|that|please
    ni idea
    ni puta|la|mas idea
    no tengo idea
    despues|luego|mas tarde? veo|vemos|contesto|aviso
    omitir|saltar|skip ese|esa|este|esta|esto|eso|that|this|it paso|pregunta|dato|one|question|step$
    no idea
    prefer not to say|tell|share|answer
    i prefer not to? say|tell|share|answer
    none of them|these|those|your business?
    nao sei|tenho
    no tengo segundo|otro @field
    no tengo por? que? decirlo|darlo
    no se$
    no se cual|bien|todavia|aun|ahora|decirte|mi|cuanto|cuando|donde|exactamente|seguro
    no se si$
    no se si tengo|puedo|podre|voy|me|lo|la|los|las|es|sea|quiero|estare
    no se que poner|decir|decirte|responder|numero|codigo|fecha
    no se la verdad
    no estoy muy? seguro|segura
    no lo|la se|tengo|recuerdo|conozco|encuentro|uso
    no lo se todavia|aun|bien|ahora
    no lo tengo todavia|aun|aca|conmigo|a|en|ahora|encima|disponible mano?
    no tengo ni|la|mas mas|menor|puta? idea
    no tengo|uso|manejo|cuento ningun|ninguno|ninguna|un|mi|el|la|ese|esa? @field
    no tengo ese dato
    no tengo el dato
    no tengo ninguno|ninguna|uno|una|nada|eso|ahora|todavia|aun$
    no me acuerdo
    no recuerdo
"""

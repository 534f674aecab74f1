"""The acts of real-looking messages, heard where they would be said: what a star follows must be heard."""

import pytest
from heard import heard
from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.normalise import normalise
from hilo.understanding.acts.recognise import find_acts
from hilo.understanding.acts.trained import CONFIRMATION, NOTHING, waiting_for

# messages are separated by " / "
CASES = {
    "affirm*": """
        dale / Dale! / daleee / de una / de una!! / sale / sale y vale / listo / obvio / obvio que sí / obvio q si /
        simón / simon wey / sipi / sip / sep / siii / sii / si si / Sí, sí, dale / ok / Ok perfecto / okey / oki /
        👍 / 👍🏽 / 👍👍 / ✅ / claro / claro que sí / claro q si / va / va que va / vale / vale, perfecto / hágale /
        hágale pues / hagale no mas / cómo no / correcto / es correcto / Sí, es correcto / si esta bien /
        está bien / esta todo bien / todo ok / así es / exacto / exactamente eso / tal cual / afirmativo /
        confirmo / confirmado / confirmo el pedido / quiero confirmar / si confirmo / por supuesto / desde luego /
        órale / ándale pues / a huevo / ya po / ya pues / sí po / sipo / bueno / bueno dale / bueno, está bien /
        perfecto / genial / joya / buenísimo / excelente / bárbaro / me parece bien / me parece perfecto /
        me sirve / de acuerdo / estoy de acuerdo / no hay problema / no hay drama / sin problema / ningún problema /
        si no hay problema / sí, no hay problema / si por favor / si porfa / Sí, porfavor / si quiero /
        sí, lo quiero / si me interesa / si claro / pues sí /  ah ok / ah dale / jajaja si / sí señor /
        ok dale / adelante / procede /  yes / yes please / yeah sure / yep / sure / of course /
        sounds good / that's right / correct / go ahead /   eso es / eso mismo /
        trato hecho / bacán / chévere / vamos / venga / efectivamente / cierto / ajá /
        Sí, confirmo la compra / si, todo correcto / está perfecto así / sí, me lo llevo / lo llevo /
         me late / jalo / arre / nos parece bien / sí, eso quiero / seguro que sí /
        ok, entonces sí / okok / vaaa / siiii porfa!! / si amigo / si che / dale bro / si, hacelo / hacelo / hazlo /
           si si confirmado / todo bien / así mismo / positivo /
        yes, that's correct / yup / absolutely / sí, ese mismo / si, esa / me gusta / ta bien / tá / oka /
        sí, adelante / sí quiero continuar / quiero continuar / continuar / si, continuemos / por mí está bien /
        cuenta con eso / bueno, si / ya / así está bien / sisisi / si obvio / totalmente / por supuesto que sí /
        claro hombre / Sí, correcto / Sí está correcto / si todo esta bien / ok, me parece bien / si, lo confirmo /
        confirmado! / si acepto / acepto / okey, dale / dale va /  de pana / chido / está chido / me cuadra /
        listo pues / bueno pues / eso sí / sí, exacto / si, tal cual / mándale / metele / métele nomás / venga va /
        perfe / okis / si mami / si jefe / sí, es ese / ese mismo / y bueno dale / i think so / yes that's fine /
        ok cool / sure, go ahead /    Sii dale / sí, de una /
        Si, está todo bien / dale q si / clarooo / obvioo / sale pues / va pues / órale va / hágale parce / de one /
        perfecto, dale / ok si / bueno ok / Ok, está bien / sí, soy yo / 👌 / claro que si, con gusto /
        no hay problema, dale / no hay ningún problema / Claro que sí! / dalee / sip, todo bien / me parece joya /
        listoo / buenísimo dale / aja si / uh si / si eso / yes! / joyaa / sí está perfecto / dale nomás / re si /
        sisi dale / todo perfecto / ok bárbaro / por mí sí
    """,
    "affirm* thanks": """
        listo, gracias / Perfecto!! gracias / dale gracias / dale, muchas gracias / okay thanks / sí, gracias /
        si, muchas gracias /  esta todo ok, gracias / perfecto, muchas gracias! /
         de acuerdo, gracias / va, gracias / ok muchas gracias / todo correcto, gracias /
        si está bien, gracias / así es, gracias / esta bien, gracias / 👍 gracias / bueno gracias / vale gracias /
        ok thx / sí, por favor, gracias
    """,
    "affirm* greet": """
        hola, si / Hola! sí, quiero
    """,
    "affirm": """
        si pero sin la fanta / sí, pero la quiero sin cebolla / si y agregame una coca / sí, mandame dos /
        si mandame 2 / dale, mandalo a mi casa / dale mandame 2 / ok, mi nombre es Juan /
        ok mi correo es juan@x.com / si, soy Juan / claro, mi dni es 30123456 / perfecto, anotame dos /
        sí sí, mandalo nomás / dale, cerralo / listo, procedé con el pago / dale, te espero / Si, a las 5 /
        si mañana a la tarde / si el de litro y medio / sí el rojo / si con tarjeta / si 2 por favor /
        sí, aunque prefiero pagar en efectivo / si quiero 2 fantas / dale pero para mañana /
        bueno pero sin cebolla / puede ser mañana / obvio microbio / sí, dale para adelante / yes, my name is Ana /
        si, ponele 2 / si, la de muzza / si, pero mañana / sí, a la misma dirección / ok, espero /
        claro, te paso mi mail: a@b.com / listo el pollo / sí, ese es mi correo / si es mi numero /
        correcto, es mi dirección / sí, sin la fanta / si, agregá una fanta más / dale, pero sin cebolla /
        listo, y una coca más / sí dale mandalo / si quiero pero mas tarde / si, una de cada una / si, agendalo
    """,
    "affirm question*": """
        listo, cuánto es? / sí, ¿cuánto sale el envío? / ok y cuánto sale? / ok pero cuanto tarda?
    """,
    "": """
        si tienen coca mandame 2 / si hay stock quiero 3 / si puede ser mañana mejor /
        si no hay fanta mandame sprite / si me pueden traer hoy mejor / si es posible para mañana /
        te aviso si puedo / quiero dos claro de luna / excelente atención la de ustedes / bien frías por favor /
        no me llegó el pedido / no funciona la página / no puedo entrar a la web / no me anda el celular /
        no pongas hielo / no hay luz en casa / quiero una coca sin nada de hielo / no encuentro el producto /
        nada que ver con lo que pedí / quiero 2 cocas y no quiero hielo / no cancelen mi pedido / no lo canceles /
        voy a cancelar en efectivo / me cancelaron el vuelo / no tengo plata ahora / paso a buscarlo mañana /
        no se ve la foto / paso por el local a las 5 / ya hablé con un asesor ayer / mesa para una persona /
        somos 4 personas / no necesito un asesor / quiero una cama para una persona / quiero otra cosa /
        como siempre, dos cocas / cuando puedas mandame dos / como te dije, son 3 / que venga mañana /
        donde siempre / quiero 2 cocas / juan@ejemplo.com / Mi nombre es Juan / Juan / 30123456 / 2 /
        Av. Corrientes 1234, CABA / mañana a las 5 / el viernes que viene / mandame 3 empanadas de carne /
        soy de Córdoba / una pizza grande de muzzarella / me duele la cabeza / no vivo en capital / no pude pagar /
        no anda la app / no llegó nada / nadie me contesta / no como carne / no soy de acá / no es urgente /
        no tengo auto / pasa / quiero cambiar un producto / me cambiaron el pedido / la realidad es que me gustó /
        gracias a dios llegó /  una persona más viene a la cena / soy una persona mayor /
        es para 2 personas / necesito ayuda / voy con mi asesor / tengo que hablar con mi esposa /
        precio por favor / precios / cuando llegue te aviso / cuando salga del trabajo paso / como mucho 3 /
        como máximo 5000 / que sean 3 / que sea grande / que rico / tengo hambre / calle falsa 123 /
        vivo en Palermo / Pedro Gómez / agregame una fanta / sacá la coca / dos cocas y una fanta de litro y medio /
        quiero la segunda / la uno / mi presupuesto es 5000 / 100 mil pesos / trabajo en Acme / es para regalo /
        está lloviendo / pago con tarjeta / efectivo / si se puede con tarjeta mejor / si vienen juntos me sirve /
         si hace falta pago más / no estoy en casa / no abre el link / no puedo mañana /
        no me llega el código / no aparece mi pedido / yo no fui / nada me funciona / no tengo hambre /
        no veo la foto / no hay nadie en casa / no tengo luz / se me hace caro / mi apellido va con z / va con z /
        es con h / cancelo con yape / quiero hablar de mi pedido / hablé con una chica muy amable /
        trabajo como agente / mi asesor es Pedro / la persona que recibe es Ana / quiero repetir el pedido /
        repetí mi último pedido / antes de las 5 / otra pizza por favor / otra coca / quiero reservar un vuelo /
        necesito un pasaje a Madrid / para mañana a la tarde / con tarjeta / somos tres / talle M / de muzzarella /
        a las 5 / el lunes / a mi casa / me llamo Ana / soy Ana / mi correo es ana@x.com / a nombre de Ana /
        cerca de la plaza / 5000 pesos / la verdad me gustó mucho / si no te molesta mandame 2 /
        si me haces precio llevo 3 / si quieren paso mañana / Mandame 2 cocas y decime cuánto es / dame dos /
        la primera / quiero la de pollo / necesito 3 kilos de pan / Pedro / Rosario, Santa Fe / pago en efectivo /
        mañana a la mañana / está en la esquina / soy nuevo acá / mi empresa es Acme / si tenés en rojo la llevo /
        no tan rápido / me olvidé de poner el piso / dos docenas de empanadas / te paso mi dirección /
        ahí te paso los datos / es un departamento / primer piso / soy alérgico al maní / quiero poner una queja /
        quiero hacer un pedido / quiero dos de muzza y una napo / mi barrio es Flores / ahora te paso / unos 50 mil
    """,
    "question*": """
        si llevo 3 me hacen descuento? / quiero saber si tienen coca / no tienen coca? /
        puedo cancelar con tarjeta? / se puede cancelar después? / cómo cancelo un pedido? /
        no se puede pagar con tarjeta? / cuánto sale? / cuanto sale / cuanto cuesta el envio / ¿Cuál es el clima? /
        ¿Cómo está el clima? / como esta el clima / donde estan ubicados / a que hora cierran /
        A qué hora cierran? / Che, ¿hasta qué hora están abiertos? / hasta que hora estan abiertos / hacen envios /
        hacen envíos a Córdoba? / tienen coca / tenes coca cola de litro / que precio tiene la fanta /
        q precio tiene / cuando llega mi pedido / aceptan tarjeta / hay stock / se puede pagar con mercado pago /
        puedo pagar con tarjeta / por qué tardan tanto / quisiera saber el precio de la fanta /
        quería saber si hacen envíos / me podrías decir el precio / cual es el precio / do you deliver /
        how much is it / what time do you close? / where are you located / mi pedido llega hoy? / y el envío? /
        precio? / qué horarios tienen / que incluye el plan / qué me recomendás / de qué color es /
        en cuanto tiempo llega / con qué puedo pagar / cuántas cuotas / cual es mejor / quién atiende /
        para cuándo estaría / cuanto me sale todo / cuanto es / cuanto es el total? / tienen local /
        tiene garantía? / venden por mayor / hacen delivery / estan abiertos / esta disponible? /
        trabajan los domingos / abren los feriados / tendrán talle M / hay envío gratis / me pasas el precio /
        me das el precio / aceptás mercado pago? / llega hoy? / es nuevo? / sirve para niños? /
        el precio incluye iva? / mi pedido ya salió? / por que no llega mi pedido / porque no me contestan /
        como hago para pagar / como puedo comprar / cómo es el trámite / como funciona / onde queda /
        qué tan grande es / can i pay with card / is it available / when will it arrive /
        does it come with a charger? / sabes cuanto tarda / queria consultar por el precio /
        me gustaría saber el costo / che cuanto sale / disculpe, donde estan / necesito saber cuando llega /
        puedo cancelar en cualquier momento? / cuánto cobran por cancelar? / que pasa si cancelo? /
        cuantos dias tarda / que dia entregan / en que horario atienden / tienen sucursal en lima /
        hacen factura A / aceptan dólares / dónde los encuentro / cual es la direccion del local /
        cuanto sale la grande de muzza / cto sale / ke precio tiene / qué días abren / se puede retirar /
        me harían un descuento? / tenés algo más barato? / cuándo me llega? / de cuánto es la coca /
        viene con papas? / es con tacc? / trae cargador? / por qué me cobraron dos veces / como va mi pedido /
        qué pasó con mi pedido / dónde está mi pedido / ya salió mi pedido? / alguna promo? / hay promos? /
        ustedes hacen envíos / y cuánto sale el envío / y para mañana? / is there a discount /
        are you open on sunday / si pago en efectivo hay descuento? / hasta que hora atienden hoy /
        a que hora abren mañana / cuanto tarda el envio a cordoba / tienen fanta de litro y medio / tenes sprite? /
        me decis el precio? / me dices cuanto cuesta / hacen descuento por cantidad / que formas de pago tienen /
        donde queda el local / como llego / quien me lo entrega / puedo retirar por el local / es gratis el envio? /
        mandan a domicilio / llegan hasta palermo / cuánto demora / tienen para celíacos / cuál es el horario /
        qué gustos tienen / cuántas porciones trae / venden repuestos / a cuanto esta el dolar /
        quiero saber el precio / puedo ir a buscarlo / hacen envios gratis / what is the price / cuánto vale /
        a qué precio está / tienen talle 40 / me podés pasar el cbu?
    """,
    "correct": """
        la dirección correcta es Mitre 123 / En realidad, debería ser 5 / en realidad es pedro /
        me equivoqué, es 1234 / me equivoque de mail / perdón, era Rivadavia 500 / perdon es con b larga /
        disculpa, es pedro@x.com / quise decir 5 / quise poner gmail / quería decir mañana /
        cambiá mi correo a pedro@x.com / corrijo: son 4 / corrección, son 4 / mejor dicho, mañana / debería ser 8 /
        tendría que ser el lunes / hay un error en mi nombre / le erré al número / actually it's 5 /
        actually, my name is Peter / I meant 5 / change my email to x@y.com / my mistake, it's 7 /
        sorry, I meant Tuesday / it should be 7 / me confundí de número / perdón! es juan con j /
        ay perdón, quise poner 20 / mi nombre no es Juan, es Pedro / perdón, no es 5, es 6 / te corrijo: son 3 /
        quiero cambiar el horario de la cita / el correcto es juan@gmail.com / el número correcto es 1145678901 /
        mi nuevo correo es a@b.com / digo, 5 / 3, digo 4 / *gmail.com / me equivoque de direccion /
        Perdón, la dirección es Mitre 200 / perdon mi correo es ana@x.com / disculpe, el número es 45 /
        está al revés mi nombre / el mail que te pasé está mal / cambié de número, ahora es 1145678901 /
        en realidad no / en realidad quería la grande / bah, mejor dicho 3 / rectifico: son 4 / err, I mean 5 /
        sorry, my email is x@y.com / i gave you the wrong number / en realidad mi nombre es Juan Carlos /
        me equivoqué en el número / me equivoqué con la dirección / perdon, quise decir Rosario / actually no /
        actually I want 3 / I meant to say Tuesday / eso está mal, es Ana / se equivocaron con mi nombre /
        quiero corregir la dirección de envío / perdón, es Ana con una n / perdón, mi nombre es Ana /
        me confundí, son 4
    """,
    "deny*": """
        no / No. / nooo / no!! / nop / nope / nah / nel / nel pastel / no por ahora / por ahora no / para nada /
        todavía no / aún no / ahora no / de ninguna manera / ni loco / ni en pedo / no quiero /
        no me interesa / no hace falta / no es necesario / no, así está bien / no, está bien / no está bien así /
        mejor no / creo que no / no creo / claro que no / obvio que no / tampoco / jamás / negativo / 👎 / ❌ /
        nada más / no, nada más / no nada mas /  solo eso / nada / no señor / no che / no por favor /
        not really / not now / bueno no / ok no / uy no / la verdad que no / incorrecto / no no / no no no /
        no, no quiero / No, por ahora estoy bien / no, así nomás / no, eso es todo /
        no todavía / noup / que no / te dije que no / ya te dije que no / no me convence / no lo quiero / no amigo /
        no mi amor / nunca / no estoy interesado / no, para nada / ni ahí / ni a palos / nada que ver /
        la verdad no / no esa no / no, esa no / eso no / hoy no / i don't want it / no way / no estoy de acuerdo /
        nada por ahora / no quiero más / noo, para nada / no, no hace falta / no necesito nada más / no deseo /
        nopo / no poh / no pues no / ni de chiste / ni hablar / na / naaah / no me gusta / no me sirve /
        no lo creo / por ahora nada más / no por el momento / no mas /
        nada más por hoy / i don't think so / nope, that's all / ahora no puedo / no, eso no / no, ya está / nono /
        no, todavía no / aun no / no!! nada que ver / no me parece / no, jamás / ni loca / nopis / noo no quiero /
        de momento no / no quiero eso / naa / nunca en la vida / no, por favor
    """,
    "deny* thanks": """
        no gracias / no, gracias / No muchas gracias / por el momento no, gracias / nada mas gracias / no thanks /
        no, thank you / no, no gracias / no gracias, por ahora no / no, nada más gracias / no me interesa, gracias /
        hoy no, gracias / no graciass / nooo gracias / no hace falta, gracias / no de momento gracias /
        mejor no, gracias / no, that's all thanks / no quiero, gracias / No, muchas gracias por todo /
        todavia no gracias / no por ahora gracias / no che, gracias / no es necesario, gracias /
        no, todavía no gracias
    """,
    "deny": """
        no, quiero 3 / no, mandame 2 / no, la otra / no quiero fanta / no quiero cancelar / no, te dije que son 3 /
        no, el otro / no quiero que llegue tarde / no quiero hablar con una persona / no, Ana / no, vivo en Rosario
    """,
    "deny thanks": """
        no pero gracias
    """,
    "correct deny": """
        no, mi email es juan@x.com / No, mi email es juan.nuevo@ejemplo.com / no mi correo es ana@x.com /
        no, es calle Mitre 123 / no, me llamo Pedro / no, soy Pedro / no, son 3 / no, era para el martes /
        no, la dirección es otra / no es Juan, es Pedro / no es juan es pedro / no es 5 sino 6 /
        no es ese mi correo / no, it's 7 / no, mejor mañana / no, mejor la grande / no es para mí, es para mi mamá /
        no me llamo Juan / no era Juan / no, perdón, es 15 / no my name is Peter / no perdon, era el 5 /
        no es con s, es con z / no wait, it's Tuesday / no, mi nombre es Pedro / no, mi apellido es Gómez /
        no, es con b / no, el correo es a@b.com / no, quise decir 3 / no, en realidad son 3 /
        No, perdón, mi mail es a@b.com / No es ese mi email / no, I meant 3 / No, la dirección es Mitre 500 /
        no, el nombre es Ana / no, mi teléfono es 1145678901
    """,
    "correct* deny*": """
        no es correcto / no es así / no dije eso / no es mi número / no, no es correcto
    """,
    "correct* deny": """
        no, eso está mal / no that's wrong / no, está mal / no, está mal la dirección / no, me equivoqué
    """,
    "correct*": """
        Déjame corregir... / déjame corregir mi dirección / quiero corregir mi correo / Eso está mal... /
        está mal el teléfono / me equivoqué / perdón, me equivoqué / me ekivoque / me equiboque / cambia mi correo /
        cambiame la dirección por favor / quiero cambiar mi teléfono / puedes actualizar mi dirección /
        te pasé mal el número / puse mal mi nombre / escribí mal el correo / ese no es mi correo /
        esa no es mi dirección / mi nombre está mal / that's wrong / that is not right / perdón me confundí /
        uy me equivoqué / ese mail está mal / el correo está mal escrito / mi apellido está mal /
        la fecha está mal / mi correo no es ese / ese no es mi nombre / quiero modificar mi dirección /
        necesito cambiar la fecha / puedo cambiar mi dirección? / modificá el teléfono /
        actualizá mi mail por favor / hay un error / está equivocado / está equivocada la dirección /
        eso no es lo que pedí / yo no dije eso / eso es incorrecto / oops, wrong number / i made a mistake /
        wrong email / es al revés / te di mal el teléfono / anotaste mal mi nombre / pusiste mal mi dirección /
        el dato está mal / corregí la dirección / corregime el nombre / por favor corrige mi nombre /
        necesito corregir un dato / necesito hacer un cambio / quiero cambiar algo / mi número cambió /
        ese no es mi número / así no se escribe mi nombre / esa no es la dirección / that's not my name /
        eso no es correcto / eso no está bien / está mal escrito / lo escribí mal / puse mal el mail /
        disculpa me equivoque / cambiar correo / cambiar mi email / quiero cambiar mi nombre /
        podrías cambiar mi dirección? / modificar dirección / my email is wrong / te equivocaste /
        corrige mi correo por favor / la dirección está mal / quisiera cambiar mi correo
    """,
    "cancel*": """
        cancelá / cancela / cancelar / cancelar por favor / cancelá todo / cancela mi pedido / quiero cancelar /
        quiero cancelar el pedido / quisiera cancelar mi orden porfa / kiero canselar /
        necesito cancelar mi reserva / anulá el pedido / olvidalo / olvídalo / olvidate / dejalo / dejalo así /
        dejemoslo ahí / ya no quiero / ya no lo quiero / ya no quiero nada / ya no me interesa / me arrepentí /
        ya fue / no quiero seguir / cancel / cancel my order / forget it / never mind / cambié de opinión /
        cancelalo, no lo quiero más / borra todo / cancelame el pedido porfa / cancelen todo por favor / cancelen /
        quiero anular mi compra / anular / me podés cancelar el pedido? / podrías cancelar mi reserva? /
        mejor cancelalo / mejor dejalo / mejor olvídalo / bueno dejalo así / ya no quiero comprar /
        ya no lo necesito / no quiero seguir con esto / no voy a comprar / deja, ya no / no quiero el pedido /
        stop / salir / olvida lo que dije / olvidate del pedido / nvm / please cancel / i changed my mind /
        cancelo / cancelalo por favor / cancelen mi pedido porfavor / quiero dar de baja mi pedido / olvidá todo /
        olvidemoslo / ya no hace falta / ya no va / ya no, perdón / abortar / borrar carrito / vaciar el carrito /
        quiero salir / terminar / cancel everything / please cancel my order / cancelar pedido /
        cancelá mi pedido por favor / quiero cancelar todo / me quiero dar de baja / anulen la orden / deja asi /
        dejalo ahi nomas / ya no quiero el pedido / cancelame todo / mejor cancela / dejémoslo así / olvídense /
        cancelen la compra por favor / dejalo, ya no quiero
    """,
    "cancel* deny": """
        no, olvidalo / no, dejá / nah dejalo / no quiero nada, cancelá / no, cambié de opinión / no, cancelalo
    """,
    "cancel* thanks": """
        déjalo así, gracias / ya no, gracias / olvidalo, gracias / ya no lo quiero, gracias /
        ya no quiero nada gracias
    """,
    "skip*": """
        no tengo / no tengo email / no tengo mail / no uso correo / no sé / no se / no lo sé / nose / ni idea /
        no tengo idea / no me acuerdo / no recuerdo / prefiero no decirlo / prefiero no decir / no quiero decirlo /
        no te lo voy a decir / paso / ninguno / ninguna / después te digo / despues te lo paso / luego te digo /
        más tarde te paso / te lo paso después / no lo tengo a mano / todavía no lo sé / no aplica / omitir /
        saltar / skip / I don't know / I don't have one / not sure / prefer not to say / me da igual /
        ninguna de las dos / no estoy seguro / no sabría decirte / la verdad no sé / no corresponde /
        no tengo whatsapp / no cuento con correo / todavía no tengo / no lo recuerdo / me lo olvidé /
        no quiero dar mis datos / no quiero dar mi dni / prefiero no dar mi teléfono / ahora no lo tengo /
        te lo digo mañana / luego te lo envío / más adelante te confirmo / después / cualquiera / lo que sea /
        sin correo / n/a / i don't have an email / i'd rather not say / no idea / en blanco / no tengo el número /
        no tengo mi dni a mano / no me sé el número / desconozco / no sé todavía / no estoy segura /
        ni la más mínima idea / lo desconozco / prefiero reservármelo / no quiero contestar / eso es privado /
        es confidencial / después lo veo / te confirmo luego / mañana te digo / más tarde / lo dejo en blanco /
        no uso mail / no tengo ni idea / sin apellido / no tengo segundo apellido / pasapalabra / siguiente /
        i don't remember / i have no email / I'll tell you later / no tengo dni / no tengo eso / eso no lo sé /
        no lo se / no me acuerdo ahora / prefiero no darlo / prefiero no compartirlo / no quiero dar mi correo /
        no te voy a dar mi dni / después te lo digo / luego te aviso / te lo mando más tarde /
        la verdad no me acuerdo / uy no sé / mmm no se / no tengo ninguno / ni idea jaja / no quiero decir /
        no sé la verdad / no tengo celular / prefiero no contestar / no la tengo
    """,
    "skip": """
        no tengo correo electrónico / no tengo tarjeta de crédito / no recuerdo mi dni / despues te paso el mail /
        no sé, decime vos
    """,
    "deny skip*": """
        no, no tengo / no, ninguno / aún no, después te aviso / no, no sé
    """,
    "greet*": """
        hola / Hola! / holaaa / holis / hola buenas / Hola, buenos días / buen día / buenas tardes / buenas /
        wenas / Hey / hi / hello there / good morning / hola, cómo estás? / hola como va / hola q tal / qué tal? /
        qué onda / quiubo / aló / hola amigo / hola 👋 / ola / ola buenas / holaa buenas tardess / hola a todos /
        Hola! Cómo están? / buenas buenas / muy buenos días / hola hola / epa / oe / hola vecino / saludos /
        buenaaas / holaa que tal / Hola buen día, cómo están? / q onda / que hubo / hola disculpa / Hola!! 😊 /
        good afternoon / hola buenas noches / Buenas tardes! / hola, ¿cómo están? / hola que tal como va /
        hola!! buen dia :) / hola hola, buenas / buen dia a todos / muy buenas tardes / hola! todo bien? /
        buenas, todo bien? / holii
    """,
    "greet": """
        Hola, soy Juan / hola quiero 2 cocas / buenas quiero hacer un pedido / buenas tardes, me llamo Ana /
        buenas noches, disculpe la hora / hola necesito ayuda / hola me llamo juan / hi, I'm Peter /
        buenos dias precio del combo / Hola soy María / Hola, necesito un presupuesto /
        hola buenas, quería hacer un pedido
    """,
    "greet* thanks*": """
        hola gracias / Hola, gracias por responder
    """,
    "greet question*": """
        hola, tienen coca? / buenas noches hacen envios / Holi, precio de la fanta? / que tal, tienen stock? /
        Hola buenos días quisiera saber el precio / holaaa tenés stock / hola, ¿tienen envío? /
        Buenas, cuánto sale? / hola me pasan el menu / hola cuanto esta la docena de facturas
    """,
    "thanks*": """
        gracias / muchas gracias / mil gracias! / grax / grasias / te agradezco / gracias, muy amable / thanks /
        thank you so much / thx / 🙏 / gracias por todo / muchísimas gracias / graciaaas / gracias igual /
        gracias a vos / gracias!! 🙌 / ty / se agradece / gracias por la atención / te lo agradezco mucho /
        gracias crack / gracias por tu ayuda / gracias x todo / mil gracias por la ayuda / gracias por la info /
        gracias!!! 😍
    """,
    "bye* thanks*": """
        gracias chau / adiós, gracias / gracias hasta luego / gracias, nos vemos / chau gracias /
        gracias, hasta mañana / nos vemos, gracias / muchas gracias, chau
    """,
    "bye*": """
        chau / chao / adiós / hasta luego / nos vemos / bye / hasta mañana / que tengas buen día /
        que tengan un lindo día / see you later / chauuu / nos vemos mañana / hasta pronto / buen finde /
        que estés bien / feliz noche / un abrazo / cuídate / que tengas linda tarde / nos hablamos / chaito /
        good bye / have a nice day / estamos en contacto / chau, que tengas buen día / adiosss
    """,
    "affirm* bye thanks": """
         ok gracias, chau / ok, muchas gracias, saludos
    """,
    "human*": """
        Quiero hablar con alguien / quiero hablar con una persona / quiero hablar con un humano /
        Necesito hablar con un humano / quiero hablar con alguien real / quisiera hablar con un asesor por favor /
        Pasame con una persona / pasame con alguien / pásame con un agente / me pasas con un asesor? /
        me podés pasar con una persona? / me puede comunicar con un asesor / comuníqueme con un asesor /
        un asesor por favor / asesor / agente humano / humano / Esto es un bot? / ¿esto es un bot? / sos un bot? /
        eres un robot? / sos una persona? / estoy hablando con una persona? / hay alguien ahí? /
        Necesito ayuda de verdad / no quiero hablar con un bot / no quiero hablar con una máquina /
        que me atienda una persona / quiero que me atienda una persona / operador / quiero un representante /
        talk to a human / I want to talk to a human / can I speak to someone / are you a bot? / is this a bot? /
        real person please / connect me with an agent / dejame hablar con el encargado /
        quiero hablar con el dueño / kiero ablar con una persona / quiero comunicarme con un ejecutivo /
        quiero atención humana / necesito que me llame un asesor / hay algún humano? / hay una persona real ahí? /
        me puede atender una persona / puedo hablar con alguien? / con quien puedo hablar /
        eres humano? / sos una máquina? / hablo con un bot o con una persona? / esto es automático? / es un robot /
        quiero que me atienda alguien / quiero hablar con Juan / necesito asistencia humana /
        ponme con un operador / transferime con un representante / pasame con el encargado / derivame a un asesor /
        páseme con servicio al cliente / atención al cliente / me pueden llamar? / llámenme /
        prefiero hablar con una persona / no quiero un bot, quiero una persona / no quiero robots /
        necesito un humano ya / speak with a representative / let me talk to a person / I need a human /
        live agent / is anyone there? / am i talking to a robot? / necesito hablar con alguien urgente /
        quiero que me llamen / pueden llamarme por favor? / contactenme con un asesor / contactame con un vendedor /
        quiero hablar con ventas / quiero hablar con soporte técnico / me atiende un humano por favor /
        necesito una persona real / basta de bots / no quiero hablar con robots /
        quiero hablar con alguien de carne y hueso / hay alguien real? / eres una ia? / sos real? /
        hablo con una persona? / es una persona o un bot? / me pasarías con un humano? / pasame a un humano /
        quisiera que me atienda un asesor / hay algún asesor disponible? / algún asesor disponible? /
        comunicarme con un asesor / ayuda humana / I'd like to speak to an agent / can I talk to a real person? /
        get me a human / human please / is there a real person here? / hablar con una persona /
        quiero hablar con alguien por favor / me comunicas con un humano? / pásame con un humano por favor /
        quiero un humano / un humano por favor / una persona por favor / puedo hablar con un asesor? /
        necesito un asesor / me gustaría hablar con un representante / hay alguna persona que me pueda ayudar? /
        estoy hablando con un robot? / eres una persona real? / eres un bot / quiero que me atienda un humano /
        necesito ayuda de una persona / speak to a human / I want to speak with a person please / agent please /
        quiero hablar con un supervisor / quiero hablar con el gerente / pasame con un vendedor porfa /
        hay algún operador? / por favor, un humano / me atiende una persona? /
        quiero que me atienda alguien de verdad / me puede atender un humano? / necesito comunicarme con un asesor /
        esto es una máquina?
    """,
    "greet human*": """
        hola, quiero hablar con un vendedor / hola hay alguien? / Hola, quiero hablar con una persona
    """,
    "human": """
        quiero hablar con una persona, no me llegó el pedido / me urge hablar con un asesor
    """,
    "repeat*": """
        ¿cómo? / cómo? / como / qué? / que / eh? / mande? / cómo dice? / no entendí / no entiendo / no te entiendo /
        no te entendí / no comprendo / perdón, no entendí / me repetís? / podés repetir? /
        me puede repetir por favor / repite por favor / what? / I don't understand / can you repeat that? /
        come again? / ??? / no caché / no entendí la pregunta / no se entiende nada / no capto / no le entendí /
        qué dijiste? / qué cosa? / perdón? / no me quedó claro / me lo explicás de nuevo? / me lo repite? /
        repetí por favor / otra vez? / a qué te referís? / cómo así? / no entiendo nada / huh? / sorry? /
        i didn't get that / what do you mean? / no entendí bien / no entiendo la pregunta /
        no entiendo qué querés decir / podrías repetirlo? / repetime / repetime por favor / me lo podés repetir? /
        cómo dijiste? / qué significa eso? / explicame de nuevo / disculpa? / qué me preguntaste? /
        cuál era la pregunta? / could you repeat? / what did you say? / no entendi nada /
        no te entendi, podes repetir? / como dijo? / como? / que dijo? / disculpa, no entendí /
        puedes repetir la pregunta? / what do you mean / sorry, what? / como como? / no te entiendo bien /
        perdón, cómo? / no entiendo, me explicás?
    """,
    "topic_change*": """
        Tengo otra pregunta... / tengo otra pregunta / otra pregunta / otra cosa / cambiando de tema /
        una cosa más / te hago otra consulta / another question / tengo otra duda / te puedo preguntar otra cosa? /
        quiero preguntar otra cosa / hablemos de otra cosa / cambio de tema / ah, otra cosa / una pregunta más /
        una última pregunta / let's talk about something else / one more thing / Tengo una pregunta / una consulta /
        tengo otra consulta / Otra duda que tengo / te hago otra pregunta / puedo hacer otra pregunta? /
        pasemos a otro tema / cambiemos de tema / otro tema / quería preguntarte otra cosa /
        i have another question / ah y otra cosa / quería hacerte otra pregunta / otra preguntita / che otra cosa /
        otra consulta
    """,
    "question topic_change": """
        otra consulta: hacen envíos? / cambiando de tema, tienen coca? / por otro lado, cuánto sale el envío /
        by the way, do you deliver? / y otra cosa, hacen envíos? / aparte, cuánto sale el envío? /
        por cierto, aceptan tarjeta? / una consulta, tienen coca? / antes de eso, cuánto sale? /
        Tengo otra pregunta, hacen envíos? / Otra cosa, ¿aceptan tarjeta? / Cambiando de tema, ¿cuándo abren?
    """,
    "question": """
        quiero 2 cocas, cuánto es? / quiero 2 cocas. ¿cuánto es? / quiero dos, ¿y el envío? /
        quiero 3 pizzas, hacen envíos? / buscan personal? quiero dejar mi curriculum
    """,
    "deny skip* thanks": """
        no gracias, prefiero no decirlo
    """,
    "thanks": """
        sos un genio, gracias
    """,
    "question repeat": """
        no entiendo por qué tardan / me repetís el precio?
    """,
    "greet topic_change*": """
        hola, otra consulta / hola una consulta / hola, tengo otra pregunta
    """,
    "greet question* thanks": """
        Hola, ¿cómo puedo pagar? Gracias
    """,
    "affirm cancel*": """
        no importa, dejalo
    """,
    "affirm correct": """
        ok, pero cambiá la dirección
    """,
    "question* thanks": """
        gracias, cuanto es?
    """,
    "skip* thanks": """
        paso, gracias / despues te digo, gracias
    """,
    "deny human": """
        no me sirve un bot, quiero una persona
    """,
    "repeat": """
        no entiendo nada de lo que decís
    """,
}


def _cases() -> list[tuple[str, str]]:
    return [
        (message.strip(), kinds) for kinds, block in CASES.items() for message in " ".join(block.split()).split(" / ")
    ]


# where a message of these acts would stand
WAITING = {"affirm": CONFIRMATION, "deny": CONFIRMATION, "cancel": CONFIRMATION, "skip": waiting_for("text")}
# what is as good: who does not know what was asked does not give it, and a farewell is a greeting
AS_GOOD = {"skip": {"skip", "deny", "later"}, "deny": {"deny", "later"}, "bye": {"bye", "greet"}}
ANSWERS = {"affirm", "deny", "cancel", "human", "skip"}


def test_ninety_eight_of_a_hundred_messages_do_the_acts_of_their_case() -> None:
    cases = list(_cases())
    wrong = [(message, kinds) for message, kinds in cases if not _does(message, kinds)]
    assert len(wrong) <= len(cases) / 50, wrong


def _does(message: str, kinds: str) -> bool:
    """The acts with a star are heard; where there is none, nothing is heard that answers or ends anything."""
    named = [kind.rstrip("*") for kind in kinds.split()]
    acts = heard(message, next((WAITING[kind] for kind in named if kind in WAITING), NOTHING))
    found = {act.kind for act in acts}
    missing = [kind for kind in kinds.split() if kind.endswith("*") and not AS_GOOD.get(kind[:-1], {kind[:-1]}) & found]
    answers = not kinds and [act for act in acts if act.whole and act.kind in ANSWERS]
    return not missing and not answers


@pytest.mark.parametrize(
    "message",
    [
        "y eso cuánto me saldría",
        "el envío cuánto es",
        "no sé si tienen stock",
        "oiga y si pido 4 me ase descuento",
        "si pago en efectivo hay descuento",
        "se puede cambiar la dirección?",
    ],
)
def test_a_question_needs_no_mark(message: str) -> None:
    assert [act.kind for act in find_acts(normalise(message))] == ["question"]


@pytest.mark.parametrize(
    "message",
    [
        "mmm si",
        "creo que si",
        "podría ser",
        "puede ser",
        "supongo que sí",
        "por qué no",
        "buenísimo, gracias",
        "no pasa nada",
        "no te preocupes",
        "ok, gracias por la info",
        "listo, gracias, chau",
    ],
)
def test_a_doubt_or_a_courtesy_is_neither_yes_nor_no_to_a_summary(message: str) -> None:
    acts = heard(message, CONFIRMATION)
    assert not [act for act in acts if act.kind in {"affirm", "deny", "cancel"} and act.whole]


@pytest.mark.parametrize("message", ["eso es todo", "con eso está bien", "eso sería todo", "nada más gracias"])
def test_that_was_all_is_a_no_to_more(message: str) -> None:
    assert [act.kind for act in heard(message) if act.kind in {"affirm", "deny"}] == ["deny"]


@pytest.mark.parametrize("message", ["bueno ya, cancélame eso mejor", "ok anulalo", "listo, cancelá todo"])
def test_a_resigned_word_before_a_cancellation_is_no_yes(message: str) -> None:
    assert [act.kind for act in find_acts(normalise(message))] == ["cancel"]


def test_a_yes_before_a_cancellation_stays_one() -> None:
    assert [act.kind for act in find_acts(normalise("si cancelalo"))] == ["affirm", "cancel"]


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        ("si pero sin la fanta", "affirm", "si"),
        ("Hola, soy Juan", "greet", "hola"),
        ("No, mi email es juan@x.com", "correct", "mi email es"),
        ("quiero 2 cocas. ¿cuánto es?", "question", "cuanto es"),
        ("Hola!! quiero hablar con una persona", "human", "quiero hablar con una persona"),
    ],
)
def test_the_span_of_an_act_is_in_the_folded_text(message: str, kind: str, words: str) -> None:
    text = normalise(message)
    act = next(act for act in find_acts(text) if act.kind == kind)
    assert text.folded[act.start : act.end] == words


def test_each_of_two_questions_is_found() -> None:
    acts = find_acts(normalise("¿Tienen coca? ¿Cuánto sale?"))
    assert [(act.kind, act.whole) for act in acts] == [("question", True), ("question", True)]


def test_the_sure_words_are_surer_than_the_guessed_ones() -> None:
    (sure,) = find_acts(normalise("tengo otra pregunta"))
    (guessed,) = find_acts(normalise("tengo una pregunta"))
    assert sure.confidence > guessed.confidence


@given(st.text(max_size=300))
def test_no_text_makes_it_raise(raw: str) -> None:
    text = normalise(raw)
    for act in find_acts(text):
        assert 0 <= act.start < act.end <= len(text.folded)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " ",
        "¿",
        "?",
        "no " * 40000,
        "si," * 9000,
        "\u200b\u200f",
        "\ud800",
        "1e400",
        "NaN",
        "👍" * 500,
        "*",
        "**",
        "\x00\n\x00",
    ],
)
def test_nasty_texts_are_harmless(raw: str) -> None:
    find_acts(normalise(raw))


@pytest.mark.parametrize(("message", "kind"), [("yes I do", "affirm"), ("I want to cancel", "cancel")])
def test_plain_english_answers_are_whole(message: str, kind: str) -> None:
    assert [(act.kind, act.whole) for act in find_acts(normalise(message))] == [(kind, True)]

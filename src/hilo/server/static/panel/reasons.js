// What the engine gives as a reason is written for authors, in English; here it is said in the page's language.

import { language } from "./kept.js";
import { span } from "./times.js";

const SPANISH = [
  // what the server answers to a request that it does not carry out
  [/^there is somebody with the login (.+) already$/, "ya hay alguien con el usuario $1"],
  [/^there is somebody called (.+) already.*$/, "ya hay alguien que se llama $1: agrega el apellido"],
  [/^this is the last owner: .*$/, "es la única persona que administra: primero dale ese rol a otra"],
  [/^the agent holds this session: .*$/, "la atiende el agente: tómala primero"],
  [/^no operator holds this session: .*$/, "ya no la tienes: tómala primero"],
  [/^operator: nobody here is called (.+)$/, "nadie se llama $1 aquí"],
  [/^team: nobody belongs to (.+)$/, "nadie es del equipo $1"],
  [/^this handoff is \w+ already$/, "el pedido de una persona ya está resuelto"],
  [/^this message is neither held nor given up$/, "ese mensaje ya no espera"],
  [/^the agent has no such approved template$/, "el agente ya no tiene esa plantilla"],
  [/^the template takes .*$/, "a la plantilla le faltan datos"],
  [/^credentials are not at hand in this process$/, "este servidor no tiene las credenciales a mano"],
  [/^there is no key to keep credentials with: .*$/, "falta HILO_SECRET_KEY en el servidor: sin ella no se guardan credenciales"],
  [/^the channel (\S+) is already there.*$/, "ya hay un canal $1"],
  [/^(\S+) is missing$/, "falta $1"],
  [/^base_url must be https:.* end with (\S+): .*$/, "la dirección de la API tiene que empezar con https:// y terminar en $1"],
  [/^an Infobip API key is .*$/, "la clave de la API es una sola palabra, sin acentos"],
  [/^a channel's id has .*$/, "el nombre corto lleva minúsculas, números y guiones, hasta 40"],
  [/^a chat page comes with its agent$/, "la página de chat viene con su agente"],
  [/^(\S+) cannot be changed here$/, "$1 no se cambia desde aquí"],
  [/^the body is larger than .*$/, "es demasiado grande"],
  [/^this Idempotency-Key was used .*$/, "ese pedido ya se hizo"],
  [/^wrong arguments: .*Field required$/, "falta un dato obligatorio"],
  [/^wrong arguments: (.+)$/, "un dato no sirve ($1)"],
  [/^asks for (.+?): (.+)$/, "$2"],
  // what the engine gives as a reason
  [/^opted out$/, "pidió que no le escriban"],
  [/^has not opted in$/, "no dio permiso para que le escriban"],
  [/^a campaign wrote to them less than a day ago$/, "una campaña le escribió hace menos de un día"],
  [/^an operator has the conversation$/, "una persona atiende su conversación"],
  [/^the contact is in the middle of something$/, "está en medio de otra cosa con el agente"],
  [/^the conversation is (\w+)$/, "su conversación no está activa"],
  [/^is on the list of this round already$/, "ya está en la lista de esta ronda"],
  [/^the session is closed$/, "la conversación está cerrada"],
  [/^no operator holds the session$/, "ninguna persona tiene la conversación"],
  [/^there is no slot (\S+), or nothing to offer$/, "no existe el dato $1, o no hay qué ofrecer"],
  [/^there is no (slot|tool|flow) (.+)$/, (_, what, name) => `no existe ${{ slot: "el dato", tool: "la herramienta", flow: "el flujo" }[what]} ${name}`],
  [/^(.+) is filled by tools.*$/, "$1 lo completan las herramientas"],
  [/^(\S+) does not take this value$/, "ese valor no sirve para un dato de tipo $1"],
  [/^(.+) does not know this value$/, "$1 no conoce ese valor"],
  [/^(\S+) needs (.+)$/, "$1 necesita $2"],
  [/^(.+) was called with these arguments already$/, "$1 ya se usó con esos mismos datos"],
  [/^no tool waits for this$/, "ninguna herramienta espera esto"],
  [/^calls are under way: .*$/, "hay herramientas en marcha: se responde con sus resultados"],
  [/^it says nothing$/, "no dice nada"],
  [/^the message has already led to a question or to a person$/, "el mensaje ya llevó a una pregunta o a una persona"],
  [/^(.+) is started only by other flows$/, "$1 solo lo empiezan otros flujos"],
  [/^(.+) is already under way$/, "$1 ya está en marcha"],
  [/^too many flows are under way$/, "hay demasiados flujos en marcha"],
  [/^one thing was left already$/, "ya se dejó otra cosa"],
  [/^nothing is under way$/, "no hay nada en marcha"],
  [/^no template answers (.+)$/, "ningún texto responde a $1"],
  [/^this was not offered$/, "no estaba entre las opciones"],
  [/^no question is open that takes a yes or a no$/, "no hay una pregunta abierta de sí o no"],
  [/^this answers an older question$/, "responde a una pregunta anterior"],
  [/^the question had not been sent yet$/, "la pregunta todavía no se había enviado"],
  [/^(\S+) is required$/, "$1 es obligatorio"],
  [/^nothing has been collected yet$/, "todavía no hay ningún dato"],
  [/^what was done with (.+) does not change by talking$/, "lo hecho con $1 no cambia por hablar"],
  [/^confidence (\d+): (.+)$/, "seguridad de $1 %: no alcanza"],
  [/^asks for (.+)$/, "pregunta por $1"],
  [/^the contact wrote (.+)$/, "el cliente escribió «$1»"],
  [/^the contact means wants_human$/, "el cliente quiere hablar con una persona"],
  [/^the contact means (.+)$/, "el cliente quiere: $1"],
  [/^sentiment .*$/, "el cliente está molesto"],
  [/^very unhappy$/, "el cliente está muy molesto"],
  [/^(\d+) answers could not be used for (.+)$/, "$1 respuestas no sirvieron para $2"],
  [/^(\d+) messages in a row came to nothing$/, "$1 mensajes seguidos sin entender"],
  [/^(\d+) calls in a row came to nothing$/, "$1 operaciones seguidas sin resultado"],
  [/^not done after (.+)$/, "no terminó en $1"],
  [/^(.+) has been said in all its wordings$/, "$1 ya se dijo de todas las formas que tiene"],
  [/^nobody knows whether (\S+) was done.*$/, "no se sabe si $1 se hizo"],
  [/^the step (\S+) of (\S+) leads to a person$/, "el paso $1 de $2 lleva a una persona"],
  [/^no slot would be another with this value$/, "ningún dato cambiaría con ese valor"],
  [/^nothing is under way that could need a day$/, "no hay nada en marcha que necesite un día"],
  [/^the message goes on by itself: .*$/, "el mensaje sigue por su cuenta: no responde a lo ofrecido"],
  [/^too much is wanted already$/, "ya hay demasiados pedidos juntos"],
  [/^contacts do not begin (.+)$/, "el cliente no puede empezar $1"],
  [/^the value is no number$/, "ese valor no es un número"],
  [/^the agent has no campaign (.+)$/, "el agente no tiene la campaña $1"],
  [/^(\S+) does not take what the list gives$/, "$1 no acepta lo que trae la lista"],
  [/^asked$/, "se lo habían preguntado"],
  [/^the slot's name before it$/, "nombró el dato antes"],
  [/^(\S+) is not allowed in (?:the mode )?(\S+)$/, "$1 no se permite en $2"],
  [/^(\S+) is for operators$/, "$1 es para las personas que atienden"],
  [/^an operator holds the session, and this tool writes$/, "una persona tiene la conversación y esta herramienta cambia algo"],
];

// How long something took, as the engine writes it: `0:35:11.76`, `1 day, 2:00:00`.
const TOOK = /(?:(\d+) days?, )?(\d+):(\d\d):(\d\d)(?:\.\d+)?/g;
const took = (_, days = 0, hours, minutes, seconds) => span((((days * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);

// What a reason names goes by `label`. An author's own reason stays as it is written, whatever words it has.
export function inWords(reason, label = (name) => name) {
  const said = String(reason ?? "").replace(TOOK, took);
  const found = SPANISH.find(([pattern]) => pattern.test(said));
  if (!found) return said;
  const names = found[0].exec(said).slice(1).map((name) => name ?? "");
  if (language.value !== "es") return names.reduce((text, name) => (name ? text.replace(name, () => label(name)) : text), said);
  const [, words] = found;
  const labels = names.map((name) => label(name));
  return typeof words === "function" ? words(said, ...labels) : words.replace(/\$(\d)/g, (_, number) => labels[number - 1]);
}

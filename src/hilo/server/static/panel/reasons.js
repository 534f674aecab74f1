// What the engine gives as a reason is written for authors, in English; here it is said in the page's language.

import { language } from "./kept.js";

const SPANISH = [
  [/^opted out$/, "pidió que no le escriban"],
  [/^has not opted in$/, "no dio permiso para que le escriban"],
  [/^a campaign wrote to them less than a day ago$/, "una campaña le escribió hace menos de un día"],
  [/^an operator has the conversation$/, "una persona atiende su conversación"],
  [/^the contact is in the middle of something$/, "está en medio de otra cosa con el agente"],
  [/^the conversation is (\w+)$/, "su conversación no está activa"],
  [/^is on the list of this round already$/, "ya está en la lista de esta ronda"],
  [/^the session is closed$/, "la conversación está cerrada"],
  [/^no operator holds the session$/, "ninguna persona tiene la conversación"],
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
  [/^asked$/, "se lo habían preguntado"],
  [/^the slot's name before it$/, "nombró el dato antes"],
  [/^(\S+) is not allowed in (?:the mode )?(\S+)$/, "$1 no se permite en $2"],
  [/^(\S+) is for operators$/, "$1 es para las personas que atienden"],
  [/^an operator holds the session, and this tool writes$/, "una persona tiene la conversación y esta herramienta cambia algo"],
];

export function inWords(reason) {
  const said = String(reason ?? "");
  if (language.value !== "es") return said;
  const found = SPANISH.find(([pattern]) => pattern.test(said));
  return found ? said.replace(found[0], found[1]) : said;
}

// Why a message did not arrive, by what providers say of it: each has words of its own, with what to do.

export const OURS = new Set(["operator", "window"]); // said by the engine, so there is nothing to quote

// WhatsApp's numbers are Meta's error codes; Infobip names its reasons; Telegram answers in words.
const KNOWN = [
  ["window", /window_closed|131047|\b7010\b|24 ?h|re-?engagement/i],
  ["blocked", /blocked|never wrote|131050|opted?[ _-]?out|REJECTED_DESTINATION_BLOCKED|deactivated/i],
  ["number", /131026|131021|133010|not (?:a )?(?:valid )?whatsapp|chat not found|UNKNOWN_SUBSCRIBER|ABSENT_SUBSCRIBER|INVALID_DESTINATION|UNDELIVERABLE|REJECTED_NUMBER/i],
  ["credentials", /access token|api key|bot's token|permission|\b(?:401|190)\b|unauthorized/i],
  ["template", /1320\d\d|template/i],
  ["file", /HILO_PUBLIC_URL|131051|131052|131053|media|file|413|too (?:big|large)/i],
  ["limit", /131049|130429|131048|131056|80007|rate|too many|limit|429/i],
  ["billing", /131042|payment|credit|NOT_ENOUGH_CREDITS|13103[17]/i],
  ["away", /timed? ?out|unreachable|connect|5\d\d\b|there is no channel/i],
];

export function troubleOf(status, reason = "") {
  if (reason === "operator") return "operator";
  if (status === "discarded") return "discarded";
  return KNOWN.find(([, pattern]) => pattern.test(reason))?.[0] ?? status;
}

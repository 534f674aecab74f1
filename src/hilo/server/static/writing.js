// Texts as nodes: never as HTML, whatever they say.

const LINK = /https?:\/\/[^\s<>"'`]+/gi;
const AFTER_LINK = /[.,;:!?)\]}»”…]+$/;
const FEW_EMOJI = /^(?:\p{Extended_Pictographic}[\p{Emoji_Modifier}\u200d\ufe0f]*\s?){1,3}$/u;

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function link(address, text) {
  return element("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, text);
}

// A text with its web addresses clickable.
export function written(text) {
  const pieces = [];
  let done = 0;
  for (const match of text.matchAll(LINK)) {
    const address = match[0].replace(AFTER_LINK, "");
    if (!URL.canParse(address)) continue;
    pieces.push(text.slice(done, match.index), link(address, address));
    done = match.index + address.length;
  }
  pieces.push(text.slice(done));
  return element("p", { className: FEW_EMOJI.test(text.trim()) ? "text emoji" : "text" }, ...pieces);
}

// A picture, or a link to anything else; only what lies on the web.
export function attached(attachment, texts) {
  const name = attachment.name || attachment.caption || (attachment.kind === "image" ? texts.image : texts.file);
  // A file of ours comes from where the page does.
  if (!/^(https?:\/\/|\/media\/)/i.test(attachment.url)) return written(name);
  if (attachment.kind !== "image") return element("p", { className: "text" }, link(attachment.url, name));
  return link(attachment.url, element("img", { src: attachment.url, alt: name, loading: "lazy" }));
}

// The colour of words on a coloured ground: whichever of black and white has more contrast.
export function onColour(hex) {
  const [red, green, blue] = [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

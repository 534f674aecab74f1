// <script src="https://HOST/widget.js" data-channel="web-leads" async></script>
// A round button in a corner of any site; it opens the chat in a frame, so that neither page can touch the other.

(() => {
  const script = document.currentScript;
  if (!script?.dataset.channel) {
    console.error("The chat's script needs data-channel.");
    return;
  }
  const { channel, position = "right", color = "", language = "", greeting = "" } = script.dataset;
  const host = new URL(".", script.src);
  const colour = /^#?([0-9a-f]{6})$/i.exec(color)?.[1] ?? "0f6b5c";
  const spoken = (language || document.documentElement.lang || navigator.language).toLowerCase();
  const TEXTS = {
    es: { open: "Abrir chat", close: "Cerrar chat", unread: "Abrir chat: mensajes nuevos", frame: "Chat", dismiss: "Descartar" },
    en: { open: "Open chat", close: "Close chat", unread: "Open chat: new messages", frame: "Chat", dismiss: "Dismiss" },
    pt: { open: "Abrir chat", close: "Fechar chat", unread: "Abrir chat: mensagens novas", frame: "Chat", dismiss: "Dispensar" },
  };
  const texts = TEXTS[spoken.slice(0, 2)] ?? TEXTS.es;
  const side = position === "left" ? "left" : "right";

  const STYLE = `
    :host { all: initial; }
    * { box-sizing: border-box; }
    button { font: inherit; cursor: pointer; border: 0; }
    button:focus-visible, iframe:focus-visible { outline: 3px solid #0b5c8a; outline-offset: 3px; box-shadow: 0 0 0 3px #fff; }
    .round {
      position: fixed; bottom: calc(20px + env(safe-area-inset-bottom)); ${side}: 20px; width: 60px; height: 60px; padding: 0;
      border-radius: 50%; background: #${colour}; color: ${inkOn(colour)}; display: grid; place-items: center;
      box-shadow: 0 4px 16px rgb(0 0 0 / 22%);
    }
    svg { width: 28px; height: 28px; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
    .dot { position: absolute; top: 2px; right: 2px; width: 15px; height: 15px; border-radius: 50%; background: #d03a2b; border: 2px solid #fff; }
    .greeting {
      position: fixed; bottom: calc(92px + env(safe-area-inset-bottom)); ${side}: 20px; max-width: min(280px, calc(100vw - 40px));
      display: flex; gap: 4px; align-items: flex-start; padding: 4px 4px 4px 16px; border-radius: 16px; background: #fff; color: #1c211f;
      font: 400 15px/1.45 system-ui, sans-serif; box-shadow: 0 4px 20px rgb(0 0 0 / 18%);
    }
    .greeting .words { padding: 10px 0; background: none; color: inherit; text-align: left; overflow-wrap: anywhere; }
    .greeting .dismiss { flex: none; width: 36px; height: 36px; border-radius: 50%; background: none; color: #5d6662; }
    .greeting .dismiss svg { width: 16px; height: 16px; }
    iframe {
      position: fixed; bottom: calc(96px + env(safe-area-inset-bottom)); ${side}: 20px; width: 384px; height: min(640px, calc(100dvh - 120px));
      border: 0; border-radius: 18px; background: #f4f3ef; box-shadow: 0 8px 40px rgb(0 0 0 / 26%); color-scheme: normal;
    }
    [hidden] { display: none !important; }
    @media (max-width: 520px), (max-height: 480px) {
      iframe { inset: 0; width: 100%; height: 100%; border-radius: 0; }
      .open .round { display: none; }
    }
    @media (prefers-color-scheme: dark) {
      iframe { background: #121615; }
      .greeting { background: #1e2422; color: #e9edeb; }
      .greeting .dismiss { color: #a3aeaa; }
    }
    @media (forced-colors: active) { .round, .greeting, iframe { border: 2px solid; } }`;

  const BUBBLE = "M3.5 19.5V6.5a2.5 2.5 0 0 1 2.5-2.5h12a2.5 2.5 0 0 1 2.5 2.5v7.5a2.5 2.5 0 0 1-2.5 2.5H7.5z";
  const CROSS = "M6 6l12 12M18 6L6 18";

  function inkOn(hex) {
    const [red, green, blue] = [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255);
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#fff" : "#000";
  }

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function drawing(path) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
  }

  // Inline and important: no rule of the page is stronger.
  function place() {
    const outer = document.createElement("hilo-chat");
    const rules = { all: "initial", display: "block", position: "fixed", width: "0", height: "0", bottom: "0", "z-index": "2147483000" };
    for (const [name, value] of Object.entries({ ...rules, [side]: "0" })) outer.style.setProperty(name, value, "important");
    const root = outer.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    document.documentElement.append(outer);
    return root;
  }

  const box = element("div", {});
  const dot = element("span", { className: "dot", hidden: true });
  const round = element("button", { type: "button", className: "round", ariaLabel: texts.open, ariaExpanded: "false" }, drawing(BUBBLE), dot);
  box.append(round);
  place().append(box);
  let frame = null;
  let isReady = false; // before that the frame is of no origin, and browsers complain of a message to it
  let bubble = null;
  let came = null; // where the focus was before

  function makeFrame() {
    const address = new URL(`chat/${encodeURIComponent(channel)}`, host);
    address.searchParams.set("embedded", "1");
    if (language) address.searchParams.set("lang", language);
    if (color) address.searchParams.set("color", colour);
    const made = element("iframe", { src: address.href, title: texts.frame, allow: "clipboard-write" });
    box.prepend(made);
    return made;
  }

  function isOpen() {
    return box.classList.contains("open");
  }

  function draw() {
    round.ariaExpanded = String(isOpen());
    round.ariaLabel = isOpen() ? texts.close : dot.hidden ? texts.open : texts.unread;
    round.querySelector("path").setAttribute("d", isOpen() ? CROSS : BUBBLE);
  }

  function open() {
    came = document.activeElement;
    bubble?.remove();
    frame ??= makeFrame();
    frame.hidden = false;
    dot.hidden = true;
    box.classList.add("open");
    draw();
    focusFrame();
  }

  function focusFrame() {
    frame.focus();
    if (isReady) frame.contentWindow.postMessage({ hilo: "focus" }, host.origin);
  }

  function close() {
    if (!isOpen()) return;
    frame.hidden = true;
    box.classList.remove("open");
    draw();
    const back = came && came !== document.body && came.tagName !== "HILO-CHAT" && came.isConnected ? came : round;
    back.focus();
  }

  function greet() {
    const words = element("button", { type: "button", className: "words" }, greeting);
    const dismiss = element("button", { type: "button", className: "dismiss", ariaLabel: texts.dismiss }, drawing(CROSS));
    bubble = element("div", { className: "greeting" }, words, dismiss);
    words.addEventListener("click", open);
    dismiss.addEventListener("click", () => {
      bubble.remove();
      round.focus();
    });
    box.append(bubble);
  }

  round.addEventListener("click", () => (isOpen() ? close() : open()));
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("message", (event) => {
    if (!frame || event.source !== frame.contentWindow || event.origin !== host.origin) return;
    if (event.data?.hilo === "close") close();
    isReady ||= event.data?.hilo === "ready";
    if (event.data?.hilo === "ready" && isOpen()) focusFrame();
    if (event.data?.hilo === "message" && !isOpen()) {
      dot.hidden = false;
      draw();
    }
  });
  if (greeting) greet();
})();

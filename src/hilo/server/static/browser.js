// What the browser keeps, and waiting.

// Storage may be forbidden, as in some private windows and frames: then it lasts as long as the page.
function findStorage() {
  try {
    localStorage.setItem("hilo.try", "1");
    localStorage.removeItem("hilo.try");
    return localStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
      key: (number) => [...kept.keys()][number] ?? null,
      get length() {
        return kept.size;
      },
    };
  }
}

export const storage = findStorage();

export function storedUnder(prefix) {
  const keys = Array.from({ length: storage.length }, (_, number) => storage.key(number));
  return keys.filter((key) => key.startsWith(prefix)).map((key) => JSON.parse(storage.getItem(key)));
}

// 128 random bits in 22 characters.
export function randomToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The secret of this browser's conversation on a channel.
export function visitorOf(channel) {
  const key = `hilo.visitor.${channel}`;
  const token = storage.getItem(key) ?? randomToken();
  storage.setItem(key, token);
  return token;
}

// Wait so long, or until the network is back.
export function pause(milliseconds) {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener("online", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    addEventListener("online", over);
  });
}

// Twice as long each time, with some luck in it so that not all pages come back at once.
export function* backOff(first, longest) {
  for (let next = first; ; next = Math.min(next * 2, longest)) yield next * (0.75 + Math.random() / 2);
}

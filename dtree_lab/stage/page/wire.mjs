// The wire between a window and the server: what is new comes down, keys go up. A wire that breaks is
// mended by itself; meanwhile what was shown stays.
const key = new URLSearchParams(location.search).get("key") ?? "";

/** Address of a page of this lecture. */
export const addressOf = (path, more = {}) => `${path}?${new URLSearchParams({ key, ...more })}`;

/** Open a wire; `hear` gets what the server tells, `broken` whether there is none. */
export function wire(as, hear, broken = () => {}) {
  let socket;
  let wait = 200;
  let over = false;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${addressOf("/windows", { as })}`);
    socket.addEventListener("open", () => ((wait = 200), broken(false)));
    socket.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => {
      broken(true);
      over ||= code === 4003;
      if (!over) setTimeout(open, wait);
      wait = Math.min(2 * wait, 2000);
    });
  };
  open();
  return (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
}

// What keys do in either window; clickers send the first two.
const KEYS = {
  PageDown: { do: "on" },
  PageUp: { do: "back" },
  n: { do: "on" },
  b: { do: "back" },
  r: { do: "over" },
  d: { do: "again" },
  k: { do: "revive" },
  q: { do: "invite" },
};
const THEMES = ["light", "dark", "contrast"];

/** What a key asks for, or null; where a person types, keys are letters. */
export function asked(event, theme) {
  const { key: pressed, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  // A clicker's keys mean the lecture also where a number is being typed.
  if (target.matches?.("input[type=number]") && pressed.startsWith("Page")) return KEYS[pressed];
  if (target.matches?.("input:not([type=range]), select, textarea")) return null;
  if (pressed === "t") return { do: "theme", theme: THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] };
  // In a tree and on a slider the arrows are its own.
  const free = !target.closest?.("[role=tree], input, [role=radiogroup], [role=listbox]");
  const arrows = { ArrowRight: KEYS.PageDown, ArrowLeft: KEYS.PageUp, " ": target.closest?.("button") ? null : KEYS.PageDown };
  return KEYS[pressed] ?? (free ? arrows[pressed] : null) ?? null;
}

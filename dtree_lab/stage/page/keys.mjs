// What keys ask for in either window; clickers send the first two.
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

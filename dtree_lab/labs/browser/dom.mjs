// What every widget's view is made with. Names and values are user data: they enter the page as
// text and as attribute values only, never as markup.

const SVG_NAMES = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title"]);

/** An element with attributes, listeners (`onclick: f`) and children. */
export function make(name, attributes = {}, ...children) {
  const node = SVG_NAMES.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  set(node, attributes);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Write only what differs, so that screen readers and animations are not set off by a redraw. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === null || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

export function setText(node, text) {
  if (node.textContent !== (text ?? "")) node.textContent = text ?? "";
}

/** A text that cannot turn round what stands beside it. Most need no element of their own. */
export function isolated(text) {
  return /^[ -~]*$/.test(text) ? text : make("bdi", {}, text);
}

/** The focused element, also inside a shadow root, if it is within `node`. */
export function focusWithin(node) {
  const active = node.getRootNode().activeElement;
  return node.contains(active) ? active : null;
}

/** Where a hand is: at anything in `node` that has the focus, elsewhere only where text goes. */
export function handAt(node) {
  const active = node.getRootNode().activeElement ?? document.activeElement;
  return node.contains(active) || active?.matches("input, textarea, [contenteditable=true]") ? active : null;
}

/** Put children in order without moving the one that has the focus: a moved element loses it. */
export function arrange(parent, nodes) {
  if (nodes.every((node, i) => parent.children[i] === node)) return;
  const held = nodes.findIndex((node) => focusWithin(node));
  nodes.forEach((node, i) => {
    if (i !== held) parent.insertBefore(node, i < held ? nodes[held] : null);
  });
}

/** One child per item, kept from one call to the next by its key; `byPlace` where that says nothing of what it is. */
export function keyed(parent, items, { key, create, update, keepOrder = false, byPlace = false }) {
  parent.byPlace = byPlace;
  const before = parent.keyed ?? new Map();
  const after = new Map(items.map((item) => [key(item), before.get(key(item)) ?? create(item)]));
  for (const [id, node] of before) if (!after.has(id)) node.remove();
  const nodes = [...after.values()];
  if (!keepOrder || nodes.some((node) => node.parentNode !== parent)) arrange(parent, nodes);
  parent.keyed = after;
  for (const item of items) update(after.get(key(item)), item);
}

/** Give a node the children that a fresh drawing has: those of a kind that is there stay, and are written anew. */
export function renew(parent, fresh) {
  const kind = (one) => `${one.nodeName} ${one.classList[0]}`;
  const there = new Map();
  for (const one of parent.children) there.set(kind(one), [...(there.get(kind(one)) ?? []), one]);
  parent.replaceChildren(
    ...fresh.map((one) => {
      const known = there.get(kind(one))?.shift();
      if (!known) return one;
      for (const { name } of [...known.attributes]) if (!one.hasAttribute(name)) known.removeAttribute(name);
      for (const { name, value } of one.attributes) set(known, { [name]: value });
      if (one.children.length || known.children.length) renew(known, [...one.children]);
      else setText(known, one.textContent);
      return known;
    }),
  );
}

/** Run `paint` when what it depends on has changed since the last time. */
export function onChange(node, value, paint) {
  const text = JSON.stringify(value);
  if (node.painted === text) return;
  node.painted = text;
  paint();
}

/** A button that can be switched off with `enable`. */
export function button(text, onclick, attributes = {}) {
  const node = make("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", (event) => {
    if (node.getAttribute("aria-disabled") !== "true") onclick(event);
  });
  return node;
}

/** Switch a button on or off: by aria-disabled, because a disabled one would lose the focus. */
export function enable(node, enabled) {
  set(node, { "aria-disabled": enabled ? null : "true" });
}

/** A class's mark around 0, 0: its outline, which Python gives for a radius of 1, in its colour. */
export function mark(kind, r, colour = kind.colour) {
  const node = make("path", { class: "dtl-mark", d: kind.mark, transform: `scale(${r})` });
  node.style.fill = colour;
  return node;
}

/** A class's mark to stand in a line of text. */
export function markInText(kind) {
  return make(
    "svg",
    { class: "dtl-inline-mark", viewBox: "-6 -6 12 12", "aria-hidden": "true" },
    mark(kind, 4.6),
  );
}

/** The box around a node that scrolls up and down, or the page. */
export function scrollerOf(node) {
  const scrolls = (box) => box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY);
  const around = (box) => box.parentElement ?? box.getRootNode().host;
  for (let box = around(node); box; box = around(box)) if (scrolls(box)) return box;
  return document.scrollingElement;
}

/**
 * The wheel over a box scrolls the page, so that nobody is held up on the way past; the box itself
 * only while the focus is in it. Sideways, the page has no use for it.
 */
export function leaveWheel(box) {
  const lines = { 1: 16, 2: 400 }; // where a wheel counts in lines or pages
  const onWheel = (event) => {
    const { deltaX, deltaY, deltaMode } = event;
    if (event.ctrlKey || event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY) || focusWithin(box)) return;
    if (box.scrollHeight <= box.clientHeight) return; // the page has it anyway
    event.preventDefault();
    scrollerOf(box).scrollBy({ top: deltaY * (lines[deltaMode] ?? 1), behavior: "instant" });
  };
  box.addEventListener("wheel", onWheel, { passive: false });
}

// A tree as a picture one can walk: cards and edges, with the roles and keys of the ARIA tree pattern.
import { focusWithin, keyed, leaveWheel, make, mark, onChange, set, setText } from "./dom.mjs";
import { depthFirst, keyTarget, pathTo, shares, typedTarget } from "./treewalk.mjs";
import { fitZoom, scrollTarget } from "./treewalk.mjs";

/** A strip of class shares, each with the class's mark and its count where they have room. */
export function strip(counts, classes, { x = 0, y = 0, width }) {
  return shares(counts, width).flatMap(([i, start, part]) => {
    const kind = classes[i];
    const ink = kind.colour.replace("--dtl-class-", "--dtl-class-ink-");
    const middle = y + STRIP / 2;
    const share = make("rect", { class: "dtl-share", x: x + start, y, width: part, height: STRIP });
    share.style.fill = kind.colour;
    if (part < 12) return [share];
    const sign = make("g", { transform: `translate(${x + start + 8} ${middle})` }, mark(kind, 3.4, ink));
    const digits = counts[i].toLocaleString("en");
    if (part < 18 + 7.5 * digits.length) return [share, sign];
    const text = make("text", { class: "dtl-count", x: x + start + 15, y: middle + 4.2 }, digits);
    text.style.fill = ink;
    return [share, sign, text];
  });
}

const GLIDE = 180;
// As in the static picture (draw/scene.py and draw/svg.py): a card's padding, its strip, a line of
// its title, the room for a leaf's mark, and all that is under the title.
const PAD = 11;
export const STRIP = 16;
const LINE = 18;
const MARK = 18;
const FOOT = 49;
// A word such as "locked" stands under its card, also under the lowest.
const TAG = 10;
const UNDER = 14; // a further line of it
// A drawing unit is this many to an em, so that the tree grows with the text around it.
export const UNITS_PER_EM = 14;

/** The tree's scrolling box. `onSelect(id)`: walked or clicked to; `onChoose(id)`: Enter. */
export function createTreeView({ onSelect, onChoose }) {
  const edges = make("g", { "aria-hidden": "true" });
  const cards = make("g", { role: "presentation" });
  const svg = make("svg", { role: "tree", class: "dtl-tree" }, edges, cards);
  const box = make("div", { class: "dtl-treebox" }, svg);
  const tree = { box, svg, edges, cards, view: null, current: null, zoom: 1, typed: "", onSelect, onChoose };
  leaveWheel(box);
  svg.addEventListener("keydown", (event) => walkByKey(tree, event));
  svg.addEventListener("click", (event) => {
    const card = event.target.closest("[role=treeitem]");
    if (card) go(tree, card.dataset.id);
  });
  return tree;
}

/** Draw a view's tree with `current` as its chosen card, and the way to it, or to `lit`, set off. */
export function updateTreeView(tree, drawn, classes, current, label, lit = null) {
  const view = { ...drawn, height: drawn.height + TAG };
  const first = tree.view === null;
  const hadFocus = focusWithin(tree.svg) !== null;
  // Redrawn in place, the tree stays where the reader has scrolled it.
  const moved =
    tree.current !== current || tree.view?.width !== view.width || tree.view?.height !== view.height;
  Object.assign(tree, { view, current });
  set(tree.svg, { viewBox: `0 0 ${view.width} ${view.height}`, "aria-label": label });
  const order = depthFirst(view.cards);
  const byId = new Map(view.cards.map((card) => [card.id, card]));
  const path = pathTo(view.cards, lit ?? current);
  const glides = [];
  keyed(
    tree.cards,
    order.map((id) => byId.get(id)),
    {
      key: (card) => card.id,
      create: (card) => make("g", { role: "treeitem", "data-id": card.id }),
      update: (node, card) => glides.push(updateCard(tree, node, card, classes)),
    },
  );
  keyed(tree.edges, view.edges, {
    key: (edge) => edge.id,
    create: () => make("g", {}, make("path"), make("text")),
    update: (node, edge) => glides.push(updateEdge(node, edge, path.has(edge.id))),
  });
  applyZoom(tree);
  glide(tree, glides, first);
  if (hadFocus) tree.cards.keyed.get(current)?.focus({ preventScroll: true });
  if (moved) scrollToCurrent(tree);
}

/** Bring the focus to the chosen card; only its own box scrolls. */
export function focusCurrent(tree) {
  tree.cards.keyed?.get(tree.current)?.focus({ preventScroll: true });
  scrollToCurrent(tree);
}

/** Zoom to a factor, or to "fit". */
export function setZoom(tree, zoom) {
  tree.zoom = zoom;
  tree.tallest = 0; // who changes the size expects a move
  applyZoom(tree);
  scrollToCurrent(tree);
}

/** The factor in use. */
export function zoomOf(tree) {
  if (tree.zoom !== "fit") return tree.zoom;
  const em = parseFloat(getComputedStyle(tree.box).fontSize) || UNITS_PER_EM;
  const most = parseFloat(getComputedStyle(tree.box).maxHeight) || tree.box.clientHeight;
  const units = UNITS_PER_EM / em;
  return fitZoom(tree.view, (tree.box.clientWidth - 2) * units, (most - 2) * units);
}

function applyZoom(tree) {
  const ems = zoomOf(tree) / UNITS_PER_EM;
  tree.svg.style.width = `${tree.view.width * ems}em`;
  tree.svg.style.height = `${tree.view.height * ems}em`;
  // The box grows with the tree and never shrinks back: what stands below it does not jump.
  tree.tallest = Math.max(tree.tallest ?? 0, tree.view.height * ems);
  tree.box.style.setProperty("--dtl-tree-height", `${tree.tallest}em`);
}

function scrollToCurrent({ box, svg, view, current }) {
  const card = view.cards.find((one) => one.id === current);
  const scale = svg.clientWidth / view.width;
  if (!card || !scale) return;
  const [inner, outer] = [svg.getBoundingClientRect(), box.getBoundingClientRect()];
  const left = inner.left - outer.left + box.scrollLeft + card.x * scale;
  const top = inner.top - outer.top + box.scrollTop + card.y * scale;
  box.scrollTo(
    scrollTarget(box.scrollLeft, box.clientWidth, left, card.w * scale, 24),
    scrollTarget(box.scrollTop, box.clientHeight, top, card.h * scale, 24),
  );
}

function walkByKey(tree, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { cards } = tree.view;
  let target = keyTarget(cards, tree.current, event.key);
  if (event.key === "Enter" || event.key === " ") {
    tree.onChoose(tree.current);
  } else if (target === null && event.key.length === 1) {
    // Letters typed in quick succession are one word.
    const quick = event.timeStamp - (tree.typedAt ?? -Infinity) < 700;
    tree.typed = quick ? tree.typed + event.key : event.key;
    tree.typedAt = event.timeStamp;
    target = typedTarget(cards, tree.current, tree.typed);
  } else if (target === null) {
    return;
  }
  event.preventDefault();
  if (target !== null) go(tree, target);
}

/** Focus a card and choose it: the choice follows the focus. */
function go(tree, id) {
  const changed = tree.current !== id;
  tree.current = id;
  for (const [one, node] of tree.cards.keyed) markCurrent(node, one === id);
  focusCurrent(tree);
  if (changed) tree.onSelect(id);
}

function markCurrent(node, isCurrent) {
  set(node, { tabindex: isCurrent ? 0 : -1, "aria-selected": String(isCurrent) });
}

function updateCard(tree, node, card, classes) {
  markCurrent(node, card.id === tree.current);
  set(node, {
    class: `dtl-card dtl-${card.kind}${card.faded ? " dtl-faded" : ""}`,
    "aria-label": card.label + (card.tag ? `, ${card.tag}` : ""),
    "aria-level": card.level,
    "aria-posinset": card.pos,
    "aria-setsize": card.of,
    "aria-expanded": card.children.length ? "true" : card.kind === "folded" ? "false" : null,
  });
  const { x, y, w, h, title, full, detail, counts, under, kind } = card;
  onChange(node, [w, h, title, full, detail, counts, under, kind, classes], () =>
    node.replaceChildren(cardPicture(card, classes)),
  );
  const parent = tree.cards.keyed?.get(card.parent)?.at;
  const draw = ([left, top]) => set(node, { transform: `translate(${left} ${top})` });
  return { node, from: node.at ?? parent, to: [x, y], draw };
}

/** What a card shows; its words for a screen reader are in its label. */
function cardPicture({ w, h, title, full, detail, counts, under = [], kind }, classes) {
  const lead = kind === "answer" ? MARK : 0;
  const top = h - FOOT - LINE * title.length;
  const line = (text, i) =>
    make("text", { class: "dtl-name", x: PAD + lead, y: top + LINE * (i + 1) - 4.5 }, text);
  const box = (d) => make("rect", { class: "dtl-box", x: d, y: d, width: w, height: h, rx: 7 });
  const answer = classes[counts.indexOf(Math.max(...counts))];
  const at = `translate(${PAD + 5.2} ${top + LINE / 2})`;
  return make(
    "g",
    { "aria-hidden": "true" },
    make("title", {}, full),
    make("rect", { class: "dtl-hit", width: w, height: h }),
    make("rect", { class: "dtl-ring", x: -4, y: -4, width: w + 8, height: h + 8, rx: 10 }),
    ...(kind === "folded" ? [6, 3, 0] : [0]).map(box),
    lead && answer ? make("g", { transform: at }, mark(answer, 4.6)) : null,
    ...title.map(line),
    ...strip(counts, classes, { x: PAD, y: h - FOOT + 7, width: w - 2 * PAD }),
    make("text", { class: "dtl-detail", x: PAD, y: h - PAD + 0.5 }, detail),
    ...under.map((words, i) => make("text", { class: "dtl-tag", x: w / 2, y: h + 14 + UNDER * i }, words)),
  );
}

function updateEdge(node, edge, onPath) {
  const [line, text] = node.children;
  set(node, { class: onPath ? "dtl-edge dtl-on-path" : "dtl-edge" });
  onChange(text, [edge.label, edge.full], () =>
    text.replaceChildren(edge.label, make("title", {}, edge.full)),
  );
  const draw = ([x1, y0, y1, x2, y2, x, y]) => {
    const middle = (y1 + y2) / 2;
    set(line, { d: `M${x1},${y0}V${y1}C${x1},${middle} ${x2},${middle} ${x2},${y2}` });
    set(text, { x, y });
  };
  const { x1, y1, x2, y2, lx, ly, y0 = y1 } = edge;
  return { node, from: node.at ?? [x1, y0, y0, x1, y0, x1, y0], to: [x1, y0, y1, x2, y2, lx, ly], draw };
}

/** Move everything from where it is seen to where it belongs; what is new grows out of its parent. */
function glide(tree, glides, first) {
  cancelAnimationFrame(tree.frame);
  const still = first || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const begin = performance.now();
  const step = (now) => {
    const t = still ? 1 : Math.min(1, Math.max(0, (now - begin) / GLIDE));
    const eased = 1 - (1 - t) ** 3;
    for (const { node, from = null, to, draw } of glides) {
      node.at = t < 1 && from ? from.map((a, i) => a + (to[i] - a) * eased) : to;
      draw(node.at);
    }
    if (t < 1) tree.frame = requestAnimationFrame(step);
  };
  step(begin);
}

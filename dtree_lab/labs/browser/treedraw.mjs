// A tree drawn as a camera sees it: each node in the form for which it has room, and its branches. Nodes with
// cards and their branches are elements that stay; all that is further away is a few paths.
import { keyed, make, onChange, renew, set, setText } from "./dom.mjs";
import { addMark, cardPicture, drawMarks, fanPicture, shortPicture, tags } from "./treecard.mjs";
import { BEND, FAR, LABEL, bottomOf, branchPath, breadth, clearance, farRank, formOf, smallest } from "./treescene.mjs";

/** Draw the nodes that stand where `at` says and their branches, as `seen` in pixels for a unit. */
export function drawNodes(tree, seen, view) {
  const { unit, classes, nodes } = tree;
  const measure = (text) => measured(tree, text);
  for (const node of nodes) {
    [node.px, node.py] = [node.at[0] * seen.sx, node.at[1] * seen.sy];
    node.inView = node.px > view.left && node.px < view.right && node.py > view.top && node.py < view.bottom;
    node.deep = 0;
    node.as = formOf(node, seen, measure);
  }
  if (seen.isRoom) alike(tree.levels, seen, measure);
  for (const node of nodes) {
    if (!node.held || node.as.pile || node.asks || node.as.form === "mark" || !node.inView) continue;
    node.deep = clearance(node, tree.levels, tree.shown, unit, tree.whole.height * seen.sy);
    node.as = formOf(node, seen, measure);
  }
  wordsOnBranches(tree, seen, measure);
  const pieces = {};
  const shorts = [];
  const cards = new Map();
  for (const node of nodes) {
    if (node.card) cards.set(node.id, node);
    else if (node.inView && node.as.form === "short") shorts.push(node);
    else if (node.inView) addMark(pieces, node, classes, node.px, node.py + node.as.r * unit, node.as.r * unit);
  }
  drawMarks(tree.dots, pieces, classes);
  const key = ({ id }) => id;
  keyed(tree.shorts, shorts, {
    key,
    create: ({ id }) => make("g", { class: "dtl-far", "data-id": id }, make("g")),
    update: (group, node) => drawNode(tree, group, node, seen),
  });
  const order = tree.order.map((id) => cards.get(id));
  keyed(tree.cards, order, {
    key,
    create: createItem,
    update: (group, node) => drawItem(tree, group, node, seen),
  });
  drawBranches(tree, seen);
}

/** Before a class the nodes of a level are drawn in one form: where one has no room for its card, none has one. */
function alike(levels, seen, measure) {
  for (const level of levels) {
    if (!level.some(({ card, as }) => card && !WHOLE.includes(as.form))) continue;
    for (const node of level) if (WHOLE.includes(node.as.form)) node.as = formOf(node, { ...seen, isShort: true }, measure);
  }
}

const WHOLE = ["card", "bare"];

/** Words on branches are written for a level where there is room above its nodes; the rest is for bends. */
function wordsOnBranches({ levels }, { sx, sy, unit }, measure) {
  const scale = Math.max(0.92 * smallest(unit), Math.min(sx, sy) / unit);
  for (const [i, level] of levels.entries()) {
    const above = levels[i - 1] ?? level;
    const free = above[0].drop * (sy / unit) - Math.max(0, ...above.map(({ as }) => (as.isDeep ? 0 : bottomOf(as))));
    const isRoomy = i > 0 && free >= (LABEL + 8) * scale;
    for (const node of level) {
      const fits = isRoomy && node.word && measure(node.word.label) * 1.1 * scale + 6 <= (node.room * sx) / unit;
      node.wordScale = fits && node.as.form !== "mark" ? scale : 0;
      node.above = isRoomy ? (LABEL - 3) * scale : 1;
      node.bend = Math.max(4, Math.min(2 * BEND, free - (isRoomy ? LABEL * scale : 2)));
    }
  }
}

const canvas = { context: null };

/** The width of a text of 12 units, bold, in units; a guess for as long as the tree is in no page, and has no font. */
export function measured({ words, family }, text) {
  if (!family) return 7 * text.length;
  if (!words.has(text)) {
    canvas.context ??= document.createElement("canvas").getContext("2d");
    canvas.context.font = `600 24px ${family}`;
    words.set(text, canvas.context.measureText(text).width / 2 + 1);
  }
  return words.get(text);
}

/** The picture of a node in its form; its size is that of its group. */
function drawNode(tree, group, node, { unit, sx }) {
  const { as, px, py, fan } = node;
  set(group, { transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})` });
  const picture = group.lastElementChild;
  set(picture, { transform: as.form === "mark" ? null : `scale(${(as.scale * unit).toFixed(4)})` });
  const stacked = node.isFolded || (node.below > 0 && !node.kids.length);
  const size = { ...as, w: as.w / as.scale, h: as.h / as.scale };
  const looks = as.form === "mark" ? [as.r * unit, as.under] : [as.lines, as.under, size.w, as.pile && [as.pile.tall, as.pile.isWhole]];
  const isSaid = fan && measured(tree, fan.words) * as.scale <= (node.room * sx) / unit;
  onChange(picture, [as.form, looks, stacked, node.key, fan?.words, isSaid], () => {
    const below = fan && as.form !== "mark" ? [fanPicture(node, tree.classes, size, isSaid)] : foldSign(node, size);
    renew(picture, [...pictured(node, tree.classes, size, stacked && !fan, unit), ...below]);
  });
}

function pictured(node, classes, size, stacked, unit) {
  if (node.card && (size.form === "card" || size.form === "bare")) return cardPicture(node, classes, size, stacked);
  if (size.form === "short") return shortPicture(node, classes, size, stacked);
  const pieces = {};
  addMark(pieces, node, classes, 0, size.r * unit, size.r * unit);
  const said = make("g", { transform: `scale(${unit})` }, ...tags(size.under, 2 * size.r));
  return [make("title", {}, node.card.full), drawMarks(make("g"), pieces, classes), said];
}

/** What folds the branches of a node, or unfolds them. */
function foldSign(node, { form, w, h }) {
  if (!node.kids.length || form === "mark") return [];
  const plus = node.isFolded ? "M-3.5,0h7M0,-3.5v7" : "M-3.5,0h7";
  const hit = make("circle", { class: "dtl-fold-hit", r: 11 });
  const looks = `dtl-fold${node.isFolded ? " dtl-is-folded" : ""}`;
  return [make("g", { class: looks, transform: `translate(${w / 2 + 1} ${h + 1})` }, hit, make("circle", { r: 6.5 }), make("path", { d: plus }))];
}

function createItem({ id }) {
  const around = ["dtl-hit", "dtl-around"].map((kind) => make("rect", { class: kind }));
  return make("g", { role: "treeitem", "data-id": id }, ...around, make("g", { "aria-hidden": "true" }));
}

function drawItem(tree, group, node, seen) {
  const { as } = node;
  markCurrent(group, node.id === tree.current);
  const { isFolded } = node;
  // Most frames of a camera's move change nothing of what it says.
  if (group.node !== node || group.form !== as.form || group.isFolded !== isFolded) {
    Object.assign(group, { node, form: as.form, isFolded });
    describe(group, node, isFolded);
  }
  drawNode(tree, group, node, seen);
  const [hit, ring] = group.children;
  const [w, h] = [as.w * seen.unit, as.h * seen.unit];
  // What a pointer hits: the node and some pixels around it, however small the tree is drawn.
  const [wide, high] = [Math.max(w + 8, Math.min(44, node.room * seen.sx)), Math.max(h + 8, node.last ? 44 : Math.min(44, 1.1 * node.drop * seen.sy))];
  set(hit, { x: -Math.max(wide, 24) / 2, y: (h - Math.max(high, 24)) / 2, width: Math.max(wide, 24), height: Math.max(high, 24) });
  set(ring, { x: -w / 2 - 4, y: -4, width: w + 8, height: h + 8, rx: 10 });
}

function describe(group, { card, as, fan }, isFolded) {
  set(group, {
    class: `dtl-card dtl-${card.kind} dtl-as-${as.form}${card.faded ? " dtl-faded" : ""}`,
    "aria-label": card.label + (card.tag ? `, ${card.tag}` : "") + (fan ? `, ${fan.kids.length} branches folded` : ""),
    "aria-level": card.level,
    "aria-posinset": card.pos,
    "aria-setsize": card.of,
    "aria-expanded": isFolded || card.kind === "folded" ? "false" : card.children.length ? "true" : null,
  });
}

/** A card is the one stop of the tab key, or not. */
export function markCurrent(node, isCurrent) {
  set(node, { tabindex: isCurrent ? 0 : -1, "aria-selected": String(isCurrent) });
}

/** Where a branch begins and ends, and how high its bend is. */
export function branchEnds(node, parent, unit) {
  const [y1, y2] = [parent.py + bottomOf(parent.as) * unit, node.py - node.above * unit];
  return [parent.px, y1, node.px, Math.max(y1, y2), node.bend * unit];
}

/** The branches to cards are elements of their own; those far away are drawn together. */
function drawBranches(tree, { unit }) {
  const far = ["", "", ""];
  const near = [];
  for (const node of tree.nodes) {
    const parent = tree.shown.get(node.parent);
    if (!parent || !(node.inView || parent.inView)) continue;
    const turn = branchPath(...branchEnds(node, parent, unit));
    const d = node.wordScale || node.above === 1 ? turn : `${turn}V${node.py.toFixed(1)}`;
    if (node.card) near.push([node, d, tree.path.has(node.id)]);
    else far[farRank(node.part)] += d;
  }
  keyed(tree.edges, near, {
    key: ([{ id }]) => id,
    create: () => make("g", {}, make("path"), make("text")),
    update: (group, [node, d, isLit]) => {
      const [line, text] = group.children;
      set(group, { class: isLit ? "dtl-edge dtl-on-path" : "dtl-edge" });
      // A mark beside those that are far has a branch as they have.
      const isFar = tree.view.far && node.as.form === "mark";
      const wide = isFar ? FAR[farRank(node.part)] : Math.min(breadth(node.part) * unit, Math.max(1, node.as.w * unit));
      set(line, { d, "stroke-width": Math.max(isLit ? 2.4 : isFar ? 1 : 1.2, wide).toFixed(1) });
      drawWord(text, node, unit);
    },
  });
  if (!tree.far.children.length) tree.far.append(...FAR.map((wide) => make("path", { class: "dtl-far-edge", "stroke-width": wide })));
  far.forEach((d, i) => set(tree.far.children[i], { d }));
}

function drawWord(text, { word, px, py, wordScale }, unit) {
  set(text, { visibility: wordScale ? null : "hidden" });
  if (!wordScale) return;
  const scale = wordScale * unit;
  set(text, { transform: `translate(${px.toFixed(1)} ${(py - 7 * scale).toFixed(1)}) scale(${scale.toFixed(3)})` });
  onChange(text, word, () => {
    const title = text.firstElementChild ?? make("title");
    setText(title, word.full);
    text.replaceChildren(word.label, title);
  });
}

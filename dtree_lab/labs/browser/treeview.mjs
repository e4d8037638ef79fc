// A tree as a picture one can walk and fly over: nodes and branches, with the roles and keys of the ARIA
// tree pattern, seen by a camera. Where it is moved by hand is gestures.mjs; what it does is camera.mjs.
import { EDGE, STEP, between, enlarged, fits, fitted, nudge, panned, placed, scales, widened, within, zoomed } from "./camera.mjs";
import { focusWithin, leaveWheel, make, set } from "./dom.mjs";
import { listen } from "./gestures.mjs";
import { createOverview, updateOverview } from "./overview.mjs";
import { createRows, drawNumbers, isStill, placeRows, sendRows } from "./rows.mjs";
import { drawNodes, markCurrent, measured } from "./treedraw.mjs";
import { arranged, briefly, fanned, formOf, leaning, nodesOf, roomy, sinking, unfolded } from "./treescene.mjs";
import { depthFirst, keyTarget, pathTo, typedTarget } from "./treewalk.mjs";

const GLIDE = 420;
// A word such as "locked" stands under its card, also under the lowest.
const TAG = 10;
// A drawing unit is this many to an em, so that the tree grows with the text around it.
export const UNITS_PER_EM = 14;
// So many branches of the chosen node keep their words before a class.
const MOST_AFTER = 3;
// The box of a tree that is shrunk is as high as if it were shrunk no further than this.
const TALL = 0.45;

/**
 * A tree in its box. `onSelect(id)`: walked or clicked to; `onChoose(id)`: Enter; `onZoom()`: seen at
 * another size.
 */
export function createTreeView({ onSelect, onChoose, onZoom = () => {}, isRoom = false }) {
  const layer = (attributes = { "aria-hidden": "true" }) => make("g", attributes);
  const tree = {
    ...{ far: layer(), edges: layer(), dots: layer(), shorts: layer(), cards: layer({ role: "presentation" }) },
    ...{ view: null, current: null, zoom: "fit", camera: { k: 1, x: 0, y: 0 }, folded: new Set(), fans: new Map(), opened: new Set(), typed: "" },
    rows: createRows(),
    ...{ onSelect, onChoose, onZoom, isRoom, nodes: [], size: { width: 0, height: 0 }, unit: 1, base: 1, family: null, words: new Map() },
  };
  tree.world = make("g", { role: "presentation" }, tree.far, tree.edges, tree.dots, tree.shorts, tree.cards, tree.rows.layer, tree.rows.numbers);
  tree.svg = make("svg", { role: "tree", class: "dtl-tree" }, tree.world);
  tree.box = make("div", { class: "dtl-treebox" }, tree.svg);
  tree.overview = createOverview((x, y) => lookAt(tree, x, y));
  tree.frame = make("div", { class: "dtl-treeframe" }, tree.box, tree.overview.svg, tree.rows.said);
  leaveWheel(tree.box);
  tree.svg.addEventListener("keydown", (event) => walkByKey(tree, event));
  tree.svg.addEventListener("click", (event) => clicked(tree, event));
  tree.box.addEventListener("scroll", () => scrolled(tree));
  listen(tree.box, {
    pan: (dx, dy) => pan(tree, dx, dy),
    zoom: (factor, at) => tree.view && zoomTo(tree, tree.camera.k * factor, at, false),
  });
  // In the next frame: what is drawn may change the size once more.
  new ResizeObserver(() => requestAnimationFrame(() => tree.view && resized(tree))).observe(tree.box);
  return tree;
}

/** Draw a view's tree with `current` as its chosen card, and the way to it, or to `lit`, set off. */
export function updateTreeView(tree, drawn, classes, current, label, lit = null) {
  const first = tree.view === null;
  const hadFocus = focusWithin(tree.svg) !== null;
  const before = first ? null : seenAt(tree, current) ?? seenAt(tree, tree.current);
  const moved = tree.current !== current;
  const told = JSON.stringify([drawn, classes]);
  const was = tree.shown ?? null;
  const isNew = told !== tree.told;
  Object.assign(tree, { view: drawn, classes, current, told });
  set(tree.svg, { "aria-label": label });
  if (isNew) gather(tree);
  tree.path = pathTo([...tree.all.values()], lit ?? current);
  const isOpened = unfoldTo(tree, current);
  const isOther = isNew || isOpened || (tree.isRoom && moved);
  if (isOther) {
    arrange(tree);
    sendRows(tree, was);
  }
  if (first) jump(tree, wholly(tree));
  else if (isOther) settle(tree, before);
  else look(tree, tree.camera);
  if (hadFocus || tree.awaited === current) focusNode(tree, current);
  tree.awaited = null;
  if (moved && !first) bringIntoView(tree);
}

/** Bring the focus to the chosen card; only its own box scrolls. */
export function focusCurrent(tree) {
  focusNode(tree, tree.current);
  bringIntoView(tree);
}

const focusNode = (tree, id) => tree.cards.keyed?.get(id)?.focus({ preventScroll: true });

/** See the tree at a size, which leaves the chosen node in its place, or all of it: "fit". */
export function setZoom(tree, zoom) {
  tree.zoom = zoom;
  tree.tallest = 0; // who changes the size expects a move
  measureBox(tree);
  if (zoom === "fit") fly(tree, wholly(tree));
  else zoomTo(tree, zoom);
  tree.onZoom();
}

/** One step nearer (1) or further away (-1). */
export const zoomBy = (tree, step) => zoomTo(tree, (tree.goal ?? tree.camera).k * STEP ** step);

// ---- nodes and their places ----------------------------------------------------------------------

/** Take the nodes of a view; those that were there keep what is known of them. */
function gather(tree) {
  const { view, classes } = tree;
  const before = tree.all ?? new Map();
  tree.all = nodesOf(view);
  const total = Math.max(1, [...tree.all.values()][0].rows);
  for (const node of tree.all.values()) {
    const { parent, asks, cls, rows } = node;
    node.part = rows / total;
    node.name = asks ? "" : classes[cls]?.name;
    const { title, full, detail, counts, under, hist, h } = node.card ?? {};
    node.key = JSON.stringify([title, full, detail, counts, under, hist, h, node.mix, node.cls, classes]);
    node.at = before.get(node.id)?.at ?? before.get(parent)?.at ?? tree.all.get(parent)?.at ?? null;
  }
  for (const id of tree.folded) if (!tree.all.get(id)?.kids.length) tree.folded.delete(id);
}

/** Fold what lies beside the way and has many branches where all of the tree is wider than its box; whether anything changes. */
function fan(tree) {
  const { all, path, current, opened, folded, fans: was, view, size, base, isRoom } = tree;
  for (const id of was.keys()) folded.delete(id);
  const isWide = size.width && view.width * base > size.width;
  tree.fans = isWide ? fanned(all, { path: new Set([...path, ...pathTo([...all.values()], current)]), current, opened, was }) : new Map();
  for (const id of folded) tree.fans.delete(id);
  for (const node of all.values()) {
    node.fan = tree.fans.get(node.id) ?? null;
    if (node.fan) folded.add(node.id);
    // In a notebook what was open once stays so: places do not depend on where one looks.
    else if (isWide && !isRoom && !folded.has(node.id)) opened.add(node.id);
  }
  return [...was.keys()].join() !== [...tree.fans.keys()].join();
}

/** Where all nodes belong, and what room they have there. */
function arrange(tree) {
  fan(tree);
  tree.nodes = unfolded(tree.all, tree.folded);
  const [width, height] = [tree.view.width, tree.view.height + TAG];
  tree.whole = arranged(tree.nodes, { width, height, margin: TAG + 8 }, tree.folded.size > 0 || tree.view.far);
  tree.narrow = { ...tree.whole, at: tree.nodes.map(({ to }) => to) };
  tree.levels = roomy(tree.nodes, tree.whole);
  for (const node of tree.nodes) node.isFolded = tree.folded.has(node.id);
  tree.shown = new Map(tree.nodes.map((node) => [node.id, node]));
  tree.walked = tree.nodes.filter(({ card }) => card).map(({ card }) => card);
  tree.order = depthFirst(tree.walked);
  if (!tree.size.width || makeRoom(tree) || tree.isRoom) measureBox(tree);
  if (fan(tree)) arrange(tree); // its box was not known before
}

/** How high the box is to be for the tree: it grows with it and never shrinks back, so nothing below jumps. */
function makeRoom(tree) {
  const { width } = tree.size;
  const k = tree.zoom === "fit" ? Math.min(1, width / (tree.whole.width * tree.unit)) : Math.min(1, tree.camera.k);
  const ems = (tree.whole.height * Math.max(k, TALL)) / UNITS_PER_EM;
  if (ems <= (tree.tallest ?? 0)) return false;
  tree.tallest = ems;
  tree.box.style.setProperty("--dtl-tree-height", `${ems}em`);
  return true;
}

/** How large the box is, and the type in it; the page is laid out for that. */
function measureBox(tree) {
  const { box, whole } = tree;
  const { fontSize, fontFamily } = getComputedStyle(box);
  tree.unit = tree.base = (parseFloat(fontSize) || UNITS_PER_EM) / UNITS_PER_EM;
  if (fontFamily && fontFamily !== tree.family) forgetWidths(tree, fontFamily);
  const sized = () => (tree.size = { width: box.clientWidth || whole.width, height: box.clientHeight || whole.height * tree.unit });
  sized();
  if (makeRoom(tree)) sized();
  if (tree.isRoom) spread(tree);
}

/**
 * Before a class a small tree is larger than the text around it, and as wide as its box. One that is wider is pushed
 * together evenly where all of it has room in short, or what is said under its leaves has; else it leans: the way to the chosen node keeps its words, then what
 * comes right after it, then what asks most rows, then answers: first all of them in short. What is alone on its level
 * has room anyway.
 */
function spread(tree) {
  const { narrow, size, nodes } = tree;
  tree.unit *= enlarged(narrow, size, tree.unit);
  const room = (size.width - 2 * EDGE) / tree.unit;
  const place = (share, claims) =>
    nodes.forEach((node, i) => Object.assign(node, { to: [narrow.at[i][0] * share, narrow.at[i][1]], claim: claims?.get(node) ?? null }));
  let width = narrow.width * widened(narrow, size, tree.unit);
  if (narrow.width <= room) place(width / narrow.width);
  else {
    const wide = (text) => measured(tree, text);
    const short = new Map(nodes.map((node) => [node, briefly(node, wide)]));
    // What a leaf is taken for stands under it also where the leaf is a mark.
    const tags = new Map(nodes.filter(({ asks, card }) => !asks && card?.tag).map((node) => [node, wide(node.card.tag.split(": ").at(-1)) + 8]));
    width = room;
    const holds = (need, claims) => {
      place(room / narrow.width, claims);
      roomy(nodes, { ...narrow, width });
      return need.size > 0 && [...need].every(([node, long]) => node.room >= long);
    };
    if (!holds(short, short) && !holds(tags)) {
      place(1);
      width = leaning(nodes, narrow.width, room, ...matters(tree, short, [...tags]));
    }
  }
  for (const [alone, next] of tree.levels) if (!next) alone.to[0] = Math.max(alone.w / 2, Math.min(width - alone.w / 2, alone.to[0]));
  const height = sinking(tree.levels, narrow.height, (size.height - 2 * EDGE) / tree.unit, tree.shown.get(tree.current)?.level ?? 0);
  tree.whole = { ...tree.whole, width, height };
  tree.levels = roomy(nodes, tree.whole);
}

/** What matters in a tree, with the width that it would keep, and how much of it is the way to the chosen node. */
function matters({ nodes, levels, path, current, shown }, short, tags) {
  const beside = nodes.filter(({ level }) => levels[level].length > 1);
  const way = beside.filter(({ id }) => path.has(id)).reverse();
  const after = beside.filter(({ parent }) => parent === current && shown.get(parent).kids.length <= MOST_AFTER);
  const alike = (one, other) => other.asks - one.asks || other.rows - one.rows || one.level - other.level;
  const kinds = (some) =>
    [...some].sort(alike).reduce((groups, node) => {
      if (groups.length && !alike(groups.at(-1)[0], node)) groups.at(-1).push(node);
      else groups.push([node]);
      return groups;
    }, []);
  const groups = [...kinds(after), ...kinds(beside)];
  const whole = (node) => [node, node.w];
  const brief = (node) => [node, short.get(node)];
  return [[...way.map((node) => [whole(node)]), tags, ...groups.map((group) => group.map(brief)), ...groups.map((group) => group.map(whole))], way.length];
}

/** In another font, such as the page's own once a tree has come into it, all words have other widths. */
function forgetWidths(tree, family) {
  tree.family = family;
  tree.words.clear();
  for (const node of tree.all.values()) node.phrases = null;
}

const scalesAt = (tree, k) => scales(k, fits(tree.whole, tree.size, tree.unit), tree.unit);

const contentAt = (tree, k) => {
  const { sx, sy } = scalesAt(tree, k);
  return { width: tree.whole.width * sx, height: tree.whole.height * sy };
};

/** Where a node is seen in the box. */
function seenAt(tree, id) {
  const node = tree.shown?.get(id);
  if (!node?.at) return null;
  const { sx, sy } = scalesAt(tree, tree.camera.k);
  return { id, x: tree.camera.x + node.at[0] * sx, y: tree.camera.y + node.at[1] * sy };
}

// ---- the camera ----------------------------------------------------------------------------------

/** The camera that shows all of a tree; before a class one that goes no further stands in the middle of its box. */
const wholly = (tree) => fitted(tree.whole, tree.size, tree.unit, tree.isRoom && !tree.box.closest(".works"));

/** The camera that leaves a node where it was seen, if all that fits is still seen so; else that for all. */
function settle(tree, before) {
  const all = wholly(tree);
  const stays = before && anchored(tree, before);
  if (tree.zoom !== "fit") return fly(tree, stays ?? tree.camera, stays && before);
  const content = contentAt(tree, tree.camera.k);
  const isWhole = stays && stays.x >= -1 && stays.y >= -1 && stays.x + content.width <= tree.size.width + 1 && stays.y + content.height <= tree.size.height + 1;
  const isLarge = all.k <= tree.camera.k * 1.15;
  return isWhole && isLarge ? fly(tree, stays, before) : fly(tree, all);
}

/** The camera of the same size in which a node that moves stays where it was seen. */
function anchored(tree, { id, x, y }, at = tree.shown.get(id)?.to) {
  if (!at) return null;
  const { sx, sy } = scalesAt(tree, tree.camera.k);
  return { k: tree.camera.k, x: x - at[0] * sx, y: y - at[1] * sy };
}

/** Move everything from where it is seen to where it belongs, and the camera with it. */
function fly(tree, goal, held = null) {
  cancelAnimationFrame(tree.motion);
  const still = isStill(tree);
  const from = { ...tree.camera };
  const starts = tree.nodes.map(({ at, to }) => at ?? to);
  const isMoved = tree.nodes.some(({ at, to }) => !at || at[0] !== to[0] || at[1] !== to[1]);
  const isTurned = Math.abs(Math.log(goal.k / from.k)) > 1e-6 || Math.hypot(goal.x - from.x, goal.y - from.y) > 0.5;
  tree.goal = goal;
  let begin = performance.now();
  let frames = 0;
  const step = (now) => {
    // A large change takes a while to be drawn: time counts from the first frame after it.
    if (frames++ === 1) begin = now;
    const t = still || !(isMoved || isTurned) ? 1 : Math.min(1, Math.max(0, (now - begin) / GLIDE));
    const eased = 1 - (1 - t) ** 3;
    tree.nodes.forEach((node, i) => {
      node.at = t < 1 ? starts[i].map((a, j) => a + (node.to[j] - a) * eased) : node.to;
    });
    const camera = between(from, goal, eased);
    if (t < 1) tree.motion = requestAnimationFrame(step); // before the rows ask for theirs
    else tree.goal = null;
    look(tree, t < 1 && held ? anchored(tree, held, tree.shown.get(held.id).at) : t < 1 ? camera : goal);
  };
  step(begin);
}

/** See what a camera sees, with every node where it belongs. */
function jump(tree, camera) {
  cancelAnimationFrame(tree.motion);
  tree.goal = null;
  for (const node of tree.nodes) node.at = node.to;
  look(tree, camera);
}

/** See the tree at another size; `at`, a point of the box, or else the chosen node, stays in its place. */
function zoomTo(tree, wanted, at = null, glides = true) {
  const from = tree.goal ?? tree.camera;
  const least = fits(tree.whole, tree.size, tree.unit).k;
  const k = within(wanted, least);
  const [before, after] = [scalesAt(tree, from.k), scalesAt(tree, k)];
  const node = tree.shown.get(at ? nodeAt(tree, at) : tree.current) ?? tree.nodes[0];
  const hit = at && !node ? { x: (at.x - from.x) / before.sx, y: (at.y - from.y) / before.sy } : null;
  const place = hit ?? { x: node.to[0], y: node.to[1] };
  tree.zoom = k > least * 1.001 ? k : "fit";
  const goal = tree.zoom === "fit" ? wholly(tree) : zoomed(from, k, place, before, after);
  if (glides) fly(tree, goal);
  else {
    cancelAnimationFrame(tree.motion);
    tree.goal = null;
    for (const node of tree.nodes) node.at = node.to;
    soon(tree, goal);
  }
  tree.onZoom();
}

/** Draw once in a frame, however many events there are; where the box has scrolled, it is left to do so. */
function soon(tree, camera, isScrolled = false) {
  tree.camera = camera;
  tree.scrolls = isScrolled && (tree.scrolls ?? true);
  tree.pending ??= requestAnimationFrame(() => {
    look(tree, tree.camera, tree.scrolls);
    tree.pending = tree.scrolls = null;
  });
}

function pan(tree, dx, dy) {
  if (!tree.view) return;
  cancelAnimationFrame(tree.motion);
  tree.goal = null;
  look(tree, panned(tree.camera, dx, dy, contentAt(tree, tree.camera.k), tree.size));
}

function lookAt(tree, x, y) {
  const { width, height } = contentAt(tree, tree.camera.k);
  pan(tree, tree.size.width / 2 - x * width - tree.camera.x, tree.size.height / 2 - y * height - tree.camera.y);
}

function bringIntoView(tree) {
  const node = tree.shown?.get(tree.current);
  if (!node || tree.zoom === "fit") return;
  const camera = tree.goal ?? tree.camera;
  const { sx, sy } = scalesAt(tree, camera.k);
  const { w, h } = formOf(node, { sx, sy, unit: tree.unit }, (text) => measured(tree, text));
  const margin = 24;
  const dx = nudge(camera.x + node.to[0] * sx - (w * tree.unit) / 2, w * tree.unit, tree.size.width, margin);
  const dy = nudge(camera.y + node.to[1] * sy, h * tree.unit, tree.size.height, margin);
  if (dx || dy) fly(tree, { ...camera, x: camera.x + dx, y: camera.y + dy });
}

function resized(tree) {
  const { size: { width, height }, family } = tree;
  const [before, was] = [seenAt(tree, tree.current), tree.shown];
  measureBox(tree);
  if (fan(tree)) {
    arrange(tree);
    sendRows(tree, was);
  }
  if (width === tree.size.width && height === tree.size.height && family === tree.family) return;
  if (tree.zoom === "fit") jump(tree, wholly(tree));
  else jump(tree, (before && anchored(tree, before)) ?? tree.camera);
}

/** The box was scrolled: by the wheel, by a finger, or to what got the focus. */
function scrolled(tree) {
  if (!tree.view || (tree.box.scrollLeft === tree.scroll?.[0] && tree.box.scrollTop === tree.scroll?.[1])) return;
  tree.scroll = [tree.box.scrollLeft, tree.box.scrollTop];
  const camera = { ...tree.camera, x: tree.origin[0] - tree.scroll[0], y: tree.origin[1] - tree.scroll[1] };
  cancelAnimationFrame(tree.motion);
  tree.goal = null;
  soon(tree, camera, true);
}

// ---- drawing -------------------------------------------------------------------------------------

/** Draw what a camera sees; `isThere` if the box shows it already. */
function look(tree, camera, isThere = false) {
  tree.camera = camera;
  const { whole, size, unit } = tree;
  const seen = { ...scalesAt(tree, camera.k), unit, isRoom: tree.isRoom };
  const content = { width: whole.width * seen.sx, height: whole.height * seen.sy };
  if (!isThere) place(tree, camera, content);
  // What is in view, with as much around it as a quick hand scrolls to before the next frame.
  const [left, top] = [-camera.x - size.width / 2, -camera.y - size.height / 2];
  const view = { left, top, right: left + 2 * size.width, bottom: top + 2 * size.height };
  drawNodes(tree, seen, view);
  placeRows(tree, seen);
  drawNumbers(tree);
  const end = tree.goal ?? camera;
  updateOverview(tree.overview, { ...tree, content, box: size, world: whole, rest: { ...end, ...contentAt(tree, end.k) } });
}

/** Have the box show the stretch that a camera sees. */
function place(tree, camera, content) {
  const { box, size } = tree;
  const [across, down] = [placed(camera.x, content.width, size.width), placed(camera.y, content.height, size.height)];
  tree.origin = [across.origin, down.origin];
  set(tree.svg, { width: across.inner, height: down.inner });
  set(tree.world, { transform: `translate(${across.origin} ${down.origin})` });
  // It is not asked where it is: for an answer the page would be laid out.
  const [left, top] = tree.scroll ?? [0, 0];
  if (left !== across.scroll) box.scrollLeft = across.scroll;
  if (top !== down.scroll) box.scrollTop = down.scroll;
  tree.scroll = [across.scroll, down.scroll];
}

// ---- by hand and by key --------------------------------------------------------------------------

/** The node that is at a point of the box, or near it. */
function nodeAt(tree, { x, y }) {
  const reach = 14;
  const { camera, unit } = tree;
  let [found, least] = [null, reach];
  for (const { id, px, py, as } of tree.nodes) {
    const [dx, dy] = [x - camera.x - px, y - camera.y - py];
    const aside = Math.hypot(Math.max(0, Math.abs(dx) - (as.w * unit) / 2), Math.max(0, -dy, dy - as.h * unit));
    if (aside < least) [found, least] = [id, aside];
  }
  return found;
}

function clicked(tree, event) {
  const sign = event.target.closest(".dtl-fold, .dtl-fan");
  const at = event.target.closest(".dtl-tree [data-id]")?.dataset.id;
  if (sign) return fold(tree, at, !tree.folded.has(at));
  const { left, top } = tree.box.getBoundingClientRect();
  const id = at ?? nodeAt(tree, { x: event.clientX - left, y: event.clientY - top });
  if (tree.cards.keyed.has(id)) return go(tree, id);
  if (id === null) return null;
  tree.awaited = id;
  return tree.onSelect(id);
}

/** Fold the branches of a node, or unfold them. */
function fold(tree, id, folds) {
  const node = tree.all.get(id);
  if (!node?.kids.length || folds === tree.folded.has(id)) return;
  const [before, was] = [seenAt(tree, id), tree.shown];
  tree.fans.delete(id);
  tree[folds ? "folded" : "opened"].add(id);
  tree[folds ? "opened" : "folded"].delete(id);
  arrange(tree);
  sendRows(tree, was);
  for (const one of tree.nodes) one.at ??= node.at;
  if (!tree.shown.has(tree.current)) go(tree, id);
  settle(tree, before);
}

/** The chosen node is always to be seen. Whether anything was folded above it. */
function unfoldTo(tree, id) {
  let found = false;
  for (let at = tree.all.get(id)?.parent; at; at = tree.all.get(at)?.parent) found = tree.folded.delete(at) || found;
  return found;
}

const CAMERA = { "+": 1, "=": 1, "-": -1, _: -1 };

function walkByKey(tree, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { current, walked: cards } = tree;
  const { key } = event;
  const opens = key === "ArrowRight" && tree.folded.has(current);
  let target = event.shiftKey || opens ? null : keyTarget(cards, current, key);
  if (key in CAMERA) zoomBy(tree, CAMERA[key]);
  else if (key === "0") setZoom(tree, "fit");
  else if (opens || (event.shiftKey && key.startsWith("Arrow"))) fold(tree, current, key === "ArrowLeft" || key === "ArrowUp");
  else if (key === "Enter" || key === " ") tree.onChoose(current);
  else if (target === null && key.length === 1) {
    // Letters typed in quick succession are one word.
    const quick = event.timeStamp - (tree.typedAt ?? -Infinity) < 700;
    tree.typed = quick ? tree.typed + key : key;
    tree.typedAt = event.timeStamp;
    target = typedTarget(cards, current, tree.typed);
  } else if (target === null) return;
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

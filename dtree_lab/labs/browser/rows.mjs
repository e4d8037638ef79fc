// Rows as marks in a tree. Each lies in the pile of the node where it rests; when the tree changes it goes
// there from wherever it is, along the branches: first one sees which, then where to. Where motion is not
// wanted, numbers at the branches say how many went. The ways themselves are piles.mjs.
import { keyed, make, onChange, set, setText } from "./dom.mjs";
import { plural } from "./numbers.mjs";
import { above, branches, isWithin, onTheWay, slot, traced } from "./piles.mjs";
import { branchEnds, measured } from "./treedraw.mjs";
import { bottomOf } from "./treescene.mjs";

// In milliseconds: how long the rows that will go are lifted, by how much they leave one after the other,
// how long each is on its way, and how long a pile takes to close its gaps.
const LIFT = 150;
const SPREAD = 220;
const FLIGHT = 430;
const SETTLE = 300;
const LARGER = 1.35;
// A mark of a class that the tree does not know, and half the size of marks that lie nowhere.
const UNKNOWN = "M-.8,0a.8,.8 0 1,0 1.6,0a.8,.8 0 1,0 -1.6,0z";
const LOOSE = 3;

export function createRows() {
  const layer = (name) => make("g", { class: name, "aria-hidden": "true" });
  return {
    ...{ layer: layer("dtl-rows"), numbers: layer("dtl-row-numbers"), said: make("p", { class: "dtl-rows-said", hidden: "" }) },
    ...{ all: [], flying: 0, ghosts: new Map(), gone: new Map(), seen: null, clock: { begin: 0, frames: 0 } },
  };
}

/** Motion is wanted, and to be seen. */
export const isStill = ({ box }) => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches || !box.isConnected;

/** Send each row to where the view has it. `was` are the nodes as they stood, by their ids; null at first. */
export function sendRows(tree, was) {
  const { rows, view, all, shown, classes } = tree;
  furnish(rows, view.marks, classes);
  for (const node of tree.nodes) Object.assign(node, { held: null, size: view.marks?.r });
  if (!view.marks) return;
  const ids = [...all.keys()];
  const { at } = view.marks;
  const moved = [];
  for (const mark of rows.all) {
    const code = at.slice(2 * mark.nth, 2 * mark.nth + 2);
    let id = ids[parseInt(code, 36)] ?? null;
    while (id !== null && !shown.has(id)) id = above(id);
    if (id !== null) mark.slot = (shown.get(id).held ??= [0, 0])[mark.table]++;
    if (was && mark.to && id && mark.to !== id) moved.push([mark, id]);
    else if (was) stay(mark, was);
    if (mark.to === id || !mark.to || !id) mark.to = id;
  }
  rows.goes = moved.length > 0;
  rows.clock = { begin: performance.now(), frames: 0 };
  if (was && !isStill(tree)) take(tree, moved, was);
  else if (moved.length) count(tree, moved, was);
  for (const [mark, id] of moved) mark.to = id;
}

/** The marks themselves, in the order in which they lie: those of the lab's table, by class, then by row. */
function furnish(rows, marks, classes) {
  const { each = 1, n = [0, 0], cls = "", said = "" } = marks ?? {};
  setText(rows.said, said);
  rows.said.hidden = !said;
  onChange(rows.layer, [each, n, cls, classes], () => {
    const wide = cls.length / Math.max(1, n[0] + n[1]);
    const told = Array.from({ length: n[0] + n[1] }, (_, nth) => {
      const table = nth < n[0] ? 0 : 1;
      return { nth, table, key: table ? n[0] - 1 - nth : nth, cls: parseInt(cls.slice(wide * nth, wide * (nth + 1)), 36) };
    });
    told.sort((a, b) => a.table - b.table || a.cls - b.cls || a.nth - b.nth);
    // Rows of another table come from nowhere, though they have the same numbers.
    const before = new Map(rows.all.map(({ key, el }) => [key, el]));
    rows.flying = 0;
    rows.gone.clear();
    rows.all = told.map((one) => ({ ...one, el: before.get(one.key), x: 0, y: 0, r: 0, to: null, isHidden: null }));
    keyed(rows.layer, rows.all, {
      key: ({ key }) => key,
      create: (mark) => (mark.el = make("path")),
      update: (el, mark) => {
        const kind = classes[mark.cls];
        set(el, { class: mark.table ? "dtl-row dtl-row-second" : "dtl-row", d: kind?.mark ?? UNKNOWN, "data-row": each === 1 ? mark.key : null });
        el.style.setProperty("--dtl-own", kind?.colour ?? "var(--dtl-line)");
      },
    });
  });
}

// ---- who goes where ------------------------------------------------------------------------------

/** A mark that stays keeps in mind where in its pile it lay. */
function stay(mark, was) {
  const node = was.get(mark.to);
  if (node && !mark.flight) mark.lay = [mark.x - node.px, mark.y - node.py];
}

/** Set marks on their way, one shortly after the other, from where they are. */
function take(tree, moved, was) {
  const { rows, shown } = tree;
  const { sx, sy } = rows.seen;
  rows.gone.clear();
  for (const [id, { px, py, as }] of was) if (!shown.has(id)) rows.ghosts.set(id, [px / sx, py / sy, as.h]);
  moved.forEach(([mark, id], i) => {
    const { flight, to } = mark;
    let from = to;
    if (flight?.on) from = isWithin(id, flight.on.id) ? flight.on.id : above(flight.on.id);
    else if (flight?.early) from = flight.from;
    const node = !flight && shown.has(to) ? was.get(to) : null;
    const start = node ? { id: to, dx: mark.x - node.px, dy: mark.y - node.py } : { x: mark.x / sx, y: mark.y / sy };
    // Who is on the way already is not lifted again.
    const wait = (flight ? 0 : LIFT) + (SPREAD * i) / Math.max(1, moved.length - 1);
    depart(rows, mark, { start, from, legs: branches(from, id), wait: flight && !flight.early ? 0 : wait, long: FLIGHT, r: mark.r });
    set(mark.el, { class: `${mark.table ? "dtl-row dtl-row-second" : "dtl-row"} dtl-row-goes` });
    mark.lay = null;
  });
}

function depart(rows, mark, flight) {
  if (!mark.flight) rows.flying++;
  mark.flight = { ...flight, clock: rows.clock, on: null, early: true };
}

function arrive(rows, mark) {
  rows.flying--;
  if (mark.flight.legs.length) set(mark.el, { class: mark.table ? "dtl-row dtl-row-second" : "dtl-row" });
  mark.flight = null;
  if (!rows.flying) rows.ghosts.clear();
}

/**
 * How many went over each branch, or came back up to a node whose branches are gone. Where a question stands in the
 * place of another its branches are not those of before, and no number says who went from which to which.
 */
function count({ rows, shown }, moved, was) {
  rows.gone = new Map();
  for (const mark of rows.all) if (mark.flight) arrive(rows, mark);
  const add = (key, i) => {
    if (!rows.gone.has(key)) rows.gone.set(key, [0, 0]);
    rows.gone.get(key)[i]++;
  };
  for (const [{ to }, id] of moved) {
    const way = branches(to, id);
    const turn = above((way.findLast(({ up }) => up) ?? way[0]).id);
    const [before, now] = [was.get(turn), shown.get(turn)];
    if (before?.asks && now?.asks && String(before.title) !== String(now.title)) continue;
    for (const { id: end, up } of way) if (shown.has(end)) add(end, up ? 1 : 0);
    if (way.every(({ id: end, up }) => up && !shown.has(end))) add(`at ${id}`, 1);
  }
}

// ---- frame by frame ------------------------------------------------------------------------------

/** Place all marks, the nodes being where they are seen, at `sx` and `sy` pixels for a unit. */
export function placeRows(tree, seen = tree.rows.seen) {
  const { rows, shown, unit } = tree;
  rows.seen = seen;
  const now = performance.now();
  // A large change takes a while to be drawn: time counts from the first frame after it.
  if (rows.clock.frames++ === 1) rows.clock.begin = now;
  const frame = { now, lines: new Map() };
  for (const mark of rows.all) {
    const node = shown.get(mark.to);
    if (!node) {
      if (mark.flight) arrive(rows, mark);
      show(mark, 0, 0, 0);
      continue;
    }
    const { pile } = node.as;
    const [dx, dy] = pile ? slot(pile, mark.table, mark.slot) : [0, node.as.h / 2];
    const rest = { dx: pile ? (pile.x + dx) * unit : 0, dy: (pile ? pile.y + dy : dy) * unit, r: pile ? pile.r * unit : 0 };
    shift(tree, mark, rest);
    if (mark.flight) fly(tree, mark, node, rest, frame);
    else show(mark, node.px + rest.dx, node.py + rest.dy, rest.r);
  }
  rows.goes = false;
  rows.placed = document.timeline.currentTime;
  run(tree);
}

/** A mark whose pile has changed around it goes to its new place there. */
function shift(tree, mark, rest) {
  const { lay } = mark;
  if (!lay) return;
  mark.lay = null;
  if (mark.isHidden || !rest.r || isStill(tree) || Math.hypot(rest.dx - lay[0], rest.dy - lay[1]) < 0.5) return;
  const start = { id: mark.to, dx: lay[0], dy: lay[1] };
  depart(tree.rows, mark, { start, from: mark.to, legs: [], wait: tree.rows.goes ? LIFT : 0, long: SETTLE, r: mark.r });
}

function fly(tree, mark, node, rest, { now, lines }) {
  const { rows, shown, unit } = tree;
  const { flight } = mark;
  const { start, legs } = flight;
  const { sx, sy } = rows.seen;
  const home = shown.get(start.id);
  const from = home ? [home.px + start.dx, home.py + start.dy] : start.id ? [mark.x, mark.y] : [start.x * sx, start.y * sy];
  const to = [node.px + rest.dx, node.py + rest.dy];
  const t = now - flight.clock.begin;
  const share = Math.min(1, Math.max(0, (t - flight.wait) / flight.long));
  if (share === 1) {
    arrive(rows, mark);
    return show(mark, ...to, rest.r);
  }
  const lifted = legs.length ? Math.min(1, t / LIFT) : 0;
  const first = flight.r || rest.r || LOOSE * unit;
  const r = (first + ((rest.r || first) - first) * share) * (1 + (LARGER - 1) * lifted * (1 - share));
  if (!share) return show(mark, ...from, r);
  const eased = share < 0.5 ? 4 * share ** 3 : 1 - 4 * (1 - share) ** 3;
  const way = legs.map(({ id, up }) => ({ up, line: lineOf(tree, id, lines) }));
  const { at, leg } = onTheWay(from, way, to, eased);
  flight.on = legs[leg] ?? null;
  flight.early = leg < 0;
  // On a branch they go side by side.
  const lane = legs.length ? (((mark.nth * 7) % 5) - 2) * Math.max(1, 0.5 * first) * Math.sin(Math.PI * eased) : 0;
  return show(mark, at[0] + lane, at[1], r);
}

/** The branch to a node, also to one that is gone, as it was. */
function lineOf(tree, id, lines) {
  if (!lines.has(id)) {
    const { shown, unit, rows } = tree;
    const [node, parent] = [shown.get(id), shown.get(above(id))];
    const [x, y] = node ? [node.px, node.py] : ghost(rows, id);
    const [px, py, h] = parent ? [parent.px, parent.py, bottomOf(parent.as)] : ghost(rows, above(id));
    const ends = node && parent ? branchEnds(node, parent, unit) : [px, py + h * unit, x, y, 24 * unit];
    lines.set(id, traced(ends, y));
  }
  return lines.get(id);
}

function ghost({ ghosts, seen }, id) {
  const [x, y, h] = ghosts.get(id) ?? [0, 0, 0];
  return [x * seen.sx, y * seen.sy, h];
}

/** Bring a mark to a place; of no size it is not seen. */
function show(mark, x, y, r) {
  const isHidden = r === 0;
  if (isHidden !== mark.isHidden) set(mark.el, { visibility: isHidden ? "hidden" : null });
  mark.isHidden = isHidden;
  const isThere = Math.abs(x - mark.x) < 0.05 && Math.abs(y - mark.y) < 0.05 && Math.abs(r - mark.r) < 0.01;
  if (isThere) return;
  Object.assign(mark, { x, y, r });
  if (!isHidden) mark.el.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${r.toFixed(2)})`);
}

/** As long as any are on their way: once in a frame, be it with the camera or without. */
function run(tree) {
  const { rows } = tree;
  if (!rows.flying || rows.ticking) return;
  rows.ticking = requestAnimationFrame(() => {
    rows.ticking = null;
    if (rows.placed === document.timeline.currentTime) run(tree);
    else placeRows(tree);
  });
}

// ---- in numbers ----------------------------------------------------------------------------------

/** How many rows went where, at the branches, where nobody saw them go. */
export function drawNumbers(tree) {
  const { rows, shown, unit, view } = tree;
  const told = [...rows.gone].flatMap(([key, went]) => {
    const id = key.replace("at ", "");
    const node = shown.get(id);
    if (!node) return [];
    // Where there is little room, the arrow alone says that rows went.
    for (const said of [(n) => plural(n, "row"), (n) => n.toLocaleString("en")]) {
      const text = ["\u2193", "\u2191"].flatMap((sign, i) => (went[i] ? `${sign} ${said(went[i] * view.marks.each)}` : [])).join(" ");
      const place = placeOf(tree, node, id === key, measured(tree, text) * unit + 10);
      if (place) return [{ key, text, place }];
    }
    return [];
  });
  keyed(rows.numbers, told, {
    key: ({ key }) => key,
    create: () => make("text", { class: "dtl-went" }),
    update: (one, { text, place: [x, y, anchor] }) => {
      set(one, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${unit.toFixed(3)})`, "text-anchor": anchor });
      setText(one, text);
    },
  });
}

/** Beside the end of a branch, on its outer side; or beneath a node whose branches are gone. */
function placeOf({ shown, rows, unit }, node, isBranch, wide) {
  const room = node.room * rows.seen.sx;
  if (!isBranch) return wide <= room ? [node.px, node.py + (bottomOf(node.as) + 13) * unit, "middle"] : null;
  const [x1, y1, x2, y2] = branchEnds(node, shown.get(node.parent), unit);
  if (y2 - y1 < 17 * unit || 2 * wide > room) return null;
  return x2 < x1 - 1 ? [x2 - 6 * unit, y2 - 2 * unit, "end"] : [x2 + 6 * unit, y2 - 2 * unit, "start"];
}

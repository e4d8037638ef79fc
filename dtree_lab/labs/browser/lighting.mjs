// One row lit in every part of a lab: where it is pointed at or tapped, or has the focus; and an area of rows, by
// a rectangle drawn over a figure or a stretch of it by Shift and the arrow keys. Rows are known by `data-row`.
import { focusWithin, make, set, setText } from "./dom.mjs";
import { numberText, plural } from "./numbers.mjs";

// How far from a mark a pointer means it; what moves less is no drag; when what is lit is read aloud.
const NEAR = { mouse: 10, pen: 12, touch: 20 };
const DRAG = 4;
const REST = 700;
// So many values of a row are told.
const MOST = 9;

// ---- in words ------------------------------------------------------------------------------------

const placeOf = (rows, row) => (rows?.keys ? rows.keys.indexOf(row) : row);

/** A row's value in a column, by the words of `row_words`. */
function cellOf(rows, column, row) {
  const at = placeOf(rows, row);
  const [texts, cells] = rows.columns[column];
  const cell = cells[at];
  return texts ? (texts[cell] ?? "missing") : cell === null ? "missing" : numberText(cell);
}

const isTold = (rows, row) => Boolean(rows) && row >= 0 && placeOf(rows, row) in rows.columns[0][1];

/** A row and its values in a line: "Row 7: Refund = Yes, Cheat = No"; null where they are not known. */
export function rowText(rows, row) {
  if (!isTold(rows, row)) return null;
  const number = rows.numbers?.[placeOf(rows, row)] ?? row + 1;
  const values = rows.names.map((name, i) => `${name} = ${cellOf(rows, i, row)}`);
  // The class comes last; of many values it is told with the first.
  if (values.length > MOST) values.splice(MOST - 1, values.length - MOST, "…");
  return `${rows.word ?? "Row"} ${number}: ${values.join(", ")}`;
}

/** A row's class by its name, or null. */
export const classOf = (rows, row) => (isTold(rows, row) ? cellOf(rows, rows.names.length - 1, row) : null);

/** How many rows there are, and of which classes: "12 rows: 7 No, 5 Yes". */
export function countText(names, of, word = "row") {
  const counts = new Map(of.map((name) => [name, 0]));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const each = [...counts].filter(([name, count]) => name !== null && count).map(([name, count]) => `${count.toLocaleString("en")} ${name}`);
  const all = plural(names.length, word);
  return each.length ? `${all}: ${each.join(", ")}` : all;
}

/** A row's way down a tree: "Refund = No → Taxable Income < 80 → Cheat = No (right)". */
export function wayText(nodes, truth) {
  if (nodes.length < 2) return ""; // a tree of a leaf has no ways
  const steps = nodes.slice(1).map(({ word }) => (word ? `${word.attribute} ${word.op} ${word.value}` : "…"));
  const last = nodes.at(-1);
  if (last?.asks !== false) return steps.join(" → ");
  const answer = last.card?.full ?? last.title?.join(" ") ?? "…";
  const verdict = truth === null || !last.name ? "" : last.name === truth ? " (right)" : " (wrong)";
  return [...steps, answer + verdict].join(" → ");
}

// ---- the light -----------------------------------------------------------------------------------

/** Have the rows of a lab be lit. */
export function createLight(ui) {
  const { root } = ui;
  const words = make("p", { class: "dtl-row-words", hidden: "" });
  const live = make("p", { class: "dtl-unseen", "aria-live": "polite" });
  ui.light = { words, live, kept: [], hover: [], from: "", marked: new Set(), elements: null, spots: new Map() };
  ui.wrong.append(words, live);
  root.addEventListener("pointermove", (event) => hovered(ui, event));
  root.addEventListener("pointerleave", () => hover(ui, []));
  root.addEventListener("pointerdown", (event) => pressed(ui, event));
  root.addEventListener("focusin", ({ target }) => {
    const row = target.closest("[data-row]");
    if (row) keep(ui, [Number(row.dataset.row)], "focus");
    else if (ui.light.from === "focus") keep(ui, []);
  });
  root.addEventListener("focusout", ({ relatedTarget }) => {
    if (ui.light.from === "focus" && !root.contains(relatedTarget)) keep(ui, []);
  });
}

/** After each redraw: marks may be new, and what was lit may be gone. */
export function relight(ui, { status }) {
  const { light } = ui;
  light.elements = null;
  light.spots.clear();
  for (const part of ui.root.querySelectorAll(".dtl-part-picture")) updateSteps(ui, part);
  light.kept = light.kept.filter((row) => elements(ui).has(row));
  // What the last action did is to be read.
  if (light.status !== status) light.quiet = true;
  light.status = status;
  if (light.kept.length || light.hover.length || light.marked.size) show(ui);
}

export function putOut(ui) {
  hover(ui, []);
  keep(ui, []);
}

function keep(ui, rows, from = "") {
  Object.assign(ui.light, { kept: rows, from, quiet: false });
  show(ui);
}

function hover(ui, rows) {
  if (rows.length === ui.light.hover.length && rows.every((row, i) => row === ui.light.hover[i])) return;
  Object.assign(ui.light, { hover: rows, quiet: false });
  show(ui);
}

/** All that stands for each row. */
function elements(ui) {
  if (ui.light.elements) return ui.light.elements;
  const found = (ui.light.elements = new Map());
  for (const one of ui.root.querySelectorAll("[data-row]")) {
    const row = Number(one.dataset.row);
    if (!found.has(row)) found.set(row, []);
    found.get(row).push(one);
  }
  return found;
}

function show(ui) {
  const { light } = ui;
  const rows = light.hover.length ? light.hover : light.kept;
  const lit = new Set(rows.flatMap((row) => elements(ui).get(row) ?? []));
  // By an attribute: whoever draws a mark writes its class anew.
  for (const one of light.marked) if (!lit.has(one)) one.removeAttribute("data-lit");
  for (const one of lit) set(one, { "data-lit": 1 });
  light.marked = lit;
  ui.root.classList.toggle("dtl-lights", rows.length > 0);
  const trees = [...ui.root.querySelectorAll(".dtl-part-tree")].map(({ tree }) => tree);
  for (const tree of trees) lightWays(tree, rows);
  lightCuts(ui, rows);
  const said = rows.length ? told(ui, rows, trees) : ["", ""];
  const text = said.filter(Boolean).join(". ");
  setText(light.words, light.from === "steps" && rows.length === 1 ? `${text} (← →: the next; with Shift: more)` : text);
  light.words.hidden = !rows.length || light.quiet;
  clearTimeout(light.waiting);
  // A row of a table is read as it gets the focus; a slider tells its value itself.
  const aloud = light.from === "steps" ? "" : focusWithin(ui.root)?.matches("tr[data-lit]") ? said[1] : text;
  light.text = text;
  light.waiting = setTimeout(() => setText(light.live, aloud), REST);
}

/** What is said of rows: of one its values and its way, of several how many there are of each class. */
function told(ui, rows, trees) {
  const { view } = ui;
  const tree = trees.find((one) => wayOf(one, rows[0]));
  if (rows.length > 1) {
    const some = countText(rows.map((row) => nameOf(ui, row)), view.classes.map(({ name }) => name), view.rows?.word?.toLowerCase());
    return [some, tree ? "On each branch: how many of them take it" : ""];
  }
  const [row] = rows;
  const text = rowText(view.rows, row) ?? lineText(ui, row) ?? `${nameOf(ui, row) ?? "A row"}`;
  return [text, tree ? wayText(wayOf(tree, row).map((id) => tree.all.get(id)).filter(Boolean), nameOf(ui, row)) : ""];
}

/** A row's class by its name: as it is told, or by its mark in a figure. */
function nameOf({ view, light }, row) {
  const name = classOf(view.rows, row);
  if (name !== null) return name;
  const mark = light.elements.get(row)?.find(({ cls }) => cls !== undefined);
  return view.classes[mark?.cls]?.name ?? null;
}

/** A row as a table has it. */
function lineText(ui, row) {
  const line = elements(ui).get(row)?.find((one) => one.localName === "tr");
  if (!line) return null;
  const { head, rows } = line.closest(".dtl-part").given;
  const [name, ...cells] = rows[[...line.parentNode.children].indexOf(line)];
  const values = cells.map((cell, i) => (head[i + 1] ? `${head[i + 1]} = ${cell}` : cell));
  // Most tables tell a row by its number alone.
  return `${/^\d/.test(name) ? `Row ${name}` : name}: ${values.join(", ")}`;
}

// ---- in trees and on the axes of cuts ------------------------------------------------------------

const ids = new WeakMap(); // of the nodes of a tree, in their order

/** The nodes that a row comes to, from the first to the one where it rests; null where that is not told. */
export function wayOf({ view, all }, row) {
  const { each, n, at } = view?.marks ?? {};
  const mark = row < 0 ? n?.[0] - 1 - row : row;
  if (each !== 1 || !(mark < at.length / 2) || (row >= 0 && row >= n[0])) return null;
  if (!ids.has(all)) ids.set(all, [...all.keys()]);
  const way = [];
  for (let id = ids.get(all)[parseInt(at.slice(2 * mark, 2 * mark + 2), 36)]; all.has(id); id = all.get(id).parent) way.unshift(id);
  return way.length ? way : null;
}

function lightWays(tree, rows) {
  const counts = new Map();
  for (const row of rows) for (const id of wayOf(tree, row) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [id, card] of tree.cards.keyed ?? []) set(card, { "data-lit": counts.get(id) ?? null });
  for (const [id, branch] of tree.edges.keyed ?? []) {
    set(branch, { "data-lit": counts.get(id) ?? null });
    branch.count ??= make("tspan", { class: "dtl-lit-count" });
    setText(branch.count, `: ${counts.get(id)}`);
    if (rows.length > 1 && counts.has(id)) branch.lastElementChild.append(branch.count);
    else branch.count.remove();
  }
}

const cutsIn = (ui) => [...ui.root.querySelectorAll(".dtl-questions > .dtl-bar")].filter(({ cut }) => cut && !cut.box.hidden);

/** Whether a row comes to the node that is asked about. */
function comesTo(ui, row, about) {
  return about === "root" || Boolean(ui.tree && wayOf(ui.tree, row)?.includes(about));
}

function lightCuts(ui, rows) {
  const told = ui.view?.rows;
  for (const { bar, cut } of cutsIn(ui)) {
    const { about } = cut.box.closest(".dtl-part");
    const here = told && bar.attribute < told.names.length - 1 ? rows.filter((row) => isTold(told, row) && comesTo(ui, row, about)) : [];
    cut.light(here.map((row) => [told.columns[bar.attribute][1][placeOf(told, row)], classOf(told, row)]));
  }
}

/** The rows at a value of a cut's axis. */
function rowsOnAxis(ui, box, at) {
  const told = ui.view.rows;
  const { bar, cut } = box.closest(".dtl-bar");
  const spot = cut.spots && nearest(cut.spots, at, NEAR.mouse);
  if (!spot || !told || bar.attribute >= told.names.length - 1) return [];
  const { about } = box.closest(".dtl-part");
  const [, cells] = told.columns[bar.attribute];
  return cells.flatMap((x, row) => (x === spot.value && classOf(told, row) === spot.name && comesTo(ui, row, about) ? [row] : []));
}

// ---- by hand -------------------------------------------------------------------------------------

/** Where the marks of a figure's rows are in it; found once after each redraw. */
function spotsOf(ui, plot) {
  const box = plot.getBoundingClientRect();
  const known = ui.light.spots.get(plot);
  if (known?.width === box.width && known.height === box.height) return known.spots;
  const spots = [...plot.querySelectorAll("[data-row]")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { row: Number(one.dataset.row), x: left + width / 2 - box.left, y: top + height / 2 - box.top };
  });
  ui.light.spots.set(plot, { width: box.width, height: box.height, spots });
  return spots;
}

/** The spot nearest to a point, within reach; null if there is none. */
export function nearest(spots, { x, y }, reach) {
  let [found, least] = [null, reach];
  for (const spot of spots) {
    const apart = Math.hypot(spot.x - x, spot.y - y);
    if (apart <= least) [found, least] = [spot, apart];
  }
  return found;
}

const placeIn = (box, { clientX, clientY }) => {
  const { left, top } = box.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

/** The rows that are pointed at. */
function rowsAt(ui, event) {
  const row = event.target.closest("[data-row]");
  if (row) return [Number(row.dataset.row)];
  const axis = event.target.closest(".dtl-axis-box");
  if (axis) return rowsOnAxis(ui, axis, placeIn(axis, event));
  const plot = event.target.closest(".dtl-plot-box")?.querySelector(".dtl-plot");
  const spot = plot && nearest(spotsOf(ui, plot), placeIn(plot, event), NEAR[event.pointerType] ?? NEAR.mouse);
  return spot ? [spot.row] : [];
}

function hovered(ui, event) {
  if (event.pointerType === "touch" || event.buttons || !ui.view) return;
  hover(ui, rowsAt(ui, event));
}

function pressed(ui, event) {
  if (event.button !== 0 || !ui.view) return;
  ui.brushed = false;
  const isTouch = event.pointerType === "touch";
  const plot = event.target.closest(".dtl-plot");
  // Where a drag moves a cut, Shift makes it draw a rectangle. A row of a table is lit by its focus.
  const isCut = event.target.closest(".dtl-axis-box") || (plot?.closest(".dtl-part").given.slider && !event.shiftKey);
  if ((isCut && !isTouch) || event.target.closest("tr")) return;
  const rows = rowsAt(ui, event);
  if (rows.length || plot) keep(ui, rows, rows.length ? "press" : "");
  if (!isTouch && plot?.querySelector("[data-row]")) brush(ui, plot, event);
}

/** Light what lies in the rectangle that is being drawn over a figure. */
function brush(ui, plot, begun) {
  const from = placeIn(plot, begun);
  const box = make("div", { class: "dtl-brush" });
  const { width: wide, height: high } = plot.getBoundingClientRect();
  const move = (event) => {
    const place = placeIn(plot, event);
    const to = { x: Math.min(wide, Math.max(0, place.x)), y: Math.min(high, Math.max(0, place.y)) };
    if (!ui.brushed && Math.hypot(to.x - from.x, to.y - from.y) < DRAG) return;
    if (!ui.brushed) {
      plot.setPointerCapture(begun.pointerId);
      plot.append(box);
      plot.closest(".dtl-part").steps.focus({ preventScroll: true }); // for what follows by key
      hover(ui, []);
    }
    ui.brushed = true;
    const [left, right] = [from.x, to.x].sort((a, b) => a - b);
    const [top, bottom] = [from.y, to.y].sort((a, b) => a - b);
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    const rows = inside(spotsOf(ui, plot), { left, right, top, bottom });
    if (rows.join() !== ui.light.kept.join() || ui.light.from !== "brush") keep(ui, rows, "brush");
  };
  const end = () => {
    box.remove();
    plot.removeEventListener("pointermove", move);
    for (const type of ENDS) plot.removeEventListener(type, end);
  };
  plot.addEventListener("pointermove", move);
  for (const type of ENDS) plot.addEventListener(type, end);
}

const ENDS = ["pointerup", "pointercancel", "lostpointercapture"];

/** The rows whose marks lie in a rectangle, each once. */
export function inside(spots, { left, right, top, bottom }) {
  const found = spots.filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
  return [...new Set(found.map(({ row }) => row))];
}

// ---- by key --------------------------------------------------------------------------------------

const HOW =
  "Point at a row, or drag over several (with Shift where a drag moves a cut); by keyboard, the arrow keys go from row to row, with Shift over a stretch. They are lit in all parts of the lab.";

/** A figure's rows are stepped through from left to right by a slider that is not seen; with Shift, to a stretch. */
function updateSteps(ui, part) {
  const marks = [...part.svg.querySelectorAll("[data-row]")];
  if (!marks.length) {
    part.steps?.remove();
    part.steps = null;
    return;
  }
  const before = part.order?.[part.steps?.value];
  part.order = marks.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]).map((one) => Number(one.dataset.row));
  part.steps ??= createSteps(ui, part);
  set(part.steps, { max: part.order.length - 1 });
  if (part.order.includes(before)) part.steps.value = part.order.indexOf(before);
}

function createSteps(ui, part) {
  const steps = make("input", { type: "range", class: "dtl-steps", min: 0, value: 0, "aria-label": "Rows, from left to right", "aria-description": HOW });
  part.told.append(make("p", { class: "dtl-hint" }, HOW));
  let anchor = null;
  const light = () => {
    const at = Number(steps.value);
    const [low, high] = [Math.min(anchor ?? at, at), Math.max(anchor ?? at, at)];
    keep(ui, [...new Set(part.order.slice(low, high + 1))], "steps");
    set(steps, { "aria-valuetext": ui.light.text });
  };
  steps.addEventListener("keydown", ({ key, shiftKey }) => {
    if (key !== "Shift") anchor = shiftKey ? (anchor ?? Number(steps.value)) : null;
  });
  steps.addEventListener("input", light);
  steps.addEventListener("focus", light);
  steps.addEventListener("blur", () => ui.light.from === "steps" && keep(ui, []));
  part.box.append(steps);
  return steps;
}

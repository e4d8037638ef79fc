// The cut of a continuous attribute: dragged on its axis, moved by keys, or typed.
import { button, enable, focusWithin, make, mark, onChange, set, setText } from "../shared/dom.mjs";
import { allowed, cutText, nextMiddle, niceStep, parseNumber, percent } from "../shared/numbers.mjs";

/**
 * The parts of a cut. `on.draft(cut)`: it is being tried; `on.split(cut, event)`: it is chosen;
 * `on.shown()`: another cut stands there; `on.problem(text)`: what was typed cannot be read.
 */
export function createCut(name, on) {
  const cut = {
    on,
    drawing: make("svg", { class: "dtl-axis", "aria-hidden": "true" }),
    range: make("input", { type: "range", "aria-label": `Cut of ${name}` }),
    field: make("input", {
      type: "text",
      inputmode: "decimal",
      size: 7,
      autocomplete: "off",
      "aria-label": `Type a cut of ${name}`,
    }),
    split: button("", (event) => on.split(cut.value, event)),
    line: make("line", { class: "dtl-cut-line", y1: 0 }),
    under: make("rect", { class: "dtl-under" }),
    value: null,
    dragging: false,
  };
  const axis = make("div", { class: "dtl-axis-box" }, cut.drawing, cut.range);
  const type = make("div", { class: "dtl-type" }, make("label", {}, "cut ", cut.field), cut.split);
  cut.box = make("div", { class: "dtl-cut" }, axis, type);
  listen(cut);
  return cut;
}

function listen(cut) {
  const { range, field } = cut;
  range.addEventListener("input", () => move(cut, Number(range.value)));
  range.addEventListener("keydown", (event) => {
    const direction = { PageUp: 1, PageDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    move(cut, nextMiddle(cut.axis.points, cut.value, direction));
  });
  range.addEventListener("pointerdown", () => (cut.dragging = true));
  for (const end of ["pointerup", "pointercancel", "change"]) {
    range.addEventListener(end, () => (cut.dragging = false));
  }
  field.addEventListener("input", () => type(cut));
  field.addEventListener("blur", () => cut.value !== null && show(cut, cutText(cut.value)));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter(cut);
  });
}

/** Whether a person is at it: then it keeps its place, and no late answer may jerk it away. */
export function isHeld(cut) {
  const focused = focusWithin(cut.box);
  return cut.dragging || focused === cut.range || focused === cut.field;
}

/** Show what Python says of the cut; `fresh` when it is about another node than before. */
export function updateCut(cut, axis, { gain, classes, hidden, fresh, open }) {
  cut.box.hidden = !axis;
  if (!axis) {
    cut.value = null;
    return;
  }
  const typing = focusWithin(cut.box) === cut.field;
  const held = !fresh && isHeld(cut);
  Object.assign(cut, { axis, told: hidden ? "" : `, gain ${gain} bits` });
  set(cut.range, { min: axis.min, max: axis.max, step: stepOf(axis) });
  const drawn = [axis.min, axis.max, axis.best, axis.points, hidden, classes];
  onChange(cut.box, drawn, () => drawAxis(cut, classes, hidden ? null : axis.best));
  enable(cut.split, open);
  if (!held) cut.value = axis.cut;
  show(cut, held ? (typing ? null : cutText(cut.value)) : axis.cutText);
}

function stepOf({ step, min, max }) {
  return step === "any" ? niceStep(max - min) : step;
}

/** Show a cut at once and ask what it would gain. */
function move(cut, wanted) {
  cut.value = allowed(wanted, cut.axis, stepOf(cut.axis));
  show(cut, cutText(cut.value));
  cut.on.draft(cut.value);
}

function type(cut) {
  const typed = parseNumber(cut.field.value);
  set(cut.field, { "aria-invalid": typed === null ? "true" : null });
  // Half-typed numbers are often out of range: Python is only asked about cuts that can be.
  if (typed === null || typed <= cut.axis.min || typed > cut.axis.max) return;
  cut.value = typed;
  show(cut, null);
  cut.on.draft(typed);
}

function enter(cut) {
  const typed = parseNumber(cut.field.value);
  if (cut.split.getAttribute("aria-disabled") === "true") return;
  if (typed === null) cut.on.problem(`"${cut.field.value}" is not a number.`);
  else cut.on.split(typed, null);
}

/** Put the cut on its axis, its slider, its button and, unless it is being typed, its field. */
function show(cut, text) {
  const { range, field, line, under, value } = cut;
  const at = `${percent(value, cut.axis)}%`;
  set(line, { x1: at, x2: at });
  set(under, { width: at });
  range.value = value;
  set(range, { "aria-valuetext": `cut at ${cutText(value)}${cut.told}` });
  if (text !== null) {
    if (field.value !== text) field.value = text;
    set(field, { "aria-invalid": null });
  }
  setText(cut.split, `Split at < ${cutText(value)}`);
  cut.on.shown();
}

/** The values on their axis, a lane for each class, with the cut across. Heights are in em. */
function drawAxis({ axis, box, drawing, line, under }, classes, best) {
  const lane = Math.min(0.95, Math.max(0.3, 4.5 / classes.length));
  const tall = lane * classes.length + 0.3;
  box.style.setProperty("--dtl-lanes", `${tall}em`);
  set(line, { y2: `${tall + 0.7}em` });
  set(under, { height: `${tall}em` });
  const size = axis.points.length > 60 ? 2.5 : 4.5;
  const points = axis.points.map(([x, kind, count]) => {
    const at = { x: `${percent(x, axis)}%`, y: `${(kind + 0.5) * lane}em`, overflow: "visible" };
    return make("svg", at, mark(classes[kind], Math.min(7, size * count ** 0.25)));
  });
  drawing.replaceChildren(under, ...points, line, ...ticks(axis, best, `${tall + 2.5}em`));
}

/** The ends of the axis and the best cut, which has its place even where an end must give way. */
function ticks(axis, best, y) {
  const tick = (x, text, anchor) =>
    make("text", { x: `${percent(x, axis)}%`, y, "text-anchor": anchor }, text);
  const at = best === null ? 50 : percent(best, axis);
  const anchor = at < 15 ? "start" : at > 85 ? "end" : "middle";
  return [
    at > 20 && tick(axis.min, cutText(axis.min), "start"),
    at < 80 && tick(axis.max, cutText(axis.max), "end"),
    best !== null && tick(best, `best ${cutText(best)}`, anchor),
  ].filter(Boolean);
}

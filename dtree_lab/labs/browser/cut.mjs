// The cut of a continuous attribute: dragged on its axis, moved by keys, or typed.
import { button, enable, focusWithin, make, onChange, set, setText } from "./dom.mjs";
import { allowed, nextMiddle, niceStep, numberText, outline, parseNumber } from "./numbers.mjs";
import { percent, placeTicks, wrongCut } from "./numbers.mjs";

/**
 * The parts of a cut. `on.draft(cut)`: it is being tried; `on.split(cut, event)`: it is chosen;
 * `on.shown()`: another cut stands there; `on.problem(text)`: what was typed is no cut, or, with
 * null, something new is typed.
 */
export function createCut(name, on) {
  const id = `dtl-${Math.random().toString(36).slice(2)}`;
  const cut = {
    on,
    name,
    drawing: make("svg", { class: "dtl-axis", "aria-hidden": "true" }),
    range: make("input", { type: "range", "aria-label": `Cut of ${name}` }),
    field: make("input", {
      type: "text",
      inputmode: "decimal",
      size: 7,
      autocomplete: "off",
      "aria-label": `Type a cut of ${name}`,
      "aria-describedby": id,
    }),
    problem: make("p", { class: "dtl-here", id }),
    split: button("", (event) => on.split(cut.value, event)),
    line: make("line", { class: "dtl-cut-line", y1: 0 }),
    under: make("rect", { class: "dtl-under" }),
    dots: make("g"),
    lit: make("path", { class: "dtl-lit-ring" }),
    wanted: [],
    width: 0,
    value: null,
    wrong: null,
    dragging: false,
  };
  const axis = make("div", { class: "dtl-axis-box" }, cut.drawing, cut.range);
  const type = make("div", { class: "dtl-type" }, make("label", {}, "cut ", cut.field), cut.split, cut.problem);
  cut.box = make("div", { class: "dtl-cut" }, axis, type);
  // Before the first paint and after each change of size, without laying out the page for it.
  new ResizeObserver(([{ contentRect }]) => {
    Object.assign(cut, { width: contentRect.width, em: parseFloat(getComputedStyle(axis).fontSize) });
    if (cut.width) cut.place?.();
  }).observe(axis);
  cut.light = (wanted) => light(cut, wanted);
  listen(cut);
  grab(cut, axis);
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
  // What is wrong stays to be mended: to put the last good cut there would let it be split at.
  field.addEventListener("blur", () => cut.value !== null && !cut.wrong && show(cut, numberText(cut.value)));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enter(cut);
    if (event.key === "Escape") show(cut, numberText(cut.value));
  });
}

/** The cut is dragged on the dots, too, not on its track alone. */
function grab(cut, box) {
  const { range } = cut;
  const follow = (event) => {
    if (!cut.dragging) return;
    const { left, width } = box.getBoundingClientRect();
    moveTo(cut, (event.clientX - left) / width);
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target === range) return;
    event.preventDefault(); // text would be selected
    box.setPointerCapture(event.pointerId);
    range.focus({ preventScroll: true });
    cut.dragging = true;
    follow(event);
  });
  box.addEventListener("pointermove", (event) => event.target !== range && follow(event));
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => (cut.dragging = false));
}

/** Put a cut where a hand is: so far along its axis, at a step of the slider. */
export function moveTo(cut, share) {
  const { min, max } = cut.axis;
  cut.range.value = min + Math.min(1, Math.max(0, share)) * (max - min);
  move(cut, Number(cut.range.value));
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
    Object.assign(cut, { value: null, wrong: null });
    return;
  }
  const typing = cut.wrong !== null || focusWithin(cut.box) === cut.field;
  const held = !fresh && (cut.wrong !== null || isHeld(cut));
  Object.assign(cut, { axis, open, told: hidden ? "" : `, gain ${gain} bits` });
  set(cut.range, { min: axis.min, max: axis.max, step: stepOf(axis) });
  const drawn = [axis.min, axis.max, axis.best, axis.points, hidden, classes];
  onChange(cut.box, drawn, () => drawAxis(cut, classes, hidden ? null : axis.best));
  if (!held) cut.value = axis.cut;
  show(cut, held ? (typing ? null : numberText(cut.value)) : axis.texts[2]);
}

const stepOf = ({ min, max }) => niceStep(max - min);

/** Show a cut at once and ask what it would gain. */
function move(cut, wanted) {
  cut.value = allowed(wanted, cut.axis, stepOf(cut.axis));
  show(cut, numberText(cut.value));
  cut.on.draft(cut.value);
}

function type(cut) {
  cut.on.problem(null);
  cut.wrong = wrongCut(cut.field.value, cut.name, cut.axis);
  if (cut.wrong === null) cut.value = parseNumber(cut.field.value);
  show(cut, null);
  // Half-typed numbers are often out of range: Python is only asked about cuts that can be.
  if (cut.wrong === null) cut.on.draft(cut.value);
}

function enter(cut) {
  if (!cut.open) return;
  if (cut.wrong !== null) cut.on.problem(cut.wrong);
  else cut.on.split(parseNumber(cut.field.value), null);
}

/** Put the cut on its axis, its slider, its button and, unless it is being typed, its field. */
function show(cut, text) {
  const { range, field, line, under, value } = cut;
  const at = `${percent(value, cut.axis)}%`;
  set(line, { x1: at, x2: at });
  set(under, { width: at });
  part(cut);
  range.value = value;
  set(range, { "aria-valuetext": `cut at ${numberText(value)}${cut.told}` });
  if (text !== null) {
    if (field.value !== text) field.value = text;
    if (cut.wrong !== null) cut.on.problem(null);
    cut.wrong = null;
  }
  set(field, { "aria-invalid": cut.wrong === null ? null : "true" });
  enable(cut.split, cut.open && cut.wrong === null);
  setText(cut.split, `Split at < ${numberText(value)}`);
  cut.on.shown();
}

/** The values on their axis, a lane for each class, with the cut across. Heights are in em. */
function drawAxis(cut, classes, best) {
  const { axis, box, drawing, line, under, dots } = cut;
  const lane = Math.min(0.95, Math.max(0.3, 4.5 / classes.length));
  const tall = lane * classes.length + 0.5;
  box.style.setProperty("--dtl-lanes", `${tall}em`);
  set(line, { y2: `${tall + 0.7}em` });
  set(under, { height: `${tall}em` });
  cut.ticks = ticks(axis.texts, best, `${tall + 2.5}em`);
  cut.place = () => {
    lanes(cut, classes, lane);
    part(cut);
    light(cut, cut.wanted);
    layTicks(cut);
  };
  drawing.replaceChildren(under, dots, cut.lit, line, ...cut.ticks);
  if (cut.width) cut.place();
}

/** The points as two paths for each class, one on each side of the cut: hundreds of elements would take long. */
function lanes(cut, classes, lane) {
  const { axis, width, em, dots } = cut;
  const size = ((axis.points.length > 60 ? 2.5 : 4.5) * em) / 14;
  cut.spots = axis.points.map(([value, kind, count]) => {
    const r = Math.min(em / 2, size * count ** 0.25);
    const [x, y] = [(percent(value, axis) / 100) * width, (kind + 0.5) * lane * em];
    return { value, kind, name: classes[kind].name, x, y, r, d: outline(classes[kind].mark, x, y, r) };
  });
  dots.within = null;
  dots.replaceChildren(
    ...classes.flatMap(({ colour }) =>
      ["", " dtl-beyond"].map((side) => {
        const path = make("path", { class: `dtl-mark${side}` });
        path.style.fill = colour;
        return path;
      }),
    ),
  );
}

/** Each point on its side of the cut. */
function part({ spots, dots, value, axis }) {
  if (!spots || !axis || dots.within === (dots.within = spots.filter((spot) => spot.value < value).length)) return;
  const sides = [...dots.children].map(() => "");
  for (const spot of spots) sides[2 * spot.kind + (spot.value < value ? 0 : 1)] += spot.d;
  sides.forEach((d, i) => set(dots.children[i], { d, display: d ? null : "none" }));
}

/** Rings around the points of rows that are lit, each by its value and its class. */
function light(cut, wanted) {
  cut.wanted = wanted;
  const isLit = ({ value, name }) => wanted.some(([x, kind]) => x === value && kind === name);
  const ring = ({ x, y, r }) => `M${x - r - 3},${y}a${r + 3},${r + 3} 0 1,0 ${2 * r + 6},0a${r + 3},${r + 3} 0 1,0 ${-2 * r - 6},0`;
  set(cut.lit, { d: (cut.spots ?? []).filter(isLit).map(ring).join("") });
}

/** The ends of the axis and the best cut. */
function ticks([low, high, , top], best, y) {
  const tick = (x, text, anchor) => make("text", { x, y, "text-anchor": anchor }, text);
  const ends = [tick("0%", low, "start"), tick("100%", high, "end")];
  return best === null ? ends : [...ends, tick("0", `best ${top}`, "start")];
}

/** Let no two of the words under an axis touch. They are digits, 0.64 em in a wide font: nothing need be measured. */
function layTicks({ axis, width, em, ticks: [least, most, best] }) {
  const wide = (word) => (word ? 0.64 * word.textContent.length * em : 0);
  const placed = placeTicks(width, percent(axis.best ?? axis.min, axis), [least, most, best].map(wide));
  best?.setAttribute("x", placed.start);
  least.style.visibility = placed.least ? "" : "hidden";
  most.style.visibility = placed.most ? "" : "hidden";
}

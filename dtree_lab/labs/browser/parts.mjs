// How each kind of part of a lab is drawn; Python's dataclasses of the same names say what they hold.
import { createChoices, updateChoices } from "./choices.mjs";
import { createControl, createRange, newId, updateControl, updateRange } from "./controls.mjs";
import { button, isolated, keyed, leaveWheel, make, markInText, onChange, set, setText } from "./dom.mjs";
import { drawFigure, fitted, isRead } from "./figure.mjs";
import { settled } from "./frame.mjs";
import { createQuestions, updateQuestions } from "./questions.mjs";
import { createWall, updateWall } from "./wall.mjs";
import { createTreeView, setZoom, UNITS_PER_EM, updateTreeView, zoomBy } from "./treeview.mjs";

const KINDS = {
  controls: [createControls, updateControls],
  words: [createWords, updateWords],
  picture: [createPicture, updatePicture],
  tree: [createTree, updateTree],
  grid: [createGrid, updateGrid],
  bars: [createBars, updateBars],
  folded: [createFolded, updateFolded],
  toolbar: [createToolbar, updateControls],
  questions: [createQuestions, updateQuestions],
  foot: [createFoot, updateFoot],
  choices: [createChoices, updateChoices],
  wall: [createWall, updateWall],
};

/** Bring parts of a view into a box. */
export function drawParts(ui, box, parts) {
  keyed(box, parts, {
    key: (part) => `${part.kind} ${part.id}`,
    create: (part) => {
      const heading = make("p", { class: "dtl-heading" });
      const node = make("div", { class: `dtl-part dtl-part-${part.kind}`, "data-id": part.id }, heading);
      node.heading = heading;
      KINDS[part.kind][0](ui, node, part);
      return node;
    },
    update: (node, part) => {
      node.given = part;
      setText(node.heading, part.heading);
      node.heading.hidden = !part.heading;
      // In a demo, what comes later keeps its place.
      node.style.visibility = ui.model.get("demo") && part.stage > (ui.view.stage ?? 0) ? "hidden" : "";
      KINDS[part.kind][1](ui, node, part);
    },
  });
}

export const partsIn = (box) => [...box.querySelectorAll(".dtl-part")];

/** The boxes of pictures, trees and walls, which take what room a column has, and how high each asks to be. */
const elastic = (part) => {
  const box = part.svg ?? part.tree?.box ?? part.wall;
  return box && { part, box, asks: part.svg ? part.given.height : 400 };
};

/** Have the pictures, trees and walls of a column fill a height: each gets its share of what others leave. */
export function fillColumn(column, height) {
  for (const part of column.children) part.classList.remove("dtl-no-room");
  const grown = [...column.children].filter((part) => part.getClientRects().length).map(elastic).filter(Boolean);
  const asked = grown.reduce((sum, { asks }) => sum + asks, 0);
  const opened = [...column.querySelectorAll(":scope > .dtl-part > details[open] > :not(summary)")];
  const others =
    column.scrollHeight -
    grown.reduce((sum, { box }) => sum + box.offsetHeight, 0) -
    opened.reduce((sum, one) => sum + one.offsetHeight, 0);
  for (const { part, box, asks } of grown) {
    const room = Math.max(LEAST_ROOM, Math.floor(((height - others) * asks) / asked));
    if (part.svg) part.box.style.maxWidth = ""; // as it was before it had a room
    const wide = box.clientWidth;
    const unit = parseFloat(getComputedStyle(box).fontSize) / UNITS_PER_EM;
    if (room === part.room && wide === part.wide && unit === part.unit) continue;
    Object.assign(part, { room, wide, unit });
    box.style.height = box.style.maxHeight = `${room}px`;
    if (part.svg) layOut(part);
    else if (part.wall) part.fit();
    else if (part.tree.view) setZoom(part.tree, part.tree.zoom);
  }
  // Over a sheet that takes the column, a picture is left out rather than pushed together until nobody can read it.
  const isLost = ({ isRoom, svg, layout, given }) => isRoom && svg && others > height / 2 && !isRead(layout, given);
  for (const { part } of grown) part.classList.toggle("dtl-no-room", Boolean(isLost(part)));
}

const LEAST_ROOM = 96;

/** What stands below a part never jumps up: a part keeps the height it has had at this width. */
export function keepHeights(parts) {
  const closed = parts.filter((part) => !part.querySelector("details[open]"));
  // First all are measured, then changed: between the two the page would be laid out each time.
  const heights = closed.map((part) => part.offsetHeight);
  closed.forEach((part, i) => {
    if (heights[i] > (part.tallest ?? 0)) part.style.minHeight = `${(part.tallest = heights[i])}px`;
  });
}

/** At another width all heights are others; `steady` parts keep them from then on. */
export function fitParts(parts, steady = parts) {
  for (const part of parts) {
    part.tallest = 0;
    part.style.minHeight = "";
    if (part.tree?.view) setZoom(part.tree, part.tree.zoom);
    // On the stage its room is found again after this.
    if (part.layout && !part.room) layOut(part);
  }
  keepHeights(steady);
}

// ---- controls and words --------------------------------------------------------------------------

function createToolbar(ui, node) {
  node.box = make("div", { class: "dtl-tools", role: "group" });
  node.append(node.box);
}

function createControls(ui, node) {
  node.box = make("div", { class: "dtl-controls", role: "group" });
  node.append(node.box);
}

function updateControls(ui, { box }, part) {
  set(box, { "aria-label": part.label });
  drawControls(ui, box, part.controls);
}

function drawControls(ui, box, controls) {
  // In a demo, the page itself has a button to start over, and both do the same.
  const shown = ui.model.get("demo") ? controls.filter(({ id }) => id !== "reset") : controls;
  keyed(box, shown, {
    key: (control) => `${control.kind} ${control.id}`,
    create: (control) => createControl(ui, control),
    update: (one, control) => updateControl(ui, one, control),
  });
}

function createWords(ui, node, { items }) {
  node.box = make(items ? "ul" : "div", { class: "dtl-words" });
  node.append(node.box);
}

function updateWords(ui, { box }, { lines: told, hint, items, strong, live, room }) {
  const lines = hint && !ui.isHandless ? [...told, hint] : told;
  box.style.minHeight = room ? `${1.5 * room}em` : "";
  set(box, { "aria-live": live ? "polite" : null });
  box.classList.toggle("dtl-strong", strong);
  onChange(box, lines, () => box.replaceChildren(...lines.map((line) => make(items ? "li" : "p", {}, line))));
}

// The line under a picture, and a hint for as long as nothing is said.
function createFoot(ui, node) {
  node.line = make("p", { class: "dtl-errors" });
  ui.hint = make("p", { class: "dtl-hint" });
  node.append(node.line, ui.hint);
}

function updateFoot(ui, node, { line, hint }) {
  setText(node.line, line);
  setText(ui.hint, hint);
}

// ---- pictures ------------------------------------------------------------------------------------

function createPicture(ui, node, { slider, click, id }) {
  node.isRoom = ui.room;
  node.svg = make("div", { class: "dtl-plot", role: "img" }, make("svg"));
  node.box = make("div", { class: "dtl-plot-box" }, node.svg);
  node.lines = make("div");
  node.told = make("details", { class: "dtl-told-lines" }, make("summary", {}, "As text"), node.lines);
  node.append(node.box, node.told);
  if (slider) {
    node.range = createRange(ui, slider);
    node.range.addEventListener("input", () => {
      ui.dragged = node;
      follow(ui);
    });
    node.box.append(node.range);
  }
  if (slider || click) pointing(ui, node, id);
}

/** What is pressed or dragged in the frame: the slider's value, or a point. */
function pointing(ui, node, id) {
  const at = (event) => {
    const { width, height } = node.layout;
    const box = node.svg.getBoundingClientRect();
    return [(event.clientX - box.left) * (width / box.width), (event.clientY - box.top) * (height / box.height)];
  };
  const move = (event) => {
    const { left, right, x } = node.layout.frame;
    node.range.value = scaled(at(event)[0], left, right, x);
    node.range.dispatchEvent(new Event("input"));
  };
  const click = (event) => {
    const { left, right, top, bottom, x, y } = node.layout.frame;
    const [across, down] = at(event);
    if (ui.brushed || !within(across, left, right) || !within(down, bottom, top)) return;
    ui.act({ do: "point", part: id, x: scaled(across, left, right, x), y: scaled(down, bottom, top, y) });
  };
  node.svg.addEventListener("pointerdown", (event) => {
    // With Shift, rows are chosen by a rectangle.
    if (event.button !== 0 || !node.given.slider || (event.shiftKey && node.steps)) return;
    event.preventDefault(); // text would be selected
    node.svg.setPointerCapture(event.pointerId);
    node.range.focus({ preventScroll: true });
    node.held = true;
    move(event);
  });
  node.svg.addEventListener("click", (event) => node.given.click && click(event));
  node.svg.addEventListener("pointermove", (event) => node.held && move(event));
  for (const end of ["pointerup", "pointercancel"]) node.svg.addEventListener(end, () => (node.held = false));
}

/**
 * What is dragged in a figure follows the hand at once, in all figures over the same axis: the line, and on which
 * side of it rows are. Python's answer takes its place.
 */
export function follow(ui) {
  const { range, given } = ui.dragged ?? {};
  if (!range?.isConnected) return;
  const [low, high] = given.frame.x;
  const value = settled(ui) ? given.slider.value : Number(range.value);
  for (const { svg, layout, range: other } of partsIn(ui.main)) {
    if (layout?.frame.x[0] !== low || layout.frame.x[1] !== high) continue;
    if (other) other.value = value;
    const { left, right } = layout.frame;
    const place = (v) => left + ((v - low) / (high - low)) * (right - left);
    const at = place(value);
    for (const rule of svg.querySelectorAll(".dtl-accent")) rule.style.translate = `${at - place(given.slider.value)}px`;
    for (const mark of svg.querySelectorAll("[data-row]")) mark.toggleAttribute("data-beyond", mark.at[0] >= at);
  }
}

/** From pixels to the units of an axis, no further than its ends. */
export function scaled(at, from, to, [low, high]) {
  return low + Math.min(1, Math.max(0, (at - from) / (to - from))) * (high - low);
}

export function within(at, from, to) {
  return Math.min(from, to) <= at && at <= Math.max(from, to);
}

function updatePicture(ui, node, { label, slider, text, click }) {
  set(node.svg, { "aria-label": label, class: `dtl-plot${click ? " dtl-click" : slider ? " dtl-drag" : ""}` });
  layOut(node);
  node.told.hidden = !text.length;
  node.classList.toggle("dtl-low", node.given.height - node.given.frame.bottom > 40);
  set(node.told.firstChild, { "aria-label": `As text: ${label}` });
  onChange(node.lines, text, () => node.lines.replaceChildren(...text.map((line) => make("p", {}, line))));
  if (slider) updateRange(ui, node.range, { ...slider, low: node.given.frame.x[0], high: node.given.frame.x[1] });
}

/** Draw a picture in the room that it has been given (`fillColumn`), or else as wide as it asks to be. */
function layOut(node) {
  const { element, width, slider } = node.given;
  const { room, wide, unit } = node;
  const { isRoom } = node;
  node.layout = fitted(node.given, room && wide && { width: wide / unit, height: room / unit }, isRoom ? 1 : 0);
  const { frame } = node.layout;
  if (!room) node.box.style.maxWidth = `${width / UNITS_PER_EM}em`;
  onChange(node.svg, [element, node.layout.width, node.layout.height], () => {
    drawFigure(node.svg.firstChild, element, node.layout);
    if (isRoom) dodge(node.svg, node.layout.frame);
  });
  if (!slider) return;
  // The thumb is 16 px wide: its middle reaches the ends of the axis.
  node.range.style.left = `calc(${(100 * frame.left) / node.layout.width}% - 8px)`;
  node.range.style.width = `calc(${(100 * (frame.right - frame.left)) / node.layout.width}% + 16px)`;
  node.range.style.top = `calc(${(100 * frame.bottom) / node.layout.height}% - var(--dtl-tall) / 2)`;
}

/** In a frame that is pushed together far, names of lines are moved into it, and off each other. */
function dodge(svg, { left, top, bottom }) {
  const taken = [];
  for (const name of svg.querySelectorAll("text.dtl-at-line")) {
    const { x, y, width, height } = name.getBBox();
    const across = Math.max(0, left + 4 - x);
    const meets = (other) => x + across < other.right && other.left < x + across + width;
    let down = 0;
    for (const other of taken.filter(meets)) {
      if (y + down >= other.bottom || other.top >= y + down + height) continue;
      down = y < other.top && other.top - height > top ? other.top - height - y : Math.min(other.bottom, bottom - height) - y;
    }
    for (const one of [name.previousElementSibling, name]) one.style.translate = `${across}px ${down}px`;
    taken.push({ left: x + across, right: x + across + width, top: y + down, bottom: y + down + height });
  }
}

// ---- trees ---------------------------------------------------------------------------------------

/** Buttons for the size of a tree; *Fit* is on as long as all of it is seen. */
export function zoomButtons(tree) {
  const whole = { "aria-pressed": "true", "aria-keyshortcuts": "0", title: "All of the tree (0)" };
  const fit = button("Fit", () => setZoom(tree, tree.zoom === "fit" ? 1 : "fit"), whole);
  tree.onZoom = () => set(fit, { "aria-pressed": String(tree.zoom === "fit") });
  const hand = "or Ctrl and the wheel; the tree can be dragged";
  const zoom = (text, step, key, sign) =>
    button(text, () => zoomBy(tree, step), { "aria-keyshortcuts": key, title: `${sign}, ${hand}` });
  return [zoom("Zoom out", -1, "-", "\u2212"), zoom("Zoom in", 1, "=", "+"), fit];
}

function createTree(ui, node, { id, main }) {
  node.tree = createTreeView({
    onSelect: (at) => ui.act({ do: "select", part: id, at }),
    onChoose: () => main && firstQuestion(ui)?.focus(),
    isRoom: ui.room,
  });
  const buttons = zoomButtons(node.tree);
  if (main) {
    ui.tree = node.tree;
    ui.size.prepend(...buttons);
  } else {
    node.append(make("div", { class: "dtl-zoom", role: "group", "aria-label": "Size of the tree" }, ...buttons));
  }
  node.append(node.tree.frame);
}

/** Enter's way from the tree to the questions leads to the first that can be asked. */
function firstQuestion(ui) {
  const asks = [...ui.parts.querySelectorAll(".dtl-questions .dtl-question")];
  return asks.find((ask) => ask.getAttribute("aria-disabled") !== "true") ?? asks[0];
}

function updateTree(ui, node, { id, tree, selected, label, lit }) {
  // Selections run ahead of Python while one walks fast: its late answers must not pull one back.
  const wanted = ui.wanted?.part === id ? ui.wanted.at : null;
  if (wanted === selected) ui.wanted = null;
  const known = tree.cards.some((card) => card.id === wanted);
  updateTreeView(node.tree, tree, ui.view.classes, known ? wanted : selected, label, lit);
}

// ---- tables and bars -----------------------------------------------------------------------------

function createGrid(ui, node, { id }) {
  node.head = make("tr");
  node.body = make("tbody");
  node.more = make("p", { class: "dtl-more" });
  node.table = make("table", {}, make("thead", {}, node.head), node.body);
  node.box = make("div", { class: "dtl-scroll", role: "group" }, node.table, node.more);
  node.body.addEventListener("keydown", (event) => walkRows(node, event));
  node.body.addEventListener("focusin", ({ target }) => stopAt(node, target.closest("tr")));
  leaveWheel(node.box);
  node.append(node.box);
  node.pick = (row) => ui.act({ do: "pick", part: id, row });
}

function updateGrid(ui, node, part) {
  set(node.box, { "aria-label": part.label });
  set(node.table, { "aria-label": part.label });
  setText(node.more, part.more);
  if (node.about !== part.about) requestAnimationFrame(() => (node.box.scrollTop = 0)); // which lays out the page
  node.about = part.about;
  node.classList.toggle("dtl-sticky", part.sticky);
  node.box.classList.toggle("dtl-has-rows", part.keys.length > 0);
  const head = (text) => (text ? make("th", { scope: "col" }, isolated(text)) : make("td"));
  onChange(node.head, part.head, () => node.head.replaceChildren(...part.head.map(head)));
  const { classes } = ui.view;
  const kinds = new Map(classes.map((kind) => [kind.name, kind]));
  keyed(node.body, part.rows.map((row, i) => ({ row, i })), {
    key: ({ i }) => i,
    byPlace: true,
    create: () => make("tr"),
    update: (line, { row, i }) => {
      set(line, { "data-row": part.keys[i] ?? null });
      const texts = row.map((one) => (typeof one === "string" ? one : ""));
      onChange(line, [texts, part.classes, part.pick, classes], () =>
        line.replaceChildren(...texts.map((text, j) => cell(node, part, i, j, text, kinds))),
      );
      row.forEach((one, j) => one !== texts[j] && drawControls(ui, line.children[j], [one]));
      const chosen = part.pick ? i === part.current : null;
      line.classList.toggle("dtl-current", i === part.current);
      if (part.pick) set(line.querySelector("button"), { "aria-pressed": String(chosen) });
    },
  });
  stopAt(node, node.stop);
}

/** Of the rows of a table that are rows of the lab's table one is a stop of the tab key. */
function stopAt(node, line) {
  const lines = [...node.body.children];
  const stop = lines.includes(line) ? line : lines[0];
  const isWalked = node.given.keys.length > 0 && !node.given.pick;
  for (const one of lines) set(one, { tabindex: isWalked ? (one === stop ? 0 : -1) : null });
  node.stop = stop;
  // What is scrolled has to be reached by keyboard: by its rows, or itself.
  set(node.box, { tabindex: isWalked && lines.length ? null : 0 });
}

/** Up and down from row to row. */
function walkRows(node, event) {
  const lines = [...node.body.children];
  const at = lines.indexOf(event.target.closest("tr"));
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: lines.length - 1 }[event.key];
  if (to === undefined || !node.given.keys.length || event.target.matches("input")) return;
  event.preventDefault();
  const line = lines[to];
  if (line) (line.querySelector("button") ?? line).focus();
}

function cell({ pick }, part, i, j, text, kinds) {
  const kind = j === part.classes ? kinds.get(text) : null;
  const sign = kind ? [markInText(kind), "\u00a0"] : [];
  // A class's name stays on the line of its mark; the no-break space alone does not see to that.
  if (j) return make("td", kind && text.length < 20 ? { class: "dtl-class" } : {}, ...sign, isolated(text));
  const name = part.pick ? button("", () => pick(i), { class: "dtl-row-button" }) : make("bdi");
  name.append(...sign, text);
  return make("th", { scope: "row" }, name);
}

function createBars(ui, node, { id }) {
  node.list = make("ul", { class: "dtl-bars" });
  node.append(node.list);
  node.pick = (row) => ui.act({ do: "pick", part: id, row });
}

function updateBars(ui, node, part) {
  set(node.list, { "aria-label": part.label });
  keyed(node.list, part.bars.map((bar, i) => ({ bar, i })), {
    key: ({ i }) => `${i} ${part.pick}`,
    byPlace: true,
    create: ({ i }) => oneBar(node, part, i),
    update: (line, { bar, i }) => updateOneBar(line, bar, part, i),
  });
}

function oneBar(node, { pick }, i) {
  const name = pick ? button("", () => node.pick(i), { class: "dtl-question" }) : make("span", { id: newId() });
  const line = make("li", { class: "dtl-bar" });
  Object.assign(line, {
    name,
    fill: make("div", { class: "dtl-fill" }),
    word: make("span", { class: "dtl-word" }),
    gain: make("span", { class: "dtl-gain" }),
    rest: make("span", { class: "dtl-left" }),
    lines: make("div", { class: "dtl-told-lines" }),
  });
  line.details = make("details", {}, make("summary", {}, "How"), line.lines);
  line.append(
    make("div", { class: "dtl-ask-line" }, name, line.word),
    make("div", { class: "dtl-track", "aria-hidden": "true" }, line.fill),
    make("p", { class: "dtl-numbers" }, line.gain, line.rest),
    line.details,
  );
  return line;
}

function updateOneBar(line, { name, share, value, rest, best, detail, table }, part, i) {
  setText(line.name, name);
  if (part.pick) set(line.name, { "aria-pressed": String(i === part.current) });
  line.fill.style.width = `${100 * share}%`;
  setText(line.word, best ? "best" : "");
  set(line, { class: `dtl-bar${best ? " dtl-best" : ""}` });
  setText(line.gain, value);
  setText(line.rest, rest);
  line.details.hidden = !detail.length && !table;
  set(line.details.firstChild, { "aria-label": `How ${name} comes about` });
  onChange(line.lines, [detail, table], () =>
    line.lines.replaceChildren(...(table ? [plainTable(table)] : []), ...detail.map((text) => make("p", {}, text))),
  );
}

function plainTable([head, rows]) {
  const th = (scope) => (text) => (text ? make("th", { scope }, isolated(text)) : make("td"));
  const line = ([first, ...rest]) =>
    make("tr", {}, th("row")(first), ...rest.map((text) => make("td", {}, isolated(text))));
  const top = make("thead", {}, make("tr", {}, ...head.map(th("col"))));
  return make("table", {}, top, make("tbody", {}, ...rows.map(line)));
}

// A sentence that opens into a table. Only the sentence is a live region: opening it says nothing.
function createFolded(ui, node) {
  node.note = make("span", { "aria-live": "polite" });
  node.lines = make("div", { class: "dtl-told-lines" });
  node.append(make("details", {}, make("summary", {}, node.note), node.lines));
}

function updateFolded(ui, { note, lines }, { note: text, head, rows, more }) {
  setText(note, text);
  onChange(lines, [head, rows, more], () =>
    lines.replaceChildren(...(rows.length ? [plainTable([head, rows])] : []), ...(more ? [make("p", {}, more)] : [])),
  );
  for (const cell of lines.querySelectorAll("td")) cell.style.maxWidth = "none"; // it is a list of names
}

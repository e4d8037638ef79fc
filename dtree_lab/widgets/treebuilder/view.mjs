// dt.TreeBuilder in the browser: it shows the dict `view` that Python sends and sends actions up.
// It decides nothing about trees; it only keeps the focus, the zoom and what is being dragged.
import { focusWithin, keyed, make, mark, markInText, onChange, set, setText } from "../shared/dom.mjs";
import { createTreeView, focusCurrent, nextZoom, setZoom, STRIP, strip, updateTreeView, zoomOf } from "../shared/treeview.mjs";

/** A number as people type it ("97.5", " 97,5 ", "-1e3", "1 000"), or null. */
export function parseNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f_']/g, "").replace("\u2212", "-");
  const decimal = /^[^.]*,[^.,]*$/.test(plain) ? plain.replace(",", ".") : plain;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal) ? Number(decimal) : null;
}

/** A cut as text, as Python writes it (shown.number), without the noise of binary fractions. */
export function cutText(cut) {
  const size = Math.abs(cut);
  if (size >= 1e6 && size < 1e15) return cut.toFixed(1).replace(".0", "");
  const short = Number(cut.toPrecision(6));
  const far = size >= 1e15 || (size > 0 && size < 1e-4);
  return (far ? short.toExponential() : String(short)).replace(/e([+-])(\d)$/, "e$10$2");
}

/** A handy step for dragging over a span: 1, 2 or 5 times a power of ten, some 300 to 750 of them. */
export function niceStep(span) {
  if (!(span > 0)) return 1;
  const rough = span / 300;
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = [5, 2, 1].find((one) => one * power <= rough * 1.0000001) ?? 1;
  return Number((lead * power).toPrecision(1));
}

/** Where x lies between min and max, in percent. */
export function percent(x, { min, max }) {
  return max > min ? Math.min(100, Math.max(0, (100 * (x - min)) / (max - min))) : 50;
}

/** The next middle between two neighbouring values, above (1) or below (-1) a cut. */
export function nextMiddle(points, cut, direction) {
  const values = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const middles = values.slice(1).map((x, i) => (x + values[i]) / 2);
  const beyond = middles.filter((x) => (direction > 0 ? x > cut : x < cut));
  return (direction > 0 ? beyond[0] : beyond.at(-1)) ?? cut;
}

/** Send the newest value only: one per frame at most, and none before the last was answered. */
export function paced(send, nextFrame, answerTime = 250) {
  let waiting = null;
  let frame = false;
  let sentAt = -Infinity;
  const step = (now) => {
    frame = false;
    if (waiting === null) return;
    if (now - sentAt < answerTime) return plan();
    const value = waiting;
    waiting = null;
    sentAt = now;
    send(value);
  };
  const plan = () => {
    if (!frame) nextFrame(step);
    frame = true;
  };
  return {
    push(value) {
      waiting = value;
      plan();
    },
    drop: () => (waiting = null),
    answered: () => (sentAt = -Infinity),
  };
}

const TOOLS = [
  ["undo", "Undo"],
  ["redo", "Redo"],
  ["best", "Best split here"],
  ["cut", "Cut back to a leaf"],
  ["lock", "Lock"],
  ["finish", "Finish with"],
  ["reset", "Start over"],
];
const HINT = "Arrow keys walk the tree, Enter leads to the questions of a node, Escape back to the tree.";
const NO_KERNEL = "No answer from Python: run the cell again to go on.";

function render({ model, el }) {
  const ui = { model, el, root: make("div", { class: "dtl dtl-treebuilder dtl-live", role: "group" }), view: null };
  ui.act = (action) => act(ui, action);
  ui.drafts = paced((action) => post(ui, action), (step) => requestAnimationFrame(step));
  build(ui);
  const redraw = () => {
    ui.drafts.answered();
    draw(ui);
  };
  model.on("change:view", redraw);
  const resized = new ResizeObserver(() => onResize(ui));
  resized.observe(ui.root);
  el.append(ui.root);
  draw(ui);
  if (model.get("token")) ui.root.append(hideStatic(model.get("token")));
  requestAnimationFrame(() => requestAnimationFrame(() => post(ui, { do: "live" })));
  return () => {
    model.off("change:view", redraw);
    resized.disconnect();
    ui.root.remove();
  };
}

/** Send an action up. A kernel that is gone must not break the page. */
function post(ui, action) {
  const failed = () => setText(ui.problem, NO_KERNEL);
  try {
    ui.model.send(action)?.catch?.(failed);
  } catch {
    failed();
  }
}

/** An action other than a draft: a draft still waiting would come too late, and Python chooses the node. */
function act(ui, action) {
  ui.drafts.drop();
  ui.wanted = action.do === "select" ? action.at : null;
  post(ui, action);
}

function button(text, onclick, attributes = {}) {
  const node = make("button", { type: "button", ...attributes }, text);
  // aria-disabled, because a disabled button would lose the focus it has.
  node.addEventListener("click", (event) => {
    if (node.getAttribute("aria-disabled") !== "true") onclick(event);
  });
  return node;
}

function enable(node, enabled) {
  set(node, { "aria-disabled": enabled ? null : "true" });
}

// ---- building once ---------------------------------------------------------------------------

function build(ui) {
  ui.title = make("p", { class: "dtl-title" });
  ui.legend = make("ul", { class: "dtl-legend", "aria-label": "Classes" });
  ui.tree = createTreeView({
    onSelect: (at) => ui.act({ do: "select", at }),
    onChoose: () => firstChoice(ui)?.focus(),
  });
  ui.errors = make("p", { class: "dtl-errors" });
  ui.status = make("p", { class: "dtl-status" });
  ui.hint = make("p", { class: "dtl-hint" }, HINT);
  ui.verdict = make("p", { class: "dtl-verdict" });
  ui.problem = make("p", { class: "dtl-problem", role: "alert" });
  ui.main = make("div", { class: "dtl-main" },
    make("div", { class: "dtl-head" }, ui.title, buildZoom(ui)),
    buildTools(ui),
    ui.tree.box,
    make("div", { class: "dtl-foot" }, ui.errors, ui.legend),
    make("div", { class: "dtl-messages" },
      make("div", { role: "status", "aria-live": "polite" }, ui.verdict, ui.status), ui.problem, ui.hint),
    make("div", { class: "dtl-columns" }, buildPanel(ui), buildTable(ui)),
  );
  ui.empty = make("p", {}, "Nothing to show yet. Run the cell again to make this widget anew.");
  ui.root.append(ui.empty, ui.main);
  ui.root.addEventListener("keydown", (event) => onKey(ui, event));
}

function buildTools(ui) {
  ui.recipe = make("select", { "aria-label": "Algorithm to finish with" });
  ui.recipe.addEventListener("change", () => nameFinish(ui));
  ui.tools = {};
  for (const [name, text] of TOOLS) {
    ui.tools[name] = button(text, () =>
      ui.act(name === "finish" ? { do: name, recipe: ui.recipe.value } : { do: name }));
  }
  const { undo, redo, best, cut, lock, finish, reset } = ui.tools;
  set(lock, { class: "dtl-lock" });
  const pair = make("span", { class: "dtl-pair" }, finish, ui.recipe);
  return make("div", { class: "dtl-tools", role: "group", "aria-label": "Tools" },
    undo, redo, best, cut, lock, pair, reset);
}

function nameFinish(ui) {
  set(ui.tools.finish, { "aria-label": `Finish with ${ui.recipe.value}` });
}

function buildZoom(ui) {
  const zoom = (name, text, change) => button(text, () => {
    setZoom(ui.tree, change());
    set(ui.fit, { "aria-pressed": String(ui.tree.zoom === "fit") });
  }, name === "fit" ? { "aria-pressed": "false" } : {});
  ui.fit = zoom("fit", "Fit", () => (ui.tree.zoom === "fit" ? 1 : "fit"));
  const large = button("Large type", () => {
    const isLarge = ui.root.classList.toggle("dtl-large");
    set(large, { "aria-pressed": String(isLarge) });
    onResize(ui);
  }, { "aria-pressed": "false" });
  return make("div", { class: "dtl-zoom", role: "group", "aria-label": "Size of the picture" },
    zoom("out", "Zoom out", () => nextZoom(zoomOf(ui.tree), -1)),
    zoom("in", "Zoom in", () => nextZoom(zoomOf(ui.tree), 1)),
    ui.fit, large);
}

function buildPanel(ui) {
  ui.where = make("p", { class: "dtl-where" });
  ui.note = make("p", { class: "dtl-note" });
  ui.bars = make("ul", { class: "dtl-bars" });
  ui.panel = make("div", { class: "dtl-panel", role: "group", "aria-label": "What to ask at this node" },
    make("p", { class: "dtl-heading" }, "What to ask at this node"), ui.where, ui.note, ui.bars);
  return ui.panel;
}

function buildTable(ui) {
  ui.headRow = make("tr");
  ui.body = make("tbody");
  ui.more = make("p", { class: "dtl-more" });
  ui.table = make("table", { "aria-label": "Rows at this node" }, make("thead", {}, ui.headRow), ui.body);
  return make("div", { class: "dtl-rows" },
    make("p", { class: "dtl-heading", "aria-hidden": "true" }, "Rows at this node"),
    make("div", { class: "dtl-scroll", role: "group", tabindex: 0, "aria-label": "Rows at this node" }, ui.table, ui.more));
}

// ---- drawing a view ----------------------------------------------------------------------------

function draw(ui) {
  const view = ui.model.get("view");
  const ready = Boolean(view?.tree?.cards?.length && view.node);
  ui.empty.hidden = ready;
  ui.main.hidden = !ready;
  if (!ready) return;
  const hadFocus = focusWithin(ui.root) !== null;
  const sameNode = ui.view?.node.id === view.node.id;
  ui.view = view;
  // Selections run ahead of Python while one walks fast: its late answers must not pull one back.
  if (ui.wanted === view.selected) ui.wanted = null;
  const known = view.tree.cards.some((card) => card.id === ui.wanted);
  const current = known ? ui.wanted : view.selected;
  set(ui.root, { "aria-label": view.title });
  setText(ui.title, view.title);
  drawLegend(ui, view.classes);
  drawTools(ui, view);
  updateTreeView(ui.tree, view.tree, view.classes, current, view.title);
  drawWords(ui, view);
  drawPanel(ui, view, sameNode);
  drawTable(ui, view);
  keepHeight(ui);
  returnFocus(ui, hadFocus, view);
}

function drawLegend(ui, classes) {
  onChange(ui.legend, classes, () => ui.legend.replaceChildren(
    ...classes.map((kind) => make("li", {}, markInText(kind), "\u00a0", make("bdi", {}, kind.name)))));
}

function drawTools(ui, { can, node, recipes }) {
  for (const [name, tool] of Object.entries(ui.tools)) enable(tool, can[name]);
  setText(ui.tools.lock, node.locked ? "Unlock" : "Lock");
  onChange(ui.recipe, recipes, () => ui.recipe.replaceChildren(...recipes.map((one) => make("option", {}, one))));
  nameFinish(ui);
}

function drawWords(ui, { errors, size, verdict, status, problem }) {
  const validation = errors.validation ? ` · Validation error: ${errors.validation}` : "";
  setText(ui.errors, `Training error: ${errors.training}${validation} · ${size}`);
  setText(ui.verdict, verdict?.text);
  set(ui.verdict, { "data-good": verdict ? String(verdict.good) : null });
  // The status may tell the verdict too: it is not said twice.
  setText(ui.status, verdict ? status.replace(verdict.text, "").trim() : status);
  set(ui.status, { class: verdict ? "dtl-status dtl-unseen" : "dtl-status" });
  setText(ui.problem, problem);
  ui.hint.hidden = Boolean(status || verdict || problem);
}

function drawPanel(ui, { node, classes }, sameNode) {
  setText(ui.where, `${node.where}: ${node.rows} ${node.rows === 1 ? "row" : "rows"}, H(Y) = ${node.entropy} bits`);
  setText(ui.note, node.note ?? (node.hidden ? "Choose first: the gains are shown after your choice." : ""));
  // While a cut is being chosen its gain changes, but its place under the pointer does not.
  const choosing = focusWithin(ui.bars)?.closest(".dtl-cut") || ui.dragging;
  keyed(ui.bars, node.bars, {
    key: (bar) => bar.attribute,
    create: (bar) => createBar(ui, bar),
    update: (row, bar) => updateBar(ui, row, bar, { node, classes, sameNode }),
    keepOrder: sameNode && Boolean(choosing),
  });
}

function drawTable(ui, { node: { table }, classes }) {
  onChange(ui.table, [table, classes], () => {
    const kinds = new Map(classes.map((kind) => [kind.name, kind]));
    const cell = (text, i, row) => {
      const kind = i === row.length - 1 ? kinds.get(text) : null;
      // The no-break space keeps a class's name on the line of its mark.
      const sign = kind ? [markInText(kind), "\u00a0"] : [];
      return make(i ? "td" : "th", i ? {} : { scope: "row" }, ...sign, make("bdi", {}, text));
    };
    // The column of row numbers has no name on the page; a header without one would be an error.
    const head = (text, i) => (i || text ? make("th", { scope: "col" }, make("bdi", {}, text)) : make("td"));
    ui.headRow.replaceChildren(...table.head.map(head));
    ui.body.replaceChildren(...table.rows.map((row) => make("tr", {}, ...row.map(cell))));
    setText(ui.more, table.more);
    ui.table.parentNode.scrollTop = 0;
  });
}

/** What stands below never jumps up: the panel keeps the height it has had at this width. */
function keepHeight(ui) {
  if (ui.root.querySelector("details[open]")) return;
  const height = Math.max(ui.height ?? 0, ui.panel.offsetHeight);
  if (height !== ui.height) ui.panel.style.minHeight = `${(ui.height = height)}px`;
}

function onResize(ui) {
  const width = ui.root.clientWidth;
  const em = parseFloat(getComputedStyle(ui.root).fontSize);
  if (!ui.view || (width === ui.width && em === ui.em)) return;
  Object.assign(ui, { width, em, height: 0 });
  ui.panel.style.minHeight = "";
  keepHeight(ui);
  setZoom(ui.tree, ui.tree.zoom);
}

/** The focus is never lost: after a split by keyboard, or when its place is gone, it is in the tree. */
function returnFocus(ui, hadFocus, view) {
  const back = ui.goBack && !view.problem;
  ui.goBack = false;
  if (back || (hadFocus && !focusWithin(ui.root))) focusCurrent(ui.tree);
}

// ---- one attribute -----------------------------------------------------------------------------

function createBar(ui, bar) {
  const { kind } = bar;
  const name = plainName(bar);
  const parts = {
    ask: button("", (event) => split(ui, row, event), { class: "dtl-question" }),
    word: make("span", { class: "dtl-word" }),
    fill: make("div", { class: "dtl-fill" }),
    gain: make("span", { class: "dtl-gain" }),
    left: make("span", { class: "dtl-left" }),
    why: make("span", { class: "dtl-why" }),
    groups: make("details", { class: "dtl-groups" }),
  };
  parts.track = make("div", { class: "dtl-track", "aria-hidden": "true" }, parts.fill);
  const row = make("li", { class: "dtl-bar" },
    make("div", { class: "dtl-ask-line" }, parts.ask, parts.word),
    parts.track,
    make("p", { class: "dtl-numbers" }, parts.gain, parts.left, parts.why),
  );
  row.parts = parts;
  if (kind === "continuous") row.append(createCut(ui, row, name));
  row.append(parts.groups);
  return row;
}

/** An attribute's own name; `name` is the question, with its cut. */
function plainName({ plain, name }) {
  return plain ?? name;
}

/** The question as it stands, with the cut that is on the screen. */
function nameAsk(row) {
  const name = row.cut === undefined ? row.bar.name : `${plainName(row.bar)} < ${cutText(row.cut)}`;
  setText(row.parts.ask, name);
  set(row.parts.ask, { "aria-label": `Split by ${name}` });
}

function updateBar(ui, row, bar, { node, classes, sameNode }) {
  const { ask, word, track, fill, gain, left, why, groups } = row.parts;
  row.bar = bar;
  const shown = !node.hidden && !bar.disabled;
  const locked = node.locked ? "locked: unlock the node to split it" : null;
  enable(ask, !(bar.disabled || locked));
  setText(word, [shown && bar.best && "best", bar.chosen && "chosen"].filter(Boolean).join(", "));
  set(row, { class: `dtl-bar${shown && bar.best ? " dtl-best" : ""}${bar.chosen ? " dtl-chosen" : ""}` });
  track.hidden = !shown;
  fill.style.width = `${100 * (bar.share || 0)}%`;
  setText(gain, shown ? `gain ${bar.gain}` : "");
  setText(left, shown ? `H(Y|X) ${bar.left}` : "");
  setText(why, bar.disabled ?? locked);
  groups.hidden = !bar.groups || Boolean(bar.disabled);
  if (!groups.hidden) onChange(groups, [bar, node.rows, classes], () => drawGroups(groups, bar, node, classes));
  if (row.parts.cut) updateCut(row, bar, { node, classes, sameNode, dragging: ui.dragging });
  nameAsk(row);
}

/** The branches a question would make, and the sum that gives H(Y|X). */
function drawGroups(details, bar, node, classes) {
  const few = classes.length <= 4;
  const head = ["branch", "", few ? classes.map((kind) => kind.name).join(" : ") : "rows", "entropy"];
  const row = ({ label, rows, counts, entropy }) => make("tr", {},
    make("th", { scope: "row" }, make("bdi", {}, label)),
    make("td", {}, make("svg", { class: "dtl-strip", viewBox: `0 0 90 ${STRIP}`, "aria-hidden": "true" },
      ...strip(counts, classes, { width: 90 }))),
    make("td", {}, few ? counts.join(" : ") : String(rows)),
    make("td", {}, entropy ?? ""));
  const summary = details.querySelector("summary") ?? make("summary", {}, "Branches");
  set(summary, { "aria-label": `Branches of ${plainName(bar)}` });
  if (!summary.parentNode) details.append(summary);
  for (const old of [...details.children].slice(1)) old.remove();
  details.append(
    make("table", {},
      make("thead", {}, make("tr", {}, ...head.map((text) => make(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
      make("tbody", {}, ...bar.groups.map(row))),
    ...sums(bar, node.rows).map((text) => make("p", {}, text)));
}

/** How the numbers of a question come about, where that fits on a line or two. */
export function sums({ groups, left, ratio }, total) {
  if (groups.some(({ entropy }) => !entropy)) return [];
  const whole = groups.reduce((sum, { rows }) => sum + rows, 0) === total;
  const terms = groups.map(({ rows, entropy }) => `${rows}/${total} · ${entropy}`).join(" + ");
  return [...(whole && groups.length <= 6 ? [`H(Y|X) = ${terms} = ${left}`] : []), `gain ratio ${ratio}`];
}

/** Split by an attribute; the keyboard's focus then goes on in the tree. */
function split(ui, row, event) {
  ui.goBack = event.detail === 0;
  const { attribute, axis } = row.bar;
  ui.act({ do: "split", attribute, ...(axis ? { cut: row.cut } : {}) });
}

// ---- the cut of a continuous attribute -------------------------------------------------------------

function createCut(ui, row, name) {
  const cut = {
    drawing: make("svg", { class: "dtl-axis", "aria-hidden": "true" }),
    range: make("input", { type: "range", "aria-label": `Cut of ${name}` }),
    field: make("input", { type: "text", inputmode: "decimal", size: 7, autocomplete: "off", "aria-label": `Type a cut of ${name}` }),
  };
  cut.split = button("", (event) => split(ui, row, event));
  row.parts.cut = cut;
  row.parts.cut.box = make("div", { class: "dtl-cut" },
    make("div", { class: "dtl-axis-box" }, cut.drawing, cut.range),
    make("div", { class: "dtl-type" }, make("label", {}, "cut ", cut.field), cut.split));
  cut.range.addEventListener("input", () => moveCut(ui, row, Number(cut.range.value)));
  cut.range.addEventListener("keydown", (event) => {
    const direction = { PageUp: 1, PageDown: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    moveCut(ui, row, nextMiddle(row.bar.axis.points, row.cut, direction));
  });
  cut.range.addEventListener("pointerdown", () => (ui.dragging = row));
  for (const end of ["pointerup", "pointercancel"]) {
    cut.range.addEventListener(end, () => (ui.dragging = null));
  }
  cut.field.addEventListener("input", () => typeCut(ui, row));
  cut.field.addEventListener("blur", () => showCut(row, cutText(row.cut)));
  cut.field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") enterCut(ui, row);
  });
  return cut.box;
}

/** The nearest cut that leaves a row on either side, `step` apart from the least value. */
export function allowed(cut, { min, max }, step) {
  return Number(Math.min(max, Math.max(min + step, cut)).toPrecision(12));
}

function stepOf({ step, min, max }) {
  return step === "any" ? niceStep(max - min) : step;
}

/** Show a cut at once and ask Python what it would gain. */
function moveCut(ui, row, wanted) {
  const { attribute, axis } = row.bar;
  row.cut = allowed(wanted, axis, stepOf(axis));
  showCut(row, cutText(row.cut));
  ui.drafts.push({ do: "draft", attribute, cut: row.cut });
}

function typeCut(ui, row) {
  const { attribute, axis } = row.bar;
  const typed = parseNumber(row.parts.cut.field.value);
  set(row.parts.cut.field, { "aria-invalid": typed === null ? "true" : null });
  // Half-typed numbers are often out of range: Python is only asked about cuts that can be.
  if (typed === null || typed <= axis.min || typed > axis.max) return;
  row.cut = typed;
  showCut(row, null);
  ui.drafts.push({ do: "draft", attribute, cut: typed });
}

function enterCut(ui, row) {
  const { field } = row.parts.cut;
  const typed = parseNumber(field.value);
  if (row.parts.ask.getAttribute("aria-disabled") === "true") return;
  if (typed === null) return setText(ui.problem, `"${field.value}" is not a number.`);
  ui.goBack = true;
  ui.act({ do: "split", attribute: row.bar.attribute, cut: typed });
}

/** Put the row's cut on its axis, its slider, its button and, unless it is being typed, its field. */
function showCut(row, text) {
  const { range, field, line, under, split: button_, box } = row.parts.cut;
  const { axis, gain } = row.bar;
  const at = `${percent(row.cut, axis)}%`;
  if (line) {
    set(line, { x1: at, x2: at });
    set(under, { width: at });
  }
  range.value = row.cut;
  if (text !== null) {
    if (field.value !== text) field.value = text;
    set(field, { "aria-invalid": null });
  }
  const told = box.dataset.hidden ? "" : `, gain ${gain} bits`;
  set(range, { "aria-valuetext": `cut at ${cutText(row.cut)}${told}` });
  setText(button_, `Split at < ${cutText(row.cut)}`);
  nameAsk(row);
}

function updateCut(row, { axis, disabled }, { node, classes, sameNode, dragging }) {
  const { box, range, field, split: button_ } = row.parts.cut;
  box.hidden = !axis || Boolean(disabled);
  if (box.hidden) {
    row.cut = undefined;
    return;
  }
  box.dataset.hidden = node.hidden ? "yes" : "";
  set(range, { min: axis.min, max: axis.max, step: stepOf(axis) });
  onChange(box, [axis.min, axis.max, axis.best, axis.points, node.hidden, classes], () =>
    drawAxis(row, axis, classes, node.hidden));
  enable(button_, !node.locked);
  // What a person is dragging or typing is theirs: a late answer must not jerk it away.
  const focused = focusWithin(box);
  const held = sameNode && (dragging === row || focused === range || focused === field);
  if (!held) row.cut = axis.cut;
  showCut(row, held ? (focused === field ? null : cutText(row.cut)) : axis.cutText);
}

/** The values on their axis, a lane for each class, with the cut across. Heights are in em. */
function drawAxis(row, axis, classes, hidden) {
  const { drawing, box } = row.parts.cut;
  const lane = Math.min(0.95, Math.max(0.3, 4.5 / classes.length));
  const tall = lane * classes.length + 0.3;
  box.style.setProperty("--dtl-lanes", `${tall}em`);
  const many = axis.points.length > 60;
  const points = axis.points.map(([x, kind, count]) => {
    const sign = mark(classes[kind], Math.min(7, (many ? 2.5 : 4.5) * count ** 0.25));
    return make("svg", { x: `${percent(x, axis)}%`, y: `${(kind + 0.5) * lane}em`, overflow: "visible" }, sign);
  });
  const tick = (x, text, anchor) => make("text", { x: `${percent(x, axis)}%`, y: `${tall + 2.5}em`, "text-anchor": anchor }, text);
  const best = hidden ? null : axis.best;
  const at = best === null ? 50 : percent(best, axis);
  row.parts.cut.line = make("line", { class: "dtl-cut-line", y1: 0, y2: `${tall + 0.7}em` });
  row.parts.cut.under = make("rect", { class: "dtl-under", x: 0, y: 0, height: `${tall}em` });
  drawing.replaceChildren(row.parts.cut.under, ...points, row.parts.cut.line, ...[
    at > 20 && tick(axis.min, cutText(axis.min), "start"),
    at < 80 && tick(axis.max, cutText(axis.max), "end"),
    best !== null && tick(best, `best ${cutText(best)}`, at < 15 ? "start" : at > 85 ? "end" : "middle"),
  ].filter(Boolean));
}

// ---- keys, and the picture for readers without Python ---------------------------------------------

/** Enter's way from the tree to the questions leads to the first that can be asked. */
function firstChoice(ui) {
  const asks = [...ui.bars.querySelectorAll(".dtl-question")];
  return asks.find((ask) => ask.getAttribute("aria-disabled") !== "true") ?? asks[0];
}

function onKey(ui, event) {
  const inTree = ui.tree.svg.contains(event.target);
  const inField = event.target.matches("input[type=text]");
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const can = ui.view?.can ?? {};
  let action = null;
  if (command && !inField && (key === "y" || (key === "z" && event.shiftKey))) action = "redo";
  else if (command && !inField && key === "z") action = "undo";
  else if (inTree && key === "delete") action = "cut";
  else if (!inTree && key === "escape" && ui.view) focusCurrent(ui.tree);
  else if (command || event.altKey) return;
  // JupyterLab has a shortcut on nearly every plain key: "d d" would delete the cell one types in.
  event.stopPropagation();
  if (action === null) return;
  event.preventDefault();
  if (can[action]) ui.act({ do: action });
}

/** A rule that hides the saved picture of this widget, whenever it arrives, while a view is alive. */
function hideStatic(token) {
  const picture = `.dtl-static[data-dtl="${CSS.escape(token)}"]`;
  const output = `.jp-OutputArea-child:has(${picture}):not(:has(.dtl-live))`;
  return make("style", {}, `${picture}, ${output} { display: none !important; }`);
}

export default { render };

// dt.TreeBuilder in the browser: it shows the view that Python sends and sends actions up.
// It decides nothing about trees; it only keeps the focus, the zoom and what is being dragged.
import { createBar, updateBar } from "../shared/bars.mjs";
import { isHeld } from "../shared/cut.mjs";
import { button, enable, focusWithin, isolated, keyed, leaveWheel, make } from "../shared/dom.mjs";
import { markInText, onChange, set, setText } from "../shared/dom.mjs";
import { frame } from "../shared/frame.mjs";
import { drawParts, fitParts, keepHeights, partsIn, zoomButtons } from "../shared/parts.mjs";
import { createTreeView, focusCurrent, setZoom, updateTreeView } from "../shared/treeview.mjs";

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

export const render = (given) => frame(given, "treebuilder", { build, draw, onKey, onResize, onProblem });

/** An action: what it is about, and the node it chooses if it chooses one; Python's word comes later. */
function act(ui, action, asker = null) {
  Object.assign(ui, { asker, wanted: action.do === "select" ? action.at : null });
  ui.act(action);
}

/** Split by an attribute. After the keyboard did it, the focus goes on in the tree. */
function split(ui, { attribute }, cut, event) {
  ui.goBack = !event || event.detail === 0;
  act(ui, { do: "split", attribute, ...(cut === null ? {} : { cut }) }, attribute);
}

/** What is wrong stands above the tree and, if a question of the panel led to it, beside that one too. */
function onProblem(ui, text) {
  for (const { here, bar } of ui.bars.children) setText(here, bar.attribute === ui.asker ? text : "");
}

// ---- building once ---------------------------------------------------------------------------

function build(ui) {
  const send = ui.act;
  ui.act = (action) => {
    ui.own = null; // what was wrong with a typed cut is past
    send(action);
  };
  ui.onBar = {
    draft: ({ attribute }, cut) => ui.drag({ do: "draft", attribute, cut }),
    group: ({ attribute }, branches) => act(ui, { do: "draft", attribute, branches }, attribute),
    split: (bar, cut, event) => split(ui, bar, cut, event),
    problem: ({ attribute }, text) => {
      Object.assign(ui, { asker: attribute, own: text });
      ui.say(text);
    },
  };
  ui.legend = make("ul", { class: "dtl-legend", "aria-label": "Classes" });
  ui.tree = createTreeView({
    onSelect: (at) => act(ui, { do: "select", at }),
    onChoose: () => firstChoice(ui)?.focus(),
  });
  ui.size.prepend(...zoomButtons(ui.tree));
  ui.errors = make("p", { class: "dtl-errors" });
  ui.status = make("p", { class: "dtl-status" });
  ui.hint = make("p", { class: "dtl-hint" }, HINT);
  ui.verdict = make("p", { class: "dtl-verdict" });
  ui.beside = make("div", { class: "dtl-beside" });
  ui.main.append(
    buildTools(ui),
    ui.wrong,
    ui.tree.box,
    make("div", { class: "dtl-foot" }, ui.errors, ui.legend),
    make(
      "div",
      { class: "dtl-messages" },
      make("div", { role: "status", "aria-live": "polite" }, ui.verdict, ui.status),
      ui.hint,
    ),
    ui.beside,
    make("div", { class: "dtl-columns" }, buildPanel(ui), buildTable(ui)),
  );
}

function buildTools(ui) {
  ui.recipe = make("select", { "aria-label": "Algorithm to finish with" });
  ui.recipe.addEventListener("change", () => nameFinish(ui));
  ui.tools = {};
  for (const [name, text] of TOOLS) {
    ui.tools[name] = button(text, () =>
      act(ui, name === "finish" ? { do: name, recipe: ui.recipe.value } : { do: name }),
    );
  }
  const { undo, redo, best, cut, lock, finish, reset } = ui.tools;
  set(lock, { class: "dtl-lock" });
  const pair = make("span", { class: "dtl-pair" }, finish, ui.recipe);
  const tools = [undo, redo, best, cut, lock, pair, ...(ui.model.get("demo") ? [] : [reset])];
  return make("div", { class: "dtl-tools", role: "group", "aria-label": "Tools" }, ...tools);
}

function nameFinish(ui) {
  set(ui.tools.finish, { "aria-label": `Finish with ${ui.recipe.value}` });
}

function buildPanel(ui) {
  ui.where = make("p", { class: "dtl-where" });
  ui.note = make("p", { class: "dtl-note" });
  ui.bars = make("ul", { class: "dtl-bars" });
  ui.moreBars = make("p", { class: "dtl-more" });
  ui.panel = make(
    "div",
    { class: "dtl-panel", role: "group", "aria-label": "What to ask at this node" },
    make("p", { class: "dtl-heading" }, "What to ask at this node"),
    make("div", { class: "dtl-about" }, ui.where, ui.note),
    ui.bars,
    ui.moreBars,
  );
  return ui.panel;
}

function buildTable(ui) {
  ui.headRow = make("tr");
  ui.body = make("tbody");
  ui.more = make("p", { class: "dtl-more" });
  ui.table = make("table", { "aria-label": "Rows at this node" }, make("thead", {}, ui.headRow), ui.body);
  const scroll = { class: "dtl-scroll", role: "group", tabindex: 0, "aria-label": "Rows at this node" };
  const box = make("div", scroll, ui.table, ui.more);
  leaveWheel(box);
  const heading = make("p", { class: "dtl-heading", "aria-hidden": "true" }, "Rows at this node");
  return make("div", { class: "dtl-rows" }, heading, box);
}

// ---- drawing a view ----------------------------------------------------------------------------

function draw(ui, view, before) {
  const hadFocus = focusWithin(ui.root) !== null;
  const sameNode = before?.node.id === view.node.id;
  // Selections run ahead of Python while one walks fast: its late answers must not pull one back.
  if (ui.wanted === view.selected) ui.wanted = null;
  const known = view.tree.cards.some((card) => card.id === ui.wanted);
  const current = known ? ui.wanted : view.selected;
  drawLegend(ui, view.classes);
  drawTools(ui, view);
  drawWords(ui, view);
  drawPanel(ui, view, sameNode);
  if (!sameNode) ui.own = null;
  ui.say(ui.own || view.problem);
  drawTable(ui, view);
  drawParts(ui, ui.beside, view.parts);
  // Last, because it measures, which lays out the page.
  updateTreeView(ui.tree, view.tree, view.classes, current, `Decision tree, ${view.size}`, view.lit);
  keepHeights([ui.panel, ...partsIn(ui.beside)]);
  returnFocus(ui, hadFocus, view);
}

function drawLegend(ui, classes) {
  onChange(ui.legend, classes, () =>
    ui.legend.replaceChildren(
      ...classes.map((kind) => make("li", {}, markInText(kind), "\u00a0", make("bdi", {}, kind.name))),
    ),
  );
}

function drawTools(ui, { can, node, recipes }) {
  for (const [name, tool] of Object.entries(ui.tools)) enable(tool, can[name]);
  setText(ui.tools.lock, node.locked ? "Unlock" : "Lock");
  onChange(ui.recipe, recipes, () =>
    ui.recipe.replaceChildren(...recipes.map((one) => make("option", {}, one))),
  );
  nameFinish(ui);
}

function drawWords(ui, { errors, size, verdict, status }) {
  const validation = errors.validation ? ` · Validation error: ${errors.validation}` : "";
  setText(ui.errors, `Training error: ${errors.training}${validation} · ${size}`);
  setText(ui.verdict, verdict?.text);
  // The status may tell the verdict too: it is not said twice.
  setText(ui.status, verdict ? status.replace(verdict.text, "").trim() : status);
  set(ui.status, { class: verdict ? "dtl-status dtl-unseen" : "dtl-status" });
  ui.hint.hidden = Boolean(status || verdict);
}

function drawPanel(ui, { node, classes }, sameNode) {
  setText(
    ui.where,
    `${node.where}: ${node.rows} ${node.rows === 1 ? "row" : "rows"}, H(Y) = ${node.entropy} bits`,
  );
  setText(ui.note, node.note ?? (node.hidden ? "Choose first: the gains are shown after your choice." : ""));
  setText(ui.moreBars, node.more);
  keyed(ui.bars, node.bars, {
    key: (bar) => bar.attribute,
    create: (bar) => createBar(bar, ui.onBar),
    update: (row, bar) => updateBar(row, bar, { node, classes, fresh: !sameNode }),
    // While a cut is being chosen its gain changes, but its place under the pointer does not.
    keepOrder: sameNode && [...ui.bars.children].some((row) => row.cut && isHeld(row.cut)),
  });
}

function drawTable(ui, { node: { table }, classes }) {
  onChange(ui.table, [table, classes], () => {
    const kinds = new Map(classes.map((kind) => [kind.name, kind]));
    const cell = (text, i, row) => {
      const kind = i === row.length - 1 ? kinds.get(text) : null;
      // The no-break space keeps a class's name on the line of its mark.
      const sign = kind ? [markInText(kind), "\u00a0"] : [];
      return make(i ? "td" : "th", i ? {} : { scope: "row" }, ...sign, isolated(text));
    };
    // The column of row numbers has no name on the page; a header without one would be an error.
    const head = (text, i) => (i || text ? make("th", { scope: "col" }, isolated(text)) : make("td"));
    ui.headRow.replaceChildren(...table.head.map(head));
    ui.body.replaceChildren(...table.rows.map((row) => make("tr", {}, ...row.map(cell))));
    setText(ui.more, table.more);
    requestAnimationFrame(() => (ui.table.parentNode.scrollTop = 0)); // which lays out the page
  });
}

function onResize(ui) {
  fitParts([ui.panel, ...partsIn(ui.beside)]);
  setZoom(ui.tree, ui.tree.zoom);
}

/** The focus is never lost: after a split by keyboard, or when its place is gone, it is in the tree. */
function returnFocus(ui, hadFocus, view) {
  const back = ui.goBack && !view.problem;
  ui.goBack = false;
  // What is hidden by this redraw has the focus until the next frame.
  const seen = focusWithin(ui.root)?.getClientRects().length;
  if (back || (hadFocus && !seen)) focusCurrent(ui.tree);
}

// ---- keys -------------------------------------------------------------------------------------------

/** Enter's way from the tree to the questions leads to the first that can be asked. */
function firstChoice(ui) {
  const asks = [...ui.bars.querySelectorAll(".dtl-question")];
  return asks.find((ask) => ask.getAttribute("aria-disabled") !== "true") ?? asks[0];
}

function onKey(ui, event) {
  const inTree = ui.tree.svg.contains(event.target);
  const inField = event.target.matches("input[type=text]");
  const inList = event.target.matches("select"); // where Escape closes the list
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  let action = null;
  if (command && !inField && (key === "y" || (key === "z" && event.shiftKey))) action = "redo";
  else if (command && !inField && key === "z") action = "undo";
  else if (inTree && key === "delete") action = "cut";
  else if (!inTree && !inList && key === "escape" && ui.view) focusCurrent(ui.tree);
  if (action !== null && ui.view?.can[action]) act(ui, { do: action });
  return action !== null;
}

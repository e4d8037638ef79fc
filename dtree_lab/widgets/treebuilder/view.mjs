// dt.TreeBuilder in the browser: it shows the dict `view` that Python sends and sends actions up.
// It decides nothing about trees; it only keeps the focus, the zoom and what is being dragged.
import { createBar, updateBar } from "../shared/bars.mjs";
import { isHeld, layTicks } from "../shared/cut.mjs";
import { button, enable, focusWithin, make, set, setText } from "../shared/dom.mjs";
import { keyed, markInText, onChange } from "../shared/dom.mjs";
import { paced } from "../shared/numbers.mjs";
import { createTreeView, focusCurrent, setZoom, updateTreeView, zoomOf } from "../shared/treeview.mjs";
import { nextZoom } from "../shared/treewalk.mjs";

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
const PATIENCE = 5000;
const AGAIN = "Run the notebook from the top (Run → Run All Above Selected Cell), then this cell.";
const NO_ANSWER = `Python has not answered yet: it may be busy with another cell. If it was restarted, it no longer knows this widget. ${AGAIN}`;
const NO_KERNEL = `Python no longer knows this widget. ${AGAIN}`;

function render({ model, el }) {
  const root = make("div", { class: "dtl dtl-treebuilder dtl-live", role: "group" });
  const ui = { model, root, view: null };
  ui.act = (action) => act(ui, action);
  ui.drafts = paced(
    (action) => post(ui, action),
    (step) => requestAnimationFrame(step),
  );
  ui.onBar = {
    draft: ({ attribute }, cut) => ui.drafts.push({ do: "draft", attribute, cut }),
    group: ({ attribute }, branches) => act(ui, { do: "draft", attribute, branches }, attribute),
    split: (bar, cut, event) => split(ui, bar, cut, event),
    problem: ({ attribute }, text) => {
      Object.assign(ui, { asker: attribute, own: text });
      showProblem(ui, text);
    },
  };
  build(ui);
  const redraw = () => {
    clearTimeout(ui.patience);
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
    clearTimeout(ui.patience);
    model.off("change:view", redraw);
    resized.disconnect();
    ui.root.remove();
  };
}

/** Send an action up. A kernel that is gone must not break the page. */
function post(ui, action) {
  const failed = () => showProblem(ui, NO_KERNEL);
  try {
    ui.model.send(action)?.catch?.(failed);
  } catch {
    failed();
  }
}

/** An action other than a draft: a draft still waiting would come too late, and Python chooses the node. */
function act(ui, action, asker = null) {
  Object.assign(ui, { asker, own: null });
  ui.drafts.drop();
  ui.wanted = action.do === "select" ? action.at : null;
  clearTimeout(ui.patience);
  // The same problem once more is an answer too, though one that changes nothing.
  ui.patience = setTimeout(
    () => ui.problem.textContent || showProblem(ui, ui.view?.problem || NO_ANSWER),
    PATIENCE,
  );
  post(ui, action);
}

/** Split by an attribute. After the keyboard did it, the focus goes on in the tree. */
function split(ui, { attribute }, cut, event) {
  ui.goBack = !event || event.detail === 0;
  act(ui, { do: "split", attribute, ...(cut === null ? {} : { cut }) }, attribute);
}

/** Say what is wrong, above the tree and, if a question of the panel led to it, beside that one too. */
function showProblem(ui, text) {
  setText(ui.problem, text);
  for (const { here, bar } of ui.bars.children) setText(here, bar.attribute === ui.asker ? text : "");
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
  ui.main = make(
    "div",
    { class: "dtl-main" },
    make("div", { class: "dtl-head" }, ui.title, buildZoom(ui)),
    buildTools(ui),
    make("div", { class: "dtl-wrong" }, ui.problem),
    ui.tree.box,
    make("div", { class: "dtl-foot" }, ui.errors, ui.legend),
    make(
      "div",
      { class: "dtl-messages" },
      make("div", { role: "status", "aria-live": "polite" }, ui.verdict, ui.status),
      ui.hint,
    ),
    make("div", { class: "dtl-columns" }, buildPanel(ui), buildTable(ui)),
  );
  ui.empty = make("p", {}, `Nothing to show yet. ${AGAIN}`);
  ui.root.append(ui.empty, ui.main);
  ui.root.addEventListener("keydown", (event) => onKey(ui, event));
}

function buildTools(ui) {
  ui.recipe = make("select", { "aria-label": "Algorithm to finish with" });
  ui.recipe.addEventListener("change", () => nameFinish(ui));
  ui.tools = {};
  for (const [name, text] of TOOLS) {
    ui.tools[name] = button(text, () =>
      ui.act(name === "finish" ? { do: name, recipe: ui.recipe.value } : { do: name }),
    );
  }
  const { undo, redo, best, cut, lock, finish, reset } = ui.tools;
  set(lock, { class: "dtl-lock" });
  const pair = make("span", { class: "dtl-pair" }, finish, ui.recipe);
  return make(
    "div",
    { class: "dtl-tools", role: "group", "aria-label": "Tools" },
    undo,
    redo,
    best,
    cut,
    lock,
    pair,
    reset,
  );
}

function nameFinish(ui) {
  set(ui.tools.finish, { "aria-label": `Finish with ${ui.recipe.value}` });
}

function buildZoom(ui) {
  const zoom = (name, text, change) =>
    button(
      text,
      () => {
        setZoom(ui.tree, change());
        set(ui.fit, { "aria-pressed": String(ui.tree.zoom === "fit") });
      },
      name === "fit" ? { "aria-pressed": "false" } : {},
    );
  ui.fit = zoom("fit", "Fit", () => (ui.tree.zoom === "fit" ? 1 : "fit"));
  const large = button(
    "Large type",
    () => {
      const isLarge = ui.root.classList.toggle("dtl-large");
      set(large, { "aria-pressed": String(isLarge) });
      onResize(ui);
    },
    { "aria-pressed": "false" },
  );
  return make(
    "div",
    { class: "dtl-zoom", role: "group", "aria-label": "Size of the picture" },
    zoom("out", "Zoom out", () => nextZoom(zoomOf(ui.tree), -1)),
    zoom("in", "Zoom in", () => nextZoom(zoomOf(ui.tree), 1)),
    ui.fit,
    large,
  );
}

function buildPanel(ui) {
  ui.where = make("p", { class: "dtl-where" });
  ui.note = make("p", { class: "dtl-note" });
  ui.bars = make("ul", { class: "dtl-bars" });
  ui.panel = make(
    "div",
    { class: "dtl-panel", role: "group", "aria-label": "What to ask at this node" },
    make("p", { class: "dtl-heading" }, "What to ask at this node"),
    make("div", { class: "dtl-about" }, ui.where, ui.note),
    ui.bars,
  );
  return ui.panel;
}

function buildTable(ui) {
  ui.headRow = make("tr");
  ui.body = make("tbody");
  ui.more = make("p", { class: "dtl-more" });
  ui.table = make("table", { "aria-label": "Rows at this node" }, make("thead", {}, ui.headRow), ui.body);
  return make(
    "div",
    { class: "dtl-rows" },
    make("p", { class: "dtl-heading", "aria-hidden": "true" }, "Rows at this node"),
    make(
      "div",
      { class: "dtl-scroll", role: "group", tabindex: 0, "aria-label": "Rows at this node" },
      ui.table,
      ui.more,
    ),
  );
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
  updateTreeView(ui.tree, view.tree, view.classes, current, `Decision tree, ${view.size}`);
  drawWords(ui, view);
  drawPanel(ui, view, sameNode);
  if (!sameNode) ui.own = null;
  showProblem(ui, ui.own || view.problem);
  drawTable(ui, view);
  keepHeight(ui);
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
  for (const { cut } of ui.bars.children) if (cut) layTicks(cut);
  keepHeight(ui);
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

// ---- keys, and the picture for readers without Python ---------------------------------------------

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
  const can = ui.view?.can ?? {};
  let action = null;
  if (command && !inField && (key === "y" || (key === "z" && event.shiftKey))) action = "redo";
  else if (command && !inField && key === "z") action = "undo";
  else if (inTree && key === "delete") action = "cut";
  else if (!inTree && !inList && key === "escape" && ui.view) focusCurrent(ui.tree);
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

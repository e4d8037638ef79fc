// A lab in the browser: its parts in their order, drawn as Python says. It decides nothing; it only
// keeps the focus, and what is being dragged or typed.
import { focusWithin, make, markInText, onChange, set, setText } from "./dom.mjs";
import { frame, keepFocus } from "./frame.mjs";
import { drawParts, fitParts, keepHeights, partsIn } from "./parts.mjs";
import { focusCurrent } from "./treeview.mjs";

// In the order in which they are read; a wide page has its own places for them (base.css).
const AREAS = ["above", "main", "flow", "side", "under", "below"];

export const render = (given) => frame(given, { build, draw, onKey, onResize, onProblem });

function build(ui) {
  const send = ui.act;
  ui.act = (action, asker = null) => {
    // A node that is walked to is chosen before Python answers; any other action ends that. What was
    // wrong with a typed cut is past; what Python finds wrong is said beside the question, too.
    Object.assign(ui, { wanted: action.do === "select" ? action : null, own: null, asker });
    send(action);
  };
  ui.legend = make("ul", { class: "dtl-legend", "aria-label": "Classes" });
  ui.verdict = make("p", { class: "dtl-verdict" });
  ui.status = make("p", { class: "dtl-status" });
  ui.said = make("div", { role: "status", "aria-live": "polite" }, ui.verdict, ui.status);
  ui.tools = make("div");
  const area = (name) => [name, make("div", { class: `dtl-column dtl-in-${name}` })];
  ui.areas = Object.fromEntries(AREAS.map(area));
  ui.parts = make("div", { class: "dtl-parts" }, ...Object.values(ui.areas));
  ui.main.append(ui.tools, ui.wrong, ui.progress, ui.legend, ui.parts, ui.said);
}

function draw(ui, view) {
  const had = focusWithin(ui.root) !== null;
  ui.legend.hidden = !view.classes.length;
  onChange(ui.legend, view.classes, () =>
    ui.legend.replaceChildren(
      ...view.classes.map((kind) => make("li", {}, markInText(kind), "\u00a0", make("bdi", {}, kind.name))),
    ),
  );
  const isTool = (part) => part.kind === "toolbar";
  drawParts(ui, ui.tools, view.parts.filter(isTool));
  const others = view.parts.filter((part) => !isTool(part));
  for (const [name, box] of Object.entries(ui.areas)) drawParts(ui, box, others.filter((part) => part.area === name));
  keepHeights(steady(ui));
  drawWords(ui, view);
  returnFocus(ui, had, view);
}

function drawWords(ui, { verdict, status, problem, progress }) {
  // While it counts up, it is not read aloud at every step.
  set(ui.said, { "aria-busy": progress === null ? null : "true" });
  setText(ui.verdict, verdict);
  // The status may tell the verdict too: it is not said twice.
  setText(ui.status, verdict ? status.replace(verdict, "").trim() : status);
  set(ui.status, { class: verdict ? "dtl-status dtl-unseen" : "dtl-status" });
  if (ui.hint) ui.hint.hidden = Boolean(status || verdict);
  ui.say(ui.own || problem);
}

/** What is wrong stands above the parts and, if a question led to it, beside that one too. */
function onProblem(ui, text) {
  for (const row of ui.parts.querySelectorAll(".dtl-questions > .dtl-bar")) {
    setText(row.here, row.bar.attribute === ui.asker ? text : "");
  }
}

/** Nothing stands below what is "under": it need not keep its height. */
const steady = (ui) => partsIn(ui.parts).filter((part) => part.parentNode !== ui.areas.under);

const onResize = (ui) => fitParts(steady(ui));

/** The focus is never lost: after a split by keyboard, or when its place is gone, it is in the tree. */
function returnFocus(ui, had, { problem }) {
  const back = ui.goBack && !problem;
  ui.goBack = false;
  if (!ui.tree) keepFocus(ui, had, ui.root.querySelector("input, button, select"));
  // What is hidden by this redraw has the focus until the next frame.
  else if (back || (had && !focusWithin(ui.root)?.getClientRects().length)) focusCurrent(ui.tree);
}

/** Keys of the toolbar's controls, and Escape's way back to the tree that the lab is about. */
function onKey(ui, event) {
  const inTree = event.target.closest("[role=tree]") && ui.tree?.svg.contains(event.target);
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (key === "escape") {
    // In a list Escape closes it.
    if (ui.tree && !inTree && !event.target.matches("select")) focusCurrent(ui.tree);
    return false;
  }
  if (command ? event.target.matches("input[type=text]") : !inTree) return false;
  for (const { keys, controls } of ui.view?.parts.filter((part) => part.kind === "toolbar") ?? []) {
    const shifted = event.shiftKey && keys[`shift+${command ? "ctrl+" : ""}${key}`];
    const id = shifted || keys[`${command ? "ctrl+" : ""}${key}`];
    if (!id) continue;
    if (controls.some((one) => one.id === id && one.enabled)) ui.act({ do: id });
    return true;
  }
  return false;
}

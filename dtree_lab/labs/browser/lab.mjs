// A lab in the browser: its parts in their order, drawn as Python says. It decides nothing; it only
// keeps the focus, and what is being dragged or typed.
import { focusWithin, handAt, keyed, make, markInText, onChange, set, setText } from "./dom.mjs";
import { isRead } from "./figure.mjs";
import { frame, keepFocus } from "./frame.mjs";
import { createLight, putOut, relight } from "./lighting.mjs";
import { drawParts, fillColumn, fitParts, follow, keepHeights, partsIn } from "./parts.mjs";
import { fitPanel, inRoom, pictured } from "./room.mjs";
import { focusCurrent } from "./treeview.mjs";

// In the order in which they are read; a wide page has its own places for them (base.css).
const AREAS = ["above", "hero", "beside", "act", "side", "main", "below"];
// These two fill the stage, which is as high as the window leaves it.
const STAGE = ["hero", "beside", "panel"];

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
  ui.title.after(ui.legend);
  ui.verdict = make("p", { class: "dtl-verdict" });
  ui.status = make("p", { class: "dtl-status" });
  ui.said = make("div", { class: "dtl-result", role: "status", "aria-live": "polite" }, ui.verdict, ui.status);
  ui.wrong.prepend(ui.said);
  ui.tools = make("div", { class: "dtl-tools-box" });
  const area = (name) => [name, make("div", { class: `dtl-column dtl-in-${name}` })];
  ui.areas = Object.fromEntries(AREAS.map(area));
  ui.areas.panel = make("div", { class: "dtl-column dtl-in-panel" });
  const { hero, beside, panel, above, ...others } = ui.areas;
  ui.stage = make("div", { class: "dtl-stage" }, hero, beside, panel);
  ui.parts = make("div", { class: "dtl-parts" }, above, ui.stage, ...Object.values(others));
  ui.drawers = make("div", { class: "dtl-drawers" });
  ui.main.append(ui.tools, ui.wrong, ui.progress, ui.parts, ui.drawers);
  createLight(ui);
}

function draw(ui, view) {
  const had = focusWithin(ui.root) !== null;
  const room = ui.room ? ui.model.get("room") : null;
  ui.isHandless = Boolean(room && !room.hands);
  ui.legend.hidden = !view.classes.length;
  const kinds = view.classes.filter((_, cls) => !ui.isHandless || !view.absent?.includes(cls));
  onChange(ui.legend, kinds, () =>
    ui.legend.replaceChildren(
      ...kinds.map((kind) => make("li", {}, markInText(kind), "\u00a0", make("bdi", {}, kind.name))),
    ),
  );
  const isTool = (part) => part.kind === "toolbar";
  ui.root.classList.toggle("dtl-hands", !ui.isHandless);
  const parts = room ? inRoom(view, room) : view.parts;
  if (room) for (const name of ["hero", "beside"]) ui.areas[name].classList.toggle("dtl-kept", pictured(view, room).includes(name));
  drawParts(ui, ui.tools, parts.filter(isTool));
  const others = parts.filter((part) => !isTool(part));
  const open = others.filter((part) => !part.drawer);
  for (const [name, box] of Object.entries(ui.areas)) drawParts(ui, box, open.filter((part) => part.area === name));
  drawDrawers(ui, others.filter((part) => part.drawer));
  drawWords(ui, view);
  keepHeights(steady(ui));
  fillStage(ui);
  if (ui.room) fillRoom(ui);
  follow(ui);
  relight(ui, view);
  returnFocus(ui, had, view);
}

/** What is not needed at first sight, under the names of drawers. */
function drawDrawers(ui, parts) {
  const names = [...new Set(parts.map((part) => part.drawer))];
  keyed(ui.drawers, names, {
    key: (name) => name,
    create: (name) => {
      const box = make("div", { class: "dtl-column" });
      const drawer = make("details", { class: "dtl-drawer", "data-id": name }, make("summary", {}, name), box);
      // What a lecturer's key reveals must be seen then: its drawer is open.
      drawer.open = Boolean(ui.model.get("demo")) && parts.some((part) => part.drawer === name && part.stage);
      drawer.addEventListener("toggle", () => drawer.open && fitParts(partsIn(box)));
      return Object.assign(drawer, { box });
    },
    update: (drawer, name) => drawParts(ui, drawer.box, parts.filter((part) => part.drawer === name)),
  });
}

/**
 * The stage takes what the window leaves when the lab is scrolled to its top: what stands above it and
 * the controls right under it are on the same screen. Its height is found again when the size of the
 * page changes, or the parts and controls do; never because a sentence is longer, so that nothing jumps.
 */
function fillStage(ui, again = false) {
  const filled = STAGE.map((name) => ui.areas[name]).filter((column) => column.children.length && column.getClientRects().length);
  if (!filled.length || !ui.root.clientWidth) return;
  const { offsetHeight } = ui.areas.act;
  const parts = [...ui.parts.querySelectorAll(".dtl-column > .dtl-part")].map((part) => part.dataset.id);
  const there = [...parts, offsetHeight].join();
  if (again || ui.there !== there) {
    const top = filled[0].getBoundingClientRect().top - ui.root.getBoundingClientRect().top;
    const room = screenOf(ui.root) - top - (offsetHeight && offsetHeight + GAP) - GAP;
    ui.high = Math.max(LEAST_STAGE * parseFloat(getComputedStyle(ui.root).fontSize), room);
  }
  if (again || ui.there !== there || filled.some((column) => column.scrollHeight > ui.high + 1)) {
    const { panel } = ui.areas;
    const isUnder = ui.root.dataset.panel === "under" && filled.includes(panel);
    const under = isUnder ? panel.offsetHeight + parseFloat(getComputedStyle(ui.stage).rowGap) : 0;
    const shares = isStacked(ui) ? 2 : 1;
    for (const column of filled) if (!isUnder || column !== panel) fillColumn(column, (ui.high - under) / (column === panel ? 1 : shares) - (shares - 1) * GAP);
  }
  ui.there = there;
}

const isStacked = ({ root }) => root.classList.contains("dtl-stacked");

/** Two pictures that have too little width side by side stand over one another. */
function stack(ui) {
  const { root, areas: { hero, beside } } = ui;
  const key = [root.clientWidth, hero.childElementCount, beside.childElementCount].join();
  if (ui.stacked === key) return;
  ui.stacked = key;
  root.classList.remove("dtl-stacked");
  fillStage(ui, true);
  // Half as high they must not be lower than they were narrow.
  const isNarrow = ({ layout, given }) => layout && layout.width < Math.min(CRAMPED, layout.height / 2 / given.height) * given.width;
  root.classList.toggle("dtl-stacked", hero.childElementCount > 0 && partsIn(beside).some(isNarrow));
}

/** Before a class the panel has what it needs, and the hero the rest. */
function fillRoom(ui) {
  const { root, areas, stage } = ui;
  const { panel } = areas;
  stack(ui);
  const arrange = () => fillStage(ui, true);
  const fits = () => {
    const isUnder = root.dataset.panel === "under";
    const high = root.dataset.panel.startsWith("side") ? panel.clientHeight : ui.high * (isUnder ? MOST_UNDER : 1);
    const isWhole = panel.scrollHeight <= high + 1 && panel.scrollWidth <= panel.clientWidth + 1;
    return isWhole && partsIn(stage).every((part) => isLegible(part, isUnder));
  };
  fitPanel(root, panel, arrange, fits);
}

/** Whether the frame of a picture has been pushed together no further than its words allow, and a tree has some room. */
function isLegible({ layout, tree, room, unit, given, offsetHeight }, isOver) {
  if (!offsetHeight) return true;
  if (tree) return !(room < LEAST_TREE * unit);
  if (!layout) return true;
  if (!isRead(layout, given)) return false;
  // What stands under it takes none of its width.
  if (isOver) return layout.height >= LOW * given.height;
  return layout.width >= CRAMPED * given.width && layout.height >= CRAMPED * given.height;
}

const CRAMPED = 0.62;
const LOW = 0.48; // over lines of words
const LEAST_TREE = 170; // in units
const MOST_UNDER = 0.55; // of the height
const GAP = 8;
const LEAST_STAGE = 11; // in em

/** How much of a page is seen at once: in JupyterLab, of its notebook. */
function screenOf(node) {
  return node.closest(".jp-WindowedPanel-outer, .dtl-hall")?.clientHeight || window.innerHeight;
}

function drawWords(ui, { verdict, status, result, asks, problem, progress }) {
  // While it counts up, it is not read aloud at every step.
  set(ui.said, { "aria-busy": progress === null ? null : "true" });
  setText(ui.verdict, verdict);
  setText(ui.status, status || verdict || (asks && ui.isHandless) ? status : result);
  if (ui.hint) ui.hint.style.visibility = status || verdict ? "hidden" : "";
  ui.say(ui.own || problem);
}

/** What is wrong stands above the parts and, if a question led to it, beside that one too. */
function onProblem(ui, text) {
  for (const row of ui.parts.querySelectorAll(".dtl-questions > .dtl-bar")) {
    setText(row.here, row.bar.attribute === ui.asker ? text : "");
  }
}

/** What is on the stage has its height from the window. Of a card all is kept as high as its highest question was. */
function steady(ui) {
  const parts = partsIn(ui.main).filter((part) => !ui.stage.contains(part));
  return ui.root.classList.contains("dtl-chooses") ? [...parts, ui.main] : parts;
}

function onResize(ui) {
  fitParts([...partsIn(ui.main), ui.main], steady(ui));
  fillStage(ui, true);
  if (ui.room) fillRoom(ui);
}

/** The focus is never lost: after a split by keyboard, or when its place is gone, it is in the tree. */
function returnFocus(ui, had, { problem }) {
  const back = ui.goBack && !problem && ui.root.contains(handAt(ui.root) ?? ui.root);
  ui.goBack = false;
  if (!ui.tree) keepFocus(ui, had, ui.parts.querySelector("input, button, select"));
  // What is hidden by this redraw has the focus until the next frame.
  else if (back || (had && !focusWithin(ui.root)?.getClientRects().length)) focusCurrent(ui.tree);
}

/** Keys of the toolbar's controls, and Escape's way back to the tree that the lab is about. */
function onKey(ui, event) {
  const inTree = event.target.closest("[role=tree]") && ui.tree?.svg.contains(event.target);
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (key === "escape") {
    putOut(ui);
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

// What stands around every lab: its title and its messages, what it says to Python and hears from it,
// and the keys. A lab decides nothing; it shows the view that it is told and sends actions up.
import { button, enable, focusWithin, make, set, setText } from "./dom.mjs";
import { createHand, goOn, inTurn, sends } from "./hand.mjs";
import { keeper } from "./keeping.mjs";
import { paced } from "./numbers.mjs";

const PATIENCE = 5000;
const SLOW = 400;
export const AGAIN = "Run the notebook from the top (Run → Run All Above Selected Cell), then this cell.";
const NO_ANSWER = `Python has not answered yet: it may be busy with another cell. If it was restarted, it no longer knows this widget. ${AGAIN}`;
const NO_KERNEL = `Python no longer knows this widget. ${AGAIN}`;
const KEEP_FIRST =
  "Python has ended and no longer knows this lab; what was done in it stands on this page alone. First press “KEEP” below, then run the notebook from the top (Run → Run All Cells).";
// On a page of its own, made by `dtree-lab demo`, there is no notebook to run again.
const RELOAD = "Reload this page to begin anew. If it does not come back, run the command dtree-lab demo once more.";
const NO_ANSWER_HERE = `There is no answer yet: the lab may still be working. If none comes: ${RELOAD}`;
const STOPPED = `The program behind this page has stopped, and what was done here is gone. ${RELOAD}`;
const ENDS = ["autorestarting", "restarting", "terminating", "dead"];
// A lecturer's keys, and those of a clicker in the hand.
const DEMO_KEYS = { PageDown: "next", n: "next", PageUp: "back", b: "back", r: "reset" };

/**
 * A lab in the page. `build(ui)` fills `ui.main`, `draw(ui, view, before)` shows a view,
 * `onKey(ui, event)` returns true for a key it has dealt with, `onResize(ui)`, `onProblem(ui, text)`.
 */
export function frame({ model, el }, parts) {
  const root = make("div", { class: "dtl dtl-lab dtl-live", role: "group" });
  const page = Boolean(document.querySelector("meta[name=dtree-lab-page]"));
  const ui = { model, root, page, view: null, sent: 0, answered: 0, isOver: false, ...parts };
  ui.drafts = paced(
    (action) => post(ui, action),
    (step) => requestAnimationFrame(step),
    PATIENCE,
  );
  ui.act = (action) => act(ui, action);
  ui.drag = (action) => {
    sends(ui, action, true);
    ui.drafts.push(action);
  };
  ui.say = (text) => say(ui, text);
  const redraw = () => show(ui);
  const told = () => {
    ui.isOver = false; // who tells something lives
    show(ui);
  };
  const letGo = createHand(ui, () => settled(ui), redraw);
  furnish(ui);
  model.on("change:told", told);
  const resized = new ResizeObserver(() => resize(ui));
  resized.observe(root);
  const onWindow = () => resize(ui);
  window.addEventListener("resize", onWindow); // its height may change alone
  const onPage = (event) => demoKey(ui, event);
  if (model.get("demo")) document.addEventListener("keydown", onPage);
  const unwatch = onEnd(model, () => ends(ui));
  el.append(root);
  show(ui);
  if (model.get("token")) root.append(hideStatic(model.get("token")));
  const live = () => {
    ui.keeper?.name();
    send(ui, { do: "live" });
  };
  requestAnimationFrame(() => requestAnimationFrame(live));
  return () => {
    rest(ui);
    model.off("change:told", told);
    ui.keeper?.end();
    letGo();
    document.removeEventListener("keydown", onPage);
    unwatch();
    resized.disconnect();
    window.removeEventListener("resize", onWindow);
    root.remove();
  };
}

/** Whether the view is the answer to the last that was sent, and nothing waits to be sent. */
export function settled(ui) {
  return ui.isOver || (ui.answered >= ui.sent && ui.drafts.idle());
}

// ---- to Python and back --------------------------------------------------------------------------

/** Send an action up. A kernel that is gone must not break the page. */
function send(ui, action) {
  try {
    ui.model.send(action)?.catch?.(() => ends(ui));
  } catch {
    ends(ui);
  }
}

/** Tell at once when the kernel ends: who waits for an answer, or looks at a class, should not find out by a click. */
function onEnd(model, tell) {
  const kernel = model.widget_manager?.kernel;
  const changed = (_, status) => ENDS.includes(status) && tell();
  kernel?.statusChanged?.connect(changed);
  kernel?.disposed?.connect(tell);
  return () => {
    kernel?.statusChanged?.disconnect(changed);
    kernel?.disposed?.disconnect(tell);
  };
}

/** The kernel is gone: what is on the page is all that is left. */
function ends(ui) {
  ui.isOver = true;
  rest(ui);
  ui.drafts.drop();
  ui.hand.waiting.length = 0;
  ui.say(gone(ui));
}

const gone = ({ page, keeper }) => (page ? STOPPED : keeper?.keeps() ? KEEP_FIRST.replace("KEEP", keeper.keeps()) : NO_KERNEL);

/** With a number, by which its answer is known. */
function post(ui, action) {
  ui.sent = Math.max(ui.sent, ui.view?.answers ?? 0) + 1;
  // What only Python knows is marked as old, once its answer takes long enough to be noticed.
  ui.slow ??= setTimeout(() => wait(ui, "true"), SLOW);
  ui.patience ??= setTimeout(() => late(ui), PATIENCE);
  send(ui, { ...action, n: ui.sent });
}

/** Say that Python takes long, and ask once more for an answer that may have been lost on its way. */
function late(ui) {
  ui.patience = null;
  // The same problem once more is an answer too, though one that changes nothing.
  if (!ui.problem.textContent) ui.say(ui.view?.problem || (ui.page ? NO_ANSWER_HERE : NO_ANSWER));
  send(ui, { do: "live", n: ui.sent });
}

/** Nothing more is waited for. */
function rest(ui) {
  clearTimeout(ui.patience);
  clearTimeout(ui.slow);
  ui.patience = ui.slow = null;
  wait(ui, null);
}

function wait(ui, isBusy) {
  set(ui.root, { "data-waits": isBusy });
  set(ui.said, { "aria-busy": isBusy });
}

/** An action other than a drag; what is still to be told of a drag goes before it. */
function act(ui, action) {
  if (ui.isOver) ui.say(gone(ui));
  sends(ui, action, false);
  ui.drafts.flush();
  post(ui, action);
}

function show(ui) {
  ui.hand.isLate = ui.hand.isDown;
  if (ui.hand.isDown) return;
  const view = JSON.parse(ui.model.get("told") || "null");
  const ready = Boolean(view?.title);
  ui.empty.hidden = ready;
  for (const part of [ui.main, ui.keeper?.node]) if (part) part.hidden = !ready;
  if (!ready) return;
  // A view of before, which is shown again, takes nothing back.
  ui.answered = Math.max(ui.answered, view.answers ?? 0);
  if (ui.answered >= ui.sent) {
    rest(ui);
    ui.drafts.answered();
  }
  const before = ui.view;
  ui.view = view;
  set(ui.root, { "aria-label": view.title });
  setText(ui.title, view.title);
  ui.bar.style.width = `${100 * (view.progress ?? 0)}%`;
  set(ui.progress, { class: view.progress === null ? "dtl-progress" : "dtl-progress dtl-busy" });
  showHistory(ui, view);
  ui.draw(ui, view, before);
  set(ui.root, { "data-answers": view.answers }); // which message the page shows the answer to
  if (ui.isOver) ui.say(gone(ui));
  ui.keeper?.show();
  goOn(ui);
}

/** Say what is wrong, above all that is shown. */
function say(ui, text) {
  setText(ui.problem, text);
  ui.onProblem?.(ui, text);
}

// ---- what stands around --------------------------------------------------------------------------

function furnish(ui) {
  const demo = Boolean(ui.model.get("demo"));
  ui.room = Boolean(ui.model.get("room"));
  ui.root.classList.toggle("dtl-room", ui.room);
  ui.title = make("p", { class: "dtl-title" });
  ui.problem = make("p", { class: "dtl-problem", role: "alert" });
  ui.bar = make("div", { class: "dtl-progress-bar" });
  ui.progress = make("div", { class: "dtl-progress", "aria-hidden": "true" }, ui.bar);
  ui.size = make("div", { class: "dtl-zoom", role: "group", "aria-label": "Size of the picture" });
  ui.root.classList.toggle("dtl-large", demo);
  if (!demo) ui.size.append(largeType(ui));
  ui.main = make("div", { class: "dtl-main" });
  const tools = make("div", { class: "dtl-head-tools" }, demo ? lecture(ui) : null, history(ui), ui.size);
  ui.main.append(make("div", { class: "dtl-head" }, ui.title, tools));
  // What is wrong lies over the result for as long as it is, so that nothing moves.
  ui.wrong = make("div", { class: "dtl-wrong" }, ui.problem);
  ui.empty = make("p", {}, `Nothing to show yet. ${ui.page ? RELOAD : AGAIN}`);
  ui.root.append(ui.empty, ui.main);
  if (!demo && !ui.model.get("played")) ui.root.append((ui.keeper = keeper(ui, { settled, send, patience: PATIENCE })).node);
  ui.root.addEventListener("keydown", (event) => onKey(ui, event));
  ui.build(ui);
}

function largeType(ui) {
  const large = button(
    "Large type",
    () => {
      const isLarge = ui.root.classList.toggle("dtl-large");
      set(large, { "aria-pressed": String(isLarge) });
      resize(ui);
    },
    { "aria-pressed": "false" },
  );
  return large;
}

/** Buttons for the lecturer's keys: what a key does can be clicked too. */
function lecture(ui) {
  const one = (action, text, key) => button(text, () => ui.act({ do: action }), { "aria-keyshortcuts": key });
  const keys = [one("next", "Next (Page Down)", "PageDown"), one("back", "Back (Page Up)", "PageUp")];
  const group = { class: "dtl-lecture", role: "group", "aria-label": "Lecture" };
  return make("div", group, ...keys, one("reset", "Start over (r)", "R"));
}

/** What was done can be undone in every lab: by a button or Ctrl+Z, unless a lab has tools of its own for it. */
function history(ui) {
  const one = (action, text, keys) => button(text, () => ui.act({ do: action }), { "aria-keyshortcuts": keys });
  ui.undo = one("undo", "Undo", "Control+Z");
  ui.redo = one("redo", "Redo", "Control+Shift+Z");
  ui.history = make("div", { class: "dtl-history", role: "group", "aria-label": "What was done" }, ui.undo, ui.redo);
  return ui.history;
}

function showHistory(ui, { undo = null, redo = null }) {
  ui.history.hidden = undo === null;
  enable(ui.undo, undo);
  enable(ui.redo, redo);
}

function historyKey({ view, act }, event) {
  const key = event.key.toLowerCase();
  const command = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!command || !["z", "y"].includes(key) || view?.undo == null) return false;
  if (event.target.matches("input[type=text], textarea")) return false; // where letters are undone
  const back = key === "z" && !event.shiftKey;
  if (back ? view.undo : view.redo) act({ do: back ? "undo" : "redo" });
  return true;
}

function resize(ui) {
  const width = ui.root.clientWidth;
  const em = parseFloat(getComputedStyle(ui.root).fontSize);
  // Before a class it has what its scene leaves.
  const high = ui.room ? ui.root.clientHeight : window.innerHeight;
  if (!ui.view || (width === ui.width && em === ui.em && high === ui.window)) return;
  Object.assign(ui, { width, em, window: high });
  ui.onResize?.(ui);
}

function onKey(ui, event) {
  if (ui.model.get("demo") && demoAction(event)) return; // dealt with by the page
  const done = ui.onKey?.(ui, event) || historyKey(ui, event);
  if (!done && (event.ctrlKey || event.metaKey || event.altKey)) return;
  // JupyterLab has a shortcut on nearly every plain key: "d d" would delete the cell one types in.
  event.stopPropagation();
  if (done) event.preventDefault();
}

function demoAction(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input[type=text], select")) return null;
  return DEMO_KEYS[event.key] ?? null;
}

function demoKey(ui, event) {
  const action = demoAction(event);
  if (!action || !ui.view) return;
  event.preventDefault();
  inTurn(ui, () => ui.act({ do: action }));
}

/** The focus is never lost: when its place is gone, or hidden, it goes to `home`. */
export function keepFocus(ui, had, home) {
  if (had && !focusWithin(ui.root)?.getClientRects().length) home?.focus({ preventScroll: true });
}

/** A rule that hides the saved picture of this widget, whenever it arrives, while a view is alive. */
function hideStatic(token) {
  const picture = `.dtl-static[data-dtl="${CSS.escape(token)}"]`;
  const output = `.jp-OutputArea-child:has(${picture}):not(:has(.dtl-live))`;
  return make("style", {}, `${picture}, ${output} { display: none !important; }`);
}

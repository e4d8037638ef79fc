// What stands around every lab: its title and its messages, what it says to Python and hears from it,
// and the keys. A lab decides nothing; it shows the view that it is told and sends actions up.
import { button, enable, focusWithin, make, set, setText } from "./dom.mjs";
import { keeper } from "./keeping.mjs";
import { paced } from "./numbers.mjs";

const PATIENCE = 5000;
const SLOW = 400;
export const AGAIN = "Run the notebook from the top (Run → Run All Above Selected Cell), then this cell.";
const NO_ANSWER = `Python has not answered yet: it may be busy with another cell. If it was restarted, it no longer knows this widget. ${AGAIN}`;
const NO_KERNEL = `Python no longer knows this widget. ${AGAIN}`;
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
  const ui = { model, root, page, view: null, sent: 0, ...parts };
  ui.drafts = paced(
    (action) => post(ui, action),
    (step) => requestAnimationFrame(step),
    PATIENCE,
  );
  ui.act = (action) => act(ui, action);
  ui.drag = (action) => ui.drafts.push(action);
  ui.say = (text) => say(ui, text);
  furnish(ui);
  const redraw = () => show(ui);
  model.on("change:told", redraw);
  const resized = new ResizeObserver(() => resize(ui));
  resized.observe(root);
  const onWindow = () => resize(ui);
  window.addEventListener("resize", onWindow); // its height may change alone
  const onPage = (event) => demoKey(ui, event);
  if (model.get("demo")) document.addEventListener("keydown", onPage);
  const unwatch = page ? onEnd(model, () => ui.say(STOPPED)) : () => {};
  el.append(root);
  show(ui);
  if (model.get("token")) root.append(hideStatic(model.get("token")));
  const live = () => {
    ui.keeper?.name();
    send(ui, { do: "live" });
  };
  requestAnimationFrame(() => requestAnimationFrame(live));
  return () => {
    clearTimeout(ui.patience);
    clearTimeout(ui.slow);
    model.off("change:told", redraw);
    ui.keeper?.end();
    document.removeEventListener("keydown", onPage);
    unwatch();
    resized.disconnect();
    window.removeEventListener("resize", onWindow);
    root.remove();
  };
}

/** Whether the view is the answer to the last that was sent, and nothing waits to be sent. */
export function settled(ui) {
  return ui.view.answers >= ui.sent && ui.drafts.idle();
}

// ---- to Python and back --------------------------------------------------------------------------

/** Send an action up. A kernel that is gone must not break the page. */
function send(ui, action) {
  const failed = () => ui.say(ui.page ? STOPPED : NO_KERNEL);
  try {
    ui.model.send(action)?.catch?.(failed);
  } catch {
    failed();
  }
}

/** Tell at once when the kernel ends: who lectures looks at the class, and a key may come late. */
function onEnd(model, tell) {
  const changes = model.widget_manager?.kernel?.statusChanged;
  const changed = (_, status) => ENDS.includes(status) && tell();
  changes?.connect(changed);
  return () => changes?.disconnect(changed);
}

/** With a number, by which its answer is known. */
function post(ui, action) {
  ui.sent = Math.max(ui.sent, ui.view?.answers ?? 0) + 1;
  // What only Python knows is marked as old, once its answer takes long enough to be noticed.
  ui.slow ??= setTimeout(() => wait(ui, "true"), SLOW);
  send(ui, { ...action, n: ui.sent });
}

function wait(ui, isBusy) {
  set(ui.root, { "data-waits": isBusy });
  set(ui.said, { "aria-busy": isBusy });
}

/** An action other than a drag: one still waiting would come too late. */
function act(ui, action) {
  ui.drafts.drop();
  clearTimeout(ui.patience);
  // The same problem once more is an answer too, though one that changes nothing.
  ui.patience = setTimeout(
    () => ui.problem.textContent || ui.say(ui.view?.problem || (ui.page ? NO_ANSWER_HERE : NO_ANSWER)),
    PATIENCE,
  );
  post(ui, action);
}

function show(ui) {
  const view = JSON.parse(ui.model.get("told") || "null");
  const ready = Boolean(view?.title);
  ui.empty.hidden = ready;
  for (const part of [ui.main, ui.keeper?.node]) if (part) part.hidden = !ready;
  if (!ready) return;
  if ((view.answers ?? 0) >= ui.sent) {
    clearTimeout(ui.patience);
    clearTimeout(ui.slow);
    ui.slow = null;
    wait(ui, null);
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
  if (!demo && !ui.model.get("played")) ui.root.append((ui.keeper = keeper(ui, { settled, send, patience: PATIENCE, lost: NO_ANSWER })).node);
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
  ui.act({ do: action });
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

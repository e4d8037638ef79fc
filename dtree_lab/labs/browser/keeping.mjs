// What was done in a lab, kept in the code of its cell: Python rewrites the code, here it is read from
// the cell's editor and written back. Both go through the editor's own keys and clipboard events, as a
// person's "select all, copy" and "select all, paste" do; nothing of JupyterLab's inside is touched.
import { button, handAt, make, scrollerOf, setText } from "./dom.mjs";

const KEPT = "Kept in this cell: run again, it brings the lab back as it is. Save the notebook to keep it for good.";
const byHand = (what) => `This cell cannot be written into from here. To keep ${what}, replace the cell's code by this:`;
const NO_CELL = "To keep the lab as it is, add this argument where it is made:";
// A card's answer is kept as it is committed, without a button.
const ANSWERED = "Your answer stands in this cell. Save the notebook to keep it for good.";
const ANSWER_NO_CELL = "To keep your answer, add this where dt.course.ask(…) is called:";
const KEPT_ALONE = "Kept in this cell. Now run the notebook from the top (Run → Run All Cells): the lab comes back as it stood here.";
const EDITED = "This cell was changed since it was run, so nothing was written into it. Add this argument where the lab is made:";
const OTHER = "Before this cell was run again, the lab stood otherwise.";
const CHANGED = "The cell was changed meanwhile, so nothing was written. Press again.";
// In a notebook that can be written in; an exported page and Voilà have cells too, for show.
const CELL = ".jp-NotebookPanel .jp-CodeCell";
const ALL = { key: "a", code: "KeyA", keyCode: 65 };
const RIGHT = { key: "ArrowRight", code: "ArrowRight", keyCode: 39 };
const IN_CELL = "Keep in this cell";
const COPY = "Copy the state";
const GO_ON = "Go on from there";
// What each cell's labs were when their views went: known to all versions of this file in the page.
const left = (globalThis[Symbol.for("dtree_lab left")] ??= new WeakMap());
let count = 0;

/** The foot of a lab: a button, what came of it, and what to paste where it could not be written. */
export function keeper(ui, { settled, send, patience }) {
  const view = `keep-${++count}-${Math.random()}`;
  const said = make("p", { "aria-live": "polite" });
  const text = make("textarea", { readonly: "", rows: "3", "aria-label": "What to paste", spellcheck: "false" });
  const press = button(IN_CELL, () => {
    [home, copies] = [press, true];
    ask();
  });
  const before = createBefore(ui);
  const node = make("div", { class: "dtl-keep" }, press, said, text, before.node);
  text.hidden = true;
  let waiting = null;
  let words = { kept: KEPT, byHand: byHand("the lab as it is"), noCell: NO_CELL };
  let home = press; // where the focus goes back to
  let copies = true;

  const tell = (words, paste = "") => {
    setText(said, words);
    text.value = paste;
    text.hidden = !paste;
  };
  /** Have something done in the cell; the focus goes back to where the hand is. */
  const within = (cell, work) => {
    const hand = handAt(ui.root) ?? home;
    const done = work();
    key(cell, RIGHT); // nothing stays selected
    hand.focus({ preventScroll: true });
    return done;
  };

  /** What is kept is an answer: by itself, and nothing is put into the clipboard unasked. */
  function forAnswers() {
    press.hidden = true;
    before.ends();
    words = { kept: ANSWERED, byHand: byHand("your answer"), noCell: ANSWER_NO_CELL };
  }

  function keepAnswer(node) {
    [home, copies] = [node, false];
    ask();
  }

  // What was pressed stays under the pointer; a card, which may still be drawing its next question, at its first word.
  const place = () => (copies ? node : ui.root);

  function ask() {
    holdAnew(place());
    const cell = editorOf(ui.root);
    const source = cell ? within(cell, () => read(cell)) : null;
    clearTimeout(waiting?.timer);
    const mine = { cell, source, timer: setTimeout(() => waiting === mine && alone(), patience) };
    waiting = mine;
    node.style.minHeight = `${node.offsetHeight}px`; // its words go and come back: nothing below moves up meanwhile
    tell("");
    const go = () => {
      if (waiting !== mine) return;
      if (ui.isOver) alone();
      else if (settled(ui)) send(ui, { do: "keep", view, source: source ?? "" });
      else setTimeout(go, 50); // what was dragged last is still on its way
    };
    go();
  }

  /** Python does not answer: what it has told before is enough for a cell that stands as it was run. */
  function alone() {
    const state = literal(ui.model.get("kept"));
    const stands = around(ui.model.get("cells") ?? [], waiting.source);
    const after = stands && stands[0] + state + stands[1];
    answered({ view, source: after, problem: EDITED, paste: after ?? `state=${state}` });
  }

  function answered(message) {
    if (message?.view !== view || !waiting) return;
    const { cell, source, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    if (source === null) return copy(words.noCell, message.paste);
    if (message.source === null) return copy(message.problem, message.paste);
    holdStill(place());
    const done = within(cell, () => replace(cell, source, message.source));
    if (done === "written") tell(ui.isOver ? KEPT_ALONE : words.kept);
    else if (done === "changed") {
      press.hidden = false;
      tell(CHANGED);
    } else copy(words.byHand, message.paste);
  }

  /** The clipboard as a person's own Ctrl+C reaches it: everywhere, also where the page is not "secure". */
  function copy(why, paste) {
    tell(why, paste);
    if (!copies) return;
    text.select();
    let copied = false;
    try {
      copied = document.execCommand("copy");
    } catch {
      // it stands there, selected
    }
    home.focus({ preventScroll: true });
    if (copied) tell(why.replace(/:$/, " (it is copied):"), paste);
  }

  ui.model.on("msg:custom", answered);
  const end = () => {
    clearTimeout(waiting?.timer);
    waiting = null;
    ui.model.off("msg:custom", answered);
    before.ends();
  };
  // Where there is no cell to write into, it says what it does there.
  const name = () => {
    setText(press, ui.root.isConnected && !ui.root.closest(CELL) ? COPY : IN_CELL);
    if (!press.hidden) before.begins();
  };
  const keeps = () => (press.hidden ? "" : press.textContent);
  return { node, end, name, keeps, show: before.show, forAnswers, keepAnswer, letGo: () => letGo(place()) };
}

// ---- without Python --------------------------------------------------------------------------------

/** A text as Python's code, when Python is gone: as `repr` writes it where it can be read so. */
export function literal(text) {
  return /['\\\p{C}]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
}

/** What stands before and after the state in a cell's code, from what is known of the cells: as run, or as kept since. */
export function around(cells, source) {
  for (const [code, before, after] of source === null ? [] : cells) {
    if (code === source) return [before, after];
    const isAround = source.length >= before.length + after.length && source.startsWith(before) && source.endsWith(after);
    const inside = isAround ? source.slice(before.length, source.length - after.length) : "";
    if (/^('[^'\\\n]*'|"([^"\\\n]|\\.)*")$/.test(inside)) return [before, after];
  }
  return null;
}

/** Where a cell was run again, its lab may go on from what stood there: a click changes the two round. */
function createBefore(ui) {
  const go = button(GO_ON, () => ui.act({ do: "resume", state: offered }));
  const node = make("p", { class: "dtl-before", hidden: "" }, `${OTHER} `, go);
  let cell = null;
  let nth = 0;
  let [offered, begun, shown] = [null, null, null];

  const begins = () => {
    cell = ui.root.closest(CELL);
    if (!cell) return;
    nth = [...cell.querySelectorAll(".dtl-live")].indexOf(ui.root);
    const stood = left.get(cell)?.get(nth);
    begun = ui.model.get("kept");
    if (stood && ui.model.get("resumes") && lab(stood) === lab(begun)) offered = stood;
    show();
  };
  const show = () => {
    if (!cell) return;
    const now = ui.model.get("kept");
    if (now === offered && now !== shown) offered = shown;
    shown = now;
    node.hidden = !offered || offered === now;
  };
  /** What is left is what was done last; where nothing was, what stood there before. */
  const ends = () => {
    const now = ui.model.get("kept");
    if (cell && !left.has(cell)) left.set(cell, new Map());
    if (cell && now && (now !== begun || !left.get(cell).has(nth))) left.get(cell).set(nth, now);
    cell = null;
    node.hidden = true;
  };
  return { node, begins, show, ends };
}

/** Which lab a state is of. */
function lab(state) {
  try {
    return JSON.parse(state).format;
  } catch {
    return null;
  }
}

const held = new Map(); // what is held, and how to go on and to end holding it

/** A place that is left on purpose is held no more. */
const letGo = (node) => held.get(node)?.end();

/** Hold a place where it is now, wherever it was held before: a hand or a new question has brought it there. */
export function holdAnew(node) {
  letGo(node);
  holdStill(node);
}

/**
 * Keep a place in the window for some frames, or until a hand does something: an editor that is written into
 * scrolls to its cursor, at once or later. Where it is held already, that place counts.
 */
export function holdStill(node, frames = 90) {
  if (held.has(node)) return held.get(node).goOn();
  const { top } = node.getBoundingClientRect();
  const box = scrollerOf(node);
  const hands = ["wheel", "pointerdown", "keydown"];
  let [more, frame] = [frames, 0];
  const end = () => {
    cancelAnimationFrame(frame);
    held.delete(node);
    for (const hand of hands) removeEventListener(hand, onHand, true);
  };
  const onHand = ({ isTrusted }) => isTrusted && end(); // and no key of ours
  const back = () => {
    if (more-- <= 0 || !node.isConnected) return end();
    box.scrollTop += node.getBoundingClientRect().top - top;
    frame = requestAnimationFrame(back);
  };
  held.set(node, { end, goOn: () => (more = frames) });
  for (const hand of hands) addEventListener(hand, onHand, true);
  frame = requestAnimationFrame(back);
}

// ---- the cell's editor -----------------------------------------------------------------------------

/** The editor of the notebook cell that an element is shown in; null where there is none to write in. */
export function editorOf(element) {
  const editor = element.closest(CELL)?.querySelector(".jp-InputArea .cm-content[contenteditable=true]");
  return editor?.getClientRects().length ? editor : null;
}

/** All of the code, also what a long cell does not draw; null if the editor does not give it. */
export function read(editor) {
  select(editor);
  const held = clipboard(editor, "copy", new DataTransfer());
  if (held !== null) return held;
  return editor.textContent === "" ? "" : null;
}

/** "written", or "changed" if the code is not what it was, or "failed" with the code as it was. */
export function replace(editor, before, after) {
  if (!editor.isConnected || read(editor) !== before) return "changed";
  paste(editor, after);
  if (read(editor) === after) return "written";
  paste(editor, before);
  return "failed";
}

function paste(editor, text) {
  select(editor);
  const given = new DataTransfer();
  given.setData("text/plain", text);
  clipboard(editor, "paste", given);
}

function select(editor) {
  editor.focus({ preventScroll: true });
  const mac = /Mac|iP(hone|[oa]d)/.test(navigator.platform);
  key(editor, { ...ALL, [mac ? "metaKey" : "ctrlKey"]: true });
}

function key(editor, pressed) {
  editor.dispatchEvent(new KeyboardEvent("keydown", { ...pressed, bubbles: true, cancelable: true }));
}

/** What the editor puts into the clipboard of an event, or null if it does not answer to it. */
function clipboard(editor, kind, data) {
  const event = new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true });
  const answered = !editor.dispatchEvent(event);
  return answered ? data.getData("text/plain") : null;
}

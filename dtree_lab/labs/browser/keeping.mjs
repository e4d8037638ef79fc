// What was done in a lab, kept in the code of its cell: Python rewrites the code, here it is read from
// the cell's editor and written back. Both go through the editor's own keys and clipboard events, as a
// person's "select all, copy" and "select all, paste" do; nothing of JupyterLab's inside is touched.
import { button, make, scrollerOf, setText } from "./dom.mjs";

const KEPT = "Kept in this cell: run again, it brings the lab back as it is. Save the notebook to keep it for good.";
const BY_HAND = "This cell cannot be written into from here. To keep the lab as it is, replace the cell's code by this:";
const NO_CELL = "To keep the lab as it is, add this argument where it is made:";
// A card's answer is kept as it is committed, without a button.
const ANSWERED = "Your answer stands in this cell. Save the notebook to keep it for good.";
const ANSWER_BY_HAND = "This cell cannot be written into from here. To keep your answer, replace the cell's code by this:";
const ANSWER_NO_CELL = "To keep your answer, add this where dt.course.ask(…) is called:";
const CHANGED = "The cell was changed meanwhile, so nothing was written. Press again.";
// In a notebook that can be written in; an exported page and Voilà have cells too, for show.
const CELL = ".jp-NotebookPanel .jp-CodeCell";
const ALL = { key: "a", code: "KeyA", keyCode: 65 };
const RIGHT = { key: "ArrowRight", code: "ArrowRight", keyCode: 39 };
const IN_CELL = "Keep in this cell";
const COPY = "Copy the state";
let count = 0;

/** The foot of a lab: a button, what came of it, and what to paste where it could not be written. */
export function keeper(ui, { settled, send, patience, lost }) {
  const view = `keep-${++count}-${Math.random()}`;
  const said = make("p", { "aria-live": "polite" });
  const text = make("textarea", { readonly: "", rows: "3", "aria-label": "What to paste", spellcheck: "false" });
  const press = button(IN_CELL, () => {
    [home, copies] = [press, true];
    ask();
  });
  const node = make("div", { class: "dtl-keep" }, press, said, text);
  text.hidden = true;
  let waiting = null;
  let words = { kept: KEPT, byHand: BY_HAND, noCell: NO_CELL };
  let home = press; // where the focus goes back to
  let copies = true;

  const tell = (words, paste = "") => {
    setText(said, words);
    text.value = paste;
    text.hidden = !paste;
  };
  const leave = (cell) => {
    key(cell, RIGHT); // nothing stays selected
    home.focus({ preventScroll: true });
  };

  /** What is kept is an answer: by itself, and nothing is put into the clipboard unasked. */
  function forAnswers() {
    press.hidden = true;
    words = { kept: ANSWERED, byHand: ANSWER_BY_HAND, noCell: ANSWER_NO_CELL };
  }

  function keepAnswer(node) {
    [home, copies] = [node, false];
    ask();
  }

  function ask() {
    holdStill(node);
    const cell = editorOf(ui.root);
    const source = cell ? read(cell) : null;
    if (cell) leave(cell);
    clearTimeout(waiting?.timer);
    const mine = { cell, source, timer: setTimeout(() => waiting === mine && ((waiting = null), tell(lost)), patience) };
    waiting = mine;
    tell("");
    const go = () => {
      if (waiting !== mine) return;
      if (settled(ui)) send(ui, { do: "keep", view, source: source ?? "" });
      else setTimeout(go, 50); // what was dragged last is still on its way
    };
    go();
  }

  function answered(message) {
    if (message?.view !== view || !waiting) return;
    const { cell, source, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    if (source === null) return copy(words.noCell, message.paste);
    if (message.source === null) return copy(message.problem, message.paste);
    holdStill(node);
    const done = replace(cell, source, message.source);
    leave(cell);
    if (done === "written") tell(words.kept);
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
  };
  // Where there is no cell to write into, it says what it does there.
  const name = () => setText(press, ui.root.isConnected && !ui.root.closest(CELL) ? COPY : IN_CELL);
  return { node, end, name, forAnswers, keepAnswer };
}

/** Keep a place in the window for some frames: an editor that is written into scrolls to its cursor. */
function holdStill(node, frames = 12) {
  const { top } = node.getBoundingClientRect();
  const box = scrollerOf(node);
  const back = () => {
    box.scrollTop += node.getBoundingClientRect().top - top;
    if (--frames > 0 && node.isConnected) requestAnimationFrame(back);
  };
  requestAnimationFrame(back);
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

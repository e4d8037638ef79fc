// What a hand does while Python's answer is on its way waits for it, and is then done again, in its turn, to what
// is seen by then: so nothing is lost, and nothing lands on what stood there before. All labs have this from here.
import { focusWithin } from "./dom.mjs";

// What may go ahead of the answers to itself: a walk through a tree or a wall, and what is dragged.
const HANDS = ".dtl-bins-hit, [role=tree], [role=listbox], .dtl-cut, .dtl-plot-box, .dtl-slider";
// What only the page has to do with: its places, and in a tree the camera's keys.
const OWN = ".dtl-zoom, .dtl-keep, summary";
const CAMERA = /^[-+=_0]$/;
const CLICKED = "button, label, [role=tree], [role=option], .dtl-plot, input[type=checkbox], input[type=radio]";
const DRAGGED = ".dtl-axis-box, .dtl-bins-hit, .dtl-plot";
const TYPED = ".dtl-cut input, .dtl-slider input, .dtl-plot-box input:not(.dtl-steps)";
const CHANGED = ".dtl-choice select, .dtl-together select, .dtl-field input";
const NATIVE = "input[type=range], input[type=text], select";
const WALKS = /^(Arrow.*|Home|End)$/;
const TOUCHES = 100; // a finger's click comes so long after it is lifted
const GONE = "What was pressed while Python was still answering cannot be done any more.";

/** Have what is done in a lab wait for the answer to what was done before; `draw()` is put off while a button is down. */
export function createHand(ui, settled, draw) {
  const hand = { settled, waiting: [], last: null, ahead: null, isAgain: false, drags: null, isDown: false, isLate: false };
  ui.hand = hand;
  for (const type of ["click", "keydown", "input", "change", "pointerdown", "pointermove", "pointerup", "pointercancel"]) {
    ui.root.addEventListener(type, (event) => heard(ui, event), { capture: true });
  }
  // Between pressing and letting go nothing is exchanged under the pointer: there would be no click, or another's.
  const up = ({ pointerType }) => hand.isDown && setTimeout(lift, pointerType === "touch" ? TOUCHES : 0);
  const lift = () => {
    hand.isDown = false;
    if (hand.isLate) draw();
  };
  const ends = ["pointerup", "pointercancel", "blur"];
  for (const type of ends) window.addEventListener(type, up, type !== "blur");
  return () => ends.forEach((type) => window.removeEventListener(type, up, type !== "blur"));
}

/** An action goes up: whether what else this hand does may go ahead of its answer. */
export function sends(ui, { do: what }, isDrag) {
  ui.hand.ahead = isDrag || what === "select" || what === "pick" ? ui.hand.last : null;
}

/** Do something now, or in its turn. */
export function inTurn(ui, done) {
  if (ui.hand.isAgain || (mayGo(ui, {}) && !ui.hand.waiting.length)) done();
  else ui.hand.waiting.push({ done });
}

/** An answer is drawn: do what has waited for it, until there is something to wait for again. */
export function goOn(ui) {
  const { waiting } = ui.hand;
  while (waiting.length && mayGo(ui, waiting[0])) again(ui, waiting.shift());
}

const mayGo = ({ hand }, { own = null, walks = false }) => hand.settled() || (walks && own !== null && own === hand.ahead);

function heard(ui, event) {
  const { hand, root } = ui;
  const { target, type } = event;
  if (hand.isAgain) return;
  const isDrag = dragged(hand, event);
  if (type === "pointerdown" && event.button === 0 && !isDrag && target.closest(CLICKED) && !target.matches(NATIVE)) hand.isDown = true;
  if (!(type.startsWith("pointer") ? isDrag : concerns(ui, event))) return;
  const own = target.closest(HANDS);
  // In a tree its other keys are tools.
  const walks = type !== "keydown" || !own?.matches("[role=tree]") || WALKS.test(event.key);
  const held = { event, own, walks, way: wayTo(root, target), name: nameOf(target), id: target.closest(".dtl-tree [data-id]")?.dataset.id };
  if (!hand.waiting.length && mayGo(ui, held)) {
    hand.last = own;
    return;
  }
  event.stopImmediatePropagation();
  if (type !== "input" && type !== "change") event.preventDefault();
  const shut = target.closest("[aria-disabled=true]");
  Object.assign(held, { value: valueOf(target), wasOpen: !shut, follows: type === "keydown" && (Boolean(ui.goBack) || Boolean(own)) });
  const before = hand.waiting.at(-1);
  const newer = before?.event?.type === type && before.event.target === target && (type === "input" || type === "pointermove");
  if (newer) hand.waiting.pop();
  hand.waiting.push(held);
}

/** Whether an event belongs to a drag that leads to Python: from pressing until letting go. */
function dragged(hand, event) {
  const { type, target } = event;
  if (type === "pointerdown") {
    const at = event.button === 0 && !target.matches("input") && target.closest(DRAGGED);
    const isCut = at && (!at.matches(".dtl-plot") || (at.closest(".dtl-part").given.slider && !event.shiftKey));
    hand.drags = isCut ? event.pointerId : null;
    return Boolean(isCut);
  }
  const isMine = type.startsWith("pointer") && hand.drags === event.pointerId;
  if (isMine && type !== "pointermove") hand.drags = null;
  return isMine;
}

/** Whether an event leads to Python. */
function concerns(ui, { type, target, key = "", ctrlKey, metaKey, altKey, shiftKey }) {
  if (target.closest(OWN)) return false;
  if (type === "input") return target.matches(TYPED);
  if (type === "change") return target.matches(CHANGED);
  if (type === "click") return Boolean(target.closest(CLICKED)) && !target.matches(NATIVE);
  if (["Tab", "Escape", "Shift", "Control", "Alt", "Meta"].includes(key) || altKey) return false;
  if (ctrlKey || metaKey) return !target.matches("input[type=text]") && isTool(ui, `${shiftKey ? "shift+" : ""}ctrl+${key.toLowerCase()}`);
  if (target.matches("input")) return key === "Enter" || (target.closest(".dtl-cut") !== null && /^Page/.test(key));
  if (CAMERA.test(key) && target.closest("[role=tree]")) return false;
  // After a question is asked by key, the focus goes back to the tree with the answer.
  return ui.goBack || target.closest("[role=tree], [role=option]") !== null;
}

/** Whether a chord with Ctrl is the lab's. */
const isTool = ({ view }, chord) =>
  /ctrl\+[zy]$/.test(chord) || Boolean(view?.parts.some(({ keys }) => keys?.[chord] || keys?.[chord.replace("shift+", "")]));

/** From an element up to the lab. */
function wayTo(root, target) {
  const way = [];
  for (let at = target; at && at !== root; at = at.parentElement) way.push(at);
  return [...way, root];
}

/** What a field holds; of a menu the words that were chosen, since its options may be others by then. */
const valueOf = (field) => (field.matches("select") ? field.selectedOptions[0]?.text : field.value);

const nameOf = (node) => `${node.nodeName} ${node.getAttribute("aria-label") ?? node.textContent}`;

/** The element again, or that of its name which is drawn in its place; null where that is gone. */
function found({ root }, { way, id, name, follows }) {
  const own = way.find((at) => at.matches("[role=tree], [role=listbox]"));
  if (follows) return focusWithin(own?.isConnected ? own : root) ?? focusWithin(root) ?? own ?? root;
  const [target] = way;
  // In a list by places another line may have come to where it stood.
  const list = way.find((at) => at.byPlace);
  if (root.contains(target) && (!list || nameOf(target) === name)) return target;
  if (id !== undefined) return root.contains(own) ? own.querySelector(`[data-id="${CSS.escape(id)}"]`) : null;
  const within = root.contains(list ?? null) ? list : way.find((at) => root.contains(at));
  return [...within.querySelectorAll(target.nodeName)].find((one) => nameOf(one) === name) ?? null;
}

function again(ui, held) {
  if (held.done) return held.done();
  const { event, value, wasOpen } = held;
  const target = found(ui, held);
  const { type } = event;
  if (target && (type === "input" || type === "change")) {
    target.value = target.matches("select") ? [...target.options].find(({ text }) => text === value)?.value : value;
  }
  const isShut = wasOpen && target?.closest("[aria-disabled=true]");
  if (!target || isShut || (type === "change" && valueOf(target) !== value)) return ui.say(GONE);
  const clone = new event.constructor(type, event);
  Object.defineProperty(clone, "timeStamp", { value: event.timeStamp }); // letters in quick succession are one word
  ui.hand.last = held.own;
  ui.hand.isAgain = true;
  target.dispatchEvent(clone);
  ui.hand.isAgain = false;
  return undefined;
}

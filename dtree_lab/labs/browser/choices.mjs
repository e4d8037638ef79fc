// A question's card: options to choose from, or a number to give, and the button that commits to it.
import { newId } from "./controls.mjs";
import { button, enable, focusWithin, handAt, keyed, make, onChange, set, setText } from "./dom.mjs";
import { settled } from "./frame.mjs";
import { parseNumber } from "./numbers.mjs";

const SIGNS = { true: "✓", false: "✗" };
const MARKS = { good: "✓", open: "✗", blank: "○" };
const SAID = { "✓": "right", "✗": "not right" };
const COMMITTED = "This answer is committed. Change it to commit again.";

// The cells that a person may have run by the last key that was pressed: one, or none where it was another
// key or the mouse. Before this file came there was nobody to listen. It came with the output of a cell: of
// the active one, where that was run by Ctrl+Enter; of the one before it, by Shift+Enter, if that ran last.
const CELL = ".jp-Notebook .jp-Cell";
const active = globalThis.document?.activeElement?.closest(CELL);
const before = active?.previousElementSibling;
let run = active ? [active, count(active) < count(before) && before] : [];
globalThis.document?.addEventListener("keydown", listen, true);
globalThis.document?.addEventListener("pointerdown", listen, true);

/** The number in front of a cell, by which it ran; where it is still running, the largest of all. */
function count(cell) {
  const prompt = cell?.querySelector(".jp-InputPrompt")?.textContent ?? "";
  return prompt.includes("*") ? Infinity : Number(prompt.match(/\d+/) ?? 0);
}

function listen({ key, target, shiftKey, ctrlKey, metaKey }) {
  if (["Shift", "Control", "Meta"].includes(key)) return; // held for what comes next
  const runs = key === "Enter" && (shiftKey || ctrlKey || metaKey) && !target.closest(".dtl-lab");
  run = runs ? [target.closest(CELL)] : [];
}

export function createChoices(ui, node) {
  // As a class: what is asked with :has() is asked again of the whole lab at each change in it.
  ui.root.classList.add("dtl-chooses");
  node.box = make("div", { class: "dtl-asked" });
  node.press = button("Commit", () => commit(ui, node));
  node.keys = make("p", { class: "dtl-hint" });
  // What is said once an answer is committed; a screen reader reads it aloud.
  node.verdict = make("div", { role: "status" });
  node.first = make("p", { class: "dtl-hint" });
  node.others = make("span", { class: "dtl-commit" });
  node.append(node.box, make("div", { class: "dtl-commit" }, node.press, node.others, node.keys), node.verdict, node.first);
  node.addEventListener("keydown", (event) => onKey(ui, node, event));
  for (const kind of ["focusin", "focusout"]) node.addEventListener(kind, () => unfold(node));
  ui.keeper?.forAnswers();
  requestAnimationFrame(() => requestAnimationFrame(() => takeFocus(ui, node)));
}

/** Keys go to the card that a person has run alone: JupyterLab has the focus on the cell or the next, where letters cut and insert cells. */
function takeFocus(ui, node) {
  const isIdle = document.activeElement?.matches(CELL); // nobody is typing, and no other card has it
  if (!isIdle || node.given.locked || !run.includes(node.closest(CELL) ?? node)) return;
  run = [];
  firstIn(node).focus({ preventScroll: true });
  ui.root.scrollIntoView({ block: "nearest" });
}

/** The first thing to answer; where there is nothing to answer any more, the first button. */
function firstIn(node) {
  const each = [...node.querySelectorAll(node.given.locked ? "button" : "input:not([readonly]), button")];
  return each.find((one) => !one.closest("[hidden]"));
}

export function updateChoices(ui, node, part) {
  keyed(node.box, part.groups, {
    key: (group) => `${part.which} ${group.id}`,
    create: (group) => (group.options ? createOptions(ui, node) : createNumber(node)),
    update: (box, group) => (group.options ? updateOptions(ui, node, box, group) : updateNumber(ui, node, box, group)),
  });
  node.box.classList.toggle("dtl-steps", part.groups.length > 1); // numbers stand beneath each other
  onChange(node.verdict, part.verdict, () => node.verdict.replaceChildren(...verdictOf(part.verdict)));
  setText(node.first, part.note);
  setText(node.press, part.locked ? "Committed" : "Commit");
  node.press.hidden = !part.groups.length || (part.locked && part.more.length > 0);
  keyed(node.others, part.more, {
    key: ([id]) => id,
    create: ([id]) => button("", () => doOther(ui, node, id)),
    update: (one, [, words]) => setText(one, words),
  });
  unfold(node);
  if (ui.commits === undefined || !settled(ui)) return;
  const isNew = part.which !== ui.which;
  const isMore = part.groups.length > ui.groups; // a step further
  const home = node.press.hidden || isNew || isMore ? firstIn(node) : (wrongNumber(node) ?? node.press);
  const stays = (handAt(ui.root) ?? ui.from) === ui.from; // else it has gone on by itself
  if (stays) home.focus({ preventScroll: true });
  if (stays && home.matches("input[type=text]")) home.select(); // what is typed takes its place
  // A question is read from its first word, however far down the one before it had been scrolled. The page
  // is scrolled before the cell is written, which holds this place.
  const seen = [(isNew || isMore) && node.press.parentElement, isNew && ui.title];
  const { top } = node.getBoundingClientRect();
  for (const box of seen) if (stays && box) box.scrollIntoView({ block: "nearest" });
  if (node.getBoundingClientRect().top !== top) ui.keeper?.letGo(); // it may hold that of the answer before
  if (part.commits > ui.commits) ui.keeper?.keepAnswer(home);
  ui.commits = undefined;
}

/** Where only numbers are asked, the last field, if what stands there is committed and not right: a button that is off takes no digits. */
function wrongNumber(node) {
  const fields = [...node.box.children].map((box) => box.field);
  return isOff(node) && !node.given.locked && fields.every(Boolean) ? fields.at(-1) : undefined;
}

/** A question is seen once those before it are answered; then the button can be pressed. */
function unfold(node) {
  const groups = [...node.box.children];
  const open = groups.findIndex((box) => !box.answer());
  groups.forEach((box, i) => (box.hidden = open >= 0 && i > open));
  const { locked, judged } = node.given;
  const isJudged = open < 0 && groups.every((box, i) => box.answer() === judged[i]);
  const ready = open < 0 && !locked && !isJudged && groups.length > 0;
  enable(node.press, ready);
  set(node.press, { class: ready ? "dtl-main-button" : null });
  // Letters come here only where the focus is.
  const keys = focusWithin(node) ? groups[open]?.here : groups[open]?.away;
  setText(node.keys, locked || ready || !groups.length ? "" : isJudged ? COMMITTED : keys);
}

const isOff = ({ press }) => press.getAttribute("aria-disabled") === "true";

function commit(ui, node) {
  const groups = [...node.box.children];
  if (isOff(node)) {
    groups.find((box) => !box.answer())?.querySelector("input").focus(); // what is asked next
    return;
  }
  // A number is sent as it stands, also where it was typed a moment ago.
  for (const box of groups) if (box.field && !box.field.readOnly) ui.act({ do: "set", control: box.dataset.id, value: box.answer() });
  node.press.focus({ preventScroll: true });
  leaves(ui, node);
  ui.act({ do: "commit" });
}

/** What another button does is kept in the cell where it counts as an answer. */
function doOther(ui, node, id) {
  leaves(ui, node);
  ui.act({ do: id });
}

/** What was on the card when a button was pressed, and where the hand was: the answer is held against it. */
function leaves(ui, { given: { commits, which, groups } }) {
  Object.assign(ui, { commits, which, groups: groups.length, from: handAt(ui.root) });
}

/** Letters and digits choose, Enter commits, Shift+Enter goes on to the next cell; the arrows are the page's own. */
function onKey(ui, node, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.shiftKey) {
    event.preventDefault();
    node.closest(CELL)?.nextElementSibling?.focus();
    return;
  }
  if (event.target === node.press && ["Enter", " "].includes(event.key)) return;
  if (event.key === "Enter" && event.target.matches("input")) {
    event.preventDefault();
    commit(ui, node);
  }
  if (event.target.matches("input[type=text]")) return;
  const wanted = event.key.toUpperCase();
  const seen = [...node.box.children].filter((box) => !box.hidden);
  const radio = seen.flatMap((box) => [...box.querySelectorAll("input[type=radio]")]).find(({ value }) => value === wanted);
  if (!radio) return;
  event.preventDefault();
  radio.focus();
  radio.click();
}

// ---- options ---------------------------------------------------------------------------------------

function createOptions(ui, node) {
  const box = make("fieldset", {}, make("legend"), make("div", { class: "dtl-options" }));
  const chosen = () => box.querySelector("input:checked")?.value ?? "";
  const choose = (radio) => {
    if (node.given.locked) return box.back();
    unfold(node);
    ui.act({ do: "set", control: box.dataset.id, value: radio.value });
  };
  return Object.assign(box, { group: newId(), answer: chosen, choose });
}

function updateOptions(ui, node, box, { id, asks, options, chosen }) {
  box.dataset.id = id;
  const keys = options.map(([key]) => key);
  const range = `press ${keys[0]} ${keys.length > 2 ? "to" : "or"} ${keys.at(-1)}; Enter commits.`;
  box.here = `Choose by mouse, or ${range}`;
  box.away = `Choose by mouse, or come here with Tab or Shift+Tab and ${range}`;
  onChange(box.firstChild, asks, () => box.firstChild.replaceChildren(...pieces(asks)));
  keyed(box.lastChild, options, {
    key: ([key]) => key,
    create: ([key, words]) => oneOption(box, key, words),
    update: (line, [, , right]) => {
      set(line.radio, { "aria-disabled": node.given.locked ? "true" : null });
      onChange(line.sign, right, () => line.sign.replaceChildren(...(SIGNS[right] ? [sign(SIGNS[right])] : [])));
      set(line, { class: `dtl-option${right === true ? " dtl-good" : right === false ? " dtl-bad" : ""}` });
    },
  });
  box.back = () => {
    for (const { radio } of box.lastChild.children) radio.checked = radio.value === chosen;
  };
  if (settled(ui)) box.back(); // else what was chosen since is on its way to Python
}

function oneOption(box, key, words) {
  const radio = make("input", { type: "radio", name: box.group, value: key });
  radio.addEventListener("change", () => box.choose(radio));
  const marked = make("span", { class: "dtl-sign" });
  const line = make("label", { class: "dtl-option" }, radio, make("b", {}, key), make("span", {}, ...pieces(words)), marked);
  return Object.assign(line, { radio, sign: marked });
}

// ---- a number --------------------------------------------------------------------------------------

function createNumber(node) {
  const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 8 });
  const range = make("input", { type: "range" });
  const ends = [make("span"), make("span")];
  const truth = make("span", { class: "dtl-truth", "aria-hidden": "true" }); // the verdict says it
  const track = make("span", { class: "dtl-along" }, range, truth);
  const scale = make("span", { class: "dtl-scale" }, ends[0], track, ends[1]);
  const marked = make("span", { class: "dtl-sign" });
  const row = make("div", { class: "dtl-number" }, field, marked, scale);
  const box = make("fieldset", {}, make("legend"), row);
  field.addEventListener("input", () => {
    const number = parseNumber(field.value);
    if (number !== null) range.value = number;
    unfold(node);
  });
  range.addEventListener("input", () => {
    field.value = range.value;
    unfold(node);
  });
  return Object.assign(box, { field, marked, range, ends, scale, truth, answer: () => field.value.trim() });
}

function updateNumber(ui, node, box, { id, asks, value, low, high, ends, step, truth, said, sign: seen }) {
  box.dataset.id = id;
  box.here = low === null ? "Type a number; Enter commits." : "Type a number or drag to it; Enter commits.";
  box.away = box.here;
  const words = asks.map(([, text]) => text).join("");
  onChange(box.firstChild, asks, () => box.firstChild.replaceChildren(...pieces(asks)));
  set(box.field, { "aria-label": "Your number", readonly: node.given.locked || seen ? "" : null });
  onChange(box.marked, seen, () => box.marked.replaceChildren(SAID[seen] ? sign(seen) : seen));
  box.scale.hidden = low === null;
  // The thumb is 16 px wide: its middle reaches the ends.
  box.truth.style.left = `calc(8px + (100% - 16px) * ${truth === null ? 0 : Math.min(1, Math.max(0, (truth - low) / (high - low)))})`;
  setText(box.truth, said === null ? "" : `▲ ${said}`);
  ends.forEach((text, i) => setText(box.ends[i], text));
  if (low !== null) set(box.range, { min: low, max: high, step, "aria-label": words });
  if (low !== null && !box.answer()) box.range.value = (low + high) / 2;
  box.range.disabled = node.given.locked;
  if (!settled(ui) || (focusWithin(box) && !node.given.locked && !seen) || (!value && box.answer())) return;
  box.field.value = value;
  if (value && low !== null) box.range.value = parseNumber(value) ?? box.range.value;
}

// ---- words -----------------------------------------------------------------------------------------

/** Pieces of a text, each with the element that it is. */
function pieces(runs) {
  const known = { b: "b", i: "i", code: "code" };
  return runs.map(([kind, words]) => (known[kind] ? make(known[kind], {}, words) : document.createTextNode(words)));
}

function sign(mark) {
  return make("span", { role: "img", "aria-label": SAID[mark] }, mark);
}

function verdictOf(verdict) {
  if (!verdict) return [];
  const { tone, head, title, lines } = verdict;
  const first = make("p", {}, make("b", {}, `${MARKS[tone]} ${head}`), ` ${title}`);
  const line = ([mark, label, words, code]) => {
    if (code) return make("pre", { tabindex: 0 }, ...pieces(words));
    const before = label ? [make("b", {}, `${label}:`), " "] : mark ? [sign(mark), " "] : [];
    return make("p", {}, ...before, ...pieces(words));
  };
  return [make("div", { class: `dtl-said-of dtl-${tone}` }, first, ...lines.map(line))];
}

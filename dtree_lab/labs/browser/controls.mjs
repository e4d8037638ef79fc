// What a person acts with. Each control is made once and then only brought up to date, so that it
// keeps the focus and is not pulled out of a hand.
import { button, enable, focusWithin, keyed, make, onChange, set, setText } from "./dom.mjs";
import { settled } from "./frame.mjs";
import { niceStep, numberText } from "./numbers.mjs";

const KINDS = {
  slider: [createSlider, updateSlider],
  choice: [createChoice, updateChoice],
  toggle: [createToggle, updateToggle],
  button: [createButton, updateButton],
  menu: [createMenu, updateMenu],
  field: [createField, updateField],
  thumbnails: [createThumbnails, updateThumbnails],
};
let count = 0;
export const newId = () => `dtl-id-${++count}`;

export function createControl(ui, control) {
  const node = KINDS[control.kind][0](ui, control);
  node.dataset.id = control.id;
  return node;
}

export function updateControl(ui, node, control) {
  node.given = control;
  KINDS[control.kind][1](ui, node, control);
}

const change = (ui, control, value) => ui.act({ do: "set", control, value });

// ---- sliders -------------------------------------------------------------------------------------

function createSlider(ui, control) {
  const range = createRange(ui, control);
  const said = make("output", { class: "dtl-said", "aria-hidden": "true" });
  const node = make("label", { class: "dtl-slider" }, make("span", {}), range, said);
  return Object.assign(node, { range, said });
}

function updateSlider(ui, node, slider) {
  setText(node.firstChild, slider.label);
  updateRange(ui, node.range, slider);
  showSaid(node, slider);
}

function showSaid({ said, range }, { value, said: words }) {
  // Until Python has answered, the number itself.
  setText(said, Number(range.value) === value ? words : numberText(Number(range.value)));
}

/** A native slider that sends its newest value; what Python says late does not pull it back. */
export function createRange(ui, { id }) {
  const range = make("input", { type: "range" });
  range.addEventListener("input", () => {
    ui.drag({ do: "set", control: id, value: Number(range.value) });
    if (range.parentNode.said) showSaid(range.parentNode, range.parentNode.given);
  });
  return range;
}

export function updateRange(ui, range, { label, value, low, high, step, said }) {
  set(range, { min: low, max: high, step: step || niceStep(high - low), "aria-label": label });
  if (settled(ui)) range.value = value;
  set(range, { "aria-valuetext": said });
}

// ---- choices, toggles, buttons -------------------------------------------------------------------

function createChoice(ui, { id }) {
  const select = make("select", { id: newId() });
  select.addEventListener("change", () => change(ui, id, select.value));
  // A label around a select would have all its options in its text.
  const label = make("label", { for: select.id });
  return Object.assign(make("span", { class: "dtl-choice" }, label, select), { label, select });
}

function updateChoice(ui, { label, select }, choice) {
  setText(label, choice.label);
  onChange(select, choice.options, () =>
    select.replaceChildren(...choice.options.map(([value, text]) => make("option", { value }, text))),
  );
  if (settled(ui)) select.value = choice.value;
}

/** Small pictures of which one is chosen, by native radio buttons, which know the keys. */
function createThumbnails(ui, { id }) {
  const label = make("span", { id: newId() });
  const box = make("span", { class: "dtl-thumbs", role: "radiogroup", "aria-labelledby": label.id });
  const said = make("span", { class: "dtl-said", "aria-hidden": "true" });
  const group = newId();
  const option = ([value, words]) => {
    const radio = make("input", { type: "radio", name: group, value, "aria-label": words });
    radio.addEventListener("change", () => change(ui, id, value));
    return Object.assign(make("label", { title: words }, radio, make("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" })), { radio });
  };
  return Object.assign(make("span", { class: "dtl-thumbnails" }, label, box, said), { label, box, said, option });
}

function updateThumbnails(ui, node, { label, value, options, pictures, said }) {
  setText(node.label, label);
  setText(node.said, said);
  keyed(node.box, options.map((one, i) => [...one, pictures[i]]), {
    key: ([key]) => key,
    create: node.option,
    update: ({ radio, lastChild }, [key, , picture]) => {
      if (settled(ui)) radio.checked = key === value;
      onChange(lastChild, picture, () => lastChild.replaceChildren(cells(picture, "0"), cells(picture, "1")));
    },
  });
}

/** The cells of a class in a small picture of so many lines of digits. */
function cells(picture, k) {
  const side = Math.sqrt(picture.length);
  const at = [...picture].map((one, i) => (one === k ? `M${i % side} ${Math.floor(i / side)}h1v1h-1z` : ""));
  return make("path", { class: `dtl-cells-${k}`, d: at.join("") });
}

function createToggle(ui, { id }) {
  const box = make("input", { type: "checkbox" });
  box.addEventListener("change", () => {
    if (box.getAttribute("aria-disabled") === "true") box.checked = !box.checked;
    else change(ui, id, box.checked);
  });
  return Object.assign(make("label", { class: "dtl-toggle" }, box, make("span")), { box });
}

function updateToggle(ui, node, { label, value, enabled }) {
  setText(node.lastChild, label);
  enable(node.box, enabled);
  if (settled(ui)) node.box.checked = value;
}

function createButton(ui, { id, label }) {
  return button(label, () => ui.act({ do: id }));
}

function updateButton(ui, node, { label, enabled, main }) {
  setText(node, label);
  set(node, { class: main ? "dtl-main-button" : null });
  enable(node, enabled);
}

/** A button with a list beside it of what it can do; which is chosen is known here alone until it is pressed. */
function createMenu(ui, { id }) {
  const select = make("select");
  const press = button("", () => ui.act({ do: id, option: select.value }));
  const node = Object.assign(make("span", { class: "dtl-pair" }, press, select), { press, select });
  select.addEventListener("change", () => nameMenu(node));
  return node;
}

function updateMenu(ui, node, { label, choose, options, enabled }) {
  setText(node.press, label);
  set(node.select, { "aria-label": choose });
  onChange(node.select, options, () => node.select.replaceChildren(...options.map((one) => make("option", {}, one))));
  enable(node.press, enabled);
  nameMenu(node);
}

function nameMenu({ press, select }) {
  set(press, { "aria-label": `${press.textContent} ${select.value}` });
}

// ---- fields --------------------------------------------------------------------------------------

function createField(ui, { id }) {
  const told = make("span", { class: "dtl-told", id: newId() });
  const input = make("input", { type: "text", id: newId(), autocomplete: "off", "aria-describedby": told.id });
  const label = make("label", { for: input.id });
  const node = Object.assign(make("span", { class: "dtl-field" }, label, input, told), { label, input, told });
  const send = () => {
    if (input.value !== node.sent) change(ui, id, (node.sent = input.value));
  };
  input.addEventListener("change", send);
  input.addEventListener("keydown", (event) => event.key === "Enter" && send());
  return node;
}

function updateField(ui, node, { label, value, wrong, right, note, width, enabled }) {
  setText(node.label, label);
  set(node.input, { size: width, "aria-invalid": wrong ? "true" : null, readonly: enabled ? null : "" });
  setText(node.told, wrong ?? (right ? "✓ right" : note));
  set(node, { class: `dtl-field${wrong ? " dtl-bad" : right ? " dtl-good" : ""}` });
  const typing = focusWithin(node) === node.input && node.input.value !== node.sent;
  if (settled(ui) && !typing) node.input.value = node.sent = value;
}

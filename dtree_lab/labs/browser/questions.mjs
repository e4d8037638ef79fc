// What can be asked at a node, as bars that open into a cut slider: the dark part of a bar is the gain,
// the pale part what stays open, H(Y|X); together they are H(Y).
import { createCut, isHeld, moveTo, updateCut } from "./cut.mjs";
import { button, enable, keyed, make, onChange, set, setText } from "./dom.mjs";
import { numberText, percent } from "./numbers.mjs";
import { STRIP, strip } from "./treecard.mjs";

export function createQuestions(ui, node, { id }) {
  ui.root.classList.add("dtl-asks");
  Object.assign(node, {
    where: make("p", { class: "dtl-where" }),
    note: make("p", { class: "dtl-note" }),
    list: make("ul", { class: "dtl-bars dtl-questions" }),
    more: make("p", { class: "dtl-more" }),
  });
  node.append(make("div", { class: "dtl-about" }, node.where, node.note), node.list, node.more);
  node.on = {
    draft: ({ attribute }, cut) => ui.drag({ do: "draft", part: id, attribute, cut }),
    group: ({ attribute }, branches) => ui.act({ do: "draft", part: id, attribute, branches }, attribute),
    split: ({ attribute }, cut, event) => {
      // After the keyboard did it, the focus goes on in the tree.
      ui.goBack = !event || event.detail === 0;
      ui.act({ do: "split", part: id, attribute, ...(cut === null ? {} : { cut }) }, attribute);
    },
    problem: ({ attribute }, text) => {
      Object.assign(ui, { asker: attribute, own: text });
      ui.say(text);
    },
  };
  const inCard = (event) => {
    const isThere = event.button === 0 && event.target.matches(".dtl-bins-hit") && ui.tree?.svg.contains(event.target);
    const row = isThere && [...node.list.children].find(({ bar, cut, open }) => bar.chosen && cut && open);
    if (row) dragInCard(row, event, (cut, done) => node.on.split(row.bar, cut, done));
  };
  // Before the tree takes it for a drag of its camera.
  ui.parts.addEventListener("pointerdown", inCard, { capture: true });
}

/** The cut of the chosen node is dragged in its card: tried as by its slider, and asked where it is let go. */
function dragInCard({ cut }, event, split) {
  event.stopPropagation();
  event.preventDefault();
  const hit = event.target;
  const line = hit.previousElementSibling;
  const axis = line.previousElementSibling;
  const before = line.getAttribute("d");
  const { x, width } = axis.getBBox();
  const [y, height] = ["y", "height"].map((name) => hit.getAttribute(name));
  let isMoved = false;
  hit.setPointerCapture(event.pointerId);
  cut.dragging = true;
  cut.box.classList.add("dtl-held");
  const move = (at) => {
    if (!isMoved && Math.abs(at.clientX - event.clientX) < 3) return;
    isMoved = true;
    const box = axis.getBoundingClientRect();
    moveTo(cut, (at.clientX - box.left) / box.width);
    set(line, { d: `M${x + (percent(cut.value, cut.axis) / 100) * width},${y}v${height}` });
  };
  const end = (at) => {
    hit.removeEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) hit.removeEventListener(type, end);
    cut.dragging = false;
    cut.box.classList.remove("dtl-held");
    if (isMoved && at.type === "pointerup") split(cut.value, at);
    else set(line, { d: before });
  };
  hit.addEventListener("pointermove", move);
  for (const type of ["pointerup", "pointercancel"]) hit.addEventListener(type, end);
}

export function updateQuestions(ui, node, part) {
  const fresh = node.about !== part.about;
  if (fresh) ui.own = null;
  node.about = part.about;
  set(node, { role: "group", "aria-label": part.heading });
  setText(node.where, part.where);
  setText(node.note, part.note);
  setText(node.more, part.more);
  keyed(node.list, part.bars, {
    key: (bar) => bar.attribute,
    create: (bar) => createBar(bar, node.on),
    update: (row, bar) => updateBar(row, bar, { node: part, classes: ui.view.classes, fresh }),
    // While a cut is being chosen its gain changes, but its place under the pointer does not.
    keepOrder: !fresh && [...node.list.children].some((row) => row.cut && isHeld(row.cut)),
  });
}

/** A row. `on.split(bar, cut, event)`, `on.draft(bar, cut)`, `on.group(bar, branches)`, `on.problem(bar, text)`. */
function createBar({ continuous, name, plain = name }, on) {
  const row = make("li", { class: "dtl-bar" });
  Object.assign(row, {
    ask: button("", (event) => on.split(row.bar, row.cut?.value ?? null, event), { class: "dtl-question" }),
    word: make("span", { class: "dtl-word" }),
    fill: make("div", { class: "dtl-fill" }),
    gain: make("span", { class: "dtl-gain" }),
    left: make("span", { class: "dtl-left" }),
    why: make("span", { class: "dtl-why" }),
    groups: make("details", { class: "dtl-groups" }, make("summary", {}, "Branches")),
    told: make("div"),
    together: make("div", { class: "dtl-together", role: "group", "aria-label": `Branches of the values of ${plain}` }),
    cut: null,
  });
  row.here = make("p", { class: "dtl-here" });
  row.groups.append(row.told, row.together, row.here);
  row.together.addEventListener("change", () => regroup(row, on));
  row.track = make("div", { class: "dtl-track", "aria-hidden": "true" }, row.fill);
  if (continuous) {
    row.cut = createCut(plain, {
      draft: (cut) => on.draft(row.bar, cut),
      split: (cut, event) => on.split(row.bar, cut, event),
      shown: () => nameQuestion(row),
      problem: (text) => on.problem(row.bar, text),
    });
    row.here = row.cut.problem;
  }
  row.append(
    make("div", { class: "dtl-ask-line" }, row.ask, row.word),
    row.track,
    make("p", { class: "dtl-numbers" }, row.gain, row.left, row.why),
    ...(row.cut ? [row.cut.box] : []),
    row.groups,
  );
  return row;
}

/** Show what Python says of an attribute; `fresh` when it is about another node than before. */
function updateBar(row, bar, { node, classes, fresh }) {
  row.bar = bar;
  const shown = !node.hidden && !bar.disabled;
  const open = !bar.disabled && !node.locked;
  set(row, { class: `dtl-bar${bar.leads ? " dtl-best" : ""}${open ? "" : " dtl-shut"}` });
  row.open = open;
  setText(row.word, bar.word);
  row.track.hidden = !shown;
  row.fill.style.width = `${100 * (bar.share || 0)}%`;
  setText(row.gain, shown ? `gain ${bar.gain}` : "");
  setText(row.left, shown ? `H(Y|X) ${bar.left}` : "");
  setText(row.why, bar.disabled);
  const axis = bar.disabled ? null : bar.axis;
  if (row.cut) updateCut(row.cut, axis, { gain: bar.gain, classes, hidden: node.hidden, fresh, open });
  nameQuestion(row);
  row.groups.hidden = !bar.groups || Boolean(bar.disabled);
  if (!row.groups.hidden) {
    onChange(row.groups, [bar, node.rows, classes], () => drawGroups(row, bar, node.rows, classes));
    drawTogether(row.together, open ? bar.values : null);
  }
}

/** A choice of branch for each value, so that values can be taken together. */
function drawTogether(box, values) {
  box.hidden = !values;
  if (!values) return;
  onChange(box, values.map(({ label }) => label), () =>
    box.replaceChildren(
      make("p", {}, "Take values together:"),
      ...values.map(({ label }) => {
        const options = values.map((_, i) => make("option", { value: i }, `branch ${i + 1}`));
        // Its own name: the label's text would take in all the options.
        const select = make("select", { "aria-label": `Branch of ${label}` }, ...options);
        return make("label", {}, make("bdi", {}, label), select);
      }),
    ),
  );
  const selects = box.querySelectorAll("select");
  values.forEach(({ branch }, i) => (selects[i].value = String(branch)));
}

/** Try the branches that are chosen; what is refused is put back as it was. */
function regroup({ bar, together }, on) {
  const branches = [...together.querySelectorAll("select")].map((select) => Number(select.value));
  if (new Set(branches).size > 1) return on.group(bar, branches);
  drawTogether(together, bar.values);
  on.problem(bar, `All values of '${bar.plain ?? bar.name}' in one branch would be no question.`);
}

/** The question as it stands, with the cut that is on the screen. */
function nameQuestion({ ask, bar, cut, open }) {
  const own = bar.plain ?? bar.name;
  const name = cut?.value == null ? bar.name : `${own} < ${numberText(cut.value)}`;
  enable(ask, open && !cut?.wrong);
  setText(ask, name);
  set(ask, { "aria-label": `Split by ${name}` });
}

/** The branches a question would make, and how its numbers come about. */
function drawGroups({ groups: details, told }, bar, total, classes) {
  set(details.firstChild, { "aria-label": `Branches of ${bar.plain ?? bar.name}` });
  const few = classes.length <= 4;
  const counted = few ? classes.map((kind) => kind.name).join(" : ") : "rows";
  const head = ["branch", "", counted, "entropy"].map((text) =>
    text ? make("th", { scope: "col" }, text) : make("td"),
  );
  const rows = bar.groups.map(({ label, rows, counts, entropy }) => {
    const picture = { class: "dtl-strip", viewBox: `0 0 90 ${STRIP}`, "aria-hidden": "true" };
    const cells = [make("svg", picture, ...strip(counts, classes, { width: 90 }))];
    cells.push(few ? counts.join(" : ") : String(rows), entropy ?? "");
    const name = make("th", { scope: "row" }, make("bdi", {}, label));
    return make("tr", {}, name, ...cells.map((cell) => make("td", {}, cell)));
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  told.replaceChildren(table, ...sums(bar, total).map((text) => make("p", {}, text)));
}

/** The sum that gives H(Y|X), where it fits on a line or two, and the gain ratio. */
export function sums({ groups, left, ratio }, total) {
  if (groups.some(({ entropy }) => !entropy)) return [];
  const whole = groups.reduce((sum, { rows }) => sum + rows, 0) === total;
  const terms = groups.map(({ rows, entropy }) => `${rows}/${total} · ${entropy}`).join(" + ");
  return [...(whole && groups.length <= 6 ? [`H(Y|X) = ${terms} = ${left}`] : []), `gain ratio ${ratio}`];
}

// Recorded labs, played without Python: the same code draws them, and what an action leads to is looked
// up. What was not walked through says so, and all stays as it is.
import { linked, unpacked } from "./linking.mjs";

const OUTSIDE = "This step is not in the recording. Open the notebook and run it to go there.";
const page = (globalThis[Symbol.for("dtree_lab played")] ??= {});

/** Views and pieces of them in which marks stand for pieces that are kept once: see kit/recording.py. */
function whole(packed, pieces) {
  if (typeof packed === "string") {
    if (packed.startsWith("~~")) return packed.slice(1);
    return packed.startsWith("~") ? pieces[parseInt(packed.slice(1), 36)] : packed;
  }
  if (Array.isArray(packed)) return packed.map((one) => whole(one, pieces));
  if (packed === null || typeof packed !== "object") return packed;
  return Object.fromEntries(Object.entries(packed).map(([name, one]) => [name, whole(one, pieces)]));
}

/** The record that stands in an element. */
async function recorded(text) {
  const told = await unpacked(text);
  const pieces = [];
  for (const piece of told.pieces) pieces.push(whole(piece, pieces));
  return { ...told, views: told.views.map((view) => whole(view, pieces)) };
}

/** As Python writes an action: its values, in the order of their names. */
const keyOf = (action) => JSON.stringify(Object.keys(action).sort().map((name) => [name, action[name]]));

/** What a lab asks of the model that is in Python elsewhere. */
class Played {
  constructor(record, id) {
    this.record = record;
    this.id = id;
    this.heard = new Set();
    const way = ([action, to, said = 0]) => [record.actions[action], [to, record.said[said]]];
    this.ways = record.moves.map((moves) => new Map(moves.map(way)));
    this.at = Math.max(record.keys.indexOf(addressed().get(id)), 0);
    this.past = [];
    this.undone = [];
    this.said = this.at ? "" : record.begins;
    this.show(0);
  }

  get(name) {
    return { told: this.told, token: "", demo: false, played: true }[name];
  }

  on(_, hear) {
    this.heard.add(hear);
  }

  off(_, hear) {
    this.heard.delete(hear);
  }

  send({ n = 0, ...action }) {
    if (action.do === "live") return;
    const { past, undone } = this;
    const returns = { undo: [past, undone], redo: [undone, past] };
    const [from, onto] = (this.record.remembers && returns[action.do]) || [];
    const [to, words] = from ? [from.pop(), ""] : (this.way(action) ?? [OUTSIDE]);
    if (typeof to === "number") this.said = words; // what cannot be done changes nothing
    if (typeof to === "number" && to !== this.at) {
      (onto ?? past).push(this.at);
      if (!from) undone.length = 0;
      this.at = to;
    }
    this.show(n, typeof to === "string" ? to : null, from && this.record.returned[action.do]);
    address(this.id, this.at ? this.record.keys[this.at] : null);
    for (const hear of [...this.heard]) queueMicrotask(hear);
  }

  /** Where an action leads; a slider or a cut goes to the nearest of the values that were recorded. */
  way(action) {
    const ways = this.ways[this.at];
    const exact = ways.get(keyOf(action));
    const dragged = { set: "value", draft: "cut" }[action.do];
    if (exact !== undefined || typeof action[dragged] !== "number") return exact;
    const same = (known) => ["do", "control", "attribute"].every((name) => known[name] === action[name]);
    let best = { off: Infinity };
    for (const [key, to] of ways) {
      const known = Object.fromEntries(JSON.parse(key));
      const off = same(known) ? Math.abs(known[dragged] - action[dragged]) : NaN;
      if (off < best.off) best = { off, to };
    }
    return best.to;
  }

  /** The view, with what was said by the action that led to it; undoing says that it was done. */
  show(answers, problem = null, done = "") {
    const { views, remembers } = this.record;
    const view = views[this.at];
    const said = { problem: problem ?? view.problem, stage: 0, answers };
    said.status = done ? [done, view.status || view.result].filter(Boolean).join(" ") : this.said || view.status;
    if (remembers) Object.assign(said, { undo: this.past.length > 0, redo: this.undone.length > 0 });
    this.told = JSON.stringify({ ...view, ...said });
  }
}

// ---- the address ---------------------------------------------------------------------------------

const addressed = () => new URLSearchParams(location.hash.slice(1));

/** The address brings the page back with each lab as it is. */
function address(id, key) {
  const all = addressed();
  if (key) all.set(id, key);
  else all.delete(id);
  try {
    history.replaceState(history.state, "", `#${all}`);
  } catch {
    // a page that has no address of its own
  }
}

function foot(record, id, model) {
  const node = document.createElement("p");
  node.className = "dtl-played";
  const press = document.createElement("button");
  press.type = "button";
  press.textContent = "Copy link";
  const said = document.createElement("span");
  said.setAttribute("aria-live", "polite");
  said.textContent = record.about;
  press.addEventListener("click", async () => {
    address(id, record.keys[model.at]);
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "Copied: the link brings back this picture.";
    } catch {
      said.textContent = `The link: ${location.href}`;
    }
  });
  node.append(press, " ", said);
  return node;
}

/** Play the record that stands in an element. */
export async function play(box) {
  const id = box.dataset.lab;
  const record = await recorded(document.querySelector(`script.dtl-${box.dataset.record}`).textContent);
  const { render } = await (page.code ??= unpacked(code()).then((texts) => linked(new Map(Object.entries(texts)))));
  const model = new Played(record, id);
  const el = document.createElement("div");
  box.querySelector(".dtl-kept")?.setAttribute("hidden", "");
  box.append(el); // before it is drawn, for words are measured where they stand
  render({ model, el });
  el.querySelector(".dtl-live").append(foot(record, id, model));
  box.dataset.playing = "";
}

const code = () => document.querySelector("script.dtl-code").textContent;

// A page may have many labs: each begins when it is about to be seen.
const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      play(target);
    }
  },
  { rootMargin: "100%" },
);
for (const box of document.querySelectorAll(".dtl-play:not([data-begun])")) {
  box.dataset.begun = "";
  near.observe(box);
}

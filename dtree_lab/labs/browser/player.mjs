// Recorded labs, played without Python: the same code draws them, and what an action leads to is looked
// up. What was not walked through says so, and all stays as it is.
import { linked } from "./linking.mjs";

const OUTSIDE = "This step is not in the recording. Open the notebook and run it to go there.";
const page = (globalThis[Symbol.for("dtree_lab played")] ??= {});

/** What stands in an element as deflated JSON, written as base64. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** As Python writes an action: its values, in the order of their names. */
const keyOf = (action) => JSON.stringify(Object.keys(action).sort().map((name) => [name, action[name]]));

/** What a lab asks of the model that is in Python elsewhere. */
class Played {
  constructor(record, id) {
    this.record = record;
    this.id = id;
    this.heard = new Set();
    this.ways = record.moves.map((moves) => new Map(moves.map(([action, to]) => [record.actions[action], to])));
    this.at = Math.max(record.keys.indexOf(addressed().get(id)), 0);
    this.past = [];
    this.undone = [];
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
    const returns = { undo: [past, undone, "Undone."], redo: [undone, past, "Done again."] };
    const [from, onto, said] = (this.record.remembers && returns[action.do]) || [];
    const to = from ? from.pop() : (this.way(action) ?? OUTSIDE);
    if (typeof to === "number" && to !== this.at) {
      (onto ?? past).push(this.at);
      if (!from) undone.length = 0;
      this.at = to;
    }
    this.show(n, typeof to === "string" ? to : null, said);
    address(this.id, this.at ? this.record.keys[this.at] : null);
    for (const hear of [...this.heard]) queueMicrotask(hear);
  }

  /** Where an action leads; a slider goes to the nearest of the values that were recorded. */
  way(action) {
    const ways = this.ways[this.at];
    const exact = ways.get(keyOf(action));
    if (exact !== undefined || action.do !== "set" || typeof action.value !== "number") return exact;
    let best = { off: Infinity };
    for (const [key, to] of ways) {
      const known = Object.fromEntries(JSON.parse(key));
      const off = known.control === action.control ? Math.abs(known.value - action.value) : NaN;
      if (off < best.off) best = { off, to };
    }
    return best.to;
  }

  show(answers, problem = null, done = "") {
    const { views, parts, remembers } = this.record;
    const [own, rest] = views[this.at];
    const said = { problem: problem ?? rest.problem, stage: 0, answers };
    if (done) said.status = [done, rest.status || rest.result].filter(Boolean).join(" ");
    if (remembers) Object.assign(said, { undo: this.past.length > 0, redo: this.undone.length > 0 });
    this.told = JSON.stringify({ ...rest, ...said, parts: own.map((i) => parts[i]) });
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
  const n = record.views.length;
  said.textContent = `Recorded, ${n.toLocaleString("en")} ${n === 1 ? "view" : "views"}: plays without Python.`;
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
  const record = await unpacked(box.querySelector("script.dtl-record").textContent);
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

for (const box of document.querySelectorAll(".dtl-play:not([data-begun])")) {
  box.dataset.begun = "";
  play(box);
}

// A scene as it is seen: its words, its question and its lab, fitted to the room.

/** What the lab's code asks of the model that is in Python elsewhere. */
export class Shown {
  heard = new Set();

  constructor(screen) {
    this.screen = screen;
  }

  get(name) {
    const { now, hands } = this.screen;
    return { told: this.told(now.told), token: "", demo: false, played: true, room: { hands, ...now, asks: Boolean(now.ask) } }[name];
  }

  /** What was asked for twice is answered by what is shown. */
  told(text) {
    const view = this.answered && JSON.parse(text);
    return view?.answers < this.answered ? JSON.stringify({ ...view, answers: this.answered }) : text;
  }

  on(_, hear) {
    this.heard.add(hear);
  }

  off(_, hear) {
    this.heard.delete(hear);
  }

  send(message) {
    if (message.do !== "live") return this.screen.act(message);
    // Asked whether an answer was lost: what is shown is all there is.
    if (message.n) {
      this.answered = message.n;
      this.again();
    }
  }

  show() {
    const { told, panel, ask } = this.screen.now;
    const seen = JSON.stringify([told, panel, Boolean(ask)]);
    if (seen !== this.seen) this.again();
    this.seen = seen;
  }

  again() {
    for (const hear of [...this.heard]) hear();
  }
}

// How large words are, for a size of 4.2 % of the height; and how much of the width what is said beside a lab has.
const TYPES = [2, 1.7, 1.4, 1.2, 1, 0.85, 0.725];
const SIDES = [["30%", 1.35], ["30%", 1.15], ...["30%", "36%", "42%", "48%", "54%", "60%"].map((share) => [share, 1])];
// So much of what is left free over words lies above them.
const LIFT = 0.4;

/** A scene in an element. `act(message)` does in its lab what a hand does; `labs` is the module that draws labs. */
export class Screen {
  now = {};
  lab = null;
  sized = 0; // how many sizes were too large for this scene
  lift = null; // how far down its words begin, in pixels
  hands = false;

  constructor(node, { act, labs }) {
    Object.assign(this, { node, act, labs });
  }

  async show(message) {
    const before = this.now;
    const { node } = this;
    this.now = { ...message, told: message.told === true ? before.told : message.told };
    const { now } = this;
    if (before.scene !== now.scene || before.lab !== now.lab) this.begin();
    node.dataset.step = `${now.scene}.${now.step}`;
    const [head, words] = parted(now);
    write(node.querySelector(".head"), head);
    write(node.querySelector(".words"), words);
    const ask = now.ask ?? now.coming;
    question(node.querySelector(".ask"), ask, now);
    node.querySelector(".ask").classList.toggle("still", !now.ask);
    node.dataset.layout = now.layout;
    node.classList.toggle("has-lab", now.lab);
    node.classList.toggle("works", now.works);
    node.classList.toggle("has-side", now.lab && this.hasSide());
    this.fit();
    await this.showLab();
    node.dataset.drawn = node.dataset.step; // and all of it is seen
  }

  /** A scene's own places, empty. */
  begin() {
    this.lab?.end?.();
    this.lab = null;
    const place = (name) => Object.assign(document.createElement("div"), { className: name });
    this.sized = 0;
    this.lift = null;
    this.node.classList.remove("has-side");
    this.node.replaceChildren(...["head", "words", "ask", "lab dtl-hall"].map(place));
  }

  /** Whether anything is to stand beside the lab's picture, now or with a later key. */
  hasSide() {
    const { told, panels, speaks } = this.now;
    if (speaks || !told) return speaks || this.node.classList.contains("has-side");
    const { parts } = JSON.parse(told);
    const known = new Map(parts.map((part) => [part.id, part]));
    // Two pictures have all of the width.
    if (["hero", "beside"].every((name) => parts.some(({ area, id, kind }) => area === name && kind !== "controls" && (name === "hero" || !panels || panels.includes(id))))) return false;
    const isAside = (part) => !part || !(["hero", "beside", "act"].includes(part.area) || ["toolbar", "controls"].includes(part.kind));
    return panels ? panels.some((id) => isAside(known.get(id))) : parts.some((part) => part.stage > 0 && isAside(part));
  }

  async showLab() {
    const box = this.node.querySelector(".lab");
    box.hidden = !this.now.lab || !this.now.told;
    if (box.hidden) return;
    if (this.lab) return this.lab.model.show();
    const mine = (this.lab = { model: new Shown(this) });
    const { render } = await this.labs;
    if (this.lab === mine) mine.end = render({ model: mine.model, el: box });
  }

  /**
   * Words and questions are made smaller until they fit, with all that is still to come in this scene, never below
   * the size that can be read. Beside a lab they take as much of the width as they need. In a scene neither type nor
   * place goes back when less is to be seen.
   */
  fit() {
    const { node, now } = this;
    const { paddingTop, paddingBottom, rowGap } = getComputedStyle(node);
    const gap = parseFloat(rowGap);
    const shown = [...node.children].filter((one) => one.offsetHeight && !one.matches(".lab"));
    const isWide = () => shown.every((one) => one.scrollWidth <= one.clientWidth + 1);
    const room = node.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    const high = () => shown.reduce((sum, one) => sum + one.scrollHeight, (shown.length - 1) * gap);
    const sizes = now.lab ? SIDES : TYPES.map((type) => ["", 1, type]);
    for (; this.sized < sizes.length; this.sized++) {
      ["--share", "--side", "--type"].forEach((name, i) => node.style.setProperty(name, sizes[this.sized][i] ?? ""));
      if (isWide() && high() <= room) break;
    }
    const free = Math.max(0, room - high());
    this.lift = Math.min(free, this.lift ?? LIFT * free);
    node.style.setProperty("--lift", `${this.lift}px`);
    // Where what a lab puts beside its picture begins.
    const said = shown.filter((one) => !one.matches(".head")).reduce((sum, one) => sum + one.offsetHeight + gap, 0);
    node.style.setProperty("--said", `${said}px`);
  }

  /** Find sizes and places anew, in a window of another size. */
  refit() {
    this.sized = 0;
    this.lift = null;
    this.fit();
  }

  /** Show a lab's controls, or hide them. */
  turnHands() {
    this.hands = !this.hands;
    this.lab?.model.again();
  }
}

export function write(node, page) {
  if (node.page !== page) node.innerHTML = node.page = page;
  node.hidden = !page;
}

/** Room for what is still to come, so that nothing moves when it does. */
const still = (shape) => `<div class="still" aria-hidden="true">${shape}</div>`;

const HEADING = /^\s*<h([1-6])>[\s\S]*?<\/h\1>/;
const PARTING = /<hr ?\/?>/;

/** A scene's heading, and its other words with the room of those to come; in a layout of two, in its columns. */
function parted({ words, shapes = [], layout }) {
  const [head = ""] = HEADING.exec(words[0] ?? "") ?? [];
  const blocks = [words.length ? words[0].slice(head.length) : "", ...words.slice(1)].map((text) => [text, (one) => one]);
  const all = [...blocks, ...shapes.map((shape) => [shape, still])].filter(([text]) => text.trim());
  if (layout !== "two") return [head, all.map(([text, dress]) => dress(text)).join("")];
  const columns = [[], []];
  let at = 0;
  for (const [text, dress] of all) {
    text.split(PARTING).forEach((piece, i) => columns[(at = Math.min(1, at + (i ? 1 : 0)))].push(piece.trim() && dress(piece)));
  }
  return [head, columns.map((column) => `<div>${column.join("")}</div>`).join("")];
}

/** How to vote by phone: the code, the address and the room's own code. */
export function joining({ place, code, qr, phones }) {
  const there = phones ? `<p class="there">${phones} ${phones === 1 ? "phone is" : "phones are"} here</p>` : "";
  return `${qr}<p class="place">http://<wbr>${place.replace(/:\d+$/, "<wbr>$&")}</p><p class="code">Room <b>${code}</b></p>${there}`;
}

function question(node, ask, { room, joins }) {
  node.hidden = !ask;
  if (node.hidden) return;
  const { asks, options, letters, places, strip, said, votes, voted, right, because, shape } = ask;
  // By shares, so that a vote can be seen beside one in which not as many took part; words by how often they came.
  const most = Math.max(1, ...(votes ?? []).flat());
  const sums = (votes ?? []).map((counts) => (places ? most : Math.max(1, counts.reduce((a, b) => a + b, 0))));
  const bars = (i) =>
    (votes ?? []).map((counts, round) => {
      const share = (100 * counts[i]) / sums[round];
      const name = votes.length > 1 ? ["before", "after"][round] : "";
      return `<span class="bar round-${round}"><i style="width:${share}%"${counts[i] ? "" : " hidden"}></i><em>${places ? counts[i] : `${Math.round(share)} %`}<small> ${name}</small></em><b>${counts[i]}</b></span>`;
    });
  const line = (text, i) => {
    const isRight = right?.includes(i);
    const looks = right ? (isRight ? "right" : right.length ? "other" : "") : "";
    return `<li class="${looks}"><span class="letter">${isRight ? "\u2713" : letters[i] ?? ""}</span><span class="option">${text}</span><span class="bars">${bars(i).join("")}</span></li>`;
  };
  const second = ask.round > 1 && voted !== null ? "Second vote: " : "";
  const some = voted || (room && voted === 0) ? `<p class="voted">${second}${voted} ${voted === 1 ? "vote" : "votes"}</p>` : "";
  // Numbers stand on a strip, or in the lab's picture; what they come to has its room from the beginning.
  const numbers = () => `${strip && `<div class="strip dtl">${strip}</div>`}<div class="said">${said || some}</div>`;
  // Words that are still to come have room for as many as there may be.
  const words = () => {
    const all = options.map(line);
    const isPair = all.length > 5 || (places > 5 && joins && !votes);
    const empty = '<li class="still" aria-hidden="true">&nbsp;</li>'.repeat(joins || votes ? Math.max(0, (isPair ? places : 5) - all.length) : 0);
    return `<ol class="spoken${isPair ? " pair" : ""}">${all.join("")}${empty}</ol><div class="said">${said || some}</div>`;
  };
  const answers = places ? words() : options ? `<ol>${options.map(line).join("")}</ol>${some}` : numbers();
  const join = room && voted !== null ? joining(room) : "";
  // With phones the code's place is kept through the votes and the answer.
  node.classList.toggle("joining", Boolean(joins));
  write(node, `<div><p class="asks">${asks}</p>${answers}<div class="because">${because ?? (shape ? still(shape) : "")}</div></div>${joins ? `<aside class="join">${join}</aside>` : ""}`);
}

/** All scenes of a lecture in small, each with its number; `go(i)` is called for the one that is chosen. */
export async function small({ all, plan, scene: here }, labs, go) {
  document.body.classList.add("sheets", "overview");
  document.getElementById("stage")?.remove();
  for (const one of document.querySelectorAll(".thumb")) one.remove();
  for (const [i, told] of all.entries()) {
    const [thumb, sheet] = ["button", "main"].map((name) => document.createElement(name));
    thumb.className = "thumb";
    thumb.setAttribute("aria-label", `${i + 1} ${plan[i][0]}`);
    thumb.setAttribute("aria-current", String(i === here));
    thumb.append(sheet, Object.assign(document.createElement("b"), { textContent: i + 1 }));
    thumb.addEventListener("click", () => go(i));
    document.body.append(thumb);
    sheet.className = "sheet";
    sheet.inert = true;
    await new Screen(sheet, { act: () => {}, labs }).show(told);
    if (i === here) thumb.focus();
  }
}

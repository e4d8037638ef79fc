// A scene as it is seen: its words, its question and its lab, fitted to the room.

/** What the lab's code asks of the model that is in Python elsewhere. */
export class Shown {
  heard = new Set();

  constructor(screen) {
    this.screen = screen;
  }

  get(name) {
    const { now, hands } = this.screen;
    return { told: this.told(now.told), token: "", demo: false, played: true, room: { hands, panel: now.panel } }[name];
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
    const { told, panel } = this.screen.now;
    const seen = JSON.stringify([told, panel]);
    if (seen !== this.seen) this.again();
    this.seen = seen;
  }

  again() {
    for (const hear of [...this.heard]) hear();
  }
}

// How large words are, for a size of 4.2 % of the height; and how much of the width a question has beside a lab.
const TYPES = [1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1, 0.95, 0.9, 0.85, 0.8, 0.76, 0.72];
const SHARES = ["40%", "46%", "52%", "58%"];

/** A scene in an element. `act(message)` does in its lab what a hand does; `labs` is the module that draws labs. */
export class Screen {
  now = {};
  lab = null;
  sized = 0; // how many sizes were too large for this scene
  hands = false;

  constructor(node, { act, labs }) {
    Object.assign(this, { node, act, labs });
  }

  async show(message) {
    const before = this.now;
    const { node } = this;
    this.now = { ...message, told: message.told === true ? before.told : message.told };
    const { now } = this;
    if (before.scene !== now.scene) this.begin();
    node.dataset.step = `${now.scene}.${now.step}`;
    write(node.querySelector(".words"), `${now.words.join("")}${still(now.shapes)}`);
    const ask = now.ask ?? now.coming;
    question(node.querySelector(".ask"), ask, now.room);
    node.querySelector(".ask").classList.toggle("still", !now.ask);
    node.classList.toggle("has-lab", now.lab);
    node.classList.toggle("beside", now.lab && Boolean(ask));
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
    this.node.replaceChildren(place("words"), place("ask"), place("lab dtl-hall"));
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
   * the size that can be read. Beside a lab a question takes as much of the width as it needs.
   */
  fit(least = this.sized) {
    const { node } = this;
    node.classList.add("measured");
    const { paddingTop, paddingBottom, rowGap } = getComputedStyle(node);
    const shown = [...node.children].filter((one) => one.offsetHeight && !one.matches(".lab"));
    const ask = shown.find((one) => one.matches(".ask"));
    const isWide = () => shown.every((one) => one.scrollWidth <= one.clientWidth + 1);
    const room = node.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    const high = () => shown.reduce((sum, one) => sum + one.scrollHeight, (shown.length - 1) * parseFloat(rowGap));
    const isWhole = () => isWide() && (this.now.lab ? !ask || ask.scrollHeight <= ask.clientHeight + 1 : high() <= room);
    const [name, sizes] = this.now.lab ? ["--share", SHARES] : ["--type", TYPES];
    // In a scene type does not grow again when less is to be seen.
    for (let i = least; i < sizes.length; i++) {
      node.style.setProperty(name, sizes[i]);
      this.sized = i;
      if (isWhole()) break;
    }
    node.classList.remove("measured");
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
const still = (shapes = []) => shapes.map((shape) => `<div class="still" aria-hidden="true">${shape}</div>`).join("");

/** How to vote by phone: the code, the address and the room's own code. */
export function joining({ place, code, qr, phones }) {
  const there = phones ? `<p class="there">${phones} ${phones === 1 ? "phone is" : "phones are"} here</p>` : "";
  return `${qr}<p class="place">http://<wbr>${place}</p><p class="code">Room <b>${code}</b></p>${there}`;
}

function question(node, ask, room) {
  node.hidden = !ask;
  if (node.hidden) return;
  const { asks, options, letters, votes, voted, right, because, shape } = ask;
  // By shares, so that a vote can be seen beside one in which not as many took part.
  const sums = (votes ?? []).map((counts) => Math.max(1, counts.reduce((a, b) => a + b, 0)));
  const most = Math.max(...(votes ?? []).map((counts, round) => Math.max(...counts) / sums[round]));
  // Where there are no votes yet, their room counts all the same (`fit`).
  const later = `<span class="later" aria-hidden="true"><i></i><b>100</b><em>100 % before</em></span>`.repeat(2);
  const bars = (i) =>
    (votes ?? []).map((counts, round) => {
      const sum = sums[round];
      const name = votes.length > 1 ? ["before", "after"][round] : "";
      return `<span class="bar round-${round}"><i style="width:${(100 * counts[i]) / sum / most}%"${counts[i] ? "" : " hidden"}></i><b>${counts[i]}</b><em>${Math.round((100 * counts[i]) / sum)} % ${name}</em></span>`;
    });
  const line = (text, i) => {
    const isRight = right?.includes(i);
    const looks = right ? (isRight ? "right" : right.length ? "other" : "") : "";
    return `<li class="${looks}"><span class="letter">${isRight ? "\u2713" : letters[i]}</span><span class="option">${text}</span><span class="bars">${bars(i).join("") || later}</span></li>`;
  };
  const second = ask.round > 1 && voted !== null ? "Second vote: " : "";
  const some = voted || (room && voted === 0) ? `<p class="voted">${second}${voted} ${voted === 1 ? "vote" : "votes"}</p>` : "";
  const join = room && voted !== null ? `<aside class="join">${joining(room)}</aside>` : "";
  node.classList.toggle("joining", Boolean(join));
  write(node, `<div><p class="asks">${asks}</p><ol>${options.map(line).join("")}</ol>${some}<div class="because">${because ?? still(shape ? [shape] : [])}</div></div>${join}`);
}

// A scene as it is seen: its words, its question and its lab, fitted to the room.

/** What the lab's code asks of the model that is in Python elsewhere. */
class Shown {
  heard = new Set();

  constructor(screen) {
    this.screen = screen;
  }

  get(name) {
    const { now, hands } = this.screen;
    return { told: now.told, token: "", demo: false, played: true, room: { hands, panel: now.panel } }[name];
  }

  on(_, hear) {
    this.heard.add(hear);
  }

  off(_, hear) {
    this.heard.delete(hear);
  }

  send(message) {
    if (message.do !== "live") this.screen.act(message);
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

/** A scene in an element. `act(message)` does in its lab what a hand does; `labs` is the module that draws labs. */
export class Screen {
  now = {};
  lab = null;
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
    write(node.querySelector(".words"), now.words.join(""));
    question(node.querySelector(".ask"), now.ask, now.room);
    node.classList.toggle("has-lab", now.lab);
    await this.showLab();
    this.fit();
    node.dataset.drawn = node.dataset.step; // and all of it is seen
  }

  /** A scene's own places, empty. */
  begin() {
    this.lab?.end?.();
    this.lab = null;
    const place = (name) => Object.assign(document.createElement("div"), { className: name });
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

  /** Words and questions are made smaller until they fit, never below the size that can be read. */
  fit() {
    const { node } = this;
    node.style.setProperty("--type", 1);
    if (this.now.lab) return;
    const shown = [...node.children].filter((one) => one.offsetHeight);
    const { paddingTop, paddingBottom, rowGap } = getComputedStyle(node);
    const room = node.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    const high = () => shown.reduce((sum, one) => sum + one.scrollHeight, (shown.length - 1) * parseFloat(rowGap));
    for (let type = 1.6; type >= 0.7; type -= 0.1) {
      node.style.setProperty("--type", type.toFixed(2));
      if (high() <= room && node.scrollWidth <= node.clientWidth) return;
    }
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

/** How to vote by phone: the code, the address and the room's own code. */
export function joining({ place, code, qr, phones }) {
  const there = phones ? `<p class="there">${phones} ${phones === 1 ? "phone is" : "phones are"} here</p>` : "";
  return `${qr}<p class="place">http://<wbr>${place}</p><p class="code">Room <b>${code}</b></p>${there}`;
}

function question(node, ask, room) {
  node.hidden = !ask;
  if (node.hidden) return;
  const { asks, options, letters, votes, voted, right, because } = ask;
  // By shares, so that a vote can be seen beside one in which not as many took part.
  const sums = (votes ?? []).map((counts) => Math.max(1, counts.reduce((a, b) => a + b, 0)));
  const most = Math.max(...(votes ?? []).map((counts, round) => Math.max(...counts) / sums[round]));
  const bars = (i) =>
    (votes ?? []).map((counts, round) => {
      const sum = sums[round];
      const name = votes.length > 1 ? ["before", "after"][round] : "";
      return `<span class="bar round-${round}"><i style="width:${(100 * counts[i]) / sum / most}%"${counts[i] ? "" : " hidden"}></i><b>${counts[i]}</b><em>${Math.round((100 * counts[i]) / sum)} % ${name}</em></span>`;
    });
  const line = (text, i) => {
    const isRight = right?.includes(i);
    const looks = right ? (isRight ? "right" : right.length ? "other" : "") : "";
    return `<li class="${looks}"><span class="letter">${isRight ? "\u2713" : letters[i]}</span><span class="option">${text}</span><span class="bars">${bars(i).join("")}</span></li>`;
  };
  const second = ask.round > 1 && voted !== null ? "Second vote: " : "";
  const some = voted || (room && voted === 0) ? `<p class="voted">${second}${voted} ${voted === 1 ? "vote" : "votes"}</p>` : "";
  const join = room && voted !== null ? `<aside class="join">${joining(room)}</aside>` : "";
  node.classList.toggle("joining", Boolean(join));
  write(node, `<div><p class="asks">${asks}</p><ol>${options.map(line).join("")}</ol>${some}${because ? `<div class="because">${because}</div>` : ""}</div>${join}`);
}

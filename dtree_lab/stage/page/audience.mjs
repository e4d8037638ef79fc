// What the audience sees: the scene as far as it is revealed, fitted to the window.
import { linked } from "/page/linking.mjs";
import { asked, wire } from "/page/wire.mjs";

const stage = document.getElementById("stage");
const spot = document.getElementById("spot");
const code = fetch("/code.json").then((answer) => answer.json()).then((texts) => linked(new Map(Object.entries(texts))));
let now = {};
let lab = null;
let hands = false;

const send = wire("audience", hear, (isBroken) => document.body.classList.toggle("broken", isBroken));

/** What the lab's code asks of the model that is in Python elsewhere. */
class Shown {
  heard = new Set();

  constructor(view) {
    this.view = view;
  }

  get(name) {
    return { told: this.view, token: "", demo: false, played: true, room: { hands, panel: now.panel } }[name];
  }

  on(_, hear) {
    this.heard.add(hear);
  }

  off(_, hear) {
    this.heard.delete(hear);
  }

  send(message) {
    if (message.do !== "live") send({ do: "lab", message });
  }

  show(view, panel) {
    const told = JSON.stringify([view, panel]);
    if (told === this.told) return;
    this.told = told;
    this.view = view;
    this.again();
  }

  again() {
    for (const hear of [...this.heard]) hear();
  }
}

async function hear(message) {
  if ("spot" in message) return point(message.spot);
  const before = now;
  const view = message.told === true ? before.told : message.told;
  now = { ...message, told: view };
  document.title = now.title;
  document.documentElement.dataset.theme = now.theme;
  document.body.dataset.jpThemeLight = String(now.theme === "light");
  document.body.classList.toggle("gone", !now.alive);
  if (before.scene !== now.scene) begin();
  stage.dataset.step = `${now.scene}.${now.step}`;
  write(stage.querySelector(".words"), now.words.join(""));
  question(stage.querySelector(".ask"), now.ask, now.room);
  invite(now.room);
  stage.classList.toggle("has-lab", now.lab);
  await showLab();
  fit();
  stage.dataset.drawn = stage.dataset.step; // and all of it is seen
}

/** A scene's own places, empty. */
function begin() {
  lab?.end?.();
  lab = null;
  const place = (name) => Object.assign(document.createElement("div"), { className: name });
  stage.replaceChildren(place("words"), place("ask"), place("lab dtl-hall"));
}

function write(node, page) {
  if (node.page !== page) node.innerHTML = node.page = page;
  node.hidden = !page;
}

async function showLab() {
  const box = stage.querySelector(".lab");
  box.hidden = !now.lab || !now.told;
  if (box.hidden) return;
  if (lab) return lab.model.show(now.told, now.panel);
  const model = new Shown(now.told);
  const mine = (lab = { model });
  const { render } = await code;
  if (lab === mine) mine.end = render({ model, el: box });
}

/** How to vote by phone: the code, the address and the room's own code. */
function joining({ place, code, qr, phones }) {
  const there = phones ? `<p class="there">${phones} ${phones === 1 ? "phone is" : "phones are"} here</p>` : "";
  return `${qr}<p class="place">http://<wbr>${place}</p><p class="code">Room <b>${code}</b></p>${there}`;
}

/** The same, large, over whatever is shown. */
function invite(room) {
  const node = document.getElementById("invite");
  write(node, room?.large ? joining(room) : "");
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

/** Words and questions are made smaller until they fit, never below the size that can be read. */
function fit() {
  stage.style.setProperty("--type", 1);
  if (now.lab) return;
  const shown = [...stage.children].filter((one) => one.offsetHeight);
  const { paddingTop, paddingBottom, rowGap } = getComputedStyle(stage);
  const room = stage.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  const high = () => shown.reduce((sum, one) => sum + one.scrollHeight, (shown.length - 1) * parseFloat(rowGap));
  for (let type = 1.6; type >= 0.7; type -= 0.1) {
    stage.style.setProperty("--type", type.toFixed(2));
    if (high() <= room && stage.scrollWidth <= stage.clientWidth) return;
  }
}

// ---- the hand ------------------------------------------------------------------------------------

let tool = null; // "laser" or "spotlight"

function point(at) {
  spot.hidden = !at;
  if (!at) return;
  spot.className = at.tool;
  spot.style.setProperty("--x", `${100 * at.x}vw`);
  spot.style.setProperty("--y", `${100 * at.y}vh`);
}

function pointed(event) {
  if (!tool) return;
  const at = { x: event.clientX / innerWidth, y: event.clientY / innerHeight, tool };
  point(at);
  send({ do: "spot", at });
}

const OWN = {
  l: () => take("laser"),
  s: () => take("spotlight"),
  c: () => {
    hands = !hands;
    lab?.model.again();
  },
  f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
};

function take(name) {
  tool = tool === name ? null : name;
  document.body.classList.toggle("pointing", Boolean(tool));
  if (!tool) {
    point(null);
    send({ do: "spot", at: null });
  }
}

document.addEventListener("pointermove", pointed);
document.addEventListener("keydown", (event) => {
  const wanted = asked(event, now.theme);
  const own = !wanted && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches?.("input, select, textarea") && OWN[event.key];
  if (!wanted && !own) return;
  event.preventDefault();
  event.stopPropagation();
  if (wanted) send(wanted);
  else own();
}, true);
window.addEventListener("resize", fit);

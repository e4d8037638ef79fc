// A phone: the question that is put to the class, what it is answered with, and one's own answer; then what
// is right. What goes up is the vote's number and the answer's, or a word.
const LETTERS = "ABCDEFGH";
const WAITING = "No question is open now. The next one appears here by itself.";
const at = (id) => document.getElementById(id);
const head = document.querySelector("h1");
const room = document.body.dataset.room;

let now = {};
let wanted = null; // the option that was tapped, until the server has said that it counts
let socket = null;
let wait = 500;
let later = 0;

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

async function join() {
  clearTimeout(later);
  let answer;
  try {
    answer = await fetch(`/${room}/device`, { method: "POST", credentials: "same-origin" });
  } catch {
    return lost();
  }
  if (answer.status === 404) return location.replace("/");
  if (!answer.ok) return lost(answer.status === 503 ? "There is no more room." : undefined);
  socket = new WebSocket(`ws://${location.host}/${room}/votes`);
  socket.addEventListener("open", () => {
    wait = 500;
    say(at("wire"), "");
    document.body.classList.remove("lost");
  });
  socket.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
  socket.addEventListener("close", () => lost());
}

function lost(why = "Not connected.") {
  socket = null;
  document.body.classList.add("lost");
  say(at("wire"), `${why} Trying again …`);
  clearTimeout(later);
  // Not all phones of a class at the same moment.
  later = setTimeout(join, wait * (0.5 + Math.random()));
  wait = Math.min(2 * wait, 8000);
}

function hear(told) {
  // Until somebody has answered, the same vote may come to be about other options.
  const asked = ({ ballot, options, answer }) => JSON.stringify([ballot, options, answer]);
  const isNew = asked(told) !== asked(now);
  now = told;
  say(at("lecture"), now.title);
  if (isNew) {
    wanted = null;
    begin();
  }
  if (now.ballot === null) return say(at("yours"), "");
  // Of a word the server says what it counts as, or what is wrong with it.
  if (wanted === now.chosen || "problem" in now) wanted = null;
  if ("problem" in now) complain(now.problem);
  mark();
}

/** How a question is answered: `begin(box)` makes what does it, `mark(answer)` shows which one it is. */
const WAYS = {
  options: {
    again: "To change it, tap another.",
    first: "Tap one of them.",
    vote: (i) => LETTERS[i],
    begin: (box) =>
      box.replaceChildren(
        ...now.options.map((text, i) => {
          const one = button(`<b>${LETTERS[i]}</b><span>${text}</span>`, () => answer(i));
          one.className = "option";
          return one;
        }),
      ),
    mark: (chosen) => [...at("options").children].forEach((one, i) => one.setAttribute("aria-pressed", String(i === chosen))),
  },
  number: {
    again: "To change it, move the slider and send it again.",
    first: "Move the slider, then send.",
    vote: (i) => now.number[i],
    begin(box) {
      const last = now.number.length - 1;
      box.innerHTML = `<output></output><div class="slide"><input type="range" min="0" max="${last}" aria-label="Your answer"></div><p class="ends"><span>${now.number[0]}</span><span>${now.number[last]}</span></p>`;
      const [shown, slider] = box.querySelectorAll("output, input");
      slider.value = now.chosen ?? Math.round(last / 2);
      const send = button("", () => answer(Number(slider.value)));
      send.className = "send";
      const move = () => {
        shown.textContent = now.number[slider.value];
        slider.setAttribute("aria-valuetext", shown.textContent);
        send.textContent = `Send ${shown.textContent}`;
      };
      const step = (text, name, by) => {
        const one = button(text, () => {
          slider.value = Number(slider.value) + by;
          move();
        });
        one.setAttribute("aria-label", name);
        return one;
      };
      slider.before(step("\u2212", "Less", -1));
      slider.after(step("+", "More", 1));
      slider.addEventListener("input", move);
      box.append(send);
      move();
    },
    mark: () => {},
  },
  point: {
    again: "To change it, move the point and send it again.",
    first: "Touch the picture where your point is to be, or use the arrow keys; then send.",
    vote(i) {
      const { across, up } = now.point;
      const cell = i % (across.length * up.length);
      return told(cell % across.length, Math.floor(cell / across.length), Math.floor(i / (across.length * up.length)));
    },
    begin: (box) => beginPoint(box),
    mark: () => {},
  },
  word: {
    again: "To change it, type another and send it.",
    first: "Type your answer, then send it.",
    vote: (word) => word,
    begin(box) {
      box.innerHTML = `<form><label for="word">Your answer: one word, or a few, of ${now.word} characters at most</label><input id="word" required maxlength="40" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send" dir="auto" aria-describedby="wrong"><p id="wrong" role="alert"></p><button class="send">Send</button></form>`;
      at("word").value = now.chosen ?? "";
      at("word").addEventListener("input", () => complain(""));
      box.firstChild.addEventListener("submit", (event) => {
        event.preventDefault();
        complain("");
        answer(at("word").value);
      });
    },
    mark: () => {},
  },
};

/** Say what is wrong with a word, or that nothing is. */
function complain(text) {
  say(at("wrong"), text);
  at("word").setAttribute("aria-invalid", String(Boolean(text)));
}

const way = () => WAYS[Object.keys(WAYS).find((name) => name in now)];

const SVG = "http://www.w3.org/2000/svg";

/** A drawing of the lab, as Python has it: `[name, attributes, child, …]`. */
function drawn([name, { looks, at: places, ...attributes }, ...children]) {
  const node = document.createElementNS(SVG, name === "marks" ? "g" : name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (let i = 0; i < places?.length; i += 4) {
    const [x, y, look] = places.slice(i, i + 3);
    children.push(["path", { class: looks[look][0], d: looks[look][1], transform: `translate(${x} ${y})` }]);
  }
  node.append(...children.map((child) => (typeof child === "string" ? child : drawn(child))));
  return node;
}

/** The picture, in which a finger or the arrow keys place a point, and then its class. */
function beginPoint(box) {
  const { across, up, classes, names, frame, width, height, element } = now.point;
  const cells = across.length * up.length;
  const cell = now.chosen === null ? null : now.chosen % cells;
  let [column, row] = cell === null ? [across.length >> 1, up.length >> 1] : [cell % across.length, Math.floor(cell / across.length)];
  let kind = now.chosen === null ? null : Math.floor(now.chosen / cells);
  let isPlaced = cell !== null;
  const plane = document.createElement("div");
  plane.className = "plane dtl";
  plane.tabIndex = 0;
  plane.setAttribute("role", "application");
  plane.setAttribute("aria-label", `The picture: ${names[0]} across, ${names[1]} up. The arrow keys move your point.`);
  const svg = drawn(element);
  svg.setAttribute("aria-hidden", "true");
  const cross = svg.appendChild(drawn(["path", { class: "cross" }]));
  plane.append(svg);
  const send = button("", () => answer((kind ?? 0) * cells + row * across.length + column));
  send.className = "send";
  const choices = document.createElement("div");
  choices.className = "classes";
  choices.append(...classes.map(([name], i) => {
    const one = button("", () => show((kind = i)));
    one.textContent = name;
    return one;
  }));
  const show = () => {
    const x = frame.left + ((frame.right - frame.left) * (column + 0.5)) / across.length;
    const y = frame.bottom - ((frame.bottom - frame.top) * (row + 0.5)) / up.length;
    if (isPlaced) cross.setAttribute("d", `M${x - 16},${y}h32M${x},${y - 16}v32M${x - 9},${y}a9,9 0 1,0 18,0a9,9 0 1,0 -18,0`);
    [...choices.children].forEach((one, i) => one.setAttribute("aria-pressed", String(i === kind)));
    send.disabled = !isPlaced || (classes.length > 0 && kind === null);
    send.textContent = !isPlaced ? "Place your point" : send.disabled ? "Choose its class" : `Send ${told(column, row, kind ?? 0)}`;
  };
  const move = (to, at) => {
    [column, row] = [to, at].map((v, i) => Math.min(Math.max(v, 0), [across, up][i].length - 1));
    isPlaced = true;
    show();
  };
  const point = ({ clientX, clientY, buttons, type }) => {
    if (type === "pointermove" && !buttons) return;
    const { left, top, width: wide, height: high } = svg.getBoundingClientRect();
    const [x, y] = [((clientX - left) / wide) * width, ((clientY - top) / high) * height];
    move(Math.floor(((x - frame.left) / (frame.right - frame.left)) * across.length), Math.floor(((frame.bottom - y) / (frame.bottom - frame.top)) * up.length));
  };
  plane.addEventListener("pointerdown", point);
  plane.addEventListener("pointermove", point);
  plane.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(column + by[0], row + by[1]);
  });
  box.replaceChildren(plane, ...(classes.length ? [choices] : []), send);
  show();
}

/** A point in words. */
function told(column, row, kind) {
  const { across, up, classes, names } = now.point;
  return `${names[0]} ${across[column]}, ${names[1]} ${up[row]}${classes.length ? `: ${classes[kind][0]}` : ""}`;
}

function button(inside, act) {
  const one = document.createElement("button");
  one.type = "button";
  one.innerHTML = inside;
  one.addEventListener("click", act);
  return one;
}

function begin() {
  const box = at("options");
  at("truth").hidden = !now.answer;
  document.activeElement?.blur?.();
  scrollTo(0, 0);
  if (now.ballot === null) {
    box.replaceChildren();
    if (!now.answer) return say(head, WAITING);
    return tellTruth(now.answer);
  }
  head.innerHTML = `${now.round > 1 ? "<small>Second vote, after the discussion</small>" : ""}${now.asks}`;
  way().begin(box);
}

/** What one has said, what is right, and why, as the room sees it too. */
function tellTruth({ asks, yours, hit, right, because }) {
  head.innerHTML = asks;
  const own = yours && `<p class="own${hit ? " hit" : ""}"><small>You said${hit === null ? "" : hit ? ", and so it is" : ""}</small>${yours}</p>`;
  const truth = right && !hit ? `<p class="own hit"><small>Right</small>${right}</p>` : "";
  const why = because && `<div tabindex="0" role="group" aria-label="Why">${because}</div>`;
  at("truth").innerHTML = `${own}${truth}${why}`;
}

function answer(chosen) {
  wanted = chosen;
  mark();
  send();
}

function mark() {
  const { chosen } = now;
  const { vote, first, again: more, mark: show } = way();
  show(wanted ?? chosen);
  if (wanted !== null) say(at("yours"), `Sending ${vote(wanted)} …`);
  else if (chosen === null) say(at("yours"), first);
  else say(at("yours"), `Your vote: ${vote(chosen)}. ${more}`);
}

let again = 0;

/** Send the vote, and once more where nothing has come back. */
function send() {
  clearTimeout(again);
  if (wanted === null || now.ballot === null) return;
  if (socket?.readyState === WebSocket.OPEN) socket.send(`${now.ballot}:${typeof wanted === "string" ? "=" : ""}${wanted}`);
  again = setTimeout(send, 2000);
}

if (room) {
  document.querySelector("form").remove();
  join();
  // A phone that was asleep comes back at once.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !socket) {
      wait = 500;
      join();
    }
  });
} else at("vote").remove();

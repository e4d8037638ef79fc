// What only the lecturer sees: this scene and the next, notes, the clock against the plan, votes, and
// whether the kernel lives.
import { asked } from "/page/keys.mjs";
import { addressOf, wire } from "/page/wire.mjs";

const at = (id) => document.getElementById(id);
let now = null;

const send = wire("presenter", hear, (isBroken) => say(isBroken ? "The server of this lecture does not answer. What the audience sees stays." : ""));
const [seen, coming] = document.querySelectorAll("iframe");
seen.src = addressOf("/");
coming.src = addressOf("/", { as: "next" });
const sized = new ResizeObserver((boxes) => boxes.forEach(({ target, contentRect }) => target.style.setProperty("--scale", contentRect.width / 1280)));
document.querySelectorAll(".small").forEach((one) => sized.observe(one));

function say(text) {
  if (at("kernel").textContent !== text) at("kernel").textContent = text;
}

function hear(message) {
  if ("spot" in message) return;
  if (message.anew) return location.reload();
  now = message;
  const { presenter: own, scene, scenes, step } = now;
  const { name } = own;
  at("where").textContent = `Scene ${scene + 1} of ${scenes}${name ? `: ${name}` : ""} · key ${step}`;
  at("key").textContent = own.key;
  if (write(at("notes"), own.notes || "<p>No notes for this scene.</p>")) at("notes").scrollTop = 0;
  write(at("next"), own.next ?? "this is the last");
  say(own.alive ? own.problem : `The kernel has stopped; the picture stays, and a new one comes by itself. ${own.problem}`.trim());
  plan(own.plan);
  votes(own);
}

function write(node, page) {
  const isNew = node.page !== page;
  if (isNew) node.innerHTML = node.page = page;
  return isNew;
}

function plan(scenes) {
  const box = document.querySelector("#scenes div");
  const key = JSON.stringify(scenes);
  if (box.key !== key) {
    box.key = key;
    box.replaceChildren(
      ...scenes.map(([name, minutes], i) => {
        const one = document.createElement("button");
        one.textContent = one.title = `${i + 1} ${name}${minutes ? ` (${minutes} min)` : ""}`;
        one.style.flexGrow = minutes || 1;
        one.addEventListener("click", () => send({ do: "jump", scene: i }));
        return one;
      }),
    );
  }
  if (box.scene === now.scene) return;
  box.scene = now.scene;
  [...box.children].forEach((one, i) => one.setAttribute("aria-current", String(i === now.scene)));
  at("overview").close();
}

function votes({ options, right, votes: rounds, hands, open, phones, sums, words, truth }) {
  const box = at("votes");
  const key = JSON.stringify([now.scene, options, rounds.length]);
  document.querySelector("main").classList.toggle("asks", rounds.length > 0);
  if (box.key !== key) {
    box.key = key;
    if (!options.length) box.replaceChildren(...(rounds.length ? [document.createElement("p")] : []));
    else {
      const rows = options.map((text, i) => {
        const letter = "ABCDEFGH"[i];
        const mark = right.includes(i) ? ' class="right"' : "";
        return `<tr${mark}><th scope="row">${letter}</th><td>${text}</td><td><input type="number" min="0" max="9999" aria-label="Hands for ${letter}" data-option="${i}"></td>${rounds.map(() => "<td></td>").join("")}</tr>`;
      });
      const head = rounds.map((_, i) => `<th scope="col">vote ${i + 1}</th>`).join("");
      box.innerHTML = `<table><thead><tr><td></td><th scope="col">option</th><th scope="col">hands</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table><p></p>`;
      for (const field of fields()) {
        // At each digit, so that nothing typed is lost, whichever key comes next.
        field.addEventListener("input", () => count(field));
        field.addEventListener("focus", () => field.select());
        field.addEventListener("keydown", (event) => typed(event, Number(field.dataset.option)));
      }
    }
  }
  if (!rounds.length) return;
  box.querySelectorAll("tbody tr").forEach((row, i) => {
    const field = row.querySelector("input");
    if (document.activeElement !== field) field.value = hands[i] || "";
    rounds.forEach((counts, k) => (row.children[3 + k].textContent = counts[i]));
  });
  const there = phones === null ? "" : ` ${phones} ${phones === 1 ? "phone is" : "phones are"} here.`;
  const state = open ? "The vote is open." : rounds.length > 1 ? "The second vote is closed; d opens it again." : "The vote is closed; d opens a second one.";
  const total = words.reduce((sum, [, n]) => sum + n, 0);
  const said = words.length ? `${total} ${total === 1 ? "answer" : "answers"}, ${words.length} different.` : sums;
  const counted = options.length ? HANDS : `${said || "No answers yet."}${truth ? ` Right: ${truth}.` : ""}`;
  box.querySelector("p").textContent = `${state}${there} ${counted}${words.length ? WORDS : ""}`;
  listed(box, words);
}

const WORDS = " A word that is clicked is kept from the room, or shown again; w goes to the newest.";

/** The words of the class in the order in which they came: none moves while one points at it. */
function listed(box, words) {
  const list = box.querySelector(".words") ?? box.appendChild(Object.assign(document.createElement("div"), { className: "words", role: "group", ariaLabel: "Words kept from the room" }));
  const known = new Map([...list.children].map((one) => [one.value, one]));
  for (const [word, count, isHidden] of words) {
    const one = known.get(word) ?? list.appendChild(Object.assign(document.createElement("button"), { value: word, onclick: () => send({ do: "hide", word }) }));
    known.delete(word);
    const name = Object.assign(document.createElement("bdi"), { textContent: word });
    if (one.told !== `${count}`) one.replaceChildren(name, ` ${(one.told = `${count}`)}`);
    one.ariaPressed = String(isHidden);
  }
  for (const one of known.values()) one.remove();
}

// ---- hands ---------------------------------------------------------------------------------------

const HANDS = "Hands: h or Shift and an option's letter, then how many; Enter goes to the next.";
const fields = () => [...document.querySelectorAll("#votes input")];

function count(field) {
  const hands = Math.min(9999, Math.max(0, Math.trunc(Number(field.value)) || 0));
  send({ do: "hands", option: Number(field.dataset.option), count: hands });
}

/** Keys in a field: a letter goes to its option, Enter to the next one, and Escape out. */
function typed(event, option) {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const next = key === "Enter" ? option + 1 : key.length === 1 ? "ABCDEFGH".indexOf(key.toUpperCase()) : -1;
  const field = next < 0 ? null : fields()[next];
  if (key !== "Escape" && key !== "Enter" && !field) return;
  event.preventDefault();
  event.stopPropagation();
  if (field) field.focus();
  else event.target.blur();
}

/** Whether a key outside of the fields goes to one of them. */
function toHands({ key, ctrlKey, metaKey, altKey, target }) {
  if (ctrlKey || metaKey || altKey || target.matches?.("input, select, textarea")) return null;
  return fields()[key === "h" ? 0 : key.length === 1 ? "ABCDEFGH".indexOf(key) : -1] ?? null;
}

// ---- the clock -----------------------------------------------------------------------------------

function clock() {
  if (!now) return;
  const { plan: scenes, planned } = now.presenter;
  const gone = now.began ? (Date.now() / 1000 - now.began) / 60 : 0;
  const planTo = (n) => scenes.slice(0, n).reduce((sum, [, minutes]) => sum + (minutes ?? 0), 0);
  const [from, until] = [planTo(now.scene), planTo(now.scene + 1)];
  const minutes = (v) => `${Math.floor(v)}:${String(Math.floor((v % 1) * 60)).padStart(2, "0")}`;
  const late = gone - until;
  // Before the first key, and where nothing is planned, there is nothing to be behind.
  const pace = !until || !now.began ? "" : late > 0 ? `${minutes(late)} behind` : gone < from ? `${minutes(from - gone)} ahead` : "in time";
  const text = [`${minutes(gone)}${planned ? ` of ${planned} min` : ""}`, until ? `this scene until ${minutes(until)}` : "", pace && `<b>${pace}</b>`];
  write(at("clock"), text.filter(Boolean).join(" · "));
  at("clock").classList.toggle("late", until > 0 && late > 0);
}
setInterval(clock, 500);

const BUTTONS = [
  ["Back (Page Up)", { do: "back" }],
  ["On (Page Down)", { do: "on" }],
  ["Scene anew (r)", { do: "over" }],
  ["Vote again (d)", { do: "again" }],
  ["New kernel (k)", { do: "revive" }],
  ["All scenes (o)", null],
  ["Large QR code (q)", { do: "invite" }],
  ["Clock to 0", { do: "clock" }],
];
for (const [text, message] of BUTTONS) {
  const one = document.createElement("button");
  one.textContent = text;
  one.addEventListener("click", () => (message ? send(message) : overview()));
  at("keys").append(one);
}
const counts = document.createElement("a");
counts.textContent = "Votes as CSV";
counts.href = addressOf("/votes.csv");
at("keys").append(counts);

// ---- what else a key does here -----------------------------------------------------------------------

/** A key of the audience's window means the picture of it here: pointing in it is seen by all. */
const inPicture = (key) => seen.contentDocument.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));

/** All scenes in small, each to be gone to; or no more. */
function overview() {
  if (at("overview").open) return at("overview").close();
  const all = Object.assign(document.createElement("iframe"), { title: "All scenes", src: addressOf("/", { as: "all" }) });
  // Who has clicked in it still gets out by a key.
  all.addEventListener("load", () => {
    all.contentDocument.addEventListener("keydown", ({ key }) => (key === "o" ? overview() : key === "Escape" && at("overview").close()));
    all.focus();
  });
  at("overview").replaceChildren(all);
  at("overview").showModal();
}
// It is told late: by then all may be seen again.
at("overview").addEventListener("close", () => at("overview").open || at("overview").replaceChildren());

function notesBy(factor) {
  const size = Math.min(2, Math.max(0.7, (Number(localStorage.notes) || 1) * factor));
  localStorage.notes = size;
  at("notes").style.setProperty("--notes", size);
}
notesBy(1);

const OWN = { o: overview, w: () => document.querySelector(".words button:last-child")?.focus(), g: () => at("go").select(), l: inPicture, s: inPicture, c: inPicture, "+": () => notesBy(1.1), "-": () => notesBy(1 / 1.1) };

at("go").addEventListener("keydown", (event) => {
  if (!["Enter", "Escape"].includes(event.key)) return;
  const scene = Math.trunc(Number(event.target.value)) - 1;
  if (event.key === "Enter" && event.target.value) send({ do: "jump", scene });
  event.target.value = "";
  event.target.blur();
});

// Who has clicked in the picture still has the keys for hands and scenes.
seen.addEventListener("load", () =>
  seen.contentDocument.addEventListener("keydown", (event) => {
    const field = event.key === "g" && !event.target.matches?.("input, select, textarea") ? at("go") : toHands(event);
    if (!field) return;
    event.preventDefault();
    window.focus();
    field.focus();
  }),
);

document.addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches?.("input, select, textarea");
  if (isPlain && Object.hasOwn(OWN, event.key)) {
    event.preventDefault();
    return OWN[event.key](event.key);
  }
  const field = toHands(event);
  const wanted = field ? null : asked(event, now?.theme);
  if (!wanted && !field) return;
  event.preventDefault();
  if (field) return field.focus();
  if (event.target.matches?.("#votes input")) event.target.blur();
  send(wanted);
});

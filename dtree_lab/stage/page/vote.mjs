// A phone: the question that is put to the class, its options, and one's own vote. What goes up is two
// numbers, the vote's and the option's.
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
  const isNew = told.ballot !== now.ballot;
  now = told;
  say(at("lecture"), now.title);
  if (isNew) {
    wanted = null;
    begin();
  }
  if (now.ballot === null) return say(at("yours"), "");
  if (wanted === now.chosen) wanted = null;
  [...at("options").children].forEach((one, i) => one.setAttribute("aria-pressed", String(i === (wanted ?? now.chosen))));
  tellVote();
}

function begin() {
  const box = at("options");
  if (now.ballot === null) {
    box.replaceChildren();
    return say(head, WAITING);
  }
  head.innerHTML = `${now.round > 1 ? "<small>Second vote, after the discussion</small>" : ""}${now.asks}`;
  box.replaceChildren(
    ...now.options.map((text, i) => {
      const one = document.createElement("button");
      one.type = "button";
      one.innerHTML = `<b>${LETTERS[i]}</b><span>${text}</span>`;
      one.addEventListener("click", () => tap(i));
      return one;
    }),
  );
  document.activeElement?.blur?.();
  scrollTo(0, 0);
}

function tap(option) {
  wanted = option;
  [...at("options").children].forEach((one, i) => one.setAttribute("aria-pressed", String(i === option)));
  tellVote();
  send();
}

function tellVote() {
  const { chosen } = now;
  if (wanted !== null) say(at("yours"), `Sending ${LETTERS[wanted]} …`);
  else if (chosen === null) say(at("yours"), "Tap one of them.");
  else say(at("yours"), `Your vote: ${LETTERS[chosen]}. To change it, tap another.`);
}

let again = 0;

/** Send the vote, and once more where nothing has come back. */
function send() {
  clearTimeout(again);
  if (wanted === null || now.ballot === null) return;
  if (socket?.readyState === WebSocket.OPEN) socket.send(`${now.ballot}:${wanted}`);
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

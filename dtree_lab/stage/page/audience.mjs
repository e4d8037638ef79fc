// What the audience sees: a scene that fills the window, and the lecturer's pointer over it.
import { asked } from "/page/keys.mjs";
import { Screen, joining, small, write } from "/page/screen.mjs";
import { labs, wire } from "/page/wire.mjs";

const spot = document.getElementById("spot");
const wrong = document.getElementById("wrong");
let theme = "light";

// In the lecturer's window the same page shows what comes next.
const as = new URLSearchParams(location.search).get("as") ?? "audience";
const send = wire(as, hear, (isBroken) => document.body.classList.toggle("broken", isBroken));
const screen = new Screen(document.getElementById("stage"), { act: (message) => send({ do: "lab", message }), labs: labs() });

async function hear(message) {
  if ("spot" in message) return point(message.spot);
  if (message.anew) return location.reload();
  document.title = message.title;
  clothe(message.theme);
  if (message.all) return small(message, labs(), (scene) => send({ do: "jump", scene }));
  document.body.classList.toggle("gone", !message.alive);
  invite(message.room);
  wrong.hidden = !message.wrong;
  wrong.textContent = message.wrong ?? "";
  await screen.show(message);
}

function clothe(wanted) {
  theme = wanted;
  document.documentElement.dataset.theme = theme;
  document.body.dataset.jpThemeLight = String(theme === "light");
}

/** The same, large, over whatever is shown. */
function invite(room) {
  const node = document.getElementById("invite");
  write(node, room?.large ? joining(room) : "");
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
  c: () => screen.turnHands(),
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
  const wanted = asked(event, theme);
  const own = !wanted && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches?.("input, select, textarea") && OWN[event.key];
  if (!wanted && !own) return;
  event.preventDefault();
  event.stopPropagation();
  if (wanted) send(wanted);
  else own();
}, true);
window.addEventListener("resize", () => screen.refit());

// The wire between a window and the server: what is new comes down, keys go up. A wire that breaks is
// mended by itself; meanwhile what was shown stays.
import { linked } from "/page/linking.mjs";

const key = new URLSearchParams(location.search).get("key") ?? "";

/** Address of a page of this lecture. */
export const addressOf = (path, more = {}) => `${path}?${new URLSearchParams({ key, ...more })}`;

/** Open a wire; `hear` gets what the server tells, `broken` whether there is none. */
export function wire(as, hear, broken = () => {}) {
  let socket;
  let wait = 200;
  let over = false;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}${addressOf("/windows", { as })}`);
    socket.addEventListener("open", () => ((wait = 200), broken(false)));
    socket.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
    socket.addEventListener("close", ({ code }) => {
      broken(true);
      over ||= code === 4003;
      if (!over) setTimeout(open, wait);
      wait = Math.min(2 * wait, 2000);
    });
  };
  open();
  return (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
}

/** The module that draws labs. */
export const labs = () => fetch("/code.json").then((answer) => answer.json()).then((texts) => linked(new Map(Object.entries(texts))));

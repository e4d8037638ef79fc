// Times an action inside the page: when its event was made, when the message left, when the answer
// came, when it was drawn and when it was painted. It runs before anything of JupyterLab does.
(() => {
  const clock = (window.clock = { at: {} });
  const note = (what, when = performance.now()) => (clock.at[what] ??= when);
  // What is smaller are notices such as "busy" and "idle".
  const LEAST_ANSWER = 2000;

  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (clock.at.sent && (data.byteLength ?? data.length) > LEAST_ANSWER) note("heard");
      });
    }
    send(data) {
      if (clock.at.event) note("sent");
      super.send(data);
    }
  };

  const acts = (event) => event.isTrusted && (event.type !== "pointermove" || event.buttons);
  for (const type of ["click", "keydown", "pointermove", "change"]) {
    window.addEventListener(type, (event) => acts(event) && note("event", event.timeStamp), { capture: true });
  }

  /** Wait for the next answer to be seen in a lab; `at` is then the times of the action. */
  clock.arm = (root) => {
    clock.at = {};
    const before = Number(root.dataset.answers);
    clock.done = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (Number(root.dataset.answers) <= before) return;
        watch.disconnect();
        note("drawn");
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ ...clock.at, painted: performance.now() })));
      });
      watch.observe(root, { attributeFilter: ["data-answers"] });
      setTimeout(() => resolve(null), 20_000);
    });
  };
})();

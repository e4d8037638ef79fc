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

  /** Fly over a tree, nearer and further away and across: the milliseconds from each frame to the next. */
  clock.fly = async (box, count) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const { left, top, width, height } = box.getBoundingClientRect();
    const at = { clientX: left + 0.4 * width, clientY: top + 0.3 * height, bubbles: true, cancelable: true };
    const found = [];
    let before = await frame();
    for (let i = 0; i < count; i++) {
      const deltaY = i % 60 < 30 ? -25 : 25;
      if (i % 4 < 3) box.dispatchEvent(new WheelEvent("wheel", { ctrlKey: true, deltaY, ...at }));
      else box.scrollBy({ left: i % 8 < 4 ? 30 : -30, behavior: "instant" });
      const now = await frame();
      found.push(now - before);
      before = now;
    }
    return found;
  };
})();

// How a hand moves a camera: dragging, the wheel with Ctrl (which is what a touchpad's pinch is, too), and two
// fingers. One finger scrolls, as everywhere.

/** Listen in a box: `on.pan(dx, dy)`, `on.zoom(factor, {x, y})`, the point being one of the box. */
export function listen(box, on) {
  drag(box, on);
  wheel(box, on);
  pinch(box, on);
}

// A press that moves less is a click.
const CLICK = 4;

function drag(box, { pan }) {
  let from = null;
  let dragged = false;
  box.addEventListener("pointerdown", (event) => {
    dragged = false;
    from = event.button === 0 && event.pointerType !== "touch" ? { x: event.clientX, y: event.clientY } : null;
  });
  box.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!dragged && Math.hypot(dx, dy) < CLICK) return;
    if (!dragged) box.setPointerCapture(event.pointerId);
    dragged = true;
    from = { x: event.clientX, y: event.clientY };
    box.classList.add("dtl-dragged");
    pan(dx, dy);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    box.addEventListener(end, () => {
      from = null;
      box.classList.remove("dtl-dragged");
    });
  }
  // The click at the end of a drag chooses nothing.
  box.addEventListener("click", (event) => dragged && event.stopPropagation(), { capture: true });
}

const pointOf = (box, { clientX, clientY }) => {
  const { left, top } = box.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

// A notch of a wheel is some 100 pixels; a touchpad's pinch sends many small steps.
const PER_PIXEL = 0.0022;

function wheel(box, { zoom }) {
  const onWheel = (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? 30 : 1) * (Math.abs(event.deltaY) < 40 ? 4 : 1);
    zoom(Math.exp(-PER_PIXEL * Math.max(-200, Math.min(200, pixels))), pointOf(box, event));
  };
  box.addEventListener("wheel", onWheel, { passive: false });
}

function pinch(box, { pan, zoom }) {
  let last = null;
  const two = ({ touches: [a, b] }) => {
    const middle = pointOf(box, { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
    return { middle, apart: Math.max(10, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)) };
  };
  const onTouch = (event) => {
    if (event.touches.length !== 2) {
      last = null;
      return;
    }
    event.preventDefault();
    const now = two(event);
    if (last) {
      pan(now.middle.x - last.middle.x, now.middle.y - last.middle.y);
      zoom(now.apart / last.apart, now.middle);
    }
    last = now;
  };
  for (const type of ["touchstart", "touchmove"]) box.addEventListener(type, onTouch, { passive: false });
  for (const type of ["touchend", "touchcancel"]) box.addEventListener(type, () => (last = null));
}

// All of a tree in a corner of its box, with a frame around what is seen, to be dragged.
import { make, onChange, set } from "./dom.mjs";
import { addMark, drawMarks } from "./treecard.mjs";

const WIDTH = 150;
const HEIGHT = 64;

/** The overview; `onMove(x, y)`: this share of the tree is to be in the middle of the box. */
export function createOverview(onMove) {
  const marks = make("g");
  const seen = make("rect", { class: "dtl-seen" });
  const svg = make("svg", { class: "dtl-overview", "aria-hidden": "true", viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, marks, seen);
  const to = (event) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    onMove((event.clientX - left) / width, (event.clientY - top) / height);
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    to(event);
  });
  svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && to(event));
  set(svg, { hidden: "" });
  return { svg, marks, seen };
}

/** Show which part of a tree the box has; nothing where it has all of it once the camera is at `rest`. */
export function updateOverview({ svg, marks, seen }, { nodes, world, classes, camera, content, box, rest }) {
  const all = rest.width <= box.width + 4 && rest.height <= box.height + 4;
  const off = rest.x < -2 || rest.y < -2 || rest.x + rest.width > box.width + 4 || rest.y + rest.height > box.height + 4;
  set(svg, { hidden: all && !off ? "" : null });
  if (all && !off) return;
  const [sx, sy] = [WIDTH / world.width, HEIGHT / world.height];
  onChange(marks, [nodes.map(({ id, to, mix }) => [id, ...to, mix]), classes.length], () => {
    const pieces = {};
    for (const node of nodes) {
      const r = 1 + 3 * Math.sqrt(node.part);
      addMark(pieces, node, classes, node.to[0] * sx, Math.min(HEIGHT - r, node.to[1] * sy + r), r);
    }
    drawMarks(marks, pieces, classes);
  });
  const share = (at, length, room, whole) => [
    Math.max(0, (-at / length) * whole),
    (Math.min(room - Math.max(0, at), length) / length) * whole,
  ];
  const [x, width] = share(camera.x, content.width, box.width, WIDTH);
  const [y, height] = share(camera.y, content.height, box.height, HEIGHT);
  set(seen, { x, y, width: Math.max(3, Math.min(width, WIDTH - x)), height: Math.max(3, Math.min(height, HEIGHT - y)) });
}

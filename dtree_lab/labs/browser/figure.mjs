// A figure in the page. Python lays it out once, as nested elements; here they become nodes that stay
// for as long as what they show is there, and the frame is stretched to the room that there is.
import { keyed, make, set, setText } from "./dom.mjs";

const DRAWN = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "marks"]);
// A layout is pushed together to so much of its height before its type becomes smaller, and pulled apart
// to so much of its size before its type becomes larger, which it does so far. Across, words have no
// room to lose.
const TIGHT = 0.75;
const LOOSE = 1.35;
const ROW = 24; // from a row of the legend to the next, as Python has it
const WORDS = 10; // from a line of words to the next, at the least

/**
 * A figure's layout in a room of so many units: its size, its frame, and where its places go. What
 * stands left of the frame, above it, right or below keeps its distance to it. Without a room it is as
 * Python laid it out. Type is never smaller than `least` times its size; then the frame is pushed together,
 * and its legend has more rows.
 */
export function fitted({ width, height, frame, element = [] }, room = null, least = 0) {
  const same = (v) => v;
  if (!room) return { width, height, frame, x: same, y: same, keys: null };
  const scale = Math.max(least, typeScale(room.width / width, room.height / height));
  const size = { width: room.width / scale, height: room.height / scale };
  const right = frame.right + size.width - width;
  const bottom = frame.bottom + size.height - height;
  const { keys, more } = broken(legendIn(element), right - frame.left);
  const top = frame.top + more;
  return {
    ...size,
    frame: { ...frame, top, right, bottom },
    x: moved(frame.left, frame.right, frame.left, right),
    y: moved(frame.top, frame.bottom, top, bottom),
    keys,
  };
}

const legendIn = (element) => element.filter((child) => child[1]?.class === "dtl-legend").map((child) => child[1]["data-at"]);

/** The keys of a legend in rows that are no wider than `wide`: how far each goes, and how much higher all are. */
function broken(legend, wide) {
  const places = legend.map((at) => at.split(" ").map(Number));
  const keys = new Map();
  let [x, down] = [0, 0];
  for (const [i, [left, top, long]] of places.entries()) {
    if (i && x + long > wide) [x, down] = [0, down + ROW];
    keys.set(legend[i], [x - left, down - top]);
    x += long;
  }
  return { keys, more: down - (places.at(-1)?.[1] ?? 0) };
}

/** Whether the words at the left of a frame stand clear of each other, however it was pushed together. */
export function isRead({ frame: { top, bottom } }, { frame, element }) {
  // What stands under the frame's corner is rounded, and may lie a little to its left.
  const isBeside = ([name, { x, y }]) => name === "text" && x < frame.left - 1 && y > frame.top;
  const places = element.slice(2).filter(isBeside).map((text) => text[1].y);
  const gaps = places.sort((a, b) => a - b).map((y, i) => y - places[i - 1]).filter((gap) => gap > 0.5);
  return Math.min(...gaps) * (bottom - top) >= WORDS * (frame.bottom - frame.top);
}

/** How much larger than usual type is drawn where there is so many times the usual width and height. */
export function typeScale(wide, tall) {
  const least = Math.min(wide, tall / TIGHT);
  return least < 1 ? least : Math.min(LOOSE, Math.max(1, Math.min(wide, tall) / LOOSE));
}

const moved = (from, to, start, end) => (v) =>
  v <= from ? v + start - from : v >= to ? v + end - to : start + ((v - from) * (end - start)) / (to - from);

const short = (v) => Math.round(v * 10) / 10;

/** A path's data with its places moved; what is relative stays as it is. */
export function pathMoved(d, x, y) {
  let command = "M";
  let nth = 0;
  return d.replace(/[a-zA-Z]|-?\d*\.?\d+(?:e-?\d+)?/g, (token) => {
    if (/[a-zA-Z]/.test(token)) {
      [command, nth] = [token, 0];
      return token;
    }
    const pair = command === "M" || command === "L";
    const second = nth++ % 2 === 1;
    if (command === "H" || (pair && !second)) return short(x(Number(token)));
    return command === "V" || pair ? short(y(Number(token))) : token;
  });
}

/** Bring Python's drawing into an <svg>, laid out by `fitted`. */
export function drawFigure(svg, element, layout) {
  const [name, attributes, ...children] = element;
  const box = { ...attributes, viewBox: `0 0 ${short(layout.width)} ${short(layout.height)}` };
  patch(svg, [name, box, ...children], layout);
}

/** Python's `[name, attributes, child, …]` written into a node that is there; texts stay texts. */
function patch(node, [name, attributes, ...children], layout) {
  if (name === "marks") return patchMarks(node, attributes, layout);
  write(node, placed(attributes, layout));
  if (children.some((child) => typeof child === "string")) return setText(node, children.join(""));
  const shift = layout.keys?.get(attributes["data-at"]);
  const within = shift ? { x: (v) => v + shift[0], y: (v) => v + shift[1] } : layout;
  keyed(node, numbered(children), {
    key: ([id]) => id,
    create: ([, child]) => created(child),
    update: (one, [, child]) => patch(one, child, within),
  });
  children.forEach((child, i) => {
    if (/^dtl-ground\b/.test(child[1].class)) behind(node.children[i], child[1], children[i + 1][1], layout);
  });
}

/** The ground behind a word is as large as the word, however the frame is stretched. */
function behind(node, ground, word, { x, y }) {
  const at = { x: short(x(word.x) + ground.x - word.x), y: short(y(word.y) + ground.y - word.y) };
  set(node, { ...at, width: ground.width, height: ground.height });
}

function created([name, { whole }]) {
  if (!DRAWN.has(name)) throw new Error(`no drawing has a ${name}`);
  return make(name !== "marks" ? name : whole ? "path" : "g");
}

/** Each element with its key: what it is, how it looks, and the how-manieth such it is. */
function numbered(children) {
  const seen = new Map();
  return children.map((child) => {
    const kind = `${child[0]} ${child[1].class ?? ""}`;
    const nth = seen.get(kind) ?? 0;
    seen.set(kind, nth + 1);
    return [`${kind} ${nth}`, child];
  });
}

/** Marks: four numbers for each, its place, its look and its key. */
function patchMarks(node, { looks, at, whole, rows }, { x, y }) {
  const marks = Array.from({ length: at.length / 4 }, (_, i) => at.slice(4 * i, 4 * i + 4));
  if (whole) {
    const [[look, outline]] = looks;
    const sign = ([u, v]) => pathMoved(outline, (a) => a + x(u), (b) => b + y(v));
    return set(node, { class: look, d: marks.map(sign).join("") });
  }
  keyed(node, marks, {
    key: (mark) => mark[3],
    create: ([, , , key]) => make("path", rows ? { "data-row": key } : {}),
    update: (one, [u, v, look]) => {
      Object.assign(one, { at: [short(x(u)), short(y(v))], cls: looks[look][2] });
      const transform = `translate(${one.at.join(" ")})`;
      set(one, { class: looks[look][0], d: looks[look][1], transform });
    },
  });
}

/** Attributes with their places moved. */
function placed(attributes, { x, y }) {
  const found = { ...attributes };
  const { width, height } = attributes;
  for (const name of ["x", "cx", "x1", "x2"]) if (name in found) found[name] = short(x(attributes[name]));
  for (const name of ["y", "cy", "y1", "y2"]) if (name in found) found[name] = short(y(attributes[name]));
  if ("width" in found && "x" in found) found.width = short(Math.max(0, x(attributes.x + width) - x(attributes.x)));
  if ("height" in found && "y" in found) found.height = short(Math.max(0, y(attributes.y + height) - y(attributes.y)));
  if ("d" in found) found.d = pathMoved(attributes.d, x, y);
  return found;
}

/** Write attributes, and take away those that were written before and are no more. */
function write(node, attributes) {
  for (const name of node.written ?? []) if (!(name in attributes)) node.removeAttribute(name);
  node.written = Object.keys(attributes);
  set(node, attributes);
}

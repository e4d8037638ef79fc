// The camera of a tree: how large it is seen, and from where. What needs no browser.
//
// Lengths of the tree are in units; the camera's `k` is how many times life size it is seen, and `x`, `y`
// is where its upper left corner lies in the box. Small trees are seen alike in both directions. A tree
// that is much wider than the box would then be but a line: each direction is shrunk on its own as far as
// fitting needs, and the two come together again on the way to life size.

export const MOST = 3;
const MOST_ENLARGED = 2.2;
const MOST_WIDENED = 1.6;
// How far one key or button brings it.
export const STEP = 1.25;
// Pixels around a tree of which all is seen.
export const EDGE = 8;

/** What shrinks each direction where all of a tree fits into a box: never larger than life. */
export function fits(world, box, unit) {
  const share = (room, length) => Math.min(1, Math.max(1, room - 2 * EDGE) / (length * unit));
  const [fx, fy] = [share(box.width, world.width), share(box.height, world.height)];
  return { fx, fy, k: Math.min(fx, fy) };
}

/** How much larger than the text around it a small tree may be drawn, so that it fills its box. */
export function enlarged(world, box, unit) {
  return Math.min(MOST_ENLARGED, Math.max(1, Math.min((box.width - 2 * EDGE) / (world.width * unit), (box.height - 2 * EDGE) / (world.height * unit))));
}

/** How far apart the nodes of a tree are moved that is narrower than its box. */
export const widened = (world, box, unit) => Math.min(MOST_WIDENED, Math.max(1, (box.width - 2 * EDGE) / (world.width * unit)));

/** Pixels for a unit in each direction. */
export function scales(k, { fx, fy, k: least }, unit) {
  if (k >= 1 || least >= 1) return { sx: k * unit, sy: k * unit };
  const share = Math.log(Math.max(k, least)) / Math.log(least);
  return { sx: unit * fx ** share, sy: unit * fy ** share };
}

/** The camera that shows all of a tree, in the middle of its box. */
export function fitted(world, box, unit, isAmid = false) {
  const fit = fits(world, box, unit);
  const { sx, sy } = scales(fit.k, fit, unit);
  return {
    k: fit.k,
    x: (box.width - world.width * sx) / 2,
    y: Math.min((box.height - world.height * sy) * (isAmid ? 0.4 : 0.5), isAmid ? Infinity : 1.5 * EDGE),
  };
}

/** Within what is to be seen at all: from all of the tree to three times life size. */
export const within = (k, least) => Math.min(MOST, Math.max(least, k));

/** The camera at another size that leaves a place of the tree where it is in the box. */
export function zoomed(camera, k, at, before, after) {
  return {
    k,
    x: camera.x + at.x * (before.sx - after.sx),
    y: camera.y + at.y * (before.sy - after.sy),
  };
}

/** The camera moved, as far as there is something to be seen. */
export function panned(camera, dx, dy, content, box) {
  const keep = (at, length, room) => Math.min(Math.max(at, Math.min(0, room - length)), Math.max(0, room - length));
  return {
    ...camera,
    x: keep(camera.x + dx, content.width, box.width),
    y: keep(camera.y + dy, content.height, box.height),
  };
}

/** How far to move one direction so that a stretch is in view with a margin: as little as possible. */
export function nudge(start, length, room, margin) {
  if (length + 2 * margin > room) return (room - length) / 2 - start;
  return Math.min(Math.max(start, margin), room - length - margin) - start;
}

/** Where the box has to scroll, and where the tree then lies in what scrolls, for a camera. */
export function placed(at, length, room) {
  const scroll = Math.floor(Math.max(0, -at));
  const origin = at + scroll;
  return { scroll, origin, inner: Math.ceil(Math.max(room + scroll, origin + length) - 0.5) };
}

/** Between two cameras; sizes by their ratio, so that each moment changes them as much. */
export function between(from, to, t) {
  const mean = (a, b) => a + (b - a) * t;
  return { k: from.k * (to.k / from.k) ** t, x: mean(from.x, to.x), y: mean(from.y, to.y) };
}

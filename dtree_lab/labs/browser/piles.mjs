// Where rows lie in a tree, and which way they take through it. What needs no browser.
//
// A pile is a grid of marks, wrapped in lines: the rows of the lab's table, and at their right those of a
// second one. Nodes have the ids that Python gives them: "root", "1", "1.0".

// How far apart marks stand, for half their size; the same in kit/marks.py.
export const APART = 2.4;

/** The columns of either table's marks, of so many; one stays free between the two. */
export function columns([first, second], room) {
  if (!first || !second) return room < 1 ? null : first ? [room, 0] : [0, room];
  if (room < 3) return null;
  const mine = Math.min(Math.max(Math.round(((room - 1) * first) / (first + second)), 1), room - 2);
  return [mine, room - 1 - mine];
}

const linesOf = (held, across) => Math.max(...held.map((n, i) => (n ? Math.ceil(n / across[i]) : 0)));

/** A pile as wide as `wide`, or up to `widest` where it would be higher than `highest`; null without room. */
export function piled(held, wide, widest, highest, r) {
  const pitch = APART * r;
  const most = Math.floor(highest / pitch + 1e-9);
  const all = held[0] + held[1];
  if (most < 1 || !all) return null;
  const between = held[0] && held[1] ? 1 : 0;
  let room = Math.min(Math.max(Math.floor(wide / pitch), Math.ceil(all / most) + between), all + between);
  for (; room * pitch <= widest + 1e-9; room++) {
    const across = columns(held, room);
    const lines = across ? linesOf(held, across) : Infinity;
    if (lines > most) continue;
    const close = held.map((n) => Math.ceil(n / lines));
    return { across: close, pitch, r, wide: (close[0] + between + close[1]) * pitch, tall: lines * pitch };
  }
  return null;
}

/** The middle of the nth mark of a table, 0 or 1, from the upper left corner of a pile. */
export function slot({ across, pitch }, table, nth) {
  const left = table && across[0] ? across[0] + 1 : 0;
  return [(left + (nth % across[table]) + 0.5) * pitch, (Math.floor(nth / across[table]) + 0.5) * pitch];
}

// ---- ways through the tree -----------------------------------------------------------------------

/** The id of the node above; null above the root. */
export function above(id) {
  if (id === "root") return null;
  const at = id.lastIndexOf(".");
  return at < 0 ? "root" : id.slice(0, at);
}

/** The id of the node below that a branch leads to. */
export const below = (id, branch) => (id === "root" ? String(branch) : `${id}.${branch}`);

/** Whether a node is another one or below it. */
export const isWithin = (id, top) => top === "root" || id === top || id.startsWith(`${top}.`);

/** The branches between two nodes: up to where their ways part, then down; each told by its lower end. */
export function branches(from, to) {
  const [ups, downs] = [[], []];
  let top = from;
  for (; !isWithin(to, top); top = above(top)) ups.push({ id: top, up: true });
  for (let id = to; id !== top; id = above(id)) downs.unshift({ id, up: false });
  return [...ups, ...downs];
}

const STEPS = 6;

/** A branch as points with their distances from its upper end: as `branchPath` draws it, then on to `down`. */
export function traced([x1, y1, x2, y2, bend], down) {
  const turn = Math.max(y1, y2 - bend);
  const middle = (turn + y2) / 2;
  const points = [[x1, y1]];
  for (let i = 0; i <= STEPS; i++) {
    const t = i / STEPS;
    const [a, b, c] = [(1 - t) ** 3 + 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t) + t ** 3, 3 * t * (1 - t)];
    points.push([a * x1 + b * x2, (1 - t) ** 3 * turn + c * middle + t ** 3 * y2]);
  }
  points.push([x2, down]);
  return measuredLine(points);
}

/** Points with how far each is from the first. */
export function measuredLine(points) {
  let far = 0;
  const at = points.map(([x, y], i) => (i ? (far += Math.hypot(x - points[i - 1][0], y - points[i - 1][1])) : 0));
  return { points, at, long: far };
}

/** The point of a line at a distance from its beginning. */
export function along({ points, at, long }, far) {
  const to = Math.min(Math.max(far, 0), long);
  let i = 1;
  while (i < at.length - 1 && at[i] < to) i++;
  const part = at[i] > at[i - 1] ? (to - at[i - 1]) / (at[i] - at[i - 1]) : 0;
  const mean = (j) => points[i - 1][j] + (points[i][j] - points[i - 1][j]) * part;
  return [mean(0), mean(1)];
}

/**
 * Where one is who has gone a share of the way from a point over some branches to another point, and at which
 * of them: -1 before the first, their number behind the last.
 */
export function onTheWay(from, legs, to, share) {
  const ends = legs.map(({ line, up }) => (up ? [line.points.at(-1), line.points[0]] : [line.points[0], line.points.at(-1)]));
  const gaps = [from, ...ends.map(([, end]) => end)].map((end, i) => [end, ends[i]?.[0] ?? to]);
  const long = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
  let far = share * (gaps.reduce((sum, gap) => sum + long(gap), 0) + legs.reduce((sum, { line }) => sum + line.long, 0));
  for (let i = 0; i <= legs.length; i++) {
    const gap = long(gaps[i]);
    if (far <= gap || i === legs.length) {
      const part = gap ? Math.min(1, far / gap) : 1;
      const [a, b] = gaps[i];
      return { at: [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part], leg: i < legs.length ? i - 1 : i };
    }
    far -= gap;
    const { line, up } = legs[i];
    if (far <= line.long) return { at: along(line, up ? line.long - far : far), leg: i };
    far -= line.long;
  }
  return { at: to, leg: legs.length };
}

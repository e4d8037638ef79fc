// Numbers that are typed and dragged, and how often Python hears of them. What a hand does faster than a message
// comes back is read and written here by Python's own rules: tests/js/cases.json holds both to the same.

/** A number as people type it ("97.5", " 97,5 ", "-1e3", "1 000"), or null; as `typed` in kit/actions.py. */
export function parseNumber(text) {
  // Python and JavaScript do not take quite the same characters for space.
  const plain = text.replace(/[\s\x1c-\x1f\x85\ufeff_']/g, "").replaceAll("\u2212", "-");
  const decimal = /^[^.,]*,[^.,]*$/.test(plain) ? plain.replace(",", ".") : plain;
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal) ? Number(decimal) : null;
  return Number.isFinite(number) ? number : null;
}

/** A number as text, as `number` in base/text.py: with no more digits than it takes to be right. */
export function numberText(x) {
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e15) return String(x); // whole numbers are told exactly
  let short = x;
  for (let digits = 6; digits < 16; digits++) {
    short = rounded(x, digits);
    if (Math.abs(short - x) <= 1e-9 * size) break;
  }
  const far = size >= 1e15 || size < 1e-6;
  return (far ? short.toExponential() : String(short)).replace(/e([+-])(\d)$/, "e$10$2");
}

/** To so many digits, and from half-way to the even one: `toPrecision` would go away from 0. */
function rounded(x, digits) {
  const [exact, power] = x.toExponential(60).split("e");
  const kept = exact.slice(0, digits + 1 + (x < 0));
  const isEven = /[02468]$/.test(kept) && /^50*$/.test(exact.slice(kept.length));
  return Number(isEven ? `${kept}e${power}` : x.toPrecision(digits));
}

/** How many there are: "1 row", "1,200 rows"; as `plural` in base/text.py. */
export const plural = (n, word) => `${n.toLocaleString("en")} ${n === 1 ? word : `${word}s`}`;

/** A handy step for dragging over a span: 1, 2 or 5 times a power of ten, some 300 to 750 of them. */
export function niceStep(span) {
  if (!(span > 0)) return 1;
  const rough = span / 300;
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = [5, 2, 1].find((one) => one * power <= rough * 1.0000001) ?? 1;
  return Number((lead * power).toPrecision(1));
}

/** Where x lies between min and max, in percent. */
export function percent(x, { min, max }) {
  return max > min ? Math.min(100, Math.max(0, (100 * (x - min)) / (max - min))) : 50;
}

const corners = new Map();

/** A mark's outline, given around 0, 0 for a radius of 1, at a place; a circle as two arcs, which is shorter. */
export function outline(mark, x, y, r) {
  if (!corners.has(mark)) {
    const pairs = [...mark.matchAll(/(-?[\d.e-]+),(-?[\d.e-]+)/g)];
    corners.set(
      mark,
      pairs.map(([, u, v]) => [Number(u), Number(v)]),
    );
  }
  const points = corners.get(mark);
  const at = (...numbers) => numbers.map((v) => v.toFixed(2)).join(",");
  if (points.length < 20) return `M${points.map(([u, v]) => at(x + u * r, y + v * r)).join("L")}Z`;
  const a = points[0][0] * r;
  const half = `a${at(a, a)} 0 1,0`;
  return `M${at(x - a, y)}${half} ${at(2 * a, 0)}${half} ${at(-2 * a, 0)}Z`;
}

/** The middle of two neighbours, above the lower whatever rounding does; as `midpoint` in tree/splits.py. */
export function midpoint(low, high) {
  const middle = low / 2 + high / 2;
  return middle <= low || middle > high ? high : middle;
}

/** The next middle between two neighbouring values, above (1) or below (-1) a cut. */
export function nextMiddle(points, cut, direction) {
  const values = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const middles = values.slice(1).map((x, i) => midpoint(values[i], x));
  const beyond = middles.filter((x) => (direction > 0 ? x > cut : x < cut));
  return (direction > 0 ? beyond[0] : beyond.at(-1)) ?? cut;
}

/** What is wrong with a cut as it is typed, or null: one that leaves a branch empty is no question. */
export function wrongCut(text, name, { min, max }) {
  const typed = parseNumber(text);
  if (typed === null) return text.trim() ? `"${text}" is not a number.` : "A cut is a number.";
  const why = typed <= min ? `${name} < ${numberText(typed)}` : typed > max ? `${name} ≥ ${numberText(typed)}` : null;
  return why && `no row here has ${why}; each branch needs at least one row`;
}

/** Where the words under an axis stand, given their widths: that of the best cut comes before the ends. */
export function placeTicks(width, at, [least, most, best], gap = 6) {
  const start = Math.max(0, Math.min(width - best, (width * at) / 100 - best / 2));
  const free = best ? [start - gap, start + best + gap] : [width - most - gap, 0];
  return { start, least: least <= free[0], most: width - most >= free[1] };
}

/** The nearest cut that leaves a row on either side, `step` apart from the least value. */
export function allowed(cut, { min, max }, step) {
  return Number(Math.min(max, Math.max(min + step, cut)).toPrecision(12));
}

/**
 * Send the newest value only: one per frame at most, and none before the last was answered, or its time has run
 * out: where Python is busy, what waits there is one value, not a queue of old ones.
 */
export function paced(send, nextFrame, answerTime) {
  let waiting = null;
  let frame = false;
  let sentAt = -Infinity;
  const flush = (now) => {
    if (waiting === null) return;
    const value = waiting;
    waiting = null;
    sentAt = now;
    send(value);
  };
  const step = (now) => {
    frame = false;
    if (waiting !== null && now - sentAt < answerTime) plan();
    else flush(now);
  };
  const plan = () => {
    if (!frame) nextFrame(step);
    frame = true;
  };
  return {
    push(value) {
      waiting = value;
      plan();
    },
    drop: () => (waiting = null),
    flush: () => flush(performance.now()),
    idle: () => waiting === null,
    answered: () => (sentAt = -Infinity),
  };
}

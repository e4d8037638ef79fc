// Numbers that are typed and dragged, and how often Python hears of them.

/** A number as people type it ("97.5", " 97,5 ", "-1e3", "1 000"), or null. */
export function parseNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f_']/g, "").replace("\u2212", "-");
  const decimal = /^[^.]*,[^.,]*$/.test(plain) ? plain.replace(",", ".") : plain;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal) ? Number(decimal) : null;
}

/** A cut as text, as Python writes it (shown.number), without the noise of binary fractions. */
export function cutText(cut) {
  const size = Math.abs(cut);
  if (size >= 1e6 && size < 1e15) return cut.toFixed(1).replace(".0", "");
  const short = Number(cut.toPrecision(6));
  const far = size >= 1e15 || (size > 0 && size < 1e-4);
  return (far ? short.toExponential() : String(short)).replace(/e([+-])(\d)$/, "e$10$2");
}

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

/** The next middle between two neighbouring values, above (1) or below (-1) a cut. */
export function nextMiddle(points, cut, direction) {
  const values = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const middles = values.slice(1).map((x, i) => (x + values[i]) / 2);
  const beyond = middles.filter((x) => (direction > 0 ? x > cut : x < cut));
  return (direction > 0 ? beyond[0] : beyond.at(-1)) ?? cut;
}

/** The nearest cut that leaves a row on either side, `step` apart from the least value. */
export function allowed(cut, { min, max }, step) {
  return Number(Math.min(max, Math.max(min + step, cut)).toPrecision(12));
}

/** Send the newest value only: one per frame at most, and none before the last was answered. */
export function paced(send, nextFrame, answerTime = 250) {
  let waiting = null;
  let frame = false;
  let sentAt = -Infinity;
  const step = (now) => {
    frame = false;
    if (waiting === null) return;
    if (now - sentAt < answerTime) return plan();
    const value = waiting;
    waiting = null;
    sentAt = now;
    send(value);
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
    answered: () => (sentAt = -Infinity),
  };
}

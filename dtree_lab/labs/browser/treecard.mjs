// What stands for a node: its card, its question with a strip, or a mark. All are drawn in units, around the
// middle of their upper edge.
import { keyed, make, mark, set } from "./dom.mjs";
import { outline } from "./numbers.mjs";
import { BINS, FANNED, FOOT, PAD, SHORT, STRIP, marksOf } from "./treescene.mjs";
import { shares } from "./treewalk.mjs";

// As in the static picture (draw/card.py): a line of a card's title, the room for a leaf's mark and a
// second one.
export { STRIP };
export const LINE = 18;
export const MARK = 18;
export const TIE = 25; // for each further one
export const UNDER = 14; // a line of what stands under a card

/** A strip of class shares, each with the class's mark and its count where they have room. */
export function strip(counts, classes, { x = 0, y = 0, width }) {
  return shares(counts, width).flatMap(([i, start, part]) => {
    const kind = classes[i];
    const middle = y + STRIP / 2;
    const share = make("rect", { class: "dtl-share", x: x + start, y, width: part, height: STRIP });
    share.style.fill = kind.colour;
    if (part < 12) return [share];
    const sign = make("g", { transform: `translate(${x + start + 8} ${middle})` }, mark(kind, 3.4, kind.ink));
    const digits = counts[i].toLocaleString("en");
    if (part < 18 + 7.5 * digits.length) return [share, sign];
    const text = make("text", { class: "dtl-count", x: x + start + 15, y: middle + 4.2 }, digits);
    text.style.fill = kind.ink;
    return [share, sign, text];
  });
}

/** The parts of a strip, each with its class, -1 for what is not known: of what is far only the most frequent one is, and of two so the other. */
function partsOf({ card, cls, mix, share }, classes, width) {
  if (!classes.length) return [[-1, 0, width]];
  if (card) return shares(card.counts, width);
  const part = width * (mix === "tie" ? 0.5 : share);
  const other = classes.length === 2 ? 1 - cls : -1;
  return [[cls, 0, part], [other, part, width - part]].filter(([, , long]) => long > 0);
}

/** A thin strip. */
function thinStrip(node, classes, x, y, width) {
  return partsOf(node, classes, width).map(([cls, left, part]) => {
    const one = make("rect", { class: "dtl-share", x: x + left, y, width: part, height: SHORT.strip });
    one.style.fill = classes[cls]?.colour ?? "var(--dtl-line)";
    return one;
  });
}

/** The marks before a leaf's answer: its class's; in a tie, which could be others, theirs, too. */
function signs({ cls, card }, classes, x, y, r, apart) {
  if (!classes[cls]) return [];
  const one = (kind, left) => make("g", { transform: `translate(${left} ${y})` }, mark(kind, r));
  const others = (card?.tied ?? []).flatMap((other, k) => {
    const equal = `M${x + (k + 0.5) * apart - 3},${y - 2}h6m0,4h-6`;
    return [make("path", { class: "dtl-equal", d: equal }), one(classes[other], x + (k + 1) * apart)];
  });
  return [one(classes[cls], x), ...others];
}

/** The frame of a node: bold and tinted where all rows of a leaf are of one class, broken in a tie. */
function frame(node, classes, box, stacked) {
  const kind = node.asks ? "" : ` dtl-${node.mix}`;
  const boxes = (stacked ? [6, 3, 0] : [0]).map((d) =>
    make("rect", { class: `dtl-box${kind}`, ...box, x: box.x + d, y: d }),
  );
  if (kind !== " dtl-pure" || !classes[node.cls]) return boxes;
  const tint = make("rect", { class: "dtl-tint", ...box, y: 0 });
  tint.style.fill = classes[node.cls].colour;
  return [...boxes, tint];
}

/** The histogram of a node's rows along the axis of its cut, the classes one upon the other. */
function histogram({ at, bins }, classes, x, y, width) {
  const count = bins.length / classes.length;
  const heights = Array.from({ length: count }, (_, i) => classes.map((_, cls) => parseInt(bins[i * classes.length + cls], 36)));
  const wide = width / count;
  const tall = (BINS - 6) / Math.max(1, ...heights.map((bin) => bin.reduce((sum, n) => sum + n, 0)));
  const pieces = classes.map(() => "");
  heights.forEach((bin, i) => {
    let base = y + BINS - 6;
    bin.forEach((n, cls) => {
      if (!n) return;
      base -= n * tall;
      pieces[cls] += `M${x + i * wide + 0.4},${base.toFixed(1)}h${(wide - 0.8).toFixed(2)}v${(n * tall).toFixed(1)}h${(0.8 - wide).toFixed(2)}z`;
    });
  });
  const drawn = pieces.map((d, cls) => {
    const path = make("path", { class: "dtl-share", d });
    path.style.fill = classes[cls].colour;
    return path;
  });
  const axis = make("path", { class: "dtl-bins-axis", d: `M${x},${y + BINS - 6}h${width}` });
  const cuts = at.map((one) => `M${(x + one * width).toFixed(1)},${y - 2}v${BINS - 2}`).join("");
  // Where the cut of a chosen node is grabbed (questions.mjs): the rest of the card is for the camera.
  const hit = make("rect", { class: "dtl-bins-hit", x: x + at[0] * width - 12, y: y - 2, width: 24, height: BINS - 2 }, titled("Drag the cut, or move it by its slider beside the tree"));
  return [...drawn, axis, make("path", { class: "dtl-bins-cut", d: cuts }), hit];
}

const titled = (text) => make("title", {}, text);

/** A node as its card. */
export function cardPicture(node, classes, { form, h, pile }, stacked) {
  const { w, title, full, detail, counts, under, hist } = node.card;
  const x = -w / 2;
  const isLeaf = !node.asks;
  const lead = isLeaf && classes[node.cls] ? MARK + TIE * (node.card.tied?.length ?? 0) : isLeaf ? MARK : 0;
  const bins = hist && form === "card" ? BINS : 0;
  const heap = pile ? node.card.pile.adds : 0;
  const top = h - FOOT - LINE * title.length - bins - heap;
  const line = (text, i) =>
    make("text", { class: "dtl-name", x: x + PAD + lead, y: top + LINE * (i + 1) - 4.5 }, text);
  return [
    titled(full),
    ...frame(node, classes, { x, width: w, height: h, rx: 7 }, stacked),
    ...(isLeaf ? signs(node, classes, x + PAD + 5.2, top + LINE / 2, 4.6, TIE) : []),
    ...title.map(line),
    ...(bins ? histogram(hist, classes, x + PAD, h - FOOT - bins - heap + 8, w - 2 * PAD) : []),
    ...(pile?.isWhole ? [] : strip(counts, classes, { x: x + PAD, y: h - FOOT + 7, width: w - 2 * PAD })),
    make("text", { class: "dtl-detail", x: x + PAD, y: h - PAD + 0.5 }, detail),
    ...tags(under ?? [], h),
  ];
}

/** What stands under a node, line by line. */
export const tags = (lines, h) =>
  lines.map((words, i) => make("text", { class: "dtl-tag", x: 0, y: h + 14 + UNDER * i }, words));

/** A node as its question, or its answer, with a strip. */
export function shortPicture(node, classes, { w, h, lines, under, pile }, stacked) {
  const left = -w / 2;
  const lead = marksOf(node);
  const middle = left + SHORT.pad + lead + (w - 2 * SHORT.pad - lead) / 2;
  const said = (text, i) =>
    make("text", { class: "dtl-short", x: middle, y: SHORT.line * (i + 1) + 0.5 }, text);
  const below = SHORT.line * lines.length + 4;
  return [
    titled(node.card?.full ?? lines.join(" ")),
    ...frame(node, classes, { x: left, width: w, height: h, rx: 5 }, stacked),
    ...(lead ? signs(node, classes, left + SHORT.pad + 4, 9.5, 4, SHORT.tie) : []),
    ...lines.map(said),
    ...(pile ? [] : thinStrip(node, classes, left + SHORT.pad, below, w - 2 * SHORT.pad)),
    ...tags(under, h),
  ];
}

/** Branches folded into a fan under a node: a ray for each with the mark of its class, and in words how many. */
export function fanPicture({ fan: { kids, words } }, classes, { h, under }, isSaid) {
  const top = h + (under.length ? UNDER * under.length + 4 : 0);
  const n = (v) => v.toFixed(1);
  const rays = kids.slice(0, RAYS).flatMap(({ cls, mix, part }, i, { length }) => {
    const turn = SPREAD * ((i + 0.5) / length - 0.5);
    const [x, y] = [RAY * Math.sin(turn), top + RAY * Math.cos(turn)];
    const line = make("path", { class: "dtl-ray", d: `M0,${n(top)}L${n(x)},${n(y)}`, "stroke-width": n(Math.max(1, Math.min(4, 12 * part))) });
    const kind = mix !== "tie" && classes[cls];
    return kind ? [line, make("g", { transform: `translate(${n(x)} ${n(y)})` }, mark(kind, 3))] : [line];
  });
  const hit = make("rect", { class: "dtl-fold-hit", x: -RAY - 6, y: top, width: 2 * RAY + 12, height: FANNED - 2 });
  const said = isSaid ? [make("text", { class: "dtl-tag", x: 0, y: top + FANNED - 7 }, words)] : [];
  return make("g", { class: "dtl-fan" }, titled(`${words}: click to open`), hit, ...rays, ...said);
}

// So many rays are drawn, so long, and over so much of a turn.
const RAYS = 32;
const RAY = 27;
const SPREAD = 2.3;

/** Pieces of marks by the colour and the look that they share: one path draws them all. */
export function addMark(pieces, node, classes, x, y, r) {
  const add = (look, cls, d) => {
    const key = `${look} ${cls}`;
    (pieces[key] ??= []).push(d);
  };
  const n = (v) => Math.round(v * 10) / 10;
  if (node.asks) {
    const [wide, tall] = [2.4 * r, Math.max(1.2, 0.9 * r)];
    const bar = (from, length) => `M${n(x - wide / 2 + from)} ${n(y - tall / 2)}h${n(length)}v${n(tall)}h${n(-length)}z`;
    for (const [cls, left, part] of partsOf(node, classes, wide)) add(cls < 0 ? "rest" : "full", cls, bar(left, part));
    if (node.below || node.isFolded) add("bush", -1, `M${n(x)} ${n(y + r)}l${n(-r)} ${n(2.5 * r)}h${n(2 * r)}z`);
  } else if (node.mix === "tie") {
    const side = 0.8 * r;
    add("tie", -1, `M${n(x - r)} ${n(y - side / 2)}h${n(2 * r)}M${n(x - r)} ${n(y + side / 2)}h${n(2 * r)}`);
  } else {
    const kind = classes[node.cls];
    const d = kind && r >= 2.2 ? outline(kind.mark, x, y, r) : `M${n(x - r)} ${n(y - r)}h${n(2 * r)}v${n(2 * r)}h${n(-2 * r)}z`;
    add(node.mix === "mixed" ? "hollow" : "full", kind ? node.cls : -1, d);
  }
}

/** One path for each look: full marks in the colour of their class, hollow ones where it is not alone. */
export function drawMarks(group, pieces, classes) {
  keyed(group, Object.entries(pieces), {
    key: ([key]) => `${key} ${classes.length}`,
    create: ([key]) => {
      const [look, cls] = key.split(" ");
      const path = make("path", { class: `dtl-dots dtl-dots-${look}` });
      const colour = classes[cls]?.colour ?? "var(--dtl-line)";
      path.style[look === "hollow" ? "stroke" : "fill"] = look === "tie" ? "none" : colour;
      return path;
    },
    update: (path, [, parts]) => set(path, { d: parts.join("") }),
  });
  return group;
}

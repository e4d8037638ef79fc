// The nodes of a tree as they are seen: where each stands, what room it has, and in which form it is drawn.
// What needs no browser.
import { APART, below, piled } from "./piles.mjs";

/** All nodes by their ids, parents before children: those with cards, and those told in short. */
export function nodesOf({ cards, edges, far }) {
  const nodes = far ? decoded(far) : new Map();
  const first = Math.min(...cards.map((card) => card.level));
  for (const card of cards) {
    const node = nodes.get(card.id) ?? { id: card.id, parent: card.parent, kids: [], below: 0 };
    Object.assign(node, {
      card,
      level: card.level - first,
      x: card.x + card.w / 2,
      y: card.y,
      w: card.w,
      h: card.h,
      rows: card.rows,
      cls: card.cls,
      share: Math.max(0, ...card.counts) / Math.max(1, card.rows),
      mix: card.mix ?? "mixed",
      asks: card.kind !== "answer",
      title: card.title,
      halves: card.halves ?? card.title,
    });
    if (!far) node.kids = card.children;
    nodes.set(card.id, node);
  }
  for (const { id, ...word } of edges) nodes.get(id).word = word;
  return nodes;
}

/** What Python tells in short (kit/marks.py), node by node. */
function decoded({ kids, x, rows, cls, pure, asks, words, slots, high, top, tops }) {
  const nodes = [];
  let at = 0;
  kids.forEach((count, i) => {
    at += x[i];
    const node = (nodes[i] ??= { id: top, parent: null, level: 0 });
    const digit = Number(pure[i]);
    Object.assign(node, {
      x: at,
      y: tops[node.level],
      w: slots[count ? 0 : 1],
      h: high,
      rows: rows[i],
      cls: cls[i] ?? -1,
      share: digit / 9,
      mix: cls.length ? (digit === 9 ? "pure" : digit ? "mixed" : "tie") : "none",
      asks: count !== 0,
      below: Math.max(0, -count),
      title: asks[i] < 0 ? null : [words[asks[i]].join(" ")],
      halves: words[asks[i]] ?? null,
      kids: [],
    });
    for (let branch = 0; branch < count; branch++) {
      const id = below(node.id, branch);
      node.kids.push(id);
      nodes.push({ id, parent: node.id, level: node.level + 1 });
    }
  });
  return new Map(nodes.map((node) => [node.id, node]));
}

// A node of so many branches may be folded into a fan; so high is one, with its words, in units.
const MANY = 9;
export const FANNED = 48;

/**
 * The nodes that are folded into fans where a tree is wider than its room: those of many branches that lie beside the
 * way, in which `opened` holds what somebody has opened. The chosen node stays what it `was`.
 */
export function fanned(nodes, { path, current, opened, was }) {
  const may = ({ id, kids }) => kids.length >= MANY && !opened.has(id) && (!path.has(id) || (id === current && was.has(id)));
  return new Map([...nodes.values()].filter(may).map(({ id, kids }) => {
    const below = kids.map((kid) => nodes.get(kid));
    const asks = below[0].word?.attribute;
    return [id, { kids: below, words: asks ? `${kids.length} \u00d7 ${asks}` : `${kids.length} branches` }];
  }));
}

/** The nodes below no folded one. */
export function unfolded(nodes, folded) {
  const hidden = new Set();
  return [...nodes.values()].filter((node) => {
    if (!hidden.has(node.parent) && !folded.has(node.parent)) return true;
    hidden.add(node.id);
    return false;
  });
}

/** Give each node a place, `to`, without the columns that are left empty; how large all is then. */
export function arranged(nodes, whole, hasGaps) {
  for (const node of nodes) node.to = [node.x, node.y];
  if (!hasGaps) return { width: whole.width, height: whole.height };
  const spans = nodes.map(({ x, w }) => [x - w / 2, x + w / 2]).sort((a, b) => a[0] - b[0]);
  const steps = [];
  let [end, gone] = [0, 0];
  for (const [left, right] of spans) {
    const empty = left - end - (steps.length ? 24 : 8);
    if (empty > 0) steps.push([left, (gone += empty)]);
    else if (!steps.length) steps.push([-Infinity, 0]);
    end = Math.max(end, right);
  }
  for (const node of nodes) {
    const left = node.x - node.w / 2;
    node.to[0] -= steps.findLast(([from]) => from <= left)?.[1] ?? 0;
  }
  return {
    width: end - gone + 8,
    height: Math.max(...nodes.map(({ y, h, fan }) => y + h + (fan ? FANNED : 0))) + whole.margin,
  };
}

// So much of a room is for the words of what matters most, and so much for all that keep theirs; what gives way is pushed
// together into the rest, to no less than this for the words of others than the first ones: a large tree has a shape.
const WORDS = 0.8;
const WIDEST = 0.9;
const TIGHTEST = 0.1;

/**
 * Give way where a tree is wider than its room: `order` has groups of nodes with the width that each would keep, those
 * that matter most first. A group keeps its words, above all so many as `first` says, or none of it does, so that what
 * is alike looks alike; what lies beside them is pushed together, in its order. How wide the tree is then.
 */
export function leaning(nodes, width, room, order, first = 0) {
  const spans = (kept) =>
    [...kept]
      .map(([{ to }, w]) => [Math.max(0, to[0] - w / 2 - 4), Math.min(width, to[0] + w / 2 + 4)])
      .sort((a, b) => a[0] - b[0])
      .reduce((found, [left, right]) => {
        const last = found.at(-1);
        if (last && left <= last[1]) last[1] = Math.max(last[1], right);
        else found.push([left, right]);
        return found;
      }, []);
  const long = (found) => found.reduce((sum, [left, right]) => sum + right - left, 0);
  let kept = new Map();
  const left = (words) => Math.min(1, (room - words) / Math.max(1, width - words));
  order.forEach((group, i) => {
    const more = new Map([...kept, ...group]);
    const words = long(spans(more));
    if (i < first ? words <= WORDS * room : words <= WIDEST * room && left(words) >= TIGHTEST) kept = more;
  });
  const whole = spans(kept);
  const share = left(long(whole));
  const moved = (x) => whole.reduce((sum, [left, right]) => sum + (1 - share) * Math.max(0, Math.min(x, right) - left), share * x);
  for (const node of nodes) {
    node.claim = kept.get(node) ?? share * node.w;
    node.to[0] = moved(node.to[0]);
  }
  return moved(width);
}

// A level needs so much height for questions and the words on their branches, and so much for questions alone.
const SAID = 76;
const ASKED = 42;

/**
 * Give way downwards, too, where no level would have room for questions: that of the chosen node, which is `deep`, the
 * root's and those between keep what words need, and the others are pushed together. How high the tree is then.
 */
export function sinking(levels, height, room, deep) {
  const tops = levels.map(([node]) => node.to[1]);
  const drops = tops.map((top, i) => (tops[i + 1] ?? height) - top);
  if ((Math.min(...drops.slice(0, -1)) * room) / height >= ASKED) return height;
  const need = (deep + 1) * SAID <= WORDS * room ? SAID : ASKED;
  const way = Array.from({ length: deep }, (_, i) => deep - i);
  const kept = new Set([0, ...way].slice(0, Math.floor((WORDS * room) / need)));
  const high = (i) => (kept.has(i) ? Math.min(drops[i], need) : 0);
  const [words, rest] = drops.reduce(([sum, others], drop, i) => [sum + high(i), others + (kept.has(i) ? 0 : drop)], [tops[0], 0]);
  const share = Math.min(1, Math.max(0, room - words) / Math.max(1, rest));
  return levels.reduce((y, level, i) => {
    for (const node of level) node.to[1] = y;
    return y + (high(i) || share * drops[i]);
  }, tops[0]);
}

/** What room each node has beside its neighbours on its level, each in proportion to its width; and below. */
export function roomy(nodes, { width, height }) {
  const claim = (node) => node.claim ?? node.w;
  const levels = [];
  for (const node of nodes) (levels[node.level] ??= []).push(node);
  levels.forEach((level, i) => {
    level.sort((a, b) => a.to[0] - b.to[0]);
    const deep = levels[i + 1] ? levels[i + 1][0].to[1] : height;
    level.forEach((node, j) => {
      const side = (other) =>
        other ? (Math.abs(node.to[0] - other.to[0]) * claim(node)) / (claim(node) + claim(other)) : Infinity;
      const [x] = node.to;
      node.room = 2 * Math.min(side(level[j - 1]), side(level[j + 1]), x, width - x);
      node.drop = deep - node.to[1];
      node.last = !levels[i + 1];
    });
  });
  return levels;
}

// In units: what a branch needs to turn, a word on it, and a histogram; no type is smaller than 11 pixels.
export const BEND = 24;
export const LABEL = 21;
export const BINS = 30;
const LEAST = 11;
// What a card has around it, and under its title: a strip, where there is no pile of marks, and a small line.
export const PAD = 11;
export const STRIP = 16;
export const FOOT = 49;
export const SHORT = { pad: 6, line: 13.5, strip: 6, mark: 15, tie: 25, least: 34 };

export const smallest = (unit) => Math.max(1, LEAST / (12 * unit));

/**
 * In which form a node is drawn, its size and its words: as its card, as its question with a strip, or as a
 * mark. `seen` has the scales in pixels; `measure(text)` is the width of a short text in units. A bare card has no histogram.
 */
export function formOf(node, { sx, sy, unit, isRoom = false, isShort = false }, measure) {
  const [room, drop] = [(node.room * sx) / unit, (node.drop * sy) / unit];
  const at = Math.min(sx, sy) / unit;
  // Before a class type is sized by the room, and a card has no smaller one.
  const scale = Math.max(at, isRoom ? 1 : LEAST / (12 * unit));
  // Where nothing stands under a leaf, its pile may hang down past the next level.
  const deep = Math.max(drop, (node.deep ?? 0) / unit);
  if (node.card && !isShort) {
    const under = node.card.under?.length ? 14 * node.card.under.length + 4 : 0;
    const high = node.h + (node.last ? Math.max(0, under - (isRoom ? 0 : 14)) : under + BEND + LABEL);
    // The histogram is left out first, then the pile of marks.
    const bins = node.card.hist ? BINS : 0;
    const heap = (node.held && node.card.pile?.adds) || 0;
    for (const less of new Set([0, bins, bins + heap])) {
      const tall = (high - less) * scale;
      const isRoomy = node.w * scale <= room + 0.1 && tall <= (less > bins ? drop : deep) + 0.5;
      const sized = { w: node.w * scale, h: (node.h - less) * scale };
      const pile = less > bins ? null : pileInCard(node, less, scale);
      if (isRoomy) return { form: less ? "bare" : "card", scale, ...sized, lines: node.title, under: node.card.under ?? [], pile, isDeep: tall > drop + 0.5 };
    }
  }
  const size = smallest(unit);
  const lead = marksOf(node);
  // Measured once: a camera's move asks in every frame.
  node.phrases ??= phrases(node).map((lines) => ({ lines, long: Math.max(...lines.map(measure)) }));
  for (const { lines, long } of node.phrases) {
    const least = Math.max(SHORT.least, long + 2 * SHORT.pad + lead) * size;
    const low = (lines.length * SHORT.line + 8) * size;
    const free = drop - (node.last ? 2 : 13);
    if (least + 4 > room || low + SHORT.strip * size > free) continue;
    // A pile, where it has room, stands in the place of the strip.
    const r = Math.max(2 / unit, (node.size ?? 0) * at);
    const pad = SHORT.pad * size;
    const wide = (node.deep ? least : room - 4) - 2 * pad;
    const shape = node.held && (!node.asks || node.card?.pile) ? piled(node.held, least - 2 * pad, wide, free + deep - drop - low, r) : null;
    const w = Math.max(least, shape ? shape.wide + 2 * pad : 0);
    const h = low + (shape ? shape.tall : SHORT.strip * size);
    const pile = shape && { ...shape, x: -shape.wide / 2, y: low - 4 * size };
    const under = underneath(node, measure, size, room, deep - h);
    // What a leaf is taken for, after a colon, says more than its name: a mark has more room for it.
    if (isRoom && !under.length && node.card?.tag?.includes(": ")) break;
    return { form: "short", scale: size, w, h, lines, under, pile, isDeep: h > free };
  }
  const r = Math.max(1.2, Math.min(3 + 6 * Math.sqrt(node.part), room / 2 - 0.4, drop / 2 - 1));
  // Before a class a mark, too, says what stands under it.
  const under = isRoom ? underneath(node, measure, 1, room - 4, drop - 2 * r) : [];
  return { form: "mark", scale: 1, w: 2 * r, h: 2 * r, r, lines: [], under };
}

/** The room before an answer in short for the marks of what it could be, in units. */
export const marksOf = ({ asks, card }) => (asks ? 0 : SHORT.mark + SHORT.tie * (card?.tied?.length ?? 0));

/** How much width a node needs for its words in short, in units: a question may be parted in two lines. */
export function briefly(node, measure) {
  const { w, asks, name, halves } = node;
  const said = asks ? halves ?? [] : [name].filter(Boolean);
  if (!said.length) return w;
  return Math.min(w, Math.max(SHORT.least, Math.max(...said.map(measure)) + 2 * SHORT.pad + marksOf(node)) + 5);
}

/** What stands under a node where it fits beside its neighbours and above the next level: a tag, if need be parted at its colon, or its end alone. */
function underneath({ card, last }, measure, size, wide, high) {
  const parts = card?.tag?.split(": ") ?? [];
  const fits = (lines) => lines.every((line) => measure(line) * size <= wide) && 14 * lines.length * size + (last ? 0 : 13) <= high;
  return [[parts.join(": ")], parts, parts.slice(-1)].find((lines) => parts.length && fits(lines)) ?? [];
}

/** How far a leaf's pile may hang down, in pixels, so that it meets no node of a lower level and no branch. */
export function clearance(node, levels, parents, unit, floor) {
  const [left, right] = [-1, 1].map((side) => node.px + side * ((node.as.w * unit) / 2 + 6));
  for (const level of levels.slice(node.level - levels[0][0].level + 1)) {
    const meets = ({ parent, px, as }) => {
      const from = parents.get(parent)?.px ?? px;
      const half = (as.w * unit) / 2;
      return Math.min(from, px - half) < right && Math.max(from, px + half) > left;
    };
    if (level.some(meets)) return level[0].py - node.py - (2 * BEND + LABEL) * unit;
  }
  return floor - node.py - 4 * unit;
}

/** The pile in a card, as Python made room for it: the columns, how high it stands, what that adds to the card. */
function pileInCard({ card, held, size, w, h }, less, scale) {
  if (!held || !card.pile) return null;
  const { across, up, whole } = card.pile;
  return {
    across,
    pitch: APART * size * scale,
    r: size * scale,
    x: (PAD - w / 2) * scale,
    y: (h - less - up) * scale,
    isWhole: whole,
  };
}

/** What a node may say in short, the longest first. */
function phrases({ title, halves, card, asks, name }) {
  if (!asks) return [...(card ? [[title.join(" ")]] : []), ...(name ? [[name]] : [])];
  if (!title) return [];
  const whole = card ? [[card.full]] : [];
  const [first, second] = halves;
  if (!second) return [...whole, [first], ...cut(first).map((text) => [text])];
  return [...whole, [`${first} ${second}`], [first, second], ...cut(first).map((text) => [text, second])];
}

const cut = (text) => [12, 8, 5].filter((n) => n < text.length - 1).map((n) => `${text.slice(0, n).trimEnd()}…`);

/** Where a node ends, with what stands under it, in units. */
export const bottomOf = ({ h, under, scale }) => h + (under.length ? (14 * under.length + 4) * scale : 0);

/** How wide a branch is, in units: as its rows; and in pixels one of a large tree, of which there are three kinds. */
export const breadth = (part) => Math.max(1.25, 7 * part);
export const FAR = [1, 2.2, 4.4];
export const farRank = (part) => (part > 0.25 ? 2 : part > 0.08 ? 1 : 0);

/** A branch from under one place to above another: down, and round below all cards of the level. */
export function branchPath(x1, y1, x2, y2, bend) {
  const turn = Math.max(y1, y2 - bend);
  const middle = (turn + y2) / 2;
  const at = (...numbers) => numbers.map((n) => Math.round(n * 10) / 10).join(" ");
  return `M${at(x1, y1)}V${at(turn)}C${at(x1, middle, x2, middle, x2, y2)}`;
}

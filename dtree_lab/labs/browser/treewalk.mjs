// Ways through a tree of cards: what needs no browser.
import { above } from "./piles.mjs";

/** The ids of all cards, each parent before its children: the order one walks with Down and Up. */
export function depthFirst(cards) {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const order = [];
  const waiting = cards.filter((card) => !byId.has(card.parent)).map((card) => card.id);
  while (waiting.length) {
    const id = waiting.shift();
    if (!byId.has(id)) continue;
    order.push(id);
    waiting.unshift(...byId.get(id).children);
  }
  return order;
}

/** Where a key leads from a card, or null when it is not a key for walking. */
export function keyTarget(cards, id, key) {
  const order = depthFirst(cards);
  const card = cards.find((one) => one.id === id);
  const at = order.indexOf(id);
  const moves = {
    ArrowDown: () => order[at + 1] ?? id,
    ArrowUp: () => order[at - 1] ?? id,
    ArrowRight: () => card?.children.find((child) => order.includes(child)) ?? id,
    ArrowLeft: () => (order.includes(card?.parent) ? card.parent : id),
    Home: () => order[0],
    End: () => order.at(-1),
  };
  return Object.hasOwn(moves, key) ? moves[key]() : null;
}

/** The next card whose title begins with what was typed; one letter moves on from where one is. */
export function typedTarget(cards, id, typed) {
  const order = depthFirst(cards);
  const from = order.indexOf(id) + (typed.length === 1 ? 1 : 0);
  const begins = (one) => {
    const card = cards.find((other) => other.id === one);
    return (card.full || card.title.join(" ")).toLowerCase().startsWith(typed.toLowerCase());
  };
  return [...order.slice(from), ...order.slice(0, from)].find(begins) ?? id;
}

/** A card and all above it. */
export function pathTo(cards, id) {
  const parents = new Map(cards.map((card) => [card.id, card.parent]));
  const path = new Set();
  // Of a long way only the beginning is drawn.
  while (!parents.has(id) && id.includes(".")) id = above(id);
  for (let at = id; parents.has(at) && !path.has(at); at = parents.get(at)) path.add(at);
  return path;
}

/** Segments of a strip as wide as the counts' shares: [class, start, width]. */
export function shares(counts, width) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let start = 0;
  return counts.flatMap((count, i) => {
    if (!count) return [];
    const part = (width * count) / total;
    start += part;
    return [[i, start - part, part]];
  });
}

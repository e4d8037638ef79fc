// A wall of small trees that vote: a list of which one can be chosen, and the count of its votes. What
// a tile's words mean, and where its nodes stand, is told in kit/wall.py.
import { newId } from "./controls.mjs";
import { focusWithin, isolated, keyed, make, markInText, onChange, set, setText } from "./dom.mjs";

// So many tiles have room before all become smaller: one more moves none of the others.
const ROOMS = [6, 12, 18, 24, 30, 40, 50, 60];
// So wide and high is one at least, for a finger; and where nobody touches it.
const LEAST = 44;
const SEEN = 24;
const TALL = 1.1;
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export function createWall(ui, node, { id }) {
  node.wall = make("div", { class: "dtl-wall" });
  node.list = make("div", { class: "dtl-tiles", role: "listbox", id: newId() });
  node.more = make("p", { class: "dtl-more" });
  node.tally = make("div", { class: "dtl-tally" });
  node.wall.append(node.list, node.more);
  node.append(node.wall, node.tally);
  node.fit = () => fit(node);
  const choose = (i) => ui.act({ do: "pick", part: id, row: i });
  const at = (event) => [...node.list.children].indexOf(event.target.closest("[role=option]"));
  node.list.addEventListener("click", (event) => at(event) >= 0 && choose(at(event)));
  node.list.addEventListener("keydown", (event) => {
    const to = target(event, at(event), node);
    if (to === null) return;
    event.preventDefault();
    if (to !== at(event)) node.list.children[to].focus();
    choose(to);
  });
}

/** Where a key leads, of so many tiles; nothing if it is none of the list's. */
function target({ key, ctrlKey, metaKey, altKey }, i, { list, across }) {
  const last = list.children.length - 1;
  if (ctrlKey || metaKey || altKey || i < 0) return null;
  if (key === "Enter" || key === " ") return i;
  if (key === "Home" || key === "End") return key === "Home" ? 0 : last;
  const step = STEPS[key] ?? { ArrowDown: across, ArrowUp: -across }[key];
  if (!step) return null;
  const to = i + step;
  return to < 0 || to > last ? i : to;
}

export function updateWall(ui, node, part) {
  const { tiles, names, current, label, more, tally } = part;
  const { classes } = ui.view;
  set(node.list, { "aria-label": label });
  setText(node.more, more);
  const held = focusWithin(node.list);
  keyed(node.list, tiles.map((tile, i) => ({ tile, i })), {
    key: ({ i }) => i,
    create: () => createTile(),
    update: (one, { tile: [shape, way, says, free], i }) => {
      const said = `Tree ${i + 1}: ${names[says]}${free ? " (out of bag)" : ""}`;
      set(one, { "aria-label": said, "aria-selected": String(i === current), title: said });
      one.classList.toggle("dtl-free", free);
      const kind = classes[says];
      one.style.setProperty("--dtl-vote", kind?.colour ?? "transparent");
      setText(one.nth, String(i + 1));
      onChange(one.vote, [kind, names[says]], () => one.vote.replaceChildren(kind ? markInText(kind) : isolated(names[says])));
      Object.assign(one, { shape, way });
    },
  });
  const stop = held && tiles.length ? [...node.list.children].indexOf(held) : Math.min(current, tiles.length - 1);
  [...node.list.children].forEach((one, i) => set(one, { tabindex: i === stop ? 0 : -1 }));
  node.classes = classes;
  fit(node);
  drawTally(node.tally, tally, names, classes);
}

function createTile() {
  const svg = make("svg", { "aria-hidden": "true" });
  const layers = ["branches", "way", "leaves"].map((name) => make("g", { class: `dtl-${name}` }));
  svg.append(...layers);
  const [branches, way, leaves] = layers;
  way.append(make("path"));
  const nth = make("span");
  const vote = make("b");
  const foot = make("span", { class: "dtl-tile-foot", "aria-hidden": "true" }, nth, vote);
  const node = make("div", { role: "option", class: "dtl-tile" }, svg, foot);
  return Object.assign(node, { svg, branches, road: way.firstChild, leaves, nth, vote });
}

/** Have the tiles fill the room: as large as so many can be, and all of one size. */
function fit(node) {
  const n = node.list.children.length;
  const { clientWidth } = node.wall;
  if (!clientWidth || !n) return;
  const high = node.room ? node.wall.clientHeight - node.more.offsetHeight : Infinity;
  const room = ROOMS.find((some) => n <= some) ?? n;
  const least = node.closest(".dtl-room:not(.dtl-hands)") ? SEEN : LEAST;
  node.across = columns(room, clientWidth, high, least);
  const width = Math.max(least, Math.floor(clientWidth / node.across));
  const lines = Math.ceil(room / node.across);
  const height = Math.max(least, Math.floor(Math.min(high / lines, width * TALL)));
  node.list.style.gridTemplateColumns = `repeat(${node.across}, minmax(0, 1fr))`;
  node.list.style.gridAutoRows = `${height}px`;
  // Under each tree stand its number and its vote, in type of the room's size before a class: where that leaves the
  // tree too little, its ground alone says how it votes.
  node.list.classList.remove("dtl-footless");
  const foot = () => node.list.firstChild.lastChild.offsetHeight;
  const { clientWidth: has, scrollWidth: asks } = node.list.lastChild.lastChild;
  node.list.classList.toggle("dtl-footless", foot() > height / 2 || asks > has);
  for (const one of node.list.children) drawTree(one, width - 10, height - foot() - 10, node.classes);
}

/** How many stand in a line, so that each tile has the most room; the height is not always known. */
function columns(n, width, high, least) {
  if (high === Infinity) return Math.max(1, Math.min(n, Math.floor(width / 64)));
  const area = (across) => {
    const [w, h] = [width / across, high / Math.ceil(n / across)];
    return Math.min(w, h * TALL) * Math.min(h, w * TALL);
  };
  let best = 1;
  for (let across = 2; across <= n && width / across >= least; across++) if (area(across) > area(best)) best = across;
  return best;
}

// ---- a tree ----------------------------------------------------------------------------------------

function drawTree(tile, width, height, classes) {
  const size = [width, height];
  onChange(tile.svg, [tile.shape, size, classes], () => {
    set(tile.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    tile.root = laidOut(tile.shape, width, height);
    const all = below(tile.root);
    const r = Math.min(4.5, Math.max(1.6, (0.42 * width) / all.filter((one) => !one.below.length).length));
    const ends = (one) => one.below.map((to) => [one, to]);
    keyed(tile.branches, [...all.flatMap(ends).entries()], {
      key: ([i]) => i,
      create: () => make("path"),
      update: (one, [, [from, to]]) => {
        const wide = Math.max(0.8, (0.13 * Math.min(width, 1.4 * height) * to.rows) / tile.root.rows).toFixed(1);
        set(one, { d: `M${from.x} ${from.y}L${to.x} ${to.y}`, "stroke-width": wide });
      },
    });
    keyed(tile.leaves, [...all.filter((one) => !one.below.length).entries()], {
      key: ([i]) => i,
      create: () => make("path"),
      update: (one, [, { x, y, cls, folded }]) => {
        const { mark: d, colour } = classes[cls] ?? { mark: "M-.8-.8H.8V.8H-.8Z", colour: "var(--dtl-line)" };
        set(one, { d, transform: `translate(${x} ${y}) scale(${r.toFixed(1)})`, class: folded ? "dtl-leaf-folded" : null });
        one.style.fill = colour;
      },
    });
  });
  const way = [tile.root];
  for (const branch of tile.way ? tile.way.split(".") : []) way.at(-1).below.length && way.push(way.at(-1).below[branch]);
  set(tile.road, { d: `M${way.map(({ x, y }) => `${x} ${y}`).join("L")}` });
}

/** A shape's nodes with their places, as `laid_out` in kit/wall.py: a tile is as large as the room allows. */
export function laidOut(shape, width, height) {
  const words = shape.split(" ");
  const leaves = words.filter((word) => word[0] !== "~").length;
  let next = 0;
  let seen = 0;
  let deep = 1;
  const knot = (depth) => {
    const word = words[next++];
    deep = Math.max(deep, depth);
    if (word[0] === "~") {
      const under = Array.from({ length: Number(word.slice(1)) }, () => knot(depth + 1));
      const rows = under.reduce((sum, one) => sum + one.rows, 0);
      return { depth, rows, x: (under[0].x + under.at(-1).x) / 2, below: under };
    }
    const [rows, cls] = word.split(".").map((part) => parseInt(part, 10));
    return { depth, rows, cls, folded: word.endsWith("+"), x: (seen++ + 0.5) / leaves, below: [] };
  };
  const root = knot(0);
  const short = (v) => Math.round(10 * v) / 10;
  for (const one of below(root)) Object.assign(one, { x: short(one.x * width), y: short(5 + (one.depth / deep) * (height - 11)) });
  return root;
}

const below = (one) => [one, ...one.below.flatMap(below)];

// ---- the count -------------------------------------------------------------------------------------

/** Lines of votes: a bar with a stretch for each class, and what comes of it. */
function drawTally(box, tally, names, classes) {
  keyed(box, tally.map((line, i) => ({ line, i })), {
    key: ({ i }) => i,
    create: () => {
      const bar = make("span", { class: "dtl-votes", role: "img" });
      return Object.assign(make("p", {}, make("span"), bar, make("b")), { bar });
    },
    update: (one, { line: [what, votes, said] }) => {
      const all = votes.map(([k, n]) => `${n} ${names[k]}`).join(", ");
      setText(one.firstChild, what);
      setText(one.lastChild, said);
      set(one.bar, { "aria-label": all || "no votes" });
      keyed(one.bar, votes, {
        key: ([k]) => k,
        create: ([k]) => make("span", {}, classes[k] ? markInText(classes[k]) : "", make("i")),
        update: (stretch, [k, n]) => {
          stretch.style.flexGrow = n;
          stretch.style.setProperty("--dtl-vote", classes[k]?.colour ?? "transparent");
          setText(stretch.lastChild, String(n));
        },
      });
    },
  });
}

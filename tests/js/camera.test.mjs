// The camera of a tree, and what it sees, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, enlarged, fits, fitted, nudge, panned, placed, scales, widened, within, zoomed } from "../../dtree_lab/labs/browser/camera.mjs";
import {
  arranged,
  branchPath,
  breadth,
  fanned,
  formOf,
  leaning,
  nodesOf,
  roomy,
  sinking,
  smallest,
  unfolded,
} from "../../dtree_lab/labs/browser/treescene.mjs";

const BOX = { width: 700, height: 400 };
const WORLDS = [
  { width: 300, height: 200 },
  { width: 2000, height: 500 },
  { width: 45_000, height: 1300 },
  { width: 500, height: 5000 },
];
const near = (a, b, what = "") => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b)), `${what} ${a} is not ${b}`);

test("all of a tree fits, in the middle, and is never larger than life", () => {
  for (const world of WORLDS) {
    for (const unit of [0.9, 1, 1.43]) {
      const camera = fitted(world, BOX, unit);
      const { sx, sy } = scales(camera.k, fits(world, BOX, unit), unit);
      assert.ok(camera.k <= 1 && sx <= unit && sy <= unit);
      for (const [at, length, room] of [
        [camera.x, world.width * sx, BOX.width],
        [camera.y, world.height * sy, BOX.height],
      ]) {
        assert.ok(at >= 0 && at + length <= room + 1e-9);
      }
      near(camera.x, BOX.width - camera.x - world.width * sx);
    }
  }
});

test("of a large tree the way keeps its words, and the shape is left to the rest", () => {
  const nodes = Array.from({ length: 400 }, (_, i) => ({ id: `${i}`, level: 0, w: 120, h: 60, to: [70 + 140 * i, 0] }));
  const places = (first) => {
    const all = nodes.map((node) => ({ ...node, to: [...node.to] }));
    near(leaning(all, 56_000, 900, [[[all[7], 120]]], first), 900);
    return all;
  };
  places(0).forEach(({ to, claim }, i) => {
    near(to[0], (70 + 140 * i) * (900 / 56_000));
    assert.ok(claim < 2);
  });
  const way = places(1);
  roomy(way, { width: 900, height: 90 });
  assert.ok(way[7].room >= 120 - 1e-6);
  assert.ok(way.every(({ to }, i) => to[0] > (way[i - 1]?.to[0] ?? 0)));
});

test("in a tree that is too high the levels down to the chosen one keep room for words", () => {
  const levels = (n) => Array.from({ length: n }, (_, y) => [0, 1].map(() => ({ h: 60, to: [0, 8 + 105 * y] })));
  for (const [n, deep] of [[30, 0], [30, 3], [30, 6], [30, 29], [12, 2], [4, 3], [1, 0]]) {
    const all = levels(n);
    const high = sinking(all, 8 + 105 * n, 400, deep);
    const tops = [...all.map(([one, other]) => (assert.equal(one.to[1], other.to[1]), one.to[1])), high];
    const drops = tops.slice(1).map((top, i) => top - tops[i]);
    assert.equal(tops[0], 8);
    assert.ok(drops.every((drop) => drop > 0 && drop <= 105 + 1e-9));
    if ((105 * 400) / (8 + 105 * n) >= 42) near(high, 8 + 105 * n);
    else {
      near(high, 400);
      assert.ok(drops[0] >= 42);
      if (deep < 7) for (let i = 0; i <= deep; i++) assert.ok(drops[i] >= 42, `${i} of ${deep}: ${drops[i]}`);
      const uniform = (105 * 400) / (8 + 105 * n);
      for (let i = deep + 1; i < n; i++) assert.ok(drops[i] < uniform);
    }
  }
});

test("a fan is a node of many branches that lies beside the way, and that nobody has opened", () => {
  const branch = (id, many, word) => [id, { id, kids: Array.from({ length: many }, (_, i) => `${id}.${i}`), word }];
  const inner = [branch("a", 13), branch("b", 9), branch("c", 8)];
  const leaves = inner.flatMap(([, { id, kids }]) => kids.map((kid) => [kid, { id: kid, kids: [], word: id === "a" ? { attribute: "town" } : undefined }]));
  const nodes = new Map([...inner, ...leaves]);
  const none = { path: new Set(), current: "root", opened: new Set(), was: new Map() };
  const names = (state) => [...fanned(nodes, { ...none, ...state }).keys()].join();
  assert.equal(names({}), "a,b");
  assert.deepEqual([...fanned(nodes, none).values()].map(({ words, kids }) => [words, kids.length]), [["13 \u00d7 town", 13], ["9 branches", 9]]);
  assert.equal(names({ opened: new Set(["a"]) }), "b");
  assert.equal(names({ path: new Set(["root", "a", "a.3"]), current: "a.3" }), "b");
  // Where the chosen node was open it stays open, and what was a fan stays one.
  assert.equal(names({ path: new Set(["root", "a"]), current: "a" }), "b");
  assert.equal(names({ path: new Set(["root", "a"]), current: "a", was: new Map([["a", {}]]) }), "a,b");
});

test("in a tree that is too wide what matters keeps the width of its words, and all stay in order", () => {
  const made = (n, y) => Array.from({ length: n }, (_, i) => ({ id: `${y}.${i}`, level: y, x: 70 + 140 * i, y: 90 * y, w: 120, h: 60, to: [70 + 140 * i, 90 * y] }));
  for (const n of [2, 13, 40]) {
    for (const matters of [[], [0], [n - 1], [0, 1], [1, n - 1]]) {
      const [nodes, width, room] = [made(n, 0), 140 * n, 900];
      const order = matters.map((i) => nodes[i]);
      const wide = leaning(nodes, width, Math.min(room, width), order.map((node) => [[node, node.w]]));
      const kept = new Set(order);
      const [level] = roomy(nodes, { width: wide, height: 90 });
      near(wide, n === 40 && matters.length ? wide : Math.min(room, width), "width");
      assert.ok(wide < width + 1e-6);
      level.forEach((node, i) => {
        assert.equal(node, nodes[i]);
        assert.ok(node.to[0] > (level[i - 1]?.to[0] ?? 0) && node.to[0] < wide);
        if (kept.has(node)) assert.ok(node.room >= node.w - 1e-6, `${node.room} of ${node.w}`);
      });
    }
  }
});

test("where more matters than has room, the first does", () => {
  const nodes = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, level: 0, y: 0, w: 120, h: 60, to: [70 + 140 * i, 0] }));
  const order = [nodes[7], ...nodes];
  roomy(nodes, { width: leaning(nodes, 2800, 600, order.map((node) => [[node, node.w]])), height: 90 });
  const [whole, cut] = [nodes.filter(({ room, w }) => room >= w), nodes.filter(({ room, w }) => room < w)];
  assert.ok(whole.includes(nodes[7]) && whole.includes(nodes[0]));
  assert.ok(cut.length > whole.length && cut.includes(nodes[19]));
});

test("what is alike keeps its words together, or none of it does", () => {
  for (const n of [3, 4, 8, 20]) {
    const nodes = Array.from({ length: n }, (_, i) => ({ id: `${i}`, level: 0, y: 0, w: 120, h: 60, to: [70 + 140 * i, 0] }));
    leaning(nodes, 140 * n, 600, [nodes.map((node) => [node, node.w])]);
    const claims = new Set(nodes.map(({ claim }) => Math.round(claim * 1e6)));
    assert.equal(claims.size, 1);
    const gaps = nodes.slice(1).map(({ to }, i) => Math.round(1e6 * (to[0] - nodes[i].to[0])));
    assert.equal(new Set(gaps).size, 1);
  }
});

test("a node that has room in short at first has all of it where it is free in the end", () => {
  const made = () => Array.from({ length: 4 }, (_, i) => ({ id: `${i}`, level: 0, y: 0, w: 200, h: 60, to: [110 + 220 * i, 0] }));
  for (const [room, claims] of [[760, [200, 200, 60, 60]], [860, [200, 200, 200, 60]]]) {
    const nodes = made();
    const [one, two, left, right] = nodes;
    const brief = [left, right].map((node) => [[node, 60]]);
    leaning(nodes, 880, room, [[[one, 200]], ...brief, [[two, 200]], ...[left, right].map((node) => [[node, 200]])], 1);
    assert.deepEqual(nodes.map(({ claim }) => claim), claims);
  }
});

test("nearer is larger in both directions, and life size is the same in both", () => {
  for (const world of WORLDS) {
    const fit = fits(world, BOX, 1);
    let before = { sx: 0, sy: 0 };
    for (let k = fit.k; k <= 3; k *= 1.05) {
      const now = scales(k, fit, 1);
      assert.ok(now.sx > before.sx - 1e-9 && now.sy > before.sy - 1e-9);
      if (k >= 1) near(now.sx, now.sy);
      before = now;
    }
    const { sx, sy } = scales(fit.k, fit, 1);
    near(sx, fit.fx);
    near(sy, fit.fy);
  }
});

test("a place stays where it is seen when the size changes", () => {
  const world = WORLDS[2];
  const fit = fits(world, BOX, 1);
  const camera = { k: 0.1, x: -300, y: 20 };
  const at = { x: 4000, y: 700 };
  for (const k of [fit.k, 0.2, 1, 2.5]) {
    const [before, after] = [scales(camera.k, fit, 1), scales(k, fit, 1)];
    const moved = zoomed(camera, k, at, before, after);
    near(moved.x + at.x * after.sx, camera.x + at.x * before.sx);
    near(moved.y + at.y * after.sy, camera.y + at.y * before.sy);
  }
});

test("it is moved no further than there is something to be seen", () => {
  const camera = { k: 1, x: -100, y: 10 };
  const content = { width: 2000, height: 300 };
  assert.deepEqual(panned(camera, -50, 20, content, BOX), { k: 1, x: -150, y: 30 });
  assert.deepEqual(panned(camera, 5000, 5000, content, BOX), { k: 1, x: 0, y: 100 });
  assert.deepEqual(panned(camera, -5000, -5000, content, BOX), { k: 1, x: -1300, y: 0 });
});

test("the box scrolls to what a camera sees: no further than it is long, and by whole pixels", () => {
  for (const [at, length] of [[-120.4, 2000], [35.2, 2000], [-300.5, 500], [50, 300]]) {
    const { scroll, origin, inner } = placed(at, length, 700);
    assert.ok(Number.isInteger(scroll) && scroll >= 0 && scroll + 700 <= inner);
    near(origin - scroll, at);
    assert.ok(origin + length <= inner + 1);
  }
  assert.deepEqual(placed(50, 300, 700), { scroll: 0, origin: 50, inner: 700 });
});

test("what is chosen is brought into view by the least move", () => {
  assert.equal(nudge(30, 40, 100, 10), 0);
  assert.equal(nudge(95, 30, 100, 10), -35);
  assert.equal(nudge(-20, 30, 100, 10), 30);
  assert.equal(nudge(0, 90, 100, 10), 5);
});

test("sizes go from one to another by their ratio, and stay within bounds", () => {
  const middle = between({ k: 0.25, x: 0, y: 10 }, { k: 1, x: 100, y: 20 }, 0.5);
  near(middle.k, 0.5);
  assert.deepEqual([middle.x, middle.y], [50, 15]);
  assert.equal(within(0.01, 0.2), 0.2);
  assert.equal(within(99, 0.2), 3);
});

const card = (id, parent, level, x, children = []) => ({
  ...{ id, parent, level, x: x - 60, y: 8 + 140 * (level - 1), w: 120, h: 78, rows: 4, counts: [3, 1], cls: 0, mix: "mixed", children },
  ...{ kind: children.length ? "ask" : "answer", title: [children.length ? "Marital Status?" : "Cheat = No"], label: id, full: id },
});
// Of each second-level node two leaves, 134 units apart.
const SMALL = {
  width: 540,
  height: 380,
  cards: [
    card("root", null, 1, 270, ["0", "1"]),
    card("0", "root", 2, 136, ["0.0", "0.1"]),
    card("1", "root", 2, 404, ["1.0", "1.1"]),
    ...["0.0", "0.1", "1.0", "1.1"].map((id, i) => card(id, id[0], 3, 69 + 134 * i)),
  ],
  edges: [{ id: "0", label: "yes", full: "yes" }],
};

/** The nodes of a picture at their places, with what room they have. */
function seen(drawn, folded = new Set()) {
  const nodes = unfolded(nodesOf(drawn), folded);
  const whole = arranged(nodes, { ...drawn, margin: 8 }, folded.size > 0 || Boolean(drawn.far));
  const levels = roomy(nodes, whole);
  for (const node of nodes) Object.assign(node, { part: 0.1, name: node.asks ? "" : "No" });
  return { nodes, whole, levels };
}

test("what is told in short is a tree with the same names as its cards", () => {
  const far = {
    kids: [2, 2, -7, 0, 0],
    x: [200, -100, 200, -240, 100],
    rows: [9, 5, 4, 3, 2],
    cls: [0, 1, 0, 1, 0],
    pure: "56902",
    asks: [0, 1, 0, -1, -1],
    words: [["x1", "< 3?"], ["x2", "< 1?"]],
    high: 78,
    slots: [160, 130],
    top: "1.0",
    tops: [8, 150, 290, 430],
  };
  const nodes = nodesOf({ cards: [{ ...card("1.0", "1", 3, 200), children: [] }], edges: [], far });
  assert.deepEqual([...nodes.keys()], ["1.0", "1.0.0", "1.0.1", "1.0.0.0", "1.0.0.1"]);
  assert.deepEqual(nodes.get("1.0").kids, ["1.0.0", "1.0.1"]);
  assert.deepEqual([...nodes.values()].map(({ level }) => level), [0, 1, 1, 2, 2]);
  assert.deepEqual([...nodes.values()].map(({ x }) => x), [200, 100, 300, 60, 160]);
  assert.equal(nodes.get("1.0.1").below, 7);
  assert.deepEqual(["1.0.0", "1.0.1", "1.0.0.0", "1.0.0.1"].map((id) => nodes.get(id).mix), ["mixed", "pure", "tie", "mixed"]);
  assert.deepEqual(nodes.get("1.0.1").title, ["x1 < 3?"]);
  assert.deepEqual(nodes.get("1.0.1").halves, ["x1", "< 3?"]);
});

test("what is folded goes, and leaves no empty column", () => {
  const { nodes, whole } = seen(SMALL, new Set(["0"]));
  assert.deepEqual(nodes.map(({ id }) => id), ["root", "0", "1", "1.0", "1.1"]);
  assert.ok(whole.width < SMALL.width);
  for (const level of [1, 2]) {
    const row = nodes.filter((node) => node.level === level);
    row.slice(1).forEach((node, i) => assert.ok(node.to[0] - row[i].to[0] >= 120));
  }
  const all = seen(SMALL);
  assert.deepEqual(all.nodes.map(({ to }) => to[0]), SMALL.cards.map(({ x }) => x + 60));
  assert.equal(all.whole.width, SMALL.width);
});

const LETTER = 7; // pixels: a common width
const measure = (text) => LETTER * text.length;

test("a node's form follows from its room: card, question, mark; and no type is below 11 pixels", () => {
  const { nodes } = seen(SMALL);
  const forms = (k, unit = 1) => nodes.map((node) => formOf(node, { sx: k * unit, sy: k * unit, unit }, measure));
  assert.ok(forms(1).every(({ form }) => form === "card"));
  assert.ok(forms(2.5).every(({ form, scale }) => form === "card" && scale === 2.5));
  assert.ok(forms(0.6).some(({ form }) => form === "short"));
  assert.ok(forms(0.05).every(({ form }) => form === "mark"));
  for (const unit of [0.7, 1, 1.5]) {
    for (let k = 0.02; k < 3; k *= 1.1) {
      for (const { form, scale } of forms(k, unit)) {
        if (form !== "mark") assert.ok(12 * scale * unit >= 11 - 1e-9, `${form} at ${k}`);
      }
    }
  }
  assert.equal(smallest(0.5), 11 / 6);
});

test("whatever their form, neighbours never touch, nor those on the next level", () => {
  const { levels } = seen(SMALL);
  for (let k = 0.02; k < 3; k *= 1.05) {
    const at = { sx: k, sy: Math.sqrt(k), unit: 1 };
    levels.forEach((level, i) => {
      for (const node of level) node.as = formOf(node, at, measure);
      level.slice(1).forEach((node, j) => {
        const apart = (node.to[0] - level[j].to[0]) * at.sx;
        assert.ok((node.as.w + level[j].as.w) / 2 <= apart + 0.2, `level ${i} at ${k}`);
      });
      for (const node of level) assert.ok(node.as.h <= node.drop * at.sy + 0.5);
    });
  }
});

test("a branch is as wide as its rows, and turns below all cards", () => {
  assert.equal(breadth(1), 7);
  assert.equal(breadth(0.5), 3.5);
  assert.equal(breadth(0.001), 1.25);
  assert.equal(branchPath(10, 20, 50, 100, 24), "M10 20V76C10 88 50 88 50 100");
  assert.equal(branchPath(10, 90, 50, 100, 24), "M10 90V90C10 95 50 95 50 100");
});

test("before a class a tree that is narrower than its box has its nodes moved apart, and no other", () => {
  for (const world of WORLDS) {
    const share = widened(world, BOX, 1);
    assert.ok(share >= 1 && share <= 1.6);
    if (share > 1) assert.ok(world.width * share < BOX.width);
    else assert.ok(world.width > BOX.width - 16.1);
  }
});

test("a tree that grows no more stands in the middle of its box, another at its top", () => {
  const world = { width: 200, height: 100 };
  const box = { width: 800, height: 500 };
  assert.equal(fitted(world, box, 1).y, 12);
  assert.equal(fitted(world, box, 1, true).y, 160);
});

test("before a class a small tree fills its box, and no larger one is cut", () => {
  for (const world of WORLDS) {
    const grown = enlarged(world, BOX, 1);
    assert.ok(grown >= 1 && grown < 2);
    if (grown > 1) assert.ok(world.width * grown < BOX.width && world.height * grown < BOX.height);
    else assert.ok(fits(world, BOX, 1).k < 1);
  }
});

// Piles of marks, and the ways that marks take through a tree, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { along, branches, onTheWay, piled, slot, traced } from "../../dtree_lab/labs/browser/piles.mjs";
import { clearance, formOf } from "../../dtree_lab/labs/browser/treescene.mjs";

const near = (a, b, what = "") => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b)), `${what} ${a} is not ${b}`);
const COUNTS = [0, 1, 2, 3, 10, 47, 333, 600];

/** The middles of all marks of a pile. */
const middles = (pile, held) => held.flatMap((n, table) => Array.from({ length: n }, (_, i) => slot(pile, table, i)));

test("no two marks of a pile touch, and all lie in it", () => {
  for (const first of COUNTS) {
    for (const second of COUNTS) {
      for (const r of [2, 3.3, 5]) {
        for (const [wide, widest, highest] of [[60, 60, 2000], [120, 400, 60], [120, 4000, 13], [300, 300, 300]]) {
          const pile = piled([first, second], wide, widest, highest, r);
          if (!pile) continue;
          const all = middles(pile, [first, second]);
          const taken = new Set(all.map(([x, y]) => `${Math.round(x / pile.pitch - 0.5)} ${Math.round(y / pile.pitch - 0.5)}`));
          assert.equal(taken.size, first + second);
          assert.ok(pile.pitch >= 2 * 1.15 * r); // 1.15: the furthest corner of any mark
          assert.ok(pile.wide <= widest + 1e-6 && pile.tall <= highest + 1e-6);
          for (const [x, y] of all) {
            assert.ok(x >= pile.pitch / 2 - 1e-9 && x <= pile.wide - pile.pitch / 2 + 1e-9, `${x} of ${pile.wide}`);
            assert.ok(y >= pile.pitch / 2 - 1e-9 && y <= pile.tall - pile.pitch / 2 + 1e-9);
          }
        }
      }
    }
  }
});

test("a pile has room exactly where its marks have", () => {
  for (const n of COUNTS.slice(1)) {
    const pitch = 2.4 * 2;
    for (const lines of [1, 4, 9]) {
      const least = Math.ceil(n / lines) * pitch;
      assert.ok(piled([n, 0], 1, least + 0.01, lines * pitch + 0.01, 2));
      assert.equal(piled([n, 0], 1, least - 0.01, lines * pitch + 0.01, 2), null);
    }
    assert.equal(piled([n, 0], 100, 1e6, pitch - 0.1, 2), null);
  }
});

test("marks of two tables lie beside each other, with a column between", () => {
  const pile = piled([30, 10], 100, 100, 100, 2);
  const rightOf = Math.max(...Array.from({ length: 30 }, (_, i) => slot(pile, 0, i)[0]));
  const leftOf = Math.min(...Array.from({ length: 10 }, (_, i) => slot(pile, 1, i)[0]));
  assert.ok(leftOf - rightOf > 1.9 * pile.pitch);
});

test("the way between two nodes goes up to where their ways part, then down", () => {
  const said = (a, b) => branches(a, b).map(({ id, up }) => (up ? `^${id}` : id)).join(" ");
  assert.equal(said("root", "0.1"), "0 0.1");
  assert.equal(said("0.1.0", "root"), "^0.1.0 ^0.1 ^0");
  assert.equal(said("0.1", "0.0.2"), "^0.1 0.0 0.0.2");
  assert.equal(said("1", "10"), "^1 10"); // 10 is no child of 1
  assert.equal(said("1.0", "1.0"), "");
});

test("a branch is followed from end to end, never back up", () => {
  const line = traced([100, 50, 30, 120, 40], 130);
  assert.deepEqual(along(line, 0), [100, 50]);
  assert.deepEqual(along(line, line.long), [30, 130]);
  let [before, far] = [along(line, 0), 0];
  for (let i = 1; i <= 200; i++) {
    const now = along(line, (line.long * i) / 200);
    far += Math.hypot(now[0] - before[0], now[1] - before[1]);
    assert.ok(now[0] <= before[0] + 1e-9 && now[1] >= before[1] - 1e-9);
    before = now;
  }
  assert.ok(far > 0.98 * line.long && far <= line.long + 1e-9);
});

test("who is half-way has gone half of the way, up one branch and down another", () => {
  const straight = (x1, y1, x2, y2) => traced([x1, y1, x2, y2, 0], y2);
  const legs = [{ up: true, line: straight(0, 10, 0, 40) }, { up: false, line: straight(0, 10, 0, 70) }];
  // From (0, 45): 5 to the branch, 30 up it, none between, 60 down, 5 to the end.
  const at = (share) => onTheWay([0, 45], legs, [0, 75], share);
  near(at(0).at[1], 45);
  near(at(5 / 100).at[1], 40);
  near(at(35 / 100).at[1], 10);
  near(at(65 / 100).at[1], 40);
  near(at(1).at[1], 75);
  assert.deepEqual([0, 0.2, 0.6, 0.99].map((share) => at(share).leg), [-1, 0, 1, 2]);
  near(onTheWay([3, 4], [], [6, 8], 0.5).at[0], 4.5);
});

test("a leaf's pile stands in its card, or in the place of its strip; without room there is none", () => {
  const card = { pile: { across: [6, 0], up: 50, adds: 8, whole: true }, full: "Cheat = No", title: ["Cheat = No"], tag: "" };
  const leaf = { card, title: card.title, halves: card.title, name: "No", asks: false, held: [12, 0], size: 5, w: 120, h: 86, mix: "pure", part: 0.5, last: false };
  const measure = (text) => 7 * text.length;
  const form = (more, at = 1) => formOf({ ...leaf, ...more }, { sx: at, sy: at, unit: 1 }, measure);
  const large = form({ room: 200, drop: 200 });
  assert.equal(large.form, "card");
  for (const [x, y] of middles(large.pile, [12, 0])) {
    assert.ok(Math.abs(large.pile.x + x) <= 60 - 5 && large.pile.y + y > 30 && large.pile.y + y < large.h - 20);
  }
  assert.equal(form({ room: 200, drop: 124 }).pile, null); // the strip of the bare card is as low as ever
  const short = form({ room: 110, drop: 100 });
  assert.equal(short.form, "short");
  for (const [x, y] of middles(short.pile, [12, 0])) {
    assert.ok(Math.abs(short.pile.x + x) <= short.w / 2 - 5 && short.pile.y + y > 13 && short.pile.y + y < short.h - 5);
  }
  assert.equal(form({ room: 110, drop: 45 }).pile, null);
  assert.ok(form({ room: 110, drop: 45, deep: 120 }).pile);
  assert.equal(form({ room: 10, drop: 10 }).form, "mark");
});

test("a pile may hang down past other levels only where nothing is", () => {
  const node = (id, parent, level, px, py) => ({ id, parent, level, px, py, as: { w: 40, h: 20 } });
  const all = [node("root", null, 0, 200, 0), node("0", "root", 1, 100, 100), node("1", "root", 1, 300, 100)];
  all.push(node("1.0", "1", 2, 250, 200), node("1.1", "1", 2, 350, 200), node("1.0.0", "1.0", 3, 110, 300));
  const levels = [0, 1, 2, 3].map((level) => all.filter((one) => one.level === level));
  const parents = new Map(all.map((one) => [one.id, one]));
  const free = (id) => clearance(parents.get(id), levels, parents, 1, 400);
  assert.ok(free("0") > 100 && free("0") < 200); // past the next level, to above the one whose branch goes under it
  assert.ok(free("1.1") > 190); // to the floor
  assert.ok(free("1") < 100); // its own branches
});

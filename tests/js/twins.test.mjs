// What the browser knows as Python does, because a hand is faster than a message: one file of cases, worked by hand.
// tests/labs/test_twins.py holds Python to the same file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { literal } from "../../dtree_lab/labs/browser/keeping.mjs";
import { midpoint, numberText, parseNumber, plural, wrongCut } from "../../dtree_lab/labs/browser/numbers.mjs";
import { APART, above, below, columns, isWithin } from "../../dtree_lab/labs/browser/piles.mjs";
import * as card from "../../dtree_lab/labs/browser/treecard.mjs";
import * as scene from "../../dtree_lab/labs/browser/treescene.mjs";
import { laidOut } from "../../dtree_lab/labs/browser/wall.mjs";

const CASES = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));

/** A test of all cases of a name, which says which of them fail. */
const each = (name, words, check) =>
  test(words, () => {
    for (const one of CASES[name]) check(one, JSON.stringify(one));
  });

each("columns", "columns are shared between two tables", ({ held, room, columns: right }, said) =>
  assert.deepEqual(columns(held, room), right, said),
);

each("written", "numbers are written", ([x, text], said) => assert.equal(numberText(x), text, said));

each("typed", "what is typed is read", ([text, x], said) => assert.equal(parseNumber(text), x, said));

each("refused", "a cut that leaves a branch empty is refused", ([text, why], said) =>
  assert.equal(wrongCut(text, "Income", { min: 60, max: 220 }), why, said),
);

each("literals", "a text is written as code that Python reads", ([text, code], said) => assert.equal(literal(text), code, said));

each("middles", "the middle of two neighbours parts them", ([[low, high], middle], said) => assert.equal(midpoint(low, high), middle, said));

each("plurals", "things are counted", ([n, word, text], said) => assert.equal(plural(n, word), text, said));

each("ids", "nodes are named by their branches", ({ path, id, above: up, within, without }, said) => {
  assert.equal(path.reduce(below, "root"), id, said);
  assert.equal(above(id), up, said);
  for (const top of within) assert.ok(isWithin(id, top), `${id} in ${top}`);
  for (const other of without) assert.ok(!isWithin(id, other), `${id} not in ${other}`);
});

test("a large tree is told in short", () => {
  const { told, nodes } = CASES.far;
  const found = scene.nodesOf({ cards: [], edges: [], far: { ...told, top: "root", tops: [8, 150, 290] } });
  const line = ({ id, parent, x, rows, cls, mix, halves, below: untold }) => [id, parent, x, rows, cls, mix, halves, untold];
  assert.deepEqual([...found.values()].map(line), nodes);
});

each("breadths", "a branch is as wide as its rows", ([share, wide], said) => assert.equal(scene.breadth(share), wide, said));

test("cards have one size", () => {
  const own = { APART, ...scene, ...card };
  for (const [name, size] of Object.entries(CASES.sizes)) assert.equal(own[name], size, name);
});

each("shapes", "a small tree is laid out", ({ shape, knots }, said) => {
  const flat = (knot) => [knot, ...knot.below.flatMap(flat)];
  const found = flat(laidOut(shape, 1e6, 1e6 + 11)); // places are written to a tenth
  assert.deepEqual(found.map(({ rows, cls, folded }) => [rows, cls ?? null, folded ?? false]), knots.map((one) => one.slice(2)), said);
  found.forEach(({ x, y }, i) => {
    assert.ok(Math.abs(x / 1e6 - knots[i][0]) < 1e-6 && Math.abs((y - 5) / 1e6 - knots[i][1]) < 1e-6, `${said} ${i}`);
  });
});

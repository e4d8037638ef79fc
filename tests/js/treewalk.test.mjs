// The tree's keys and ways, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  depthFirst,
  keyTarget,
  pathTo,
  shares,
  typedTarget,
} from "../../dtree_lab/labs/browser/treewalk.mjs";

const card = (id, parent, children, title) => ({ id, parent, children, title: [title], full: title });
// Breadth first, as Python lists them.
const CARDS = [
  card("root", null, ["0", "1"], "Refund"),
  card("0", "root", [], "No"),
  card("1", "root", ["1.0", "1.1"], "Marital Status"),
  card("1.0", "1", [], "Yes"),
  card("1.1", "1", [], 'no, with "quotes"'),
];

test("cards are walked from parent to child", () => {
  assert.deepEqual(depthFirst(CARDS), ["root", "0", "1", "1.0", "1.1"]);
});

test("children that are not drawn are not walked to", () => {
  const folded = [card("root", null, ["0", "1"], "Refund"), card("0", "root", ["0.0"], "No")];
  assert.deepEqual(depthFirst(folded), ["root", "0"]);
  assert.equal(keyTarget(folded, "0", "ArrowRight"), "0");
});

const KEYS = [
  ["root", "ArrowDown", "0"],
  ["0", "ArrowDown", "1"],
  ["1.1", "ArrowDown", "1.1"],
  ["1.0", "ArrowUp", "1"],
  ["root", "ArrowUp", "root"],
  ["1", "ArrowRight", "1.0"],
  ["0", "ArrowRight", "0"],
  ["1.1", "ArrowLeft", "1"],
  ["root", "ArrowLeft", "root"],
  ["1", "Home", "root"],
  ["root", "End", "1.1"],
  ["root", "a", null],
  ["root", "constructor", null],
];
for (const [from, key, to] of KEYS) {
  test(`${key} leads from ${from} to ${to}`, () => assert.equal(keyTarget(CARDS, from, key), to));
}

test("a letter leads to the next card that begins with it, round and round", () => {
  assert.equal(typedTarget(CARDS, "root", "n"), "0");
  assert.equal(typedTarget(CARDS, "0", "N"), "1.1");
  assert.equal(typedTarget(CARDS, "1.1", "n"), "0");
  assert.equal(typedTarget(CARDS, "0", "x"), "0");
});

test("letters typed together are one word, which may be where one is", () => {
  assert.equal(typedTarget(CARDS, "0", "no"), "0");
  assert.equal(typedTarget(CARDS, "0", "no,"), "1.1");
});

test("the path to a card is the card and all above it", () => {
  assert.deepEqual([...pathTo(CARDS, "1.1")], ["1.1", "1", "root"]);
  assert.deepEqual([...pathTo(CARDS, "gone")], []);
});

test("a strip's shares fill it, and a class without rows has none", () => {
  assert.deepEqual(shares([7, 0, 3], 100), [
    [0, 0, 70],
    [2, 70, 30],
  ]);
  assert.deepEqual(shares([0, 0], 100), []);
});

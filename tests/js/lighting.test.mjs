// What is said of rows that are lit, and which of them a pointer means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classOf, countText, inside, nearest, rowText, wayOf, wayText } from "../../dtree_lab/labs/browser/lighting.mjs";

const ROWS = {
  names: ["Refund", "Income", "Cheat"],
  columns: [[["Yes", "No"], [0, 1, -1]], [null, [125, null, 70.5]], [["No", "Yes"], [0, 0, 1]]],
  numbers: null,
};

test("a row is told with its number and its values, in the order of the table", () => {
  assert.equal(rowText(ROWS, 0), "Row 1: Refund = Yes, Income = 125, Cheat = No");
  assert.equal(rowText(ROWS, 1), "Row 2: Refund = No, Income = missing, Cheat = No");
  assert.equal(rowText({ ...ROWS, numbers: [1, 4, 9] }, 2), "Row 9: Refund = missing, Income = 70.5, Cheat = Yes");
  assert.equal(rowText({ ...ROWS, word: "Point", numbers: [5, 7, 8], keys: [5, 7, 8] }, 7), "Point 7: Refund = No, Income = missing, Cheat = No");
});

test("of a row that is not told nothing is said: of another table's, or beyond the last", () => {
  for (const row of [-1, 3]) assert.deepEqual([rowText(ROWS, row), classOf(ROWS, row)], [null, null]);
  assert.equal(rowText(undefined, 0), null);
  assert.equal(classOf(ROWS, 2), "Yes");
});

test("several rows are counted, in the order of the classes", () => {
  assert.equal(countText(["Yes", "No", "No"], ["No", "Yes", "Maybe"]), "3 rows: 2 No, 1 Yes");
  assert.equal(countText([null], ["No"]), "1 row");
});

const NODES = [
  { id: "root", parent: null, card: { full: "Income < 80?" }, asks: true },
  { id: "0", parent: "root", card: { full: "Refund?" }, word: { attribute: "Income", op: "<", value: "80" }, asks: true },
  { id: "1", parent: "root", card: { full: "Cheat = Yes" }, word: { attribute: "Income", op: "≥", value: "80" }, asks: false, name: "Yes" },
  { id: "0.0", parent: "0", title: ["Cheat = No"], word: { attribute: "Refund", op: "=", value: "Yes, Some" }, asks: false, name: "No" },
];

test("a way is told by what holds on it, and its answer by whether it is right", () => {
  const way = [NODES[0], NODES[1], NODES[3]];
  assert.equal(wayText(way, "No"), "Income < 80 → Refund = Yes, Some → Cheat = No (right)");
  assert.equal(wayText([NODES[0], NODES[2]], "No"), "Income ≥ 80 → Cheat = Yes (wrong)");
  assert.equal(wayText([NODES[0], NODES[2]], null), "Income ≥ 80 → Cheat = Yes");
  assert.equal(wayText([NODES[0]], "No"), "");
  assert.equal(wayText([NODES[0], NODES[1]], "No"), "Income < 80");
});

test("a way is told as Python has it, whatever the names and values begin with", () => {
  const word = (attribute, op, value) => ({ asks: false, word: { attribute, op, value }, title: ["y = 1"] });
  const [root] = NODES;
  assert.equal(wayText([root, word("a < b", "≥", "80")], null), "a < b ≥ 80 → y = 1");
  assert.equal(wayText([root, word("income", "=", "<=50K")], null), "income = <=50K → y = 1");
});

test("a row's way is found from where its mark rests; test rows come after those of the table", () => {
  const all = new Map(NODES.map((node) => [node.id, node]));
  const tree = { all, view: { marks: { each: 1, n: [2, 1], at: "030200" } } };
  assert.deepEqual(wayOf(tree, 0), ["root", "0", "0.0"]);
  assert.deepEqual(wayOf(tree, 1), ["root", "1"]);
  assert.deepEqual(wayOf(tree, -1), ["root"]);
  for (const row of [2, -2]) assert.equal(wayOf(tree, row), null);
  tree.view.marks.at = "--0200"; // in no node of the picture
  assert.equal(wayOf(tree, 0), null);
  tree.view.marks.each = 2; // marks are no rows then
  assert.equal(wayOf(tree, 1), null);
  assert.equal(wayOf({ all, view: {} }, 0), null);
});

test("a pointer means the nearest mark within reach, a rectangle each row in it once", () => {
  const spots = [[10, 10], [20, 10], [20, 30]].map(([x, y], row) => ({ row, x, y }));
  assert.equal(nearest(spots, { x: 14, y: 10 }, 8).row, 0);
  assert.equal(nearest(spots, { x: 17, y: 12 }, 8).row, 1);
  assert.equal(nearest(spots, { x: 40, y: 40 }, 8), null);
  assert.deepEqual(inside([...spots, spots[1]], { left: 15, right: 25, top: 5, bottom: 15 }), [1]);
});

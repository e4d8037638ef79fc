// What the widgets know about numbers, cuts and sending, and what holds for all their files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { sums } from "../../dtree_lab/labs/browser/questions.mjs";
import {
  allowed,
  niceStep,
  nextMiddle,
  outline,
  paced,
  percent,
  placeTicks,
  wrongCut,
} from "../../dtree_lab/labs/browser/numbers.mjs";
import { scaled, within } from "../../dtree_lab/labs/browser/parts.mjs";

const WIDGETS = new URL("../../dtree_lab/labs/", import.meta.url);
const FILES = readdirSync(WIDGETS, { recursive: true })
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => ({ file, source: readFileSync(new URL(file, WIDGETS), "utf8") }));

test("a slider's step is 1, 2 or 5 times a power of ten, and fine enough", () => {
  assert.equal(niceStep(160), 0.5);
  assert.equal(niceStep(300), 1);
  assert.equal(niceStep(0.006), 0.00002);
  assert.equal(niceStep(0), 1);
  for (const span of [1e-9, 0.37, 7, 4321, 8e12]) {
    assert.ok(span / niceStep(span) >= 299 && span / niceStep(span) <= 751, `${span}`);
  }
});

test("a place on an axis is a percentage, in its middle when there is no length", () => {
  assert.equal(percent(97.5, { min: 60, max: 220 }), 23.4375);
  assert.equal(percent(500, { min: 60, max: 220 }), 100);
  assert.equal(percent(5, { min: 5, max: 5 }), 50);
});

test("a cut always leaves a row on either side", () => {
  assert.equal(allowed(60, { min: 60, max: 220 }, 0.5), 60.5);
  assert.equal(allowed(500, { min: 60, max: 220 }, 0.5), 220);
  assert.equal(allowed(97.3, { min: 60, max: 220 }, 0.5), 97.3);
});

test("what is typed and is no number is said to be none", () => {
  const wrong = (text) => wrongCut(text, "Income", { min: 60, max: 220 });
  assert.equal(wrong("abc"), '"abc" is not a number.');
  assert.equal(wrong("1e309"), '"1e309" is not a number.');
  assert.equal(wrong(" "), "A cut is a number.");
});

test("the words under an axis never touch: the ends give way to the best cut", () => {
  assert.deepEqual(placeTicks(300, 50, [20, 30, 60]), { start: 120, least: true, most: true });
  assert.deepEqual(placeTicks(300, 23, [20, 30, 60]), { start: 39, least: true, most: true });
  assert.deepEqual(placeTicks(300, 15, [20, 30, 60]), { start: 15, least: false, most: true });
  assert.deepEqual(placeTicks(300, 0, [20, 30, 60]), { start: 0, least: false, most: true });
  assert.deepEqual(placeTicks(300, 100, [20, 30, 60]), { start: 240, least: true, most: false });
  assert.deepEqual(placeTicks(100, 50, [20, 30, 0]), { start: 50, least: true, most: true });
  assert.deepEqual(placeTicks(50, 50, [20, 30, 0]), { start: 25, least: false, most: true });
});

test("the next middle lies between two values, past the cut", () => {
  const points = [
    [60, 0, 1],
    [70, 0, 1],
    [70, 1, 2],
    [90, 1, 1],
  ];
  assert.equal(nextMiddle(points, 65, 1), 80);
  assert.equal(nextMiddle(points, 80, -1), 65);
  assert.equal(nextMiddle(points, 65, -1), 65);
});

test("the sum shows how H(Y|X) comes about, unless it must be hidden or is too long", () => {
  const bar = {
    left: "0.600",
    ratio: "0.185",
    groups: [
      { rows: 4, entropy: "1.000" },
      { rows: 4, entropy: "0.000" },
      { rows: 2, entropy: "1.000" },
    ],
  };
  assert.deepEqual(sums(bar, 10), [
    "H(Y|X) = 4/10 · 1.000 + 4/10 · 0.000 + 2/10 · 1.000 = 0.600",
    "gain ratio 0.185",
  ]);
  assert.deepEqual(sums(bar, 11), ["gain ratio 0.185"]); // a row with a missing value is in no branch
  assert.deepEqual(sums({ ...bar, groups: [{ rows: 10, entropy: "" }] }, 10), []);
});

/** A clock whose frames are run by hand. */
function clock() {
  const frames = [];
  return {
    frames,
    next: (step) => frames.push(step),
    run: (now) => frames.splice(0).forEach((step) => step(now)),
  };
}

test("only the newest value of a frame is sent", () => {
  const sent = [];
  const { next, run } = clock();
  const drafts = paced((value) => sent.push(value), next, 250);
  [1, 2, 3].forEach(drafts.push);
  run(0);
  run(16);
  assert.deepEqual(sent, [3]);
});

test("the next one waits for the answer, or for its time to run out", () => {
  const sent = [];
  const { next, run } = clock();
  const drafts = paced((value) => sent.push(value), next, 250);
  drafts.push(1);
  run(0);
  drafts.push(2);
  run(16);
  assert.deepEqual(sent, [1]);
  drafts.answered();
  run(32);
  assert.deepEqual(sent, [1, 2]);
  drafts.push(3);
  run(100);
  run(300);
  assert.deepEqual(sent, [1, 2, 3]);
});

test("a dropped value is not sent, and nothing goes on running", () => {
  const sent = [];
  const { frames, next, run } = clock();
  const drafts = paced((value) => sent.push(value), next, 250);
  drafts.push(1);
  drafts.drop();
  run(0);
  assert.deepEqual([sent, frames], [[], []]);
});

test("what waits is sent at once before something else, and counts as sent", () => {
  const sent = [];
  const { frames, next, run } = clock();
  const drafts = paced((value) => sent.push(value), next, 250);
  drafts.push(1);
  drafts.flush();
  drafts.flush();
  run(0);
  assert.deepEqual([sent, frames, drafts.idle()], [[1], [], true]);
});

test("a mark's outline is moved to its place and made as large as it is to be", () => {
  assert.equal(outline("M0,-1L1.05,0.85L-1.05,0.85Z", 10, 20, 2), "M10.00,18.00L12.10,21.70L7.90,21.70Z");
  const circle = Array.from({ length: 32 }, (_, i) => [Math.cos((i * Math.PI) / 16), Math.sin((i * Math.PI) / 16)]);
  const path = `M${circle.map(([u, v]) => `${u},${v}`).join("L")}Z`;
  assert.equal(outline(path, 10, 20, 3), "M7.00,20.00a3.00,3.00 0 1,0 6.00,0.00a3.00,3.00 0 1,0 -6.00,0.00Z");
});

test("a place in a figure is told in the units of its axis, and held within it", () => {
  const axis = [10, 20];
  assert.deepEqual([0, 50, 125, 200, 260].map((at) => scaled(at, 50, 200, axis)), [10, 10, 15, 20, 20]);
  // The vertical axis grows upwards.
  assert.equal(scaled(30, 200, 0, axis), 18.5);
  assert.deepEqual([49, 50, 125, 200, 201].map((at) => within(at, 50, 200)), [false, true, true, true, false]);
  assert.ok(within(30, 200, 0));
});

for (const { file, source } of FILES) {
  test(`${file} makes no markup from data and asks nobody outside`, () => {
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(/);
    const addresses = source.match(/https?:\/\/[^"\s]*/g) ?? [];
    assert.deepEqual(
      addresses.filter((address) => address !== "http://www.w3.org/2000/svg"),
      [],
    );
  });
}

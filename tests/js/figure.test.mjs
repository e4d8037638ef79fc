// How a figure is stretched: what is in the frame goes along with it, what stands around keeps its distance.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted, isRead, pathMoved, typeScale } from "../../dtree_lab/labs/browser/figure.mjs";

const FIGURE = { width: 400, height: 200, frame: { left: 40, top: 20, right: 390, bottom: 160, x: [0, 1], y: [0, 1] } };

test("without a room a figure is as Python laid it out", () => {
  const { width, height, frame, x, y } = fitted(FIGURE);
  assert.deepEqual([width, height, frame], [400, 200, FIGURE.frame]);
  assert.deepEqual([x(77), y(3)], [77, 3]);
});

test("in a wider room the frame is wider, and what is around it keeps its distance", () => {
  const { width, height, frame, x, y } = fitted(FIGURE, { width: 500, height: 200 });
  assert.deepEqual([width, height], [500, 200]);
  assert.deepEqual([frame.left, frame.right, frame.top, frame.bottom], [40, 490, 20, 160]);
  assert.deepEqual([x(30), x(40), x(390), x(400)], [30, 40, 490, 500]);
  assert.equal(x(40 + 350 / 2), 40 + 450 / 2); // the middle of the frame
  assert.deepEqual([y(10), y(90), y(180)], [10, 90, 180]);
});

test("order on an axis is kept, so that what did not collide does not", () => {
  const { x } = fitted(FIGURE, { width: 900, height: 300 });
  const places = Array.from({ length: 400 }, (_, i) => x(i));
  for (let i = 1; i < 400; i++) assert.ok(places[i] - places[i - 1] > 0.99);
});

test("type grows where there is much room, and shrinks only where there is little", () => {
  assert.equal(typeScale(1, 1), 1);
  assert.equal(typeScale(1.3, 2), 1);
  assert.equal(typeScale(1.2, 0.8), 1); // pushed together
  assert.ok(typeScale(1.2, 0.6) < 1);
  assert.equal(typeScale(0.8, 3), 0.8); // words would lie on each other
  assert.ok(typeScale(1.6, 1.6) > 1);
  assert.equal(typeScale(9, 9), 1.35);
});

test("a path's places are moved, one by one or in pairs; relative pieces are not", () => {
  const twice = (v) => 2 * v;
  const up = (v) => v + 1;
  assert.equal(pathMoved("M1,2L3.5,4", twice, up), "M2,3L7,5");
  assert.equal(pathMoved("M1,2H5V9v5h-3", twice, up), "M2,3H10V10v5h-3");
  assert.equal(pathMoved("M-1,2L3,4 5,-6Z", twice, up), "M-2,3L6,5 10,-5Z");
});

const KEYS = [["0 0 120"], ["120 0 160"], ["0 24 90"]].map(([at]) => ["g", { class: "dtl-legend", "data-at": at }]);
const NAMED = { ...FIGURE, element: ["svg", {}, ...KEYS] };

test("a legend keeps its places where it has its width, and has more rows where it has not", () => {
  const still = fitted(NAMED, { width: 400, height: 200 }, 1);
  assert.deepEqual([...still.keys.values()], [[0, 0], [0, 0], [0, 0]]);
  assert.equal(still.frame.top, FIGURE.frame.top);
  const narrow = fitted(NAMED, { width: 250, height: 200 }, 1); // 200 in the frame
  assert.deepEqual([...narrow.keys.values()], [[0, 0], [-120, 24], [0, 24]]); // a row each
  assert.equal(narrow.frame.top, FIGURE.frame.top + 24);
  assert.equal(narrow.y(FIGURE.frame.top), narrow.frame.top); // what is in the frame goes with it
  assert.equal(narrow.y(FIGURE.frame.bottom), FIGURE.frame.bottom);
});

test("a frame is read until the words at its left meet", () => {
  const word = (x, y) => ["text", { x, y }, "0.1"];
  const element = ["svg", {}, word(35, 10), word(35, 40), word(35, 60), word(35, 110), word(90, 61)];
  const high = (bottom) => isRead({ frame: { top: 20, bottom } }, { ...FIGURE, element });
  assert.ok(high(160));
  assert.ok(high(91)); // the nearest two, 20 apart in 140, have 10 in 71
  assert.ok(!high(89));
  assert.ok(isRead({ frame: { top: 20, bottom: 21 } }, { ...FIGURE, element: ["svg", {}] }));
});

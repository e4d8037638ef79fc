// What a lab in a lecture asks of the server, as of a kernel.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shown } from "../../dtree_lab/stage/page/screen.mjs";

test("where an answer was lost with its kernel, what is shown is taken for it, and newer answers as they are", () => {
  const acts = [];
  const screen = { now: { told: '{"title":"A","answers":3}' }, hands: true, act: (message) => acts.push(message) };
  const shown = new Shown(screen);
  const heard = [];
  shown.on("change:told", () => heard.push(JSON.parse(shown.get("told")).answers));
  shown.send({ do: "live" });
  assert.deepEqual(heard, []);
  shown.send({ do: "next", n: 7 });
  shown.send({ do: "live", n: 7 });
  assert.deepEqual(heard, [7]);
  assert.deepEqual(acts, [{ do: "next", n: 7 }]);
  screen.now = { told: '{"title":"B","answers":9}' };
  assert.equal(JSON.parse(shown.get("told")).answers, 9);
});

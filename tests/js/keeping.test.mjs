// Writing into a cell's editor: all of it or nothing, whatever the editor does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { around, editorOf, holdAnew, holdStill, read, replace } from "../../dtree_lab/labs/browser/keeping.mjs";

class Given {
  constructor(type, more) {
    Object.assign(this, { type, ...more });
  }
}
globalThis.navigator ??= { platform: "Linux" }; // older Nodes have none
globalThis.KeyboardEvent = globalThis.ClipboardEvent = Given;
globalThis.DataTransfer = class {
  text = "";
  setData = (_, text) => (this.text = text);
  getData = () => this.text;
};

/** An editor that answers as CodeMirror does; `paste` says what becomes of what is pasted. */
function editor(code, paste = (text) => text) {
  return {
    code,
    all: false,
    isConnected: true,
    textContent: code,
    focus() {},
    dispatchEvent({ type, key, ctrlKey, metaKey, clipboardData: data }) {
      if (type === "keydown" && key === "a") this.all = Boolean(metaKey || ctrlKey);
      else if (type === "copy" && this.all && this.code) data.setData("text/plain", this.code);
      else if (type === "paste" && this.all) this.code = paste(data.text, this);
      else return true;
      return false;
    },
  };
}

test("the code is read and replaced", () => {
  const cell = editor("a\nb");
  assert.equal(read(cell), "a\nb");
  assert.equal(replace(cell, "a\nb", "c\n\nd"), "written");
  assert.equal(cell.code, "c\n\nd");
});

test("an empty cell is empty, and one that gives nothing is not read", () => {
  assert.equal(read(editor("")), "");
  const mute = { ...editor("a"), dispatchEvent: () => true };
  assert.equal(read(mute), null);
});

test("a cell that was changed meanwhile, or is gone, stays as it is", () => {
  const cell = editor("a + 1");
  assert.equal(replace(cell, "a", "b"), "changed");
  assert.equal(cell.code, "a + 1");
  assert.equal(replace(Object.assign(editor("a"), { isConnected: false }), "a", "b"), "changed");
});

test("what an editor mangles is put back", () => {
  const cell = editor("a", (text) => (text === "a" ? text : text.slice(0, 3)));
  assert.equal(replace(cell, "a", "longer"), "failed");
  assert.equal(cell.code, "a");
  const fixed = editor("a", () => "a");
  assert.equal(replace(fixed, "a", "b"), "failed");
  assert.equal(fixed.code, "a");
});

test("only a code cell with an editor that is seen and may be written counts", () => {
  const shown = { getClientRects: () => [1] };
  const element = (found) => ({ closest: () => found && { querySelector: () => found.editor } });
  assert.equal(editorOf(element(null)), null);
  assert.equal(editorOf(element({ editor: null })), null);
  assert.equal(editorOf(element({ editor: { getClientRects: () => [] } })), null);
  assert.equal(editorOf(element({ editor: shown })), shown);
});

test("a cell is known as it was run, and as a state was kept in it since; another is not", () => {
  const cells = [["T(t)", "T(t, state=", ")"]];
  const known = ["T(t)", "T(t, state='{}')", 'T(t, state="{\\"a\\"}")'];
  for (const source of known) assert.deepEqual(around(cells, source), ["T(t, state=", ")"]);
  const others = [null, "", "T(t, state=)", "T(u)", "T(t, state='a', x='b')", "T(t, state=f('a'))", "T(t, state=", "T(t, state='a''b')"];
  for (const source of others) assert.equal(around(cells, source), null);
});

/** A place 500 pixels down a page, frames that come when they are called, and hands that do something. */
function page() {
  const [frames, hands] = [[], new Map()];
  const scrolling = { scrollTop: 0 };
  globalThis.document = { scrollingElement: scrolling };
  globalThis.requestAnimationFrame = (next) => frames.push(next);
  globalThis.cancelAnimationFrame = (nth) => (frames[nth - 1] = undefined);
  globalThis.addEventListener = (kind, then) => hands.set(kind, then);
  globalThis.removeEventListener = (kind) => hands.delete(kind);
  const place = {
    isConnected: true,
    getRootNode: () => ({}),
    getBoundingClientRect: () => ({ top: 500 - scrolling.scrollTop }),
  };
  return {
    place,
    scrolling,
    hands,
    does: (kind, isTrusted = true) => hands.get(kind)?.({ isTrusted }),
    frame: () => frames.splice(0, frames.length, ...frames.map(() => undefined)).forEach((next) => next?.()),
  };
}

test("a place is held against an editor that scrolls, and not against a hand", () => {
  const { place, scrolling, hands, does, frame } = page();
  scrolling.scrollTop = 100;
  holdStill(place);
  scrolling.scrollTop = 400;
  does("keydown", false); // a key of ours
  frame();
  assert.equal(scrolling.scrollTop, 100);
  does("wheel");
  scrolling.scrollTop = 400;
  frame();
  assert.equal(scrolling.scrollTop, 400);
  assert.equal(hands.size, 0);
});

test("what is shown at a key is held where it is, although no frame came since the key", () => {
  const { place, scrolling, does, frame } = page();
  holdStill(place);
  frame();
  does("keydown");
  scrolling.scrollTop = 300; // the next question comes into view
  holdStill(place);
  scrolling.scrollTop = 450;
  frame();
  assert.equal(scrolling.scrollTop, 300);
});

test("a new question is held where it was brought, although the one before it is held elsewhere", () => {
  const { place, scrolling, frame } = page();
  scrolling.scrollTop = 260;
  holdStill(place); // the answer to the last but one is being written
  scrolling.scrollTop = 0; // the next question comes into view
  holdAnew(place);
  frame();
  assert.equal(scrolling.scrollTop, 0);
  scrolling.scrollTop = 109; // the editor scrolls to its cursor
  frame();
  assert.equal(scrolling.scrollTop, 0);
});

// Writing into a cell's editor: all of it or nothing, whatever the editor does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { around, editorOf, read, replace } from "../../dtree_lab/labs/browser/keeping.mjs";

class Given {
  constructor(type, more) {
    Object.assign(this, { type, ...more });
  }
}
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

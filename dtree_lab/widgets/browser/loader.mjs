// Every lab's own module. The code proper stands in models of its own, once for a notebook however many
// labs it has: here its files are linked, each once for a page.
const page = (globalThis[Symbol.for("dtree_lab")] ??= new Map());
const PREFIX = "IPY_MODEL_";

async function load(model) {
  const found = model.get("code").map((id) => model.widget_manager.get_model(id.slice(PREFIX.length)));
  const texts = new Map((await Promise.all(found)).map((file) => [file.get("name"), file.get("text")]));
  for (const [name, text] of texts) if (name.endsWith(".css")) dress(name, text);
  return import(address("lab.mjs", texts));
}

/** The address of a module, in which the names of those that it imports are replaced by theirs. */
function address(name, texts) {
  const linked = texts.get(name).replace(/(?<= from )"\.\/(\w+\.mjs)"/g, (_, file) => JSON.stringify(address(file, texts)));
  if (!page.has(linked)) {
    page.set(linked, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  return page.get(linked);
}

/** One style sheet of a name for a page: the newest. */
function dress(name, text) {
  const known = document.head.querySelector(`style[data-dtl-sheet="${name}"]`);
  const sheet = known ?? document.head.appendChild(document.createElement("style"));
  sheet.dataset.dtlSheet = name;
  if (sheet.textContent !== text) sheet.textContent = text;
}

export default {
  async render({ model, el }) {
    return (await load(model)).render({ model, el });
  },
};

// Every lab's own module. The code proper stands in models of its own, once for a notebook however many
// labs it has: here its files are linked, once for a page.
const page = (globalThis[Symbol.for("dtree_lab")] ??= new Map());
const PREFIX = "IPY_MODEL_";

/** The module that draws labs. The ids of its files are those of a kernel: after a restart there are others. */
function load(model) {
  const ids = model.get("code");
  const key = ids.join();
  if (!page.has(key)) page.set(key, link(model.widget_manager, ids).catch((error) => (page.delete(key), Promise.reject(error))));
  return page.get(key);
}

async function link(manager, ids) {
  const found = await Promise.all(ids.map((id) => manager.get_model(id.slice(PREFIX.length))));
  const texts = new Map(found.map((file) => [file.get("name"), file.get("text")]));
  for (const [name, text] of texts) if (name.endsWith(".css")) dress(name, text);
  const linked = new Map();
  // The address of a file, in which the names of those that it imports are replaced by theirs.
  const address = (name) => {
    if (!linked.has(name)) {
      const text = texts.get(name).replace(/(?<= from )"\.\/(\w+\.mjs)"/g, (_, file) => JSON.stringify(address(file)));
      linked.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
    return linked.get(name);
  };
  return import(address("lab.mjs"));
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

// Every widget's own module. The code proper is held by models of its own, once for a notebook: here
// its files are linked, those that others import first, and each once for a page.
const page = (globalThis[Symbol.for("dtree_lab")] ??= new Map());
const PREFIX = "IPY_MODEL_";

async function load(model) {
  const found = model.get("code").map((id) => model.widget_manager.get_model(id.slice(PREFIX.length)));
  const addresses = new Map();
  let last = null;
  for (const file of await Promise.all(found)) {
    const [name, text] = [file.get("name"), file.get("text")];
    if (name.endsWith(".css")) dress(name, text);
    else addresses.set(name, (last = address(text, addresses)));
  }
  return import(last);
}

/** The address of a module, its imports replaced by the addresses of those files. */
function address(text, addresses) {
  const linked = text.replace(/(?<= from )"\.\.\/([\w/]+\.mjs)"/g, (_, file) => JSON.stringify(addresses.get(file)));
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

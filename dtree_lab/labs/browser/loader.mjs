// Every lab's own module. The code proper stands in models of its own, once for a notebook however many
// labs it has: here its files are linked, once for a page.
import { linked } from "./linking.mjs";

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
  return linked(new Map(found.map((file) => [file.get("name"), file.get("text")])));
}

export default {
  async render({ model, el }) {
    return (await load(model)).render({ model, el });
  },
};

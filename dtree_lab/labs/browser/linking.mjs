// The modules of the labs in a page that has nothing to resolve their imports against: in each file the
// names of those that it imports are replaced by their addresses. Python puts this before those who use it.

// The style sheets by name, one of each for all labs of a page: the newest.
const styles = (globalThis[Symbol.for("dtree_lab sheets")] ??= new Map());

/** What draws labs, given the text of each file by its name; their style comes to wherever they are drawn. */
export async function linked(texts) {
  for (const [name, text] of texts) {
    if (!name.endsWith(".css")) continue;
    if (!styles.has(name)) styles.set(name, new CSSStyleSheet());
    styles.get(name).replaceSync(text);
  }
  const known = new Map();
  const address = (name) => {
    if (!known.has(name)) {
      const text = texts.get(name).replace(/(?<= from )"\.\/(\w+\.mjs)"/g, (_, file) => JSON.stringify(address(file)));
      known.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
    return known.get(name);
  };
  const { render } = await import(address("lab.mjs"));
  return { render: (given) => (dress(given.el), render(given)) };
}

/** What stands in an element of a page as deflated JSON, written as base64. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Give the style sheets to the page that a lab stands in, or to the shadow root where a host keeps it apart. */
function dress(el) {
  const root = el.getRootNode();
  if (root.host) followTheme(el, root.host);
  if (root.adoptedStyleSheets) root.adoptedStyleSheets = [...new Set([...root.adoptedStyleSheets, ...styles.values()])];
  // It stands nowhere yet: once it does, and before it is measured there.
  else new ResizeObserver((_, waiting) => el.isConnected && (waiting.disconnect(), dress(el))).observe(el);
}

/** A rule in a shadow root does not see what the page says of its theme: it is said again inside. */
function followTheme(el, host) {
  const { colorScheme } = getComputedStyle(host);
  const isLight = host.closest("[data-jp-theme-light]")?.dataset.jpThemeLight ?? { light: "true", dark: "false" }[colorScheme];
  if (isLight) el.dataset.jpThemeLight = isLight;
}

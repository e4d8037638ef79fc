// The modules of the labs in a page that has nothing to resolve their imports against: in each file the
// names of those that it imports are replaced by their addresses. Python puts this before those who use it.

/** The module that draws labs, given the text of each file by its name; style sheets are put into the page. */
export function linked(texts) {
  for (const [name, text] of texts) if (name.endsWith(".css")) dress(name, text);
  const known = new Map();
  const address = (name) => {
    if (!known.has(name)) {
      const text = texts.get(name).replace(/(?<= from )"\.\/(\w+\.mjs)"/g, (_, file) => JSON.stringify(address(file)));
      known.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
    return known.get(name);
  };
  return import(address("lab.mjs"));
}

/** What stands in an element of a page as deflated JSON, written as base64. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** One style sheet of a name for a page: the newest. */
function dress(name, text) {
  const known = document.head.querySelector(`style[data-dtl-sheet="${name}"]`);
  const sheet = known ?? document.head.appendChild(document.createElement("style"));
  sheet.dataset.dtlSheet = name;
  if (sheet.textContent !== text) sheet.textContent = text;
}

// What `contrast.py` asks of a page: words that can be hidden by themselves, and where things are.
(() => {
  const around = (one) => one.closest(".dtl-scroll, .dtl-treebox")?.getBoundingClientRect();
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** Words of a page get an element of their own: hidden, they leave what they stand on. */
  function wrap(root) {
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) found.push(walk.currentNode);
    for (const text of found) {
      const holder = text.parentElement;
      const skipped = holder.closest("svg, option, style, script, .dtl-unseen");
      if (!text.textContent.trim() || skipped) continue;
      const word = document.createElement("span");
      word.className = "measured-word";
      text.replaceWith(word);
      word.append(text);
    }
  }

  function unwrap(root) {
    for (const word of root.querySelectorAll(".measured-word")) word.replaceWith(...word.childNodes);
  }

  /** Each thing of a kind that is not scrolled away: its name, whether it is off, its box. */
  function things(root, kind) {
    const found = [];
    for (const one of [...root.querySelectorAll(kind)].filter(seen)) {
      const [{ left, right, top, bottom }, box] = [one.getBoundingClientRect(), around(one)];
      const across = !box || (left >= box.left - 1 && right <= box.right + 1);
      if (!across || (box && (top < box.top - 1 || bottom > box.bottom + 1))) continue;
      const looks = one.getAttribute("class") ?? one.getAttribute("aria-label") ?? "";
      const isWord = one.matches("text, .measured-word");
      const name = isWord ? `"${one.textContent}"` : `${one.localName}.${looks}`;
      const off = one.closest("[aria-disabled=true]") !== null;
      found.push([name, off, left - 1, top - 1, right + 1, bottom + 1]);
    }
    return found;
  }

  return { wrap, unwrap, things };
})()

// What the eye and the hand meet in a lab: places of its words, and of what can be pressed.
(() => {
  const root = () => document.querySelector(".dtl-lab");
  const seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const skipped = "option, title, style, textarea, .dtl-unseen, [hidden], td > .dtl-field > label";

  /** Every word on the page with its box: letters fill the middle of a line, not all of it. */
  function texts() {
    const found = [];
    const walk = document.createTreeWalker(root(), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { parentElement: holder } = walk.currentNode;
      const text = walk.currentNode.textContent.trim();
      if (!text || holder.closest(skipped) || !seen(holder)) continue;
      const range = document.createRange();
      range.selectNodeContents(walk.currentNode);
      const boxes = holder.closest("svg") ? [holder.getBoundingClientRect()] : [...range.getClientRects()];
      for (const box of boxes) {
        const { left, right, top, bottom, height } = box;
        const ink = { left: left + 0.5, right: right - 0.5, top: top + 0.22 * height, bottom: bottom - 0.22 * height };
        // What has been scrolled away is not seen; what is over the rest is on purpose.
        const around = holder.closest(".dtl-scroll, .dtl-treebox")?.getBoundingClientRect();
        if (around && (ink.bottom > around.bottom || ink.top < around.top || ink.left < around.left - 1 || ink.right > around.right + 1)) continue;
        if (holder.closest(".dtl-problem, .dtl-here")) continue;
        const head = holder.closest("tbody") && holder.closest("table").querySelector("thead :is(th, td)")?.getBoundingClientRect();
        if (head && ink.top < head.bottom) continue; // under the head that stays
        if (ink.right > ink.left) found.push({ text, ink, holder });
      }
    }
    return found;
  }

  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

  function collisions() {
    const all = texts();
    const found = [];
    for (let i = 0; i < all.length; i++) {
      for (let j = i + 1; j < all.length; j++) {
        if (!apart(all[i].ink, all[j].ink)) found.push(`"${all[i].text}" lies on "${all[j].text}"`);
      }
    }
    return found;
  }

  /** Straight lines across a figure, and branches, that go through a word; and thumbs over marks. */
  function struck() {
    const words = texts().filter(({ holder }) => holder.closest("svg"));
    const found = [];
    const lines = root().querySelectorAll(".dtl-rule, .dtl-bars-plot .dtl-gridline, .dtl-edge path");
    for (const line of lines) {
      const svg = line.closest("svg");
      const matrix = line.getScreenCTM();
      const length = line.getTotalLength();
      const points = Array.from({ length: 101 }, (_, i) => line.getPointAtLength((length * i) / 100).matrixTransform(matrix));
      for (const { text, ink, holder } of words) {
        if (holder.closest("svg") !== svg || holder.previousElementSibling?.matches("rect.dtl-ground")) continue;
        const hit = points.some(({ x, y }, i) => {
          const to = points[Math.min(i + 1, 100)];
          const piece = { left: Math.min(x, to.x), right: Math.max(x, to.x) + 0.01, top: Math.min(y, to.y), bottom: Math.max(y, to.y) + 0.01 };
          return !apart(piece, ink);
        });
        if (hit) found.push(`a line goes through "${text}"`);
      }
    }
    return found;
  }

  /** Words that stick out of their drawing, or of the lab. */
  function cut() {
    const whole = root().getBoundingClientRect();
    const found = [];
    for (const { text, ink, holder } of texts()) {
      const svg = holder.closest("svg");
      const inside = svg?.matches(".dtl-tree") ? svg.getBoundingClientRect() : whole;
      if (ink.left < inside.left - 1 || ink.right > inside.right + 1 || ink.bottom > inside.bottom + 1) {
        found.push(`"${text}" is cut off`);
      }
    }
    return found;
  }

  /** What can be pressed and offers less than `least` pixels each way: probed, not computed. */
  function small(least) {
    const found = [];
    for (const one of root().querySelectorAll("button, select, input, summary, textarea, [role=treeitem], a[href]")) {
      if (!seen(one)) continue;
      const target = one.matches("input") ? (one.closest("label") ?? one) : one;
      target.scrollIntoView({ block: "center", inline: "center" });
      const { left, right, top, bottom } = target.getBoundingClientRect();
      const [x, y, half] = [(left + right) / 2, (top + bottom) / 2, least / 2 - 0.6];
      // The mark of a row leaves the press to the node in which it lies.
      const under = (u, v) => document.elementsFromPoint(x + u, y + v).find((hit) => !hit.matches(".dtl-row"));
      const hits = (u, v) => target.contains(under(u, v));
      // What reaches beyond its picture, as a small card's surroundings do, is found by probing.
      const large = right - left > least - 0.1 && bottom - top > least - 0.1;
      if (hits(0, 0) && (large || [[0, -half], [0, half], [-half, 0], [half, 0]].every((to) => hits(...to)))) continue;
      const name = one.getAttribute("aria-label") || one.textContent || target.textContent;
      found.push(`${one.localName} "${name.trim().slice(0, 40)}" has ${Math.round(right - left)} × ${Math.round(bottom - top)}`);
    }
    return found;
  }

  return { collisions, struck, cut, small };
})()

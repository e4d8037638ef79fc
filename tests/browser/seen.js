// What a room sees of a lecture's window: the smallest text in percent of the height, and what lies
// outside the window or is cut off.
() => {
  const high = innerHeight;
  let small = { percent: Infinity, text: "" };
  const out = [];
  const walk = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.trim();
    const one = node.parentElement;
    const style = getComputedStyle(one);
    if (!text || style.visibility !== "visible" || one.closest("title, style, script, option, .dtl-unseen, annotation")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || !box.height || style.clipPath !== "none") continue;
    const matrix = one.getScreenCTM?.();
    const size = parseFloat(style.fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    const percent = (100 * size) / high;
    if (percent < small.percent && !one.closest("sub, sup, math")) small = { percent, text };
    const frame = one.closest(".dtl-treebox, .dtl-scroll, .dtl-column, #stage").getBoundingClientRect();
    const isOut = box.right > innerWidth + 1 || box.bottom > high + 1 || box.left < -1 || box.top < -1;
    if (isOut || box.bottom > frame.bottom + 2 || box.right > frame.right + 2) out.push(text.slice(0, 40));
  }
  return { percent: small.percent, text: small.text, out, scrolls: document.documentElement.scrollHeight > high };
}

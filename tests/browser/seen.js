// What a room sees of a lecture's window, in percent of its height: the smallest text, and the smallest of
// what is said (words, questions, verdicts); what lies outside the window or is cut off; which words lie
// over each other; where the heading stands, and in which type; how much of the width a panel beside a picture has,
// and how much of what is free the pictures of a lab.
() => {
  const HIDDEN = "title, style, script, option, annotation, .dtl-unseen";
  const SAID = ".words, .ask, .dtl-result, .dtl-part-words, .dtl-problem";
  const SLACK = 1.5; // pixels
  const stage = document.getElementById("stage");
  const [wide, high] = [innerWidth, innerHeight];
  const smallest = { all: [Infinity, ""], said: [Infinity, ""] };
  const found = [];
  const out = [];

  const isSeen = (one) => {
    const { visibility, clipPath, opacity } = getComputedStyle(one);
    return visibility === "visible" && clipPath === "none" && opacity !== "0" && !one.closest(HIDDEN);
  };
  const clips = (one) => {
    const boxes = [];
    for (let at = one.parentElement; at && at !== stage.parentElement; at = at.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(at);
      if (display !== "inline" && (overflowX !== "visible" || overflowY !== "visible") && !(at instanceof SVGElement)) boxes.push(at.getBoundingClientRect());
    }
    return boxes;
  };
  const isWithin = (box, { left, top, right, bottom }) =>
    box.left >= left - SLACK && box.top >= top - SLACK && box.right <= right + SLACK && box.bottom <= bottom + SLACK;
  const window_ = { left: 0, top: 0, right: wide, bottom: high };

  const walk = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.trim();
    const one = node.parentElement;
    if (!text || !isSeen(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width && box.height);
    if (!boxes.length) continue;
    const matrix = one.getScreenCTM?.();
    const size = parseFloat(getComputedStyle(one).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    const percent = Math.round((10000 * size) / high) / 100;
    const isMath = one.closest("math");
    const isIndex = isMath || one.closest("sub, sup");
    if (percent < smallest.all[0] && !isIndex) smallest.all = [percent, text.slice(0, 40)];
    if (percent < smallest.said[0] && !isIndex && one.closest(SAID)) smallest.said = [percent, text.slice(0, 40)];
    const frames = [window_, ...clips(one)];
    // The ink of a line is less high than the line.
    const ink = ({ left, top, right, bottom, height }) => ({ left: left + 1, right: right - 1, top: top + 0.2 * height, bottom: bottom - 0.2 * height });
    const inks = boxes.map(ink);
    if (!inks.every((box) => frames.every((frame) => isWithin(box, frame)))) out.push(text.slice(0, 40));
    if (!isMath) found.push({ text: text.slice(0, 30), inks });
  }

  const over = [];
  for (const [i, a] of found.entries()) {
    for (const b of found.slice(i + 1)) {
      const meet = (p, q) => Math.min(p.right, q.right) - Math.max(p.left, q.left) > SLACK && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > SLACK;
      if (a.inks.some((p) => b.inks.some((q) => meet(p, q)))) over.push(`${a.text} / ${b.text}`);
    }
  }

  for (const one of stage.querySelectorAll(".dtl-part, .words img, .ask .bar i, .qr, .dtl-plot, .dtl-treebox")) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || !isSeen(one)) continue;
    if (!isWithin(box, window_)) out.push(`<${one.dataset.id ?? one.className}>`);
  }
  const round = (v) => Math.round(10 * v) / 10;
  const head = [...stage.querySelectorAll(".head > *")].find(isSeen);
  const isCover = ["title", "section"].includes(stage.dataset.layout);
  const top = head?.getBoundingClientRect();
  const room = stage.querySelector(".dtl-room");
  const mode = room?.dataset.panel ?? "side";
  const panel = stage.querySelector(".dtl-in-panel:not(:empty)")?.getBoundingClientRect();
  // Beside a panel, or a column that is kept for one, the rest is the pictures' to fill.
  const columns = [...stage.querySelectorAll(":is(.dtl-in-hero, .dtl-in-beside)")].filter((one) => one.offsetWidth && room?.offsetHeight);
  const pictures = columns.flatMap((one) => [...one.querySelectorAll(".dtl-plot, .dtl-treebox, .dtl-wall")]).map((one) => one.getBoundingClientRect());
  const left = Math.min(...columns.map((one) => one.getBoundingClientRect().left));
  const free = (wide - left) * (high - (top?.bottom ?? 0));
  return {
    head: !head || isCover ? null : [round(top.left), round(top.top), round(parseFloat(getComputedStyle(head).fontSize))],
    panel: panel?.width && mode.startsWith("side") ? Math.round((100 * panel.width) / wide) : null,
    filled: columns.length && mode.startsWith("side") ? Math.round((100 * pictures.reduce((sum, one) => sum + one.width * one.height, 0)) / free) : null,
    percent: smallest.all[0],
    text: smallest.all[1],
    said: smallest.said[0] === Infinity ? null : smallest.said[0],
    words: smallest.said[1],
    out,
    over,
    left: stage.querySelector(".dtl-rest")?.textContent ?? "",
    type: stage.matches(".has-lab") ? null : parseFloat(getComputedStyle(stage).fontSize),
    hint: stage.querySelector(".dtl-status")?.textContent ?? "",
    scrolls: document.documentElement.scrollHeight > high,
  };
}

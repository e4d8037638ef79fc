// A lab before a class: its hero, and of the rest only what was revealed last, in type for the last row.
// What needs no hand is not seen; nothing is scrolled.
import { plural } from "./numbers.mjs";

const isBeside = ({ area, id }, panel) => area === "beside" && (!panel || panel.includes(id));
const isHero = (part, panel) => !part.drawer && (part.area === "hero" || isBeside(part, panel));

/**
 * The parts of a view that a room sees, each with its place. `panel` names those to be shown beside the
 * hero, and nothing else is; without it they are what the lab itself has there, and what the last key
 * revealed. While the class is asked (`asks`), the panel's place is the question's. `hands` brings the controls.
 */
export function inRoom({ parts, stage = 0 }, { panel = null, hands = false, asks = false } = {}) {
  const isHandle = ({ kind, area }) => kind === "toolbar" || kind === "controls" || area === "act";
  const isShown = (part) => !asks && (panel ? panel.includes(part.id) : part.stage > 0 && part.stage === stage);
  const found = [];
  for (const part of parts) {
    const { stage: needs = 0 } = part;
    // Which rows were left out is for everybody to know.
    if (part.id === "left-out") found.push(part);
    else if (isHero(part, panel)) {
      if ((needs <= stage || panel?.includes(part.id)) && (hands || !isHandle(part))) found.push(part);
    } else if (isShown(part) && !isHandle(part)) found.push({ ...part, area: "panel", drawer: "" });
    else if (hands && isHandle(part) && !part.drawer) found.push({ ...part, area: part.kind === "toolbar" ? part.area : "act" });
  }
  return found;
}

/** Which columns have a picture at some key of the scene, where that is said: they keep their room from the first. */
export function pictured({ parts }, { panels = null, stages = null }) {
  if (!panels) return [];
  const shown = parts.filter((part) => isHero(part, panels) && ((part.stage ?? 0) <= (stages ?? Infinity) || panels?.includes(part.id)) && part.kind !== "controls");
  return ["hero", "beside"].filter((name) => shown.some(({ area }) => area === name));
}

/** Where a panel stands: in the column beside the hero, there without what is said second, as lines of words under it, or in its place. */
const SIZES = ["side", "side-tight", "under", "all"];
// So many rows of a table are seen at least before its panel takes all of the room.
const ROWS = 8;
// So many lines of words are, before it does.
const LINES = 2;

/**
 * Give the panel as much room as it needs: `arrange()` lays the lab out anew, `fits()` says whether it is
 * all seen then. What does not fit at last is left out and counted; a long table has no more room for it.
 */
export function fitPanel(root, panel, arrange, fits) {
  const hasHands = root.classList.contains("dtl-hands");
  const known = [hasHands, ...[...panel.children].map((part) => part.dataset.id)].join();
  for (const one of panel.querySelectorAll(".dtl-left-out")) one.classList.remove("dtl-left-out");
  panel.querySelector(".dtl-rest")?.remove();
  if (!panel.children.length) {
    delete root.dataset.panel;
    return arrange();
  }
  // Where no column is kept for it, it is not put there; but who works in a lab sees its picture.
  const first = root.closest(".has-side") || hasHands ? 0 : SIZES.indexOf("under");
  const least = panel.known === known ? SIZES.indexOf(root.dataset.panel) : first;
  panel.known = known;
  const isLong = panel.querySelectorAll("tbody tr").length > ROWS;
  const isWords = !panel.querySelector(".dtl-part svg, .dtl-bar, tbody tr:nth-child(4)");
  const sizes = hasHands ? SIZES.slice(0, 2) : SIZES;
  for (const size of sizes.slice(Math.max(least, first))) {
    if (size === "under" && !isWords) continue;
    root.dataset.panel = size;
    arrange();
    if (fits() || (size === "side-tight" && isLong && shorten(panel, arrange, fits, ROWS))) return;
    // Words give way to the picture that they are about, all but the first.
    if (size === "under" && shorten(panel, arrange, fits, 0, LINES)) return;
  }
  shorten(panel, arrange, fits);
}

/**
 * Leave rows, then lines, then parts out from the end until the rest fits; where at least so many rows or lines
 * are to stay, nothing else is left out, or nothing at all, and it is false.
 */
function shorten(panel, arrange, fits, leastRows = 0, leastLines = 0) {
  const seen = (what) => [...panel.querySelectorAll(what)].filter((line) => line.offsetHeight);
  const rows = seen("tbody tr");
  const lines = seen("p:not(.dtl-heading, li *), li");
  const least = leastRows || leastLines;
  const some = leastRows ? rows.slice(leastRows) : lines.slice(leastLines);
  const order = least ? some : [...[...panel.children].slice(1), ...lines, ...rows.slice(1)];
  const rest = panel.appendChild(document.createElement("p"));
  rest.className = "dtl-rest";
  rest.textContent = "…";
  const leave = (left) => {
    order.forEach((one, i) => one.classList.toggle("dtl-left-out", i >= order.length - left));
    rest.textContent = `… and ${plural(left, "more line")}`;
    arrange();
    return fits();
  };
  // As few as possible; each attempt lays the lab out anew, so the stretch is halved.
  let [few, many] = [0, order.length];
  while (many - few > 1) {
    const left = (few + many) >> 1;
    if (leave(left)) many = left;
    else few = left;
  }
  if (many && leave(many)) return true;
  if (least) for (const one of panel.querySelectorAll(".dtl-left-out")) one.classList.remove("dtl-left-out");
  if (least) rest.remove();
  return false;
}

// A lecture played from what was told at each key, in place of a server (wire.mjs); and its sheets.
const OUTSIDE = "This is a recording: keys lead through it, but nothing can be done in it.";
const SHEETS = "#sheets";

const record = unpacked(document.getElementById("data").textContent);

/** The module that draws labs. */
export const labs = () => record.then(([texts]) => linked(new Map(Object.entries(texts))));

/** What hears what was told; what a window asks for leads through it. */
export function wire(_, hear) {
  let at = Math.max(0, Number(location.hash.slice(1)) - 1 || 0);
  let theme = null;
  const show = async () => {
    const [, told, first] = await record;
    at = Math.min(Math.max(at, 0), told.length - 1);
    history.replaceState(null, "", `#${at + 1}`);
    hear({ ...told[at], theme: theme ?? first, alive: true });
  };
  if (location.hash === SHEETS) sheets();
  else show();
  return async (message) => {
    const [, told] = await record;
    if (message.do === "on") at += 1;
    else if (message.do === "back") at -= 1;
    else if (message.do === "over") at = told.findIndex(({ scene }) => scene === told[at].scene);
    else if (message.do === "theme") theme = message.theme;
    else if (message.do === "lab") return document.querySelector(".dtl-problem")?.replaceChildren(OUTSIDE);
    else return;
    show();
  };
}

/** The lecturer's notes beside a sheet, as large as their place lets them be. */
function noted(cell, notes) {
  const aside = cell.appendChild(document.createElement("aside"));
  aside.innerHTML = notes;
  const isCut = () => aside.scrollHeight > aside.clientHeight || aside.scrollWidth > aside.clientWidth + 1;
  for (let size = 10; size > 7 && isCut(); size -= 0.5) aside.style.fontSize = `${size}pt`;
  if (isCut()) aside.style.height = "auto";
}

/** All that is shown, each on a sheet of its own, for printing. */
async function sheets() {
  const [, told] = await record;
  const code = labs();
  document.getElementById("stage").remove();
  document.body.classList.add("sheets");
  for (const one of told) {
    const cell = document.body.appendChild(document.createElement("section"));
    const sheet = cell.appendChild(document.createElement("main"));
    sheet.className = "sheet";
    await new Screen(sheet, { act: () => {}, labs: code }).show(one);
  }
  // What is measured while it is drawn has its own size; then it is still, and may be made small.
  for (const sheet of document.querySelectorAll(".sheet")) sheet.replaceWith(sheet.cloneNode(true));
  document.body.classList.add("drawn");
  document.querySelectorAll("section:has(.sheet)").forEach((cell, i) => told[i].notes && noted(cell, told[i].notes));
  document.body.dataset.sheets = told.length;
}

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

/** All that is shown, each on a sheet of its own, for printing. */
async function sheets() {
  const [, told] = await record;
  const code = labs();
  document.getElementById("stage").remove();
  document.body.classList.add("sheets");
  for (const one of told) {
    const sheet = document.body.appendChild(document.createElement("main"));
    sheet.className = "sheet";
    await new Screen(sheet, { act: () => {}, labs: code }).show(one);
  }
  document.body.dataset.sheets = told.length;
}

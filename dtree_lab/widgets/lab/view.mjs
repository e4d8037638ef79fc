// Every lab but dt.TreeBuilder in the browser: its parts in their order, drawn as Python says.
import { focusWithin, make, markInText, onChange, set, setText } from "../shared/dom.mjs";
import { frame, keepFocus } from "../shared/frame.mjs";
import { drawParts, fitParts, keepHeights, partsIn } from "../shared/parts.mjs";

function build(ui) {
  ui.legend = make("ul", { class: "dtl-legend", "aria-label": "Classes" });
  ui.status = make("p", { class: "dtl-status", role: "status", "aria-live": "polite" });
  const area = (name) => make("div", { class: `dtl-column dtl-${name}` });
  ui.areas = { above: area("above"), main: area("main-area"), side: area("side"), below: area("below") };
  ui.parts = make("div", { class: "dtl-parts" }, ...Object.values(ui.areas));
  ui.main.append(ui.wrong, ui.progress, ui.legend, ui.parts, ui.status);
}

function draw(ui, view) {
  const had = focusWithin(ui.root) !== null;
  ui.legend.hidden = !view.classes.length;
  onChange(ui.legend, view.classes, () =>
    ui.legend.replaceChildren(
      ...view.classes.map((kind) => make("li", {}, markInText(kind), "\u00a0", make("bdi", {}, kind.name))),
    ),
  );
  for (const [name, box] of Object.entries(ui.areas)) {
    drawParts(ui, box, view.parts.filter((part) => part.area === name));
  }
  keepHeights(partsIn(ui.parts));
  // While it counts up, it is not read aloud at every step.
  set(ui.status, { "aria-busy": view.progress === null ? null : "true" });
  setText(ui.status, view.status);
  ui.say(view.problem);
  keepFocus(ui, had, ui.root.querySelector("input, button, select"));
}

const onResize = (ui) => fitParts(partsIn(ui.parts));

export const render = (given) => frame(given, "general", { build, draw, onResize });

"""The style sheet of an SVG picture, for an ``<svg class="dtl dtl-svg">``."""

from __future__ import annotations

from dtree_lab.draw.style import COLOURS, DETAIL, LABEL, TITLE

# Lengths in em grow with the picture's font size, and so with its scale.
RULES = f"""
.dtl-svg {{ font-family: var(--dtl-font); }}
.dtl-svg text {{ fill: var(--dtl-ink); white-space: pre; forced-color-adjust: none; }}
.dtl-svg .dtl-ground {{ fill: var(--dtl-ground); }}
.dtl-svg .dtl-box {{ fill: var(--dtl-card); stroke: var(--dtl-border); stroke-width: .08em; }}
.dtl-svg .dtl-strip {{ fill: none; stroke: var(--dtl-line); stroke-width: .05em; }}
.dtl-svg .dtl-edge {{ fill: none; stroke: var(--dtl-line); stroke-width: .09em; }}
.dtl-svg path.dtl-lit {{ stroke: var(--dtl-ink); stroke-width: .19em; }}
.dtl-svg :is(.dtl-title, .dtl-value.dtl-lit) {{ font-weight: 600; }}
.dtl-svg .dtl-value {{ font-size: {LABEL / TITLE:.4f}em; text-anchor: middle; }}
.dtl-svg .dtl-key {{ font-size: {LABEL / TITLE:.4f}em; }}
.dtl-svg .dtl-detail {{ font-size: {DETAIL / TITLE:.4f}em; fill: var(--dtl-quiet); }}
.dtl-svg .dtl-count {{ font-size: {DETAIL / TITLE:.4f}em; }}
.dtl-svg .dtl-mark {{ stroke: var(--dtl-ink); stroke-width: .07em; stroke-linejoin: round; }}
""" + "".join(
    f".dtl-svg .dtl-c{i} {{ fill: var(--dtl-class-{i}); }}\n"
    f".dtl-svg .dtl-i{i}, .dtl-svg text.dtl-i{i} {{ fill: var(--dtl-class-ink-{i}); }}\n"
    for i in range(len(COLOURS))
)
# Only regression trees need these.
AXIS_RULES = """
.dtl-svg .dtl-axis { fill: none; stroke: var(--dtl-line); stroke-width: .07em; }
.dtl-svg .dtl-spread { fill: var(--dtl-line); }
.dtl-svg .dtl-dot { fill: var(--dtl-ink); stroke: var(--dtl-card); stroke-width: .07em; }
"""
# What draw/chart/ makes, in a page and in a picture of its own; texts keep their size.
FIGURE_RULES = f"""
.dtl-figure {{ font-family: var(--dtl-font); font-size: {TITLE}px; }}
.dtl-figure text {{ fill: var(--dtl-ink); white-space: pre; forced-color-adjust: none; }}
.dtl-figure .dtl-ground {{ fill: var(--dtl-ground); }}
.dtl-figure .dtl-plane {{ fill: none; stroke: var(--dtl-border); stroke-width: 1px; }}
.dtl-figure .dtl-tick {{ stroke: var(--dtl-line); stroke-width: 1px; }}
.dtl-figure .dtl-gridline {{ stroke: var(--dtl-border); stroke-width: .5px; }}
.dtl-figure .dtl-key {{ font-size: {LABEL}px; }}
.dtl-figure .dtl-name {{ font-weight: 600; }}
.dtl-figure .dtl-halo {{ paint-order: stroke; stroke: var(--dtl-ground); stroke-width: 3px; }}
.dtl-figure .dtl-detail {{ font-size: {DETAIL}px; fill: var(--dtl-quiet); }}
.dtl-figure .dtl-line {{ fill: none; stroke: var(--dtl-ink); stroke-width: 2px;
  stroke-linejoin: round; stroke-linecap: round; }}
.dtl-figure .dtl-long {{ stroke-dasharray: 9 5; }}
.dtl-figure .dtl-short {{ stroke-dasharray: 5 4; }}
.dtl-figure .dtl-dots {{ stroke-dasharray: 1 4.5; }}
.dtl-figure .dtl-faint {{ stroke-width: 1px; opacity: .55; }}
.dtl-figure .dtl-dot {{ fill: var(--dtl-ink); }}
.dtl-figure .dtl-mark {{ stroke: var(--dtl-ink); stroke-width: .9px; stroke-linejoin: round; }}
.dtl-figure .dtl-ring {{ fill: none; stroke: var(--dtl-ink); stroke-width: 1.6px; }}
.dtl-figure .dtl-area {{ opacity: .3; }}
.dtl-figure .dtl-edged {{ opacity: 1; fill-opacity: .3; stroke: var(--dtl-line);
  stroke-width: .8px; }}
.dtl-figure .dtl-pattern {{ fill: var(--dtl-ink); opacity: .28; }}
.dtl-figure .dtl-rule {{ fill: none; stroke: var(--dtl-line); stroke-width: 1.4px; }}
.dtl-figure .dtl-accent {{ stroke: var(--dtl-accent); stroke-width: 2.2px; }}
.dtl-figure .dtl-bar-fill {{ fill: var(--dtl-line); }}
""" + "".join(
    f".dtl-figure .dtl-c{i} {{ fill: var(--dtl-class-{i}); }}\n"
    f".dtl-figure .dtl-s{i} {{ stroke: var(--dtl-class-{i}); }}\n"
    f".dtl-figure .dtl-o{i} {{ fill: none; stroke: var(--dtl-class-{i}); stroke-width: 2px; }}\n"
    for i in range(len(COLOURS))
)
# Where the reader's system forces its colours: lines are told apart by dashes, areas by their edges
# and marks, and bars have an outline, for no class's colour can be seen on every ground.
FIGURE_RULES += """
@media (forced-colors: active) {
.dtl-figure .dtl-gridline { stroke-opacity: .5; }
.dtl-figure :is(.dtl-line, .dtl-mark) { stroke: CanvasText; }
.dtl-figure .dtl-faint { opacity: .7; }
.dtl-figure .dtl-area { opacity: 1; fill-opacity: .3; stroke: CanvasText; stroke-width: .8px; }
.dtl-figure .dtl-pattern { opacity: .7; }
.dtl-figure rect[class^="dtl-c"] { stroke: CanvasText; stroke-width: 1px; }
}
"""

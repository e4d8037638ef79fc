"""The style sheet of an SVG picture, for an ``<svg class="dtl dtl-svg">``."""

from __future__ import annotations

from dtree_lab.draw.style import COLOURS, DETAIL, LABEL, TITLE

# Lengths in em grow with the picture's font size, and so with its scale.
RULES = f"""
.dtl-svg {{ font-family: var(--dtl-font); }}
.dtl-svg text {{ fill: var(--dtl-ink); white-space: pre; }}
.dtl-svg .dtl-ground {{ fill: var(--dtl-ground); }}
.dtl-svg .dtl-box {{ fill: var(--dtl-card); stroke: var(--dtl-border); stroke-width: .08em; }}
.dtl-svg .dtl-strip {{ fill: none; stroke: var(--dtl-line); stroke-width: .05em; }}
.dtl-svg .dtl-edge {{ fill: none; stroke: var(--dtl-line); stroke-width: .09em; }}
.dtl-svg .dtl-title {{ font-weight: 600; }}
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

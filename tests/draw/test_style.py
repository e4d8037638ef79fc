"""Colours that can be read, marks that can be told apart, widths that are not too small."""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import TextPath

from dtree_lab.draw import style
from dtree_lab.draw.measure import fit, shortened, terminal_columns, width, wrap


def luminance(colour):
    """The relative luminance of WCAG 2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def over(rgba, ground):
    """A colour with opacity on an opaque one."""
    (level, opacity) = rgba
    mixed = (round(level * opacity + int(ground[i : i + 2], 16) * (1 - opacity)) for i in (1, 3, 5))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def test_the_contrast_formula_is_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", [style.LIGHT, style.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["card", "ground"])
def test_text_has_contrast_in_both_themes(palette, ground):
    assert contrast(palette["ink"], palette[ground]) >= 7
    assert contrast(palette["quiet"], palette[ground]) >= 4.5
    assert contrast(palette["accent"], palette[ground]) >= 4.5
    assert contrast(palette["line"], palette[ground]) >= 3
    assert contrast(palette["accent-ink"], palette["accent"]) >= 4.5


@pytest.mark.parametrize(
    ("quiet", "ground"),
    [((0, 0.54), "#ffffff"), ((255, 0.54), "#111111"), ((255, 0.54), "#212121")],
)
def test_jupyterlabs_own_quiet_text_has_contrast_too(quiet, ground):
    assert contrast(over(quiet, ground), ground) >= 4.5


@pytest.mark.parametrize(("colour", "ink"), list(zip(style.COLOURS, style.INKS, strict=True)))
def test_what_is_written_on_a_class_can_be_read(colour, ink):
    assert contrast(colour, ink) >= 4.5


def test_the_first_four_classes_differ_in_grey():
    for a, b in combinations(style.COLOURS[:4], 2):
        assert contrast(a, b) >= 1.5


def test_sixty_four_classes_differ_in_colour_or_mark():
    looks = [(style.hue(k), style.mark(k).char) for k in range(64)]
    assert len(set(looks)) == 64
    assert len({style.mark(k).char for k in range(8)}) == 8
    assert (style.hue(64), style.mark(64)) == (style.hue(0), style.mark(0))


@pytest.mark.parametrize("mark", style.MARKS, ids=lambda mark: mark.char)
def test_a_mark_is_an_outline_around_its_middle(mark):
    xs, ys = zip(*mark.points, strict=True)
    assert max(map(abs, xs + ys)) <= 1.2
    assert max(xs) == pytest.approx(-min(xs), abs=0.01)
    assert len(set(mark.points)) == len(mark.points)
    numbers = re.findall(r"-?[\d.]+", mark.path(10, 20, 5))
    assert len(numbers) == 2 * len(mark.points)
    assert mark.path(10, 20, 5).startswith("M")
    area = sum(
        x1 * y2 - x2 * y1
        for (x1, y1), (x2, y2) in zip(mark.points, mark.points[1:] + mark.points[:1], strict=True)
    )
    assert abs(area) > 1  # all marks are about as heavy


@pytest.mark.parametrize("theme", style.THEMES)
def test_the_stylesheet_sets_every_variable_and_leaks_none(theme):
    css = style.css_variables(theme)
    set_ = set(re.findall(r"--dtl-([\w-]+):", css))
    colours = {f"class-{i}" for i in range(8)} | {f"class-ink-{i}" for i in range(8)}
    assert set_ == {*style.LIGHT, *style.DARK, *colours, "title", "detail", "label", "font"}
    assert css.count("{") == css.count("}")
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", css):
        for selector in selectors.replace("@media (prefers-color-scheme: dark)", "").split(","):
            assert not selector.strip() or ".dtl" in selector
    if theme == "auto":
        assert all(var in css for var in ("--jp-ui-font-color1", "--jp-layout-color1"))
    else:
        assert "--jp-ui-font-color1" not in css


# -- widths --------------------------------------------------------------------------------------

LATIN = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x24F, exclude_categories=["Cc", "Cf"])
)


@pytest.mark.parametrize("bold", [False, True])
def test_no_latin_letter_is_wider_than_estimated(bold):
    """All of them, one by one: where the next letter begins, and how far the ink reaches."""
    weight = "bold" if bold else "normal"
    wanted = font_manager.FontProperties(family="DejaVu Sans", weight=weight)
    font = FT2Font(font_manager.findfont(wanted))
    font.set_size(100, 72)
    for code in range(0x20, 0x250):
        if unicodedata.category(chr(code)) not in ("Cc", "Cf"):
            glyph = font.load_char(code)
            real = max(glyph.linearHoriAdvance / 2**16, glyph.bbox[2] / 2**6)
            assert real <= width(chr(code), 100, bold=bold) + 2, chr(code)


@given(LATIN | st.text(st.sampled_from("< ≥…·Ωλжщ0123456789abcdefghijklmnopqrstuvwxyzMW@%")))
@pytest.mark.parametrize("bold", [False, True])
def test_no_text_is_wider_than_estimated_in_the_widest_font(bold, text):
    font = font_manager.FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    # The ink of a text may reach a little beyond its letters' advance.
    real = TextPath((0, 0), text, size=14, prop=font).get_extents().x1 if text.strip() else 0
    assert real <= width(text, 14, bold=bold) + 1


@given(st.text(), st.integers(30, 200))
def test_fitted_text_fits_and_begins_as_it_did(text, room):
    shown = fit(text, room, 14)
    assert width(shown, 14) <= room
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


@given(st.text(st.sampled_from("ab W"), max_size=60), st.integers(40, 120))
def test_wrapped_text_has_two_lines_that_fit(text, room):
    lines = wrap(text, room, 14)
    assert len(lines) <= 2
    assert all(width(line, 14) <= room for line in lines)
    if "…" not in lines[-1]:
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.text(), st.integers(1, 40))
def test_shortened_text_takes_no_more_columns(text, most):
    assert terminal_columns(shortened(text, most)) <= most

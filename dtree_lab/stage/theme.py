"""How a lecture looks: five variables that its file's head sets."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from mimetypes import guess_type
from pathlib import Path

from dtree_lab.base.text import did_you_mean
from dtree_lab.stage.frontmatter import SceneText

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_HEX = (_COLOUR, "is a colour such as '#0b57d0', in quotes")
_FONTS = "is the name of a font, or several with commas between them"
# What is said of each variable, and how that is told where it cannot be meant.
_MEANT = {
    "colour": _HEX,
    "logo": (re.compile(".+"), ""),
    "font": (re.compile(r"[\w ,-]+"), _FONTS),
    "light": _HEX,
    "dark": _HEX,
}
_KNOWN = f"Known are {', '.join(_MEANT)}"
# The type on light ground and on dark ground (stage.css), and how far a ground stands off from it.
_INKS = {"light": "#1a1a1a", "dark": "#ececec"}
_READ, _SEEN = 7.0, 3.0


@dataclass(frozen=True)
class Theme:
    """What is said of a lecture's look; what is empty stays as it is."""

    colour: str = ""  # of all that is set off
    logo: Path | None = None  # a picture, in the upper right corner
    font: str = ""  # the names of fonts, the first that there is counts
    light: str = ""  # the ground
    dark: str = ""

    @classmethod
    def read(cls, head: SceneText) -> Theme:
        """That of a lecture's head; what cannot be meant is told."""
        found = head["theme"].data() or {}
        if not isinstance(found, dict):
            head.wrong("theme", "theme: has names of its own, such as {colour: '#0b57d0'}")
            return cls()
        said = {str(name): str(value) for name, value in found.items()}
        wrong = list(_wrong(said, head.folder))
        for what in wrong:
            head.wrong("theme", f"theme: {what}")
        if wrong:
            return cls()
        logo = {"logo": head.folder / said.pop("logo")} if "logo" in said else {}
        return cls(**said, **logo)  # type: ignore[arg-type]

    def css(self) -> str:
        """The variables of stage.css that it sets."""
        both: dict[str, str] = {"font": self.font}
        light, dark = {"ground": self.light}, {"ground": self.dark}
        if self.colour:
            light["accent"] = self.colour
            light["cover-ink"] = max("#ffffff", "#000000", key=lambda ink: _apart(ink, self.colour))
            dark["accent"] = f"color-mix(in srgb, {self.colour} 45%, #fff)"
        if self.logo:
            kind = guess_type(self.logo.name)[0] or "image/png"
            data = b64encode(self.logo.read_bytes()).decode()
            both |= {"logo": f"url(data:{kind};base64,{data})", "logo-room": "calc(24 * var(--u))"}
        # High contrast is for who needs it: it keeps its colours.
        where = {":root": {**both, **light}, ':root[data-theme="dark"]': dark}
        return "\n".join(
            f"{selector} {{ {' '.join(f'--{k}: {v};' for k, v in values.items() if v)} }}"
            for selector, values in where.items()
        )


def _wrong(variables: dict[str, str], folder: Path) -> Iterator[str]:
    """What is wrong with each variable, and then with two of them beside each other."""
    for name, value in variables.items():
        if name not in _MEANT:
            yield f"{name!r} is not known here.{did_you_mean(name, tuple(_MEANT))} {_KNOWN}"
        elif name == "logo" and not (folder / value).is_file():
            yield f"there is no picture {value} beside the lecture"
        elif not (sign := _MEANT[name])[0].fullmatch(value):
            yield f"{name} {sign[1]}"
    pairs = [("light", _INKS["light"], _READ), ("dark", _INKS["dark"], _READ)]
    for name, other, least in [*pairs, ("colour", variables.get("light", "#ffffff"), _SEEN)]:
        one = variables.get(name, "")
        if all(map(_COLOUR.fullmatch, (one, other))) and _apart(one, other) < least:
            cure = "lighter" if name == "light" else "darker"
            yield f"{name}: {one} stands off too little from {other}: take a {cure} one"


def _apart(colour: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG has it."""
    dark, light = sorted(map(_luminance, (colour, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares]  # noqa: PLR2004
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

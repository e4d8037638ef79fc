"""An address as a QR code: a drawing that stands in a page."""

from __future__ import annotations

import segno


def qr_code(address: str) -> str:
    """The QR code of an address as SVG, dark on light whatever the page looks like."""
    drawn: str = segno.make(address, error="m", micro=False).svg_inline(
        omitsize=True, border=3, dark="#000", light="#fff", svgclass="qr"
    )
    return drawn.replace("<svg ", '<svg role="img" aria-label="QR code of the address" ', 1)

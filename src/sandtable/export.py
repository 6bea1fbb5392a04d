"""Pictures as files: SVG to PNG."""

from __future__ import annotations

from functools import cache
from pathlib import Path

SERIF = ("Source Serif 4", "Georgia", "DejaVu Serif", "Liberation Serif", "Noto Serif", "Times New Roman")
SANS = ("Barlow Condensed", "DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial")

_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
    '<text x="2" y="16" font-size="16" font-family="{family}">{text}</text></svg>'
)


class NoFonts(RuntimeError):
    """Names and numbers would be missing from the picture."""


def svg_to_png(svg: str, out: Path, width: int = 2000) -> Path:
    """Write an SVG as a PNG of this width. Raises NoFonts rather than drop all text in silence."""
    import resvg_py

    serif, sans = _families()
    data = resvg_py.svg_to_bytes(svg_string=svg, width=width, serif_family=serif, sans_serif_family=sans)
    out.write_bytes(bytes(data))
    return out


@cache
def _families() -> tuple[str, str]:
    """A serif and a sans that are installed, tried out by drawing with them."""
    serif = next((family for family in SERIF if _draws(family)), "")
    sans = next((family for family in SANS if _draws(family)), "")
    if not serif and not sans:
        raise NoFonts(
            "no font was found, so all names and numbers would be missing from the picture; "
            "install one, for example `apt install fonts-dejavu-core` on Debian or Ubuntu"
        )
    return serif or sans, sans or serif


def _draws(family: str) -> bool:
    """Whether text in this family leaves a mark."""
    import resvg_py

    blank = resvg_py.svg_to_bytes(svg_string=_PROBE.format(family=family, text=""))
    return bytes(resvg_py.svg_to_bytes(svg_string=_PROBE.format(family=family, text="Hx"))) != bytes(blank)

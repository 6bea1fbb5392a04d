"""Pictures as files: SVG to PNG."""

from __future__ import annotations

from pathlib import Path

SERIF, SANS = "Source Serif Pro", "Source Sans Pro"


def svg_to_png(svg: str, out: Path, width: int = 2000) -> Path:
    """Write an SVG as a PNG of this width, lettered with fonts that the requirements bring."""
    import font_source_sans_pro
    import font_source_serif_pro
    import resvg_py

    fonts = [str(Path(package.__file__).parent) for package in (font_source_sans_pro, font_source_serif_pro)]
    data = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, font_dirs=fonts, serif_family=SERIF, sans_serif_family=SANS
    )
    out.write_bytes(bytes(data))
    return out

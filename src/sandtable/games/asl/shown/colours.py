"""The colours of the desert's ground, beside those of all maps: light, dark, and both for colour-blind eyes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_LIGHT = {
    "asl-ground": "#f3e9d0",
    "asl-grain": "#c9b287",
    "asl-grid": "rgba(92,72,38,.30)",
    "asl-dot": "rgba(70,52,24,.62)",
    "asl-hexno": "rgba(78,60,30,.80)",
    "asl-scrub": "#dcd7ab",
    "asl-scrub-leaf": "#8c9155",
    "asl-scrub-ink": "#4c5130",
    "asl-hammada": "#e2d2b4",
    "asl-stone": "#c9b695",
    "asl-stone-lit": "#efe4cd",
    "asl-stone-ink": "#5d4a33",
    "asl-sand": "#f8e8ac",
    "asl-sand-ink": "#d9b85c",
    "asl-dune": "#f0d780",
    "asl-dune-ink": "#a06f12",
    "asl-dune-shade": "#d2a23a",
    "asl-deir": "#efe2b4",
    "asl-lip": "#a67c33",
    "asl-wadi-floor": "#d6b985",
    "asl-wadi-wall": "#9a7444",
    "asl-wadi-ink": "#4d3418",
    "asl-wadi-bed": "#b8955a",
    "asl-l05": "#e0bf8b",
    "asl-l1": "#cfa066",
    "asl-l2": "#b8834a",
    "asl-l3": "#9c6635",
    "asl-contour": "#5f3d18",
    "asl-lit": "#fffaf0",
    "asl-shade": "#4a2d0e",
    "asl-cliff": "#2c2117",
    "asl-wall": "#57534b",
    "asl-wall-fill": "#b9b3a6",
    "asl-hedge": "#5d7040",
    "asl-roof": "#d9cfbe",
    "asl-roof-ink": "#5a5145",
    "asl-palm": "#5f7f42",
    "asl-palm-ink": "#33491f",
    "asl-water": "#4f88a3",
    "asl-track": "#8a6a40",
    "asl-track-fill": "#fbf3df",
}

_DARK = {
    "asl-ground": "#4a463c",
    "asl-grain": "#776d57",
    "asl-grid": "rgba(240,226,190,.20)",
    "asl-dot": "rgba(240,226,190,.55)",
    "asl-hexno": "rgba(240,226,190,.70)",
    "asl-scrub": "#4b4d37",
    "asl-scrub-leaf": "#8b9560",
    "asl-scrub-ink": "#c0c994",
    "asl-hammada": "#50483a",
    "asl-stone": "#7d705a",
    "asl-stone-lit": "#a39578",
    "asl-stone-ink": "#d2c3a2",
    "asl-sand": "#5f5636",
    "asl-sand-ink": "#9c8747",
    "asl-dune": "#6d6036",
    "asl-dune-ink": "#e0b75a",
    "asl-dune-shade": "#8a7434",
    "asl-deir": "#454233",
    "asl-lip": "#c9a45e",
    "asl-wadi-floor": "#39332a",
    "asl-wadi-wall": "#2a251d",
    "asl-wadi-ink": "#c9a97a",
    "asl-wadi-bed": "#6d5f48",
    "asl-l05": "#5c4f3b",
    "asl-l1": "#6b583c",
    "asl-l2": "#7b623e",
    "asl-l3": "#8c6d42",
    "asl-contour": "#d9b985",
    "asl-lit": "#d8c8a4",
    "asl-shade": "#16120c",
    "asl-cliff": "#f0e2c6",
    "asl-wall": "#d8d2c4",
    "asl-wall-fill": "#77736a",
    "asl-hedge": "#94a76c",
    "asl-roof": "#6b645a",
    "asl-roof-ink": "#cfc6b6",
    "asl-palm": "#6d8a4c",
    "asl-palm-ink": "#b9d08f",
    "asl-water": "#6fa9c4",
    "asl-track": "#bda177",
    "asl-track-fill": "#3c382f",
}

_CVD = {
    "asl-scrub-leaf": "#7f8f8a",
    "asl-scrub-ink": "#2f4640",
    "asl-hedge": "#35605c",
    "asl-palm": "#4f8078",
    "asl-palm-ink": "#1f4a44",
}

_CVD_DARK = {"asl-scrub-leaf": "#7f9f98", "asl-scrub-ink": "#bfe0d8", "asl-hedge": "#35605c"}

COLOURS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "light": _LIGHT,
        "dark": _DARK,
        "cvd": {**_LIGHT, **_CVD},
        "cvd-dark": {**_DARK, **_CVD_DARK},
        "css": {token: f"var(--{token})" for token in _LIGHT},
    }
)
"""By the names of `engine.drawing.PALETTES`; "css" follows the theme of the page that the picture stands in."""

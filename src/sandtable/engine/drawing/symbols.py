"""Unit symbols in the manner of the NATO ones: a box and what is in it, drawn in a 30 by 20 frame."""

from __future__ import annotations

from sandtable.engine.drawing.palette import FONT_COUNTER
from sandtable.engine.drawing.svg import group, pair, tag, text

WIDE, HIGH = 30.0, 20.0
_X, _Y = WIDE / 2, HIGH / 2

_CROSS = f"M{-_X:g} {-_Y:g}L{_X:g} {_Y:g}M{-_X:g} {_Y:g}L{_X:g} {-_Y:g}"
_SLASH = f"M{-_X:g} {_Y:g}L{_X:g} {-_Y:g}"
_OVAL = "M-5 -4H5A4 4 0 0 1 5 4H-5A4 4 0 0 1 -5 -4Z"
_SMALL_OVAL = "M-7 -5.6H7A5.6 5.6 0 0 1 7 5.6H-7A5.6 5.6 0 0 1 -7 -5.6Z"
_BAR = f"M0 {-_Y:g}V{_Y:g}"
_CHEVRON = f"M{-_X:g} {_Y:g}L0 {-_Y:g}L{_X:g} {_Y:g}"
_ARC = f"M{-_X:g} {_Y:g}C{-_X:g} -1 {_X:g} -1 {_X:g} {_Y:g}"
_ARROW = f"M0 {_Y - 2:g}V{-_Y + 3:g}M-2.6 {-_Y + 6:g}L0 {-_Y + 3:g}L2.6 {-_Y + 6:g}M-3 {_Y - 2:g}H3"
_ENGINEER = "M-8 5V-4H8V5M0 -4V5"
_WINGS = f"M-5 {_Y - 1.5:g}A2.5 2.5 0 0 1 0 {_Y - 1.5:g}A2.5 2.5 0 0 1 5 {_Y - 1.5:g}"
_ANCHOR = "M0 -7V7M-4 -4H4M-6 3A6 5 0 0 0 6 3"
_TRIANGLE = f"M-5 {_Y:g}L0 2L5 {_Y:g}Z"
_WHEELS = "M-7 7.4a1.5 1.5 0 1 0 .1 0M7 7.4a1.5 1.5 0 1 0 .1 0"
_SUPPLY = f"M{-_X:g} {_Y - 4.5:g}H{_X:g}"
_WINGED = "M0 0L-9 -4V4L9 -4V4Z"
_MAST = "M-9 6H9M-6 6V-2H6V6M-3 -2V-6H3V-2"

# What each word of a kind draws: stroked paths, filled paths, or letters
_STROKES: dict[str, tuple[str, ...]] = {
    "infantry": (_CROSS,),
    "motorised": (_BAR,),
    "mechanised": (_OVAL,),
    "armour": (_OVAL,),
    "recon": (_SLASH,),
    "cavalry": (_SLASH,),
    "antitank": (_CHEVRON,),
    "flak": (_ARC,),
    "machine_gun": (_ARROW,),
    "engineer": (_ENGINEER,),
    "airborne": (_WINGS,),
    "naval": (_ANCHOR,),
    "self_propelled": (_SMALL_OVAL,),
    "wheels": (_WHEELS,),
    "supply": (_SUPPLY,),
    "train": (_MAST,),
}
_DOT = "M-2.7 0a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0 -5.4 0Z"
_FILLS: dict[str, tuple[str, ...]] = {"artillery": (_DOT,), "mountain": (_TRIANGLE,), "air": (_WINGED,)}

_KINDS: dict[str, tuple[str, ...]] = {
    "armour": ("armour",),
    "armor": ("armour",),
    "tank": ("armour",),
    "panzer": ("armour",),
    "infantry_tank": ("armour", "supply"),
    "infantry": ("infantry",),
    "motorised_infantry": ("infantry", "motorised"),
    "motorized_infantry": ("infantry", "motorised"),
    "mot_infantry": ("infantry", "motorised"),
    "mechanised_infantry": ("infantry", "mechanised"),
    "armored_infantry": ("infantry", "mechanised"),
    "panzergrenadier": ("infantry", "mechanised"),
    "mountain": ("infantry", "mountain"),
    "mountain_infantry": ("infantry", "mountain"),
    "jaeger": ("infantry", "mountain"),
    "paratroops": ("infantry", "airborne"),
    "mot_airborne": ("infantry", "motorised", "airborne"),
    "commando": ("infantry", "airborne"),
    "naval_infantry": ("infantry", "naval"),
    "port_garrison": ("naval",),
    "azov_flotilla": ("naval",),
    "bicycle_infantry": ("infantry", "wheels"),
    "motorcycle": ("infantry", "wheels"),
    "machine_gun": ("infantry", "machine_gun"),
    "mot_machine_gun": ("infantry", "motorised", "machine_gun"),
    "security": ("infantry",),
    "nkvd": ("infantry",),
    "recon": ("recon",),
    "armored_car": ("recon", "wheels"),
    "cavalry": ("cavalry",),
    "antitank": ("antitank",),
    "anti_tank": ("antitank",),
    "at": ("antitank",),
    "motorised_antitank": ("antitank",),
    "mobile_antitank": ("antitank", "armour"),
    "td": ("antitank", "armour"),
    "assault_gun": ("armour", "artillery"),
    "artillery": ("artillery",),
    "asu_artillery": ("artillery",),
    "rocket_artillery": ("artillery", "machine_gun"),
    "self_propelled_artillery": ("artillery", "self_propelled"),
    "armored_artillery": ("artillery", "self_propelled"),
    "flak": ("flak",),
    "flak88": ("flak", "antitank"),
    "aa": ("flak",),
    "heavy_aa": ("flak", "artillery"),
    "engineer": ("engineer",),
    "truck": ("supply", "wheels"),
    "armoured_train": ("train",),
    "air": ("air",),
}
_LETTERS = {
    "hq": "HQ",
    "asu_hq": "HQ",
    "leader": "L",
    "replacement_inf": "R",
    "replacement_tank": "R",
    "nkvd": "NKVD",
}


def symbol(kind: str, x: float, y: float, wide: float, ink: str, box: str = "none") -> str:
    """The symbol of a kind of unit with its middle at x, y; a kind that is not known shows its letters."""
    parts = _KINDS.get(kind, ())
    letters = _LETTERS.get(kind, "" if parts else _initials(kind))
    strokes = "".join(path for part in parts for path in _STROKES.get(part, ()))
    fills = "".join(path for part in parts for path in _FILLS.get(part, ()))
    frame = tag("rect", x=-_X, y=-_Y, width=WIDE, height=HIGH, fill=box)
    drawn = [frame]
    if strokes:
        drawn.append(tag("path", d=strokes, fill="none"))
    if fills:
        drawn.append(tag("path", d=fills, fill=ink, stroke="none"))
    if letters:
        size = 13.0 if len(letters) <= 2 else 8.0
        drawn.append(
            text(
                letters,
                0,
                size * 0.36,
                font_size=size,
                font_weight="700",
                font_family=FONT_COUNTER,
                text_anchor="middle",
                fill=ink,
                stroke="none",
            )
        )
    scale = wide / WIDE
    return group(
        drawn,
        transform=f"translate({pair(x, y)}) scale({scale:.3g})",
        stroke=ink,
        stroke_width=1.15,
        stroke_linejoin="round",
    )


def _initials(kind: str) -> str:
    return "".join(word[0] for word in kind.replace("-", "_").split("_") if word).upper()[:3]


def size_mark(size: str) -> str:
    """The sign of a unit's size: II for a battalion, X for a brigade; signs stay as they are."""
    return _SIZES.get(size.lower(), size if set(size) <= set("IX+•") else "")


_SIZES = {
    "company": "I",
    "battery": "I",
    "battalion": "II",
    "regiment": "III",
    "group": "",
    "brigade": "X",
    "combat command": "X",
    "division": "XX",
    "corps": "XXX",
    "army": "XXXX",
    "none": "",
}

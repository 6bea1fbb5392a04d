"""The counters as they are drawn: short names, printed numbers, formation bands and marks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.scene import CounterItem
from sandtable.engine.texts.text import Fact, Said, Text, term
from sandtable.mechanics.shown.showing import shortened

from ..table.board import Board
from ..table.ids import ELITE, LOW, SHOWS
from .look import STYLE

# What a counter shows of its state; of a word that has no sign of its own the first letter is drawn
SHOWN_MARKS = {
    "disrupted": "disrupted",
    "routed": "full retreat",
    "oos": "out_of_supply",
    "isolated": "isolated",
    "depleted": "depleted",
    "shipped": "transport marker",
    "refreshed": "replacement marker",
    "auto": "Auto DS",
    "extended": "extended movement",
    "attacked": "has attacked",
    "retreated": "gave way",
    "fed": "port supply",
    "moved": "moved",
}

KIND_WORDS = {
    "asu_hq": "corps HQ",
    "asu_artillery": "artillery group",
    "flak88": "88mm Flak",
    "infantry": "infantry",
    "tank": "tank",
    "truck": "truck",
    "mot_infantry": "motorised infantry",
    "mot_machine_gun": "motorised machine-gun",
    "mot_airborne": "motorised airborne infantry",
    "machine_gun": "machine-gun",
    "motorcycle": "motorcycle infantry",
    "recon": "reconnaissance",
    "replacement_inf": "infantry replacement",
    "replacement_tank": "tank replacement",
}

REPLACEMENTS = {
    "german": "Ge",
    "italian": "It",
    "british": "Br",
    "indian": "Ind",
    "australian": "Aus",
    "new_zealand": "NZ",
    "south_african": "SA",
    "polish": "Pol",
}


def weight(board: Board, unit: dict[str, Any]) -> int:
    """How high in a stack a counter lies: the strongest on top."""
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    return board.att[u][shows] * 10 + board.dfn[u][shows]


def counter(board: Board, unit: dict[str, Any], heavy: bool = False, past: frozenset[str] = frozenset()) -> CounterItem:
    """A unit of the view; `heavy`: a tank replacement on its heavy side (19.2.5b); `past`: marks of no interest."""
    u, shows = board.unit_index[unit["id"]], SHOWS.index(unit["shows"])
    row = board.pack.units[unit["id"]]
    marks = unit.get("marks", ())
    msu = "msu" in marks
    item: CounterItem = {
        "unit": unit["id"],
        "side": unit["side"],
        "hidden": False,
        "label": label(board, u, msu, heavy),
        "name": row["name"] + (" (remnant)" if shows == 2 else "") + (" (heavy)" if heavy else ""),
        "formation": row["formation"],
        "symbol": "supply" if msu else row["type"],
        "size": row["size"] if row["size"] != "none" else "",
        "nation": "luftwaffe" if "luftwaffe" in row.parts("marks") else row["nation"],
        "strength": printed(board, u, shows, msu),
        "values": [str(board.ma[u][shows])],
        "marks": [SHOWN_MARKS[m] for m in SHOWN_MARKS if m in marks and m not in past],
        "detail": detail(board, u, shows, msu, heavy),
    }
    if board.combat >> u & 1:
        item["steps"] = [board.steps_of[u] - shows, board.steps_of[u]]
    if board.tq[u] in (ELITE, LOW):
        item["boxed"] = ["", "elite" if board.tq[u] == ELITE else "low", ""]
    if board.matildas >> u & 1:
        item["band"] = "counter-ink"  # 19.2.5b
    elif row["formation"] in STYLE.bands:
        item["band"] = STYLE.bands[row["formation"]]
    if board.silhouettes >> u & 1:
        item["tank"] = str(board.tank_value[u])
        item["tank_hollow"] = bool(board.flak >> u & 1)  # 9.2.4a
    elif heavy:
        item["tank"] = "H"
    place = unit.get("hex", "")
    if place in board.grid.index:
        item["hex"] = place
    else:
        item["box"] = place or unit["box"]
    return item


def label(board: Board, u: int, msu: bool, heavy: bool) -> str:
    """The designation, short enough for a counter."""
    row = board.pack.units[board.units[u]]
    number = row["name"].rpartition(" ")[2]
    if board.replacements >> u & 1:
        kind = "inf" if row["type"] == "replacement_inf" else "heavy" if heavy else "tank"
        return f"{REPLACEMENTS[row['nation']]} {kind}"
    if msu:
        return f"MSU {number}"
    return shortened(row["name"], STYLE.short, 9)


def printed(board: Board, u: int, shows: int, msu: bool) -> str:
    """2.3.2 the numbers before the MA: attack and defense; of an ASU its range and defense (2.3.2g); of an MSU its
    range (2.3.2h); of a truck or replacement none."""
    if msu:
        return f"R{board.general['msu_range']}"
    if not board.combat >> u & 1:
        return ""
    if board.asus >> u & 1:
        support = "S" if board.support_asus >> u & 1 else ""
        return f"R{board.asu_range[u]}{support}-({board.dfn[u][shows]})"
    defence = f"({board.dfn[u][shows]})" if board.parenthesised >> u & 1 else str(board.dfn[u][shows])
    return f"{board.att[u][shows]}-{defence}"


def detail(board: Board, u: int, shows: int, msu: bool, heavy: bool = False) -> Said:
    """One line for the hex card."""
    row = board.pack.units[board.units[u]]
    kind: Said = KIND_WORDS[row["type"]]
    if msu:
        kind = Text("mobile supply unit with a supply point, range {n}", n=board.general["msu_range"])
    words: list[Fact] = [Text("heavy {kind}", kind=kind) if heavy else kind]
    if board.combat >> u & 1:
        values = f"{printed(board, u, shows, msu)}-{board.ma[u][shows]}"
        words.append(Text(("{values}", term("{values} reduced"), term("{values} remnant"))[shows], values=values))
    else:
        words.append(Text("MA {n}", n=board.ma[u][shows]))
    if board.silhouettes >> u & 1:
        words.append(Text("tank value {n}", n=board.tank_value[u]))
    if board.tq[u] in (ELITE, LOW) and board.combat >> u & 1:
        words.append(term("elite") if board.tq[u] == ELITE else term("low quality"))
    if board.stacking[u]:
        words.append(Text("stacks {n}", n=board.stacking[u]))
    return Text("{unit}: {words}", unit=row["name"], words=words)

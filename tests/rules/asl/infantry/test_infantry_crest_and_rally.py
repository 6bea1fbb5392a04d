"""A3.1, B20.9 as the third version reads them: the order of the Rally Phase, the Crest in the Advance Phase."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.table.ids import (
    APH,
    F_ADVANCE,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.advance import AdvanceAt

from ..infantrykit import (
    ALLIED,
    LEADER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    bits,
    desert,
    do,
    give,
    legal,
    place,
    rallying,
    roll,
    settle,
)
from ..infantrykit import (
    rule as held_by,
)

rule = partial(pytest.mark.rule, "asl")
TANK, TRUCK, MINE, WIRES = "it_m13#1", "ge_opel#1", "axis_known_minefield_ap#1", "axis_wire#1"


def advancing(s: State) -> State:
    s.phase = APH
    s.stack.append(AdvanceAt(F_ADVANCE))
    return settle(s)


# B20.9 the Crest in the Advance Phase


def gully() -> State:
    """A wadi from N4 through N5 to N6."""
    return desert(
        {name: {"forms": ["wadi"]} for name in ("N4", "N5", "N6")},
        [("N4", "N5", "wadi"), ("N5", "N6", "wadi")],
    )


@rule("B20.9")
def test_who_is_in_a_wadi_advances_to_its_crest_and_down_again() -> None:
    s = gully()
    place(s, SQUAD, "N5", at=Place.IN)
    advancing(s)
    assert f"advance-crest {SQUAD} N5 NE" in legal(s)
    assert held_by(s, f"advance {SQUAD} N5") == "A3.7"
    do(s, f"advance-crest {SQUAD} N5 NE")
    assert (s.place[U(SQUAD)], s.cafp[U(SQUAD)], s.at[U(SQUAD)]) == (Place.CREST, 1, H("N5"))
    assert held_by(s, f"advance {SQUAD} N5") == "A3.7"  # it has advanced
    assert s.moved == bits(SQUAD)  # AMB-152
    s.routed = 0
    settle(s)
    do(s, f"advance {SQUAD} N5")
    assert s.place[U(SQUAD)] == Place.IN


@rule("B20.9")
def test_from_outside_the_crest_is_reached_across_its_front_and_left_across_it() -> None:
    s = gully()
    place(s, SQUAD, "O5")
    advancing(s)
    found = {text for text in legal(s) if text.startswith("advance-crest")}
    assert len([one for one in found if " N5 " in one]) == 1
    assert held_by(s, f"advance-crest {SQUAD} N5 SW") == "B20.9"
    do(s, next(one for one in found if " N5 " in one))
    assert s.place[U(SQUAD)] == Place.CREST
    s.routed = 0
    settle(s)
    assert f"advance {SQUAD} O5" in legal(s)
    assert held_by(s, f"advance {SQUAD} M5") == "B20.9"
    s.edition = 2
    settle(s)
    assert f"advance {SQUAD} M5" in legal(s)
    assert not [text for text in legal(s) if text.startswith("advance-crest")]


# A3.1 the order of the Rally Phase


@rule("A3.1")
def test_the_rally_phase_has_its_order() -> None:
    def ready(edition: int = 3) -> State:
        s = desert()
        s.edition = edition
        place(s, [SQUAD, SQUAD2, SQUAD3, LEADER], "N5")
        give(s, "br_lmg#1", SQUAD)
        s.jammed, s.broken = bits("br_lmg#1"), bits(SQUAD2)
        rallying(s, ALLIED)
        return s

    repair, transfer, deploy_ = "repair br_lmg#1", f"transfer br_lmg#1 {SQUAD3}", f"deploy {SQUAD3}"
    s = ready()
    assert {repair, transfer, deploy_, f"rally {SQUAD2}"} <= legal(s)
    do(s, f"rally {SQUAD2}")
    roll(s, 6, 5)
    assert {held_by(s, one) for one in (repair, transfer, deploy_)} == {"A3.1"}
    s = ready()
    do(s, deploy_)
    roll(s, 6, 5)
    assert {held_by(s, one) for one in (repair, transfer)} == {"A3.1"}
    assert f"rally {SQUAD2}" in legal(s)
    s = ready()
    do(s, transfer)
    assert held_by(s, repair) in ("A3.1", "A9.72")
    assert deploy_ in legal(s)
    s = ready(2)
    do(s, f"rally {SQUAD2}")
    roll(s, 6, 5)
    assert {repair, transfer, deploy_} <= legal(s)

"""F.7 Known Minefields: how they are given, laid out, hidden and found."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import F_DUMMY_MINES, MINES_AP, MINES_AT, MINES_DUMMY
from sandtable.games.asl.table.minefields import (
    WAITING,
    DummyMinesAt,
    dummies_due,
    dummies_of,
    extra,
    lay_out,
    line_hexes,
    splits,
)
from sandtable.games.asl.table.works import forbidden

from ..infantrykit import ALLIED, AXIS, ROSTER, SQUAD, H, U, bits, desert, do, moving, place, roll, settle
from ..kit import filled

rule = partial(pytest.mark.rule, "asl")
MINE = "axis_known_minefield_ap#1"


@rule("F.7a", "F.7c")
def test_ex_f_7_twenty_four_factors() -> None:
    """EX-F.7: two counters of 12, three of 8, two of 6 and one of 12, four of 6."""
    assert splits(24) == [(12, 12), (12, 6, 6), (8, 8, 8), (6, 6, 6, 6)]


@rule("F.7c")
def test_counters_have_the_strengths_that_the_scenario_proposes() -> None:
    s = desert()
    script = {"default_setup": [{"unit": "known_minefield_ap", "factors": n} for n in (6, 12)]}
    lay_out(s, bits(MINE, "axis_known_minefield_ap#2"), script)
    assert [s.strength[U(f"axis_known_minefield_ap#{i}")] for i in (1, 2)] == [6, 12]


@rule("F.7Aa", "F.7Ab")
def test_a_line_of_mines_runs_along_a_hex_grain_or_an_alternate_one() -> None:
    s = desert()

    def names(a: str, b: str) -> list[str]:
        return [s.stage.field.name(h).removeprefix("D1.") for h in line_hexes(s.stage, H(a), H(b))]

    assert names("M3", "M7") == ["M3", "M4", "M5", "M6", "M7"]
    assert names("M5", "Q5") == ["M5", "O5", "Q5"]
    assert names("M5", "P7") == []


@rule("F.7Ad")
def test_one_minefield_of_a_kind_in_a_hex() -> None:
    s = desert()
    place(s, MINE, "M5")
    assert forbidden(s, MINES_AP, H("M5")) == "F.7Ad"
    assert forbidden(s, MINES_AT, H("M5")) == ""


@rule("F.7h")
def test_minefields_lie_in_any_terrain() -> None:
    words = ("sand", "hammada", "scrub", "building_stone", "woods")
    s = desert({name: {"terrain": word} for name, word in zip(("L5", "M5", "N5", "O5", "P5"), words, strict=True)})
    for name in ("L5", "M5", "N5", "O5", "P5"):
        assert [forbidden(s, kind, H(name)) for kind in (MINES_AP, MINES_AT, MINES_DUMMY)] == ["", "", ""]


@rule("F.7Bd", "F.7Be", "F.7Bf")
def test_how_many_dummies() -> None:
    assert [dummies_due(factors) for factors in (23, 24, 47, 48)] == [0, 1, 1, 2]
    assert dummies_due(48, printed=5) == 5
    assert [extra(1, die) for die in range(1, 7)] == [0, 1, 1, 2, 2, 3]
    assert extra(0, 6) == 0


@rule("F.7Bf")
def test_the_dr_for_dummies_is_secret() -> None:
    s = desert()
    assert dummies_of(s, AXIS) == []  # no mines in this scenario
    s.stack.append(DummyMinesAt(F_DUMMY_MINES, AXIS, 1))
    settle(s)
    found = roll(s, 4)
    told = next(one for one in found if one.kind == "dummy_mines")
    assert told.seen_by(ALLIED) is None
    assert (told.seen_by(AXIS) or {})["count"] == 3
    assert sum(1 for u in range(len(s.at)) if s.at[u] == WAITING and ROSTER.of_kind[MINES_DUMMY] >> u & 1) == 3


@rule("F.7Ca", "F.7Cb", "B28.45")
def test_a_search_shows_that_there_are_mines_not_how_many() -> None:
    s = desert(filled("scrub", "N5"))
    place(s, MINE, "M4")
    s.strength[U(MINE)] = 12
    s.hip = bits(MINE)
    place(s, SQUAD, "M5")
    moving(s)
    do(s, f"move {SQUAD}", "search M4")
    roll(s, 1)
    seen = [one for one in GAME.view(s, ALLIED)["units"] if one.get("type") == "minefield"]
    assert len(seen) == 1
    assert "strength" not in seen[0]
    do(s, "halt") if GAME.to_act(s) == ALLIED else None


@rule("F.7b", "F.7Ac")
def test_redealing_what_a_minefield_is_does_not_change_what_the_enemy_sees() -> None:
    views = []
    for name, strength in ((MINE, 6), (MINE, 12), ("axis_known_minefield_at#1", 3), ("axis_dummy_minefield#1", 0)):
        s = desert()
        place(s, SQUAD, "M5")
        place(s, name, "N5")
        s.strength[U(name)] = strength
        moving(s)
        known = {"unused", "spare", "eliminated"}
        views.append([one for one in GAME.view(s, ALLIED)["units"] if one.get("box") not in known])
    assert all(view == views[0] for view in views)

"""What must hold at every moment is seen to be broken when it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table.ids import F_DUMMY_MINES, F_SETUP, UNUSED
from sandtable.games.asl.table.state import State, put
from sandtable.games.asl.table.telling import uncover
from sandtable.games.asl.table.verbs import ACCEPT, PLACE

GUN, SQUAD, TANK = "it_at47#1", "it_336#1", "it_m11#1"


def camp() -> State:
    """Nibeiwa as it is proposed, with a dummy on the map."""
    s = GAME.new("s03_nibeiwa", {})
    while s.stack[-1][0] in (F_SETUP, F_DUMMY_MINES):
        if GAME.is_chance(s):
            GAME.apply(s, GAME.roll(s, lambda _: 1).action)
            continue
        dummy = [a for a in GAME.legal(s) if a[0] == PLACE and s.stage.roster.dummies >> a[1] & 1]
        GAME.apply(s, dummy[0] if dummy and not s.here else (int(ACCEPT),))
    return s


def bit(s: State, name: str) -> int:
    return 1 << s.stage.roster.index[name]


def spoil(text: str) -> Callable[[State], None]:
    def change(s: State) -> None:
        unit = s.stage.roster.index
        if text == "hidden and not concealed":
            s.concealed &= ~bit(s, GUN)
        elif text == "broken under a ?":
            s.broken |= bit(s, SQUAD)
            s.concealed |= bit(s, SQUAD)
        elif text == "prisoner under a ?":
            s.captive |= bit(s, SQUAD)
            s.concealed |= bit(s, SQUAD)
        elif text == "is nowhere":
            put(s, unit[SQUAD], UNUSED)
        elif text == "a dummy in sight":
            s.concealed &= ~s.stage.roster.dummies
        elif text == "who cannot":
            s.holder[unit["it_lmg#1"]] = unit["it_mmg#1"]
        elif text == "no prisoner":
            s.guard[unit[SQUAD]] = unit["it_346#1"]
        elif text == "faces nowhere":
            s.vca[unit[TANK]] = 6
        elif text == "too many men":
            for n in range(1, 5):
                put(s, unit[f"it_336#{n}"], s.at[unit[SQUAD]])
        elif text == "too many Guns":
            for n in range(1, 4):
                put(s, unit[f"it_at47#{n}"], s.at[unit[GUN]])
        elif text == "is not with":
            s.holder[unit["it_lmg#1"]] = unit[SQUAD]

    return change


def test_a_scenario_begins_sound() -> None:
    assert faults(camp()) == []


@pytest.mark.parametrize(
    "text",
    [
        "hidden and not concealed",
        "broken under a ?",
        "prisoner under a ?",
        "is nowhere",
        "a dummy in sight",
        "who cannot",
        "no prisoner",
        "faces nowhere",
        "is not with",
        "too many men",
        "too many Guns",
    ],
)
def test_what_is_broken_is_named(text: str) -> None:
    s = camp()
    spoil(text)(s)
    assert any(text in one for one in faults(s)), faults(s)


@pytest.mark.rule("asl", "A12.3")
def test_who_loses_his_cover_is_hidden_no_longer() -> None:
    s = camp()
    gun = bit(s, GUN)
    assert s.hip & gun
    s.concealed &= ~gun
    assert uncover(s) == gun
    assert not s.hip & gun
    assert faults(s) == []
    assert GUN in {one["id"] for one in GAME.view(s, 1)["units"]}

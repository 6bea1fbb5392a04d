"""A11: Melee, Ambush, Withdrawal and Infiltration."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.combat.close import ATTACKS, SLIPS, Ambush, AmbushAt, CombatsAt, MeleeAt, leavers, next_step
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.ids import (
    F_AMBUSH,
    F_COMBATS,
    F_MELEE,
    GONE,
    MPH,
    ON_WIRE,
    PFPH,
    WIRE,
)
from sandtable.games.asl.table.state import Melee, State, eliminate, put
from sandtable.mechanics.masks import units_of

from ..infantrykit import (
    ALLIED,
    AXIS,
    CCPH,
    FOE,
    LEADER,
    SQUAD,
    SQUAD2,
    SQUAD3,
    H,
    U,
    bits,
    desert,
    do,
    legal,
    place,
    roll,
    settle,
)
from ..infantrykit import rule as held_by

rule = partial(pytest.mark.rule, "asl")
EDITIONS = [7, 6]


def brawl(edition: int, step: int = 0, on: State | None = None) -> State:
    s = on or desert()
    s.edition = edition
    place(s, [SQUAD, FOE], "M5")
    s.phase = CCPH
    s.melee = bits(SQUAD, FOE)
    s.fight = Melee(hex=H("M5"), side=ALLIED, step=step)
    s.stack.append(MeleeAt(F_MELEE))
    return s


@rule("A11.2", "A11.4")
@pytest.mark.parametrize(("edition", "first"), [(7, ALLIED), (6, AXIS)])
def test_the_phasing_side_says_who_withdraws_even_if_it_is_ambushed(edition: int, first: int) -> None:
    s = brawl(edition)
    frame = AmbushAt(F_AMBUSH)
    s.stack.append(frame)
    Ambush(verbs.ROLLED).take(s, frame, (int(verbs.ROLLED), 6, 1))
    assert s.fight is not None
    assert (s.fight.ambush, s.fight.side) == (AXIS, first)
    settle(s)
    assert GAME.to_act(s) == first
    s.fight.step, s.fight.side = 1, AXIS
    settle(s)
    next_step(s, s.fight)
    assert (s.fight.step, s.fight.side) == (ATTACKS, AXIS)  # A11.4 the ambusher attacks first


@rule("A7.8", "A11.22")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_pinned_does_not_slip_away(edition: int) -> None:
    s = brawl(edition, SLIPS)
    assert s.fight is not None
    s.fight.slips = s.pinned = bits(SQUAD)
    assert bool(leavers(s, s.fight)) == (edition < 7)
    s.pinned = 0
    assert leavers(s, s.fight) == bits(SQUAD)


@rule("B26.4", "A11.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_is_on_wire_does_not_withdraw_unless_it_is_broken(edition: int) -> None:
    s = brawl(edition)
    assert s.fight is not None
    s.under[U(SQUAD)] = ON_WIRE
    assert bool(leavers(s, s.fight)) == (edition < 7)
    s.broken = bits(SQUAD)
    assert leavers(s, s.fight) == bits(SQUAD)


@rule("B20.9", "A11.2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_from_a_crest_one_withdraws_across_its_front(edition: int) -> None:
    ground = desert(
        {name: {"forms": ["wadi"]} for name in ("M4", "M5", "M6")}, [("M4", "M5", "wadi"), ("M5", "M6", "wadi")]
    )
    s = brawl(edition, on=ground)
    there = s.stage.grid
    front = there.direction(H("M5"), H("N5"))
    s.place[U(SQUAD)], s.cafp[U(SQUAD)] = Place.CREST, front
    settle(s)
    ways = {text.split()[-1] for text in legal(s) if text.startswith("withdraw")}
    ahead = {there.names[there.neighbour(H("M5"), d % 6)][3:] for d in (front - 1, front, front + 1)}
    assert "N5" in ways
    if edition > 6:
        assert ways <= ahead
        back = there.names[there.neighbour(H("M5"), (front + 3) % 6)][3:]
        assert held_by(s, f"withdraw {SQUAD} {back}") == "B20.9"
    else:
        assert ways - ahead


@rule("A11.15")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_held_where_no_enemy_is_left(edition: int) -> None:
    """A Sniper or a shell has taken the enemy away between two Close Combat Phases."""
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE], "M5")
    place(s, [SQUAD2, "it_346#2"], "P5")
    s.melee = bits(SQUAD, FOE, SQUAD2, "it_346#2")
    eliminate(s, U(FOE))
    s.stack[0] = s.stack[0]._replace(step=PFPH)
    settle(s)
    s.stack = [s.stack[0]._replace(step=MPH)]
    settle(s)
    assert s.phase == MPH
    assert s.melee == bits(SQUAD2, "it_346#2") | (bits(SQUAD) if edition < 7 else 0)
    assert (f"move {SQUAD}" in legal(s)) == (edition > 6)


# A11.16, A10.2 the end of a Close Combat


def fight_of(*names: str, edition: int = 6, melee: bool = False, more: Callable[[State], None] | None = None) -> State:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE, *names], "M5")
    if more:
        more(s)
    s.phase = CCPH
    if melee:
        s.melee = bits(SQUAD, FOE, *names)
    s.stack.append(CombatsAt(F_COMBATS, 1 << H("M5")))
    return settle(s)


@rule("A11.16", "A10.2")
@pytest.mark.parametrize(("edition", "lost"), [(6, True), (5, False)])
def test_whom_a_leader_s_end_in_close_combat_breaks_is_lost_with_the_broken(edition: int, lost: bool) -> None:
    s = fight_of(LEADER, SQUAD2, edition=edition)
    do(s, f"join {SQUAD}", f"join {SQUAD2}", f"join {LEADER}", f"strike {FOE}")
    roll(s, 6, 5)
    do(s, f"join {FOE}", f"strike {LEADER}")
    roll(s, 1, 2)  # he falls: each of his men takes a LLMC
    roll(s, 6, 4, 1, 1)
    one, other = (U(SQUAD), U(SQUAD2)) if s.at[U(SQUAD)] == GONE or s.broken >> U(SQUAD) & 1 else (U(SQUAD2), U(SQUAD))
    assert (s.at[one] == GONE) == lost
    assert s.at[other] == H("M5")
    assert s.melee >> other & 1
    assert s.fight is None


# A11.2 Withdrawal


@rule("A5.1", "A11.2")
def test_nobody_withdraws_to_where_there_is_no_room() -> None:
    def fill(s: State) -> None:
        place(s, [SQUAD2, SQUAD3, "br_457#4"], "L5")

    s = fight_of(melee=True, more=fill)
    assert any(text.startswith(f"withdraw {SQUAD} ") for text in legal(s))
    assert f"withdraw {SQUAD} L5" not in legal(s)
    assert held_by(s, f"withdraw {SQUAD} L5") == "A5.1"
    s = fight_of(melee=True, more=fill, edition=5)
    assert f"withdraw {SQUAD} L5" in legal(s)


@rule("B26.4", "A11.2")
@pytest.mark.parametrize("edition", [6, 5])
def test_who_withdraws_onto_wire_is_on_top_of_it(edition: int) -> None:
    def wire(s: State) -> None:
        put(s, units_of(s.stage.roster.of_kind[WIRE])[0], H("L5"))

    s = fight_of(melee=True, more=wire, edition=edition)
    do(s, f"withdraw {SQUAD} L5")
    while s.fight is not None:
        if GAME.is_chance(s):
            roll(s, 6)
        else:
            texts = legal(s)
            do(s, "stand" if "stand" in texts else "end-combat" if "end-combat" in texts else sorted(texts)[0])
    assert s.at[U(SQUAD)] == H("L5")
    assert (s.under[U(SQUAD)] == ON_WIRE) == (edition == 6)

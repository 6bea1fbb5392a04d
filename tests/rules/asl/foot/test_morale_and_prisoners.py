"""A1, A10, A17, A20: checks and leaders, rally and rout, prisoners, squads and half-squads."""

from __future__ import annotations

from functools import partial

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.fire.morale import CheckAt, break_, leader_here, leader_loss
from sandtable.games.asl.movement.exits import leave_map
from sandtable.games.asl.table.captives import capture
from sandtable.games.asl.table.ids import (
    ABOVE,
    EXITED,
    F_RALLY,
    F_ROUTS,
    LLTC,
    RPH,
    UNDER_SANGAR,
)
from sandtable.games.asl.table.state import State
from sandtable.games.asl.turn.flight import must, threat
from sandtable.games.asl.turn.rally import RallyAt, calm
from sandtable.games.asl.turn.routs import RoutsAt

from ..infantrykit import (
    ALLIED,
    AXIS,
    FOE,
    HMG,
    LEADER,
    LMG,
    OTHER_LEADER,
    SQUAD,
    SQUAD2,
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
from ..vehiclekit import Desk

rule = partial(pytest.mark.rule, "asl")
EDITIONS = [7, 6]
HALF, OTHER_HALF = "br_247#1", "br_247#2"


# A10.2, A17.1 the loss of a leader


def shaken(s: State) -> set[str]:
    return {s.stage.roster.names[f.unit] for f in s.stack if isinstance(f, CheckAt)}


@rule("A10.2", "A17.1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("mark", ["wounded", "encircled"])
def test_a_weakened_leader_s_loss_is_felt_by_those_of_no_more_than_his_morale_now(edition: int, mark: str) -> None:
    s = desert()
    s.edition = edition
    crew = "br_228#1"
    place(s, [OTHER_LEADER, SQUAD, crew], "M5")  # 8-0, 4-5-7, 2-2-8
    setattr(s, mark, bits(OTHER_LEADER))
    leader_loss(s, U(OTHER_LEADER), LLTC)
    assert shaken(s) == ({SQUAD} if edition > 6 else {SQUAD, crew})


# A10.7, AMB-190 those aboard


def lorry(edition: int) -> Desk:
    t = Desk()
    t.s.edition = edition
    t.put("br_3ton#1", "Q5")
    t.board("br_457#1", "br_3ton#1")
    t.put("br_457#2", "Q5")
    return t


@rule("A10.7", "A10.2", "A19.3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_leader_aboard_leads_those_aboard_and_one_beside_them_the_others(edition: int) -> None:
    t = lorry(edition)
    t.board("br_ldr_9m1#1", "br_3ton#1")
    inside, beside = t.unit("br_457#1"), t.unit("br_457#2")
    assert leader_here(t.s, inside) == (t.unit("br_ldr_9m1#1") if edition > 6 else -1)
    assert leader_here(t.s, beside) == -1
    leader_loss(t.s, t.unit("br_ldr_9m1#1"), LLTC)
    assert shaken(t.s) == ({"br_457#1"} if edition > 6 else {"br_457#2"})


@rule("A10.6", "A10.621", "A9.72")
@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_is_aboard_rallies_and_repairs(edition: int) -> None:
    t = lorry(edition)
    t.board("br_ldr_9m1#1", "br_3ton#1")
    t.put("br_ldr_8m1#1", "Q5")
    t.give("br_lmg#1", "br_ldr_9m1#1")
    t.s.jammed = t.bit("br_lmg#1")
    t.s.broken = t.bit("br_457#1")
    t.s.phase = RPH
    t.settle(RallyAt(F_RALLY, ALLIED))
    wanted = {"rally br_457#1", "repair br_lmg#1"}
    assert wanted & t.legal() == (wanted if edition > 6 else set())
    t.s.dm = t.bit("br_457#1")
    calm(t.s)
    assert bool(t.s.dm) == (edition < 7)


# A17.1, A10.501 a wounded man routs with 3 MF


@rule("A17.1", "A10.501")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_wounded_man_routs_three_hexes(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, LEADER, "N5")
    place(s, FOE, "P5")
    s.broken = s.dm = s.wounded = bits(LEADER)
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    do(s, f"rout {LEADER}")
    for to in ("M6", "L6", "K7"):
        do(s, f"to {to}")
        while not any(text.startswith(("to ", "halt", "end-routs")) for text in legal(s)):
            roll(s, 1, 1)
    assert any(text.startswith("to ") for text in legal(s)) == (edition < 7)


# A20.5 prisoners


@rule("A20.5", "B20.9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("guard", "freed"), [(Place.IN, Place.IN), (Place.CREST, Place.IN), (Place.GROUND, Place.GROUND)]
)
def test_who_is_freed_is_where_his_guard_is(edition: int, guard: int, freed: int) -> None:
    s = desert({"M5": {"forms": ["wadi"]}})
    s.edition = edition
    place(s, [SQUAD, FOE], "N5")
    capture(s, U(FOE), U(SQUAD), "A20.21")
    s.place[U(FOE)] = 7  # wherever he was taken
    s.place[U(SQUAD)] = guard
    break_(s, U(SQUAD), "A10.4")
    assert s.place[U(FOE)] == (freed if edition > 6 else 7)


# A1.32, A4.43 the Rally Phase


def in_rally(edition: int, *names: str) -> State:
    s = desert()
    s.edition = edition
    place(s, [*names, LEADER], "M5")
    s.phase = RPH
    return s


@rule("A1.32", "B27.44")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("order", [(HALF, OTHER_HALF), (OTHER_HALF, HALF)])
def test_a_squad_that_recombines_lies_beneath_only_what_holds_it(edition: int, order: tuple[str, str]) -> None:
    for others, cover in (((), UNDER_SANGAR), (("br_248#1",), ABOVE)):  # the third half-squad leaves no room for it
        s = in_rally(edition, HALF, OTHER_HALF, *others)
        place(s, "allied_sangar#1", "M5")
        for name in (order[0], *others):
            s.under[U(name)] = UNDER_SANGAR
        rallying(s, ALLIED)
        do(s, f"recombine {HALF} {OTHER_HALF}")
        was = UNDER_SANGAR if order[0] == HALF else ABOVE
        assert s.under[U(HALF)] == (cover if edition > 6 else was)


@rule("A1.32", "C2.1", "F8.3b")
@pytest.mark.parametrize("edition", EDITIONS)
def test_half_squads_that_man_a_gun_each_or_one_in_a_sangar_stay_apart(edition: int) -> None:
    guns = ["br_at40#1", "br_at40#2"]
    text = f"recombine {HALF} {OTHER_HALF}"
    s = in_rally(edition, HALF, OTHER_HALF)
    for gun, half in zip(guns, (HALF, OTHER_HALF), strict=True):
        give(s, gun, half)
    assert (text in legal(rallying(s, ALLIED))) == (edition < 7)
    s = in_rally(edition, HALF, OTHER_HALF)
    give(s, guns[0], HALF)
    assert text in legal(rallying(s, ALLIED))
    s = in_rally(edition, HALF, OTHER_HALF)
    give(s, guns[0], HALF)
    s.under[U(guns[0])] = s.under[U(HALF)] = UNDER_SANGAR
    assert (text in legal(rallying(s, ALLIED))) == (edition < 7)


@rule("A4.43", "A9.72", "A3.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_has_been_repaired_is_handed_over_in_the_same_phase_but_once(edition: int) -> None:
    s = in_rally(edition, SQUAD, SQUAD2)
    give(s, LMG, SQUAD)
    s.jammed = bits(LMG)
    rallying(s, ALLIED)
    do(s, f"repair {LMG}")
    roll(s, 1)
    assert (f"transfer {LMG} {SQUAD2}" in legal(s)) == (edition > 6)
    if edition > 6:
        do(s, f"transfer {LMG} {SQUAD2}")
        assert not any(text.startswith("transfer") for text in legal(s))


@rule("A4.43", "C2.1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_handed_a_second_gun(edition: int) -> None:
    s = in_rally(edition, SQUAD, SQUAD2)
    give(s, "br_at40#1", SQUAD)
    give(s, "br_at40#2", SQUAD2)
    give(s, HMG, SQUAD)
    found = legal(rallying(s, ALLIED))
    assert f"transfer {HMG} {SQUAD2}" in found
    assert (f"transfer br_at40#1 {SQUAD2}" in found) == (edition < 7)
    assert H("M5") == s.at[U(SQUAD)]


# A10.5, D6.22, AMB-196 those aboard


def sighted(edition: int, aboard: bool = True, shut: bool = False) -> Desk:
    """A broken squad in the open, and a truck with a squad (or a tank that nobody fires from) within its range."""
    t = Desk(phasing=AXIS)
    t.s.edition = edition
    t.put("ge_467#1", "Q5", broken=True, dm=True)
    t.put("br_3ton#1", "S5")
    if aboard:
        t.board("br_457#1", "br_3ton#1")
    t.s.broken |= t.bit("br_457#1") if shut else 0
    return t


@rule("A10.5", "D6.22")
@pytest.mark.parametrize("edition", EDITIONS)
def test_those_aboard_a_truck_drive_broken_men_from_open_ground(edition: int) -> None:
    t = sighted(edition)
    squad = t.unit("ge_467#1")
    assert must(t.s, squad) == (edition > 6)
    assert threat(t.s, squad, True) == (edition > 6)
    assert not must(sighted(edition, aboard=False).s, squad)
    assert not must(sighted(edition, shut=True).s, squad)


# B27.3 a router goes beneath a foxhole


@rule("B27.3", "A10.501")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_router_may_go_beneath_an_entrenchment(edition: int) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, "allied_sangar#1", "M6")
    place(s, FOE, "P5")
    s.broken = s.dm = bits(SQUAD)
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    do(s, f"rout {SQUAD}")
    assert "under" not in legal(s)
    do(s, "to M6")
    while not any(text.startswith(("to ", "halt")) for text in legal(s)):
        roll(s, 1, 1)
    assert ("under" in legal(s)) == (edition > 6)
    if edition > 6:
        do(s, "under")
        assert s.under[U(SQUAD)] == UNDER_SANGAR
        assert not must(s, U(SQUAD))
        assert "under" not in legal(s)
        do(s, "halt")


# A7.7 Encirclement


@rule("A7.7")
@pytest.mark.parametrize(("edition", "kept"), [(6, False), (5, True)])
@pytest.mark.parametrize("verb", ["to", "crawl"])
def test_who_routs_away_is_no_longer_encircled(edition: int, kept: bool, verb: str) -> None:
    s = desert()
    s.edition = edition
    place(s, SQUAD, "N5")
    place(s, FOE, "P5")
    s.broken = s.dm = s.encircled = bits(SQUAD)
    s.stack.append(RoutsAt(F_ROUTS, ALLIED))
    settle(s)
    do(s, f"rout {SQUAD}", f"{verb} M6")
    assert s.at[U(SQUAD)] == H("M6")
    assert bool(s.encircled & bits(SQUAD)) == kept


# A20.5 prisoners


@rule("A20.5", "A2.6")
@pytest.mark.parametrize(("edition", "gone"), [(6, True), (5, False)])
def test_prisoners_leave_the_map_with_their_guard(edition: int, gone: bool) -> None:
    s = desert()
    s.edition = edition
    place(s, [SQUAD, FOE], "M5")
    capture(s, U(FOE), U(SQUAD), "A20.21")
    leave_map(s, bits(SQUAD), 0)
    assert (s.at[U(FOE)] == EXITED) == gone
    assert s.guard == {U(FOE): U(SQUAD)}


@rule("A20.5", "A1.32")
def test_prisoners_of_a_half_squad_that_recombines_are_held_by_the_squad() -> None:
    s = desert()
    halves = ["br_247#1", "br_247#2"]
    place(s, [*halves, LEADER, FOE], "M5")
    capture(s, U(FOE), U(halves[1]), "A20.21")
    s.phase = RPH
    rallying(s, ALLIED)
    do(s, f"recombine {halves[0]} {halves[1]}")
    assert s.guard == {U(FOE): U(halves[0])}


# A4.44, A9.72 what has been recovered


@rule("A4.44", "A9.72")
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_has_been_recovered_may_be_repaired_in_the_same_phase(edition: int) -> None:
    s = in_rally(edition, SQUAD)
    place(s, LMG, "M5")
    s.jammed = bits(LMG)
    rallying(s, ALLIED)
    do(s, f"recover {SQUAD} {LMG}")
    roll(s, 2)
    assert s.holder[U(LMG)] == U(SQUAD)
    assert (f"repair {LMG}" in legal(s)) == (edition > 6)

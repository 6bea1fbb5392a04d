"""10 Combat results."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import CHANCE
from sandtable.games.na41.combat import effects, results
from sandtable.games.na41.combat.combat import begin_fight
from sandtable.games.na41.combat.losses import may_lose, step_loss, sweep
from sandtable.games.na41.table.ids import ALLIED, AXIS, BREAKTHROUGH, COMBAT, F_GROUP, F_RETREAT, REDUCED, REMNANT
from sandtable.games.na41.table.position import remnants_left
from sandtable.games.na41.table.state import State

from ..fights import EAST, FIELD, WEST, attack, begin, decline, field, force, give_way
from ..kit import GAME, H, U, at, board, do, kinds, of_kind, place, roll, supplies, texts, units, why

TWO = ["GE_155", "GE_361"]
THEIRS = ["NZ_6", "BR_THR"]


def under_fire(result: str, ours: list[str] | None = None, theirs: list[str] | None = None) -> State:
    """A fight that has come to this result; its first decision is next."""
    s = field(ours or TWO, theirs or THEIRS)
    attack(s, *(ours or TWO))
    force(s, result)
    return s


def order(s: State, name: str) -> str:
    b = 1 << U(name)
    return "full retreat" if s.routed & b else "disrupted" if s.disrupted & b else "good order"


def fallen(s: State, name: str) -> int:
    """The steps that a unit has lost."""
    return s.step[U(name)] if s.at[U(name)] >= 0 else board.steps_of[U(name)]


def advance_of(result: str, held: bool = False, emptied: bool = True) -> tuple[int, bool]:
    """How far the attackers may advance after a result, and whether it is a limited advance."""
    s = field(TWO, THEIRS)
    begin(s)
    effects.begin(s, COMBAT, H(FIELD), units(*TWO))
    s.fight.result = results.cell(result)
    s.fight.held = int(held)
    if emptied:
        for name in THEIRS:
            place(s, name, "1960")
    before = len(s.stack)
    effects.follow_up(s)
    assert (len(s.stack) > before) == (s.allowance > 0)
    if s.allowance:
        assert s.stack[-1] == GAME.framed((F_GROUP,))
        assert (s.fight.vacated, s.advancing) == (H(FIELD), units(*TWO))
    return s.allowance, bool(s.fight.limited_advance)


def retreat_of(result: str) -> int:
    """The hexes of F_RETREAT (3 stands for 2 or 3, the owner's choice), 0 if nobody retreats."""
    s = field(TWO, THEIRS)
    place(s, "AL_TR1", FIELD)
    begin(s)
    effects.begin(s, COMBAT, H(FIELD), units(*TWO))
    s.fight.result = results.cell(result)
    before = len(s.stack)
    effects.retreat(s)
    if len(s.stack) == before:
        return 0
    assert s.stack[-1][0] == F_RETREAT
    assert (s.retreating, s.fight.origin) == (units(*THEIRS, "AL_TR1"), H(FIELD))
    return s.stack[-1][1]


# 10.1 The results


@pytest.mark.rule("na41", "10.1a")
def test_attacker_and_defender_are_those_who_take_part() -> None:
    s = field(["GE_155", "GE_361", "GE_III255"], THEIRS)
    attack(s, "GE_155", "GE_361")
    force(s, "A1")
    assert texts(s) == ["lose GE_155", "lose GE_361"]
    assert why(s, "lose GE_III255") == ("10.1a", "III/255 Infantry takes no part in this")


@pytest.mark.rule("na41", "10.1b", "10.2.1b", "13.1.3a")
def test_ds() -> None:
    s = under_fire("DS")
    assert GAME.to_act(s) == AXIS  # the attacker picks
    assert texts(s) == ["lose BR_THR", "lose NZ_6"]
    do(s, "lose NZ_6")
    assert (fallen(s, "NZ_6"), fallen(s, "GE_155"), fallen(s, "GE_361")) == (1, 0, 0)
    assert retreat_of("DS") == 4
    assert advance_of("DS") == (4, False)
    s = field(["GE_288", "GE_115"], "BR_THR")
    attack(s, "GE_288", "GE_115")
    place(s, "BR_KDG", FIELD)
    s.fight.defenders |= units("BR_KDG")
    force(s, "DS r")
    do(s, "lose BR_THR")
    give_way(s)
    assert order(s, "BR_KDG") == "full retreat"
    assert board.grid.distance(s.at[U("BR_KDG")], H(FIELD)) == 4


@pytest.mark.rule("na41", "10.1c")
def test_dr4() -> None:
    s = under_fire("DR4", ["GE_288", "GE_115"], ["BR_THR"])
    give_way(s)
    assert order(s, "BR_THR") == "full retreat"
    assert board.grid.distance(s.at[U("BR_THR")], H(FIELD)) == 4
    assert retreat_of("DR4") == 4
    assert advance_of("DR4") == (4, False)


@pytest.mark.rule("na41", "10.1d", "10.2.1a", "13.1.2")
def test_d1() -> None:
    s = under_fire("D1")
    assert GAME.to_act(s) == ALLIED
    assert texts(s) == ["lose BR_THR", "lose NZ_6"]
    do(s, "lose NZ_6")
    assert (fallen(s, "NZ_6"), fallen(s, "GE_155")) == (1, 0)
    give_way(s)
    assert (order(s, "NZ_6"), order(s, "BR_THR")) == ("disrupted", "disrupted")
    assert board.grid.distance(s.at[U("NZ_6")], H(FIELD)) == 2  # on foot; 10.1d 2 or 3 at the owner's choice
    assert retreat_of("D1") == 3
    assert advance_of("D1") == (3, False)


@pytest.mark.rule("na41", "10.1e", "10.2.1a", "10.2.2e")
def test_a1_d1() -> None:
    s = under_fire("A1/D1")
    assert GAME.to_act(s) == ALLIED  # the defender's loss first, each picked by its owner
    do(s, "lose NZ_6")
    assert GAME.to_act(s) == AXIS
    assert texts(s) == ["lose GE_155", "lose GE_361"]
    do(s, "lose GE_361")
    assert (fallen(s, "NZ_6"), fallen(s, "GE_361")) == (1, 1)
    assert retreat_of("A1/D1") == 2
    assert advance_of("A1/D1") == (2, False)
    give_way(s)
    assert order(s, "NZ_6") == "disrupted"


@pytest.mark.rule("na41", "10.1f", "10.2.1a")
def test_a1_dr2() -> None:
    s = under_fire("A1/DR2")
    assert GAME.to_act(s) == AXIS
    do(s, "lose GE_155")
    give_way(s)
    assert (fallen(s, "GE_155"), fallen(s, "NZ_6"), fallen(s, "BR_THR")) == (1, 0, 0)
    assert order(s, "NZ_6") == "disrupted"
    assert retreat_of("A1/DR2") == 2
    assert advance_of("A1/DR2") == (2, False)


@pytest.mark.rule("na41", "10.1g")
def test_dr2() -> None:
    s = under_fire("DR2")
    give_way(s)
    assert [fallen(s, name) for name in (*TWO, *THEIRS)] == [0, 0, 0, 0]
    assert order(s, "NZ_6") == "disrupted"
    assert board.grid.distance(s.at[U("NZ_6")], H(FIELD)) == 2
    assert retreat_of("DR2") == 2
    assert advance_of("DR2") == (2, False)


@pytest.mark.rule("na41", "10.1h", "10.2.1b", "10.2.2e")
def test_drx() -> None:
    s = under_fire("DRX")
    assert (GAME.to_act(s), texts(s)[0]) == (AXIS, "lose BR_THR")  # each picked by the opponent
    do(s, "lose NZ_6")
    assert (GAME.to_act(s), texts(s)[0]) == (ALLIED, "lose GE_155")
    do(s, "lose GE_361")
    give_way(s)
    assert order(s, "NZ_6") == "disrupted"
    assert retreat_of("DRX") == 2
    assert advance_of("DRX") == (2, False)


@pytest.mark.rule("na41", "10.1i", "10.2.1b")
def test_ex() -> None:
    s = under_fire("EX")
    assert GAME.to_act(s) == AXIS
    do(s, "lose NZ_6")
    assert GAME.to_act(s) == ALLIED
    do(s, "lose GE_361")
    assert (at(s, "NZ_6"), order(s, "NZ_6")) == (FIELD, "good order")  # no retreat
    assert "end-combat" in texts(s)
    assert retreat_of("EX") == 0
    assert advance_of("EX", emptied=False) == (0, False)
    assert advance_of("EX") == (1, True)  # if all defenders are gone, into the hex and no farther


@pytest.mark.rule("na41", "10.1j", "10.2.1a")
def test_a1() -> None:
    s = under_fire("A1")
    assert GAME.to_act(s) == AXIS
    do(s, "lose GE_155")
    assert fallen(s, "GE_155") == 1
    assert "end-combat" in texts(s)
    assert retreat_of("A1") == 0
    assert advance_of("A1", emptied=False) == (0, False)


@pytest.mark.rule("na41", "10.1k")
def test_units_on_foot_surrender_if_they_retreat_more_than_two_hexes() -> None:
    s = field(TWO, "NZ_6")
    attack(s, *TWO)
    place(s, "BR_THR", FIELD)
    s.fight.defenders |= units("BR_THR")
    force(s, "DR4")
    give_way(s)
    assert at(s, "NZ_6") == "surrender_left"
    assert order(s, "BR_THR") == "full retreat"


def farthest(s: State, name: str) -> int:
    """How many hexes a unit can advance, always eastward."""
    count = 0
    while True:
        ways = [text for text in texts(s) if text.startswith(f"advance {name} ")]
        if not ways:
            return count
        do(s, max(ways, key=lambda text: (board.grid.distance(H(text.split()[2]), H("1930")), text)))
        count += 1


@pytest.mark.rule("na41", "10.1l", "8.3e")
def test_after_a_retreat_the_attackers_may_advance_on_foot_and_matildas_two_hexes() -> None:
    s = field(["GE_288", "GE_155"], "BR_THR")
    attack(s, "GE_288", "GE_155")
    force(s, "DR4 r")
    give_way(s)
    assert texts(s) == ["group GE_288", "grouped"]  # 15 the first to break through, if anybody
    do(s, "grouped")
    place(s, "BR_THR", "2378")  # out of the way
    s.choices = None
    t = s.copy()
    assert (farthest(s, "GE_288"), farthest(t, "GE_155")) == (4, 2)
    s = field(["BR_7R", "BR_5R"], "GE_288", "allied")
    attack(s, "BR_7R", "BR_5R")
    force(s, "DR4 r")
    give_way(s)
    do(s, "grouped")
    place(s, "GE_288", "2378")
    s.choices = None
    t = s.copy()
    assert (farthest(s, "BR_5R"), farthest(t, "BR_7R")) == (4, 2)


@pytest.mark.rule("na41", "8.3e")
def test_without_a_retreat_nobody_advances() -> None:
    for result in ("A1", "EX"):
        s = under_fire(result)
        while texts(s)[0].startswith("lose"):
            do(s, texts(s)[0])
        assert at(s, "NZ_6") == FIELD
        assert "end-combat" in texts(s)


@pytest.mark.rule("na41", "11.4.2", "14.2.2")
def test_a_defence_that_held_and_died_gives_a_limited_advance() -> None:
    assert advance_of("D1", held=True) == (1, True)


@pytest.mark.rule("na41", "12.6")
def test_the_advance_is_not_less_if_nobody_is_left_to_retreat() -> None:
    s = field(["GE_288", "GE_115"], "BR_1DLI")
    effects.begin(s, COMBAT, H(FIELD), units("GE_288", "GE_115"))
    s.fight.result = results.cell("D1")
    step_loss(s, U("BR_1DLI"), "10.1d")
    effects.follow_up(s)
    assert s.allowance == 3


@pytest.mark.rule("na41", "11.2.2b", "11.1a")
def test_no_determined_defence_in_red_nor_after_an_auto_ds_nor_without_a_retreat() -> None:
    s = field(TWO, THEIRS)
    begin(s)
    effects.begin(s, COMBAT, H(FIELD), units(*TWO))
    for text, allowed in (("D1", True), ("D1 o", True), ("DR4 r", False), ("EX", False), ("A1", False)):
        s.fight.result = results.cell(text)
        assert effects.defence_allowed(s) is allowed, text
    s.fight.result = results.cell("DS")
    s.fight.kind = 1
    assert not effects.defence_allowed(s)  # A24


# 10.2 Who loses the step


@pytest.mark.rule("na41", "10.2.2a", "10.2.2b", "10.2.2d")
def test_losses_come_from_those_who_gave_strength_and_the_others_come_last() -> None:
    s = field(["GE_I5_5L", "GE_155"], ["NZ_6", "BR_5R", "AL_XIII", "BR_1KRRC"])
    s.routed = units("BR_1KRRC")
    attack(s, "GE_I5_5L", "GE_155")
    force(s, "EX")
    assert texts(s) == ["lose BR_5R", "lose NZ_6"]  # any of them, the tank that counted or not
    assert why(s, "lose BR_1KRRC").rule == "10.2.2b"  # type: ignore[union-attr]
    assert why(s, "lose AL_XIII").rule == "8.6c"  # type: ignore[union-attr]
    for name in ("NZ_6", "BR_5R"):
        place(s, name, "1960")
    assert may_lose(s, ALLIED, results.EX) == units("AL_XIII", "BR_1KRRC")


@pytest.mark.rule("na41", "12.3a")
def test_units_that_retreated_into_the_hex_are_never_picked() -> None:
    s = field(TWO, ["NZ_6", "BR_THR"])
    begin(s)
    s.retreated = s.sheltered = units("BR_THR")
    do(s, f"attack {FIELD}", "join GE_155", "join GE_361")
    if "commit" in texts(s):
        do(s, "commit")
    force(s, "EX")
    assert fallen(s, "NZ_6") == 1  # there was no choice
    assert fallen(s, "BR_THR") == 0


@pytest.mark.rule("na41", "15.3b", "10.2.2b")
def test_in_a_breakthrough_combat_those_beyond_the_limit_are_picked_last() -> None:
    s = field("GE_288", ["NZ_6", "BR_22G", "BR_THR", "BR_1DLI"])
    begin(s)
    begin_fight(s, BREAKTHROUGH, H(FIELD), units("GE_288"))
    assert may_lose(s, ALLIED, results.EX) == units("NZ_6", "BR_22G", "BR_THR")


@pytest.mark.rule("na41", "10.2.2c", "8.7e")
def test_trucks_and_replacements_die_with_the_last_combat_unit_of_the_hex() -> None:
    s = field(["GE_288", "GE_115"], ["BR_1DLI", "AL_TR1", "BR_RI1"])
    supplies(s, "allied", FIELD, 2)
    attack(s, "GE_288", "GE_115")
    begin_state = s.copy()
    force(begin_state, "A1")
    assert at(begin_state, "AL_TR1") == FIELD
    effects.begin(s, COMBAT, H(FIELD), units("GE_288", "GE_115"))
    step_loss(s, U("BR_1DLI"), "10.1i")
    s.events = []
    sweep(s)
    assert (at(s, "AL_TR1"), at(s, "BR_RI1")) == ("eliminated", "replacement_pool")
    assert [event.rule for event in of_kind(s.events, "eliminated")] == ["10.2.2c", "10.2.2c"]
    assert s.sp[ALLIED] == {H(FIELD): 2}  # 17.2.3a for whoever enters


@pytest.mark.rule("na41", "12.5.1d")
def test_a_unit_that_dies_out_of_supply_surrenders() -> None:
    s = under_fire("EX", ["GE_155", "GE_361"], ["BR_1DLI", "BR_THR"])
    do(s, "lose BR_1DLI")
    assert at(s, "BR_1DLI") == "eliminated"
    s = field(["GE_155", "GE_361"], ["BR_1DLI", "BR_THR"])
    for name, hex_ in (("GE_288", EAST), ("GE_115", "2045"), ("GE_K15", "1844"), ("GE_III255", "1845")):
        place(s, name, hex_)  # nobody gets out of the field
    place(s, "GE_III347", "2044")
    attack(s, "GE_155", "GE_361")
    force(s, "EX")
    do(s, "lose BR_1DLI")
    assert at(s, "BR_1DLI") == "surrender_left"


# 10.3 Steps


@pytest.mark.rule("na41", "10.3a", "10.3b", "10.3c")
def test_a_loss_flips_a_unit_or_is_the_end_of_it() -> None:
    s = field(["GE_I5_5L", "GE_K15", "GE_104_15"], "NZ_6")
    step_loss(s, U("GE_I5_5L"), "10.3a")
    assert s.step[U("GE_I5_5L")] == REDUCED
    step_loss(s, U("GE_I5_5L"), "10.3b")
    assert at(s, "GE_I5_5L") == "eliminated"
    step_loss(s, U("GE_K15"), "10.3b")  # one step
    assert at(s, "GE_K15") == "eliminated"
    step_loss(s, U("GE_104_15"), "10.3a")
    assert s.step[U("GE_104_15")] == REDUCED
    step_loss(s, U("GE_104_15"), "10.3c")
    assert s.step[U("GE_104_15")] == REDUCED  # 10.4 its owner is asked
    assert kinds(s.events) == ["step_lost", "eliminated", "eliminated", "step_lost"]


# 10.4 Remnants


def second_loss() -> State:
    s = field(["GE_104_15", "GE_K15"], "NZ_6")
    place(s, "GE_104_15", WEST, "reduced")
    attack(s, "GE_104_15", "GE_K15")
    force(s, "A1")
    do(s, "lose GE_104_15")
    return s


@pytest.mark.rule("na41", "10.4.1a", "2.3.5b")
def test_a_remnant_takes_the_place_of_a_three_step_unit() -> None:
    s = second_loss()
    assert (GAME.to_act(s), texts(s)) == (AXIS, ["remnant", "no-remnant"])
    left = remnants_left(s, "GE_REM_MOT")
    do(s, "remnant")
    assert (at(s, "GE_104_15"), s.step[U("GE_104_15")]) == (WEST, REMNANT)
    assert remnants_left(s, "GE_REM_MOT") == left - 1


@pytest.mark.rule("na41", "10.4.1b")
def test_a_remnant_that_dies_goes_back_and_its_unit_is_eliminated() -> None:
    s = second_loss()
    do(s, "remnant")
    step_loss(s, U("GE_104_15"), "10.3b")
    assert at(s, "GE_104_15") == "eliminated"
    assert remnants_left(s, "GE_REM_MOT") == board.remnant_count["GE_REM_MOT"]


@pytest.mark.rule("na41", "10.4.2a")
def test_the_owner_may_do_without_the_remnant() -> None:
    s = second_loss()
    events = do(s, "no-remnant")
    assert at(s, "GE_104_15") in ("eliminated", "surrender_left")
    assert [event.rule for event in events if event.kind in ("eliminated", "surrendered")] == ["10.4.2a"]
    for surrenders, box in ((False, "eliminated"), (True, "surrender_left")):  # 12.5.1d, 16.5.2e
        s = field("GE_104_15", "NZ_6")
        place(s, "GE_104_15", WEST, "reduced")
        begin(s)
        step_loss(s, U("GE_104_15"), "10.3a", surrenders)
        s.choices = None
        GAME.settle(s)
        do(s, "no-remnant")
        assert at(s, "GE_104_15") == box


@pytest.mark.rule("na41", "10.4.2b")
def test_without_a_suitable_remnant_the_unit_is_gone() -> None:
    s = field(["GE_361", "GE_K15"], "NZ_6")
    place(s, "GE_361", WEST, "reduced")
    place(s, "GE_155", "1960", "remnant")
    s.board.remnant_count["GE_REM_INF"] -= 1
    try:
        attack(s, "GE_361", "GE_K15")
        force(s, "A1")
        do(s, "lose GE_361")
    finally:
        s.board.remnant_count["GE_REM_INF"] += 1
    assert at(s, "GE_361") in ("eliminated", "surrender_left")


@pytest.mark.rule("na41", "2.3.5a", "10.3c")
def test_ex_2_3_5_front_back_and_remnant() -> None:
    assert board.steps_of[U("NZ_6")] == 3
    assert [board.dfn[U("NZ_6")][i] for i in range(3)] == [6, 4, 2]


@pytest.mark.rule("na41", "18.5a", "18.5d")
def test_rommel_may_roll_an_attack_again_once_a_turn() -> None:
    s = field("GE_155", "NZ_6")
    s.rommel = 1
    attack(s, "GE_155")
    decline(s)
    roll(s, 1)
    assert (GAME.to_act(s), texts(s)) == (AXIS, ["reroll", "accept"])
    t = s.copy()
    do(t, "accept")
    assert (t.rommel, fallen(t, "GE_155")) == (1, 1)
    do(s, "reroll")
    assert (s.rommel, GAME.to_act(s), fallen(s, "GE_155")) == (0, CHANCE, 0)
    roll(s, 1)
    assert fallen(s, "GE_155") == 1  # not again
    s = field("NZ_6", "GE_155", "allied")
    s.rommel = 1
    attack(s, "NZ_6")
    roll(s, 1)
    assert "reroll" not in texts(s)

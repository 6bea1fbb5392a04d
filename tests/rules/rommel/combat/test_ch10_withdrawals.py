"""10 Retreats: withdrawals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_FIRE,
    F_FIRE_ROLL,
    F_LEAVE,
    F_LOSSES,
    F_MOVES,
    F_OPTION,
    F_PURSUIT,
    F_ROUT,
)
from sandtable.games.rommel.table.state import State

from ..kit import GAME, H, U, at, battle, do, empty, kinds, mask, place, roll, start, texts, units, why
from ..movekit import moving
from .ch10retreatskit import FRONT, attacked, avoiding, cv, engaged, leave, pursuit_dice


def firing(s: State) -> tuple[int, int]:
    """The side and the unit whose dice fall now."""
    assert s.stack[-1][0] == F_FIRE_ROLL
    return s.stack[-1][2], s.stack[-1][3]


# 10.3, 10.4 Retreats in one's own turn


@pytest.mark.rule("rommel", "10.4a", "10.4b")
def test_a_partial_retreat_may_not_be_made_by_withdrawal() -> None:
    s = engaged(("CW-22G", "CW-3A"), option="pass")
    do(s, f"group {FRONT} 0", "move CW-3A", "to 0725 -")
    assert "end-move" not in texts(s)
    reason = why(s, "end-move")
    assert reason is not None
    assert reason.rule == "10.4b"


@pytest.mark.rule("rommel", "10.4c", "10.41a")
def test_leaving_units_go_after_all_other_moves_and_after_the_probe() -> None:
    s = engaged(("CW-22G", "CW-3A"), option="offensive")
    place(s, "CW-7A", "0725")
    do(s, f"group {FRONT} 0", "move CW-3A", "to 0726 -", "end-move")
    assert at(s, "CW-3A") == FRONT
    do(s, "group 0725 0", "move CW-7A", "to 0825 -")
    do(s, "end-move")
    assert (at(s, "CW-3A"), at(s, "CW-7A")) == (FRONT, "0825")
    assert GAME.to_act(s) == AXIS
    assert at(s, "CW-3A") == FRONT
    do(s, f"no-probe {FRONT}")
    assert at(s, "CW-3A") == "0726"


@pytest.mark.rule("rommel", "10.4d", "10.41b")
def test_the_rest_is_the_rearguard_it_alone_fires_and_is_fired_at() -> None:
    s = empty("commonwealth")
    place(s, ["IT-ARI", "IT-LIT", "CW-22A", "CW-7A", "CW-3A"], FRONT)
    place(s, "CW-1A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}")
    assert GAME.to_act(s) == COMMONWEALTH, "the roles are reversed: the Active player fires first"
    assert texts(s) == ["fire CW-7A armour", "fire CW-22A armour"]
    for unit, rule in (("CW-3A", "10.4d"), ("CW-1A", "11.1c")):
        reason = why(s, f"fire {unit} armour")
        assert reason is not None
        assert reason.rule == rule
    do(s, "fire CW-7A armour", "hits 1", "hits 0", "lose IT-LIT")
    assert GAME.to_act(s) == AXIS
    assert s.stack[-1] == (F_FIRE, H(FRONT), AXIS, 1)
    do(s, "fire IT-ARI armour", "hits 2", "hits 0")
    assert texts(s) == ["lose CW-7A", "lose CW-22A"]
    reason = why(s, "lose CW-3A")
    assert reason is not None
    assert reason.rule == "10.4d"


@pytest.mark.rule("rommel", "10.4e")
def test_no_battle_after_a_partial_retreat_not_even_a_compulsory_one() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    place(s, ["IT-LIT", "CW-7A"], "0825")
    battle(s, "0825", "commonwealth", ["W"])
    leave(s, {"CW-3A": "0726"})
    do(s, f"no-probe {FRONT}")
    assert texts(s) == ["fight 0825", "declared"]
    reason = why(s, f"fight {FRONT}")
    assert reason is not None
    assert reason.rule == "10.4e"
    # A10: the Attacker at a fortress
    s = engaged(("CW-22G", "CW-3A"), hex_="0313", defender="axis", sides=("E",))
    leave(s, {"CW-3A": "0314"}, "0313")
    do(s, "no-probe 0313")
    assert s.stack == [(F_OPTION,)]


# 10.41 The probe


@pytest.mark.rule("rommel", "10.41a")
def test_A22_one_free_probe_per_hex_and_only_if_the_passive_player_wants() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    leave(s, {"CW-3A": "0726"})
    cards = list(s.real), list(s.dummy)
    do(s, f"probe {FRONT}", "hits 0", "hits 0")
    # one round, then the unit has gone
    assert at(s, "CW-3A") == "0726"
    assert (list(s.real), list(s.dummy)) == cards
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "10.41b")
def test_in_a_probe_the_rearguard_fires_first_and_then_the_survivors_of_the_probe() -> None:
    s = engaged(("CW-22G", "CW-3A"), axis=("IT-TRE",))
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}")
    assert firing(s) == (COMMONWEALTH, U("CW-22G"))
    do(s, "hits 2")
    assert firing(s) == (AXIS, U("IT-TRE"))
    assert s.stack[-1][5] == 1
    do(s, "hits 1")
    assert cv(s, "CW-22G") == 3


@pytest.mark.rule("rommel", "10.41c", "10.41d")
def test_when_the_rearguard_is_wiped_out_those_who_have_not_fired_pursue() -> None:
    s = engaged(("CW-22G", "CW-1RHA", "CW-7A"), axis=("IT-TRE", "IT-BRE", "IT-RCM"))
    s.cv[U("CW-22G")] = 1
    leave(s, {"CW-1RHA": "0726", "CW-7A": "0725"})
    do(s, f"probe {FRONT}", "hits 0")
    assert GAME.to_act(s) == AXIS
    events = do(s, "fire IT-TRE infantry", "hits 1")
    assert at(s, "CW-22G") == "dead"
    # IT-TRE is as fast but has fired, IT-BRE is too slow, IT-RCM is faster: two dice, at both as one group
    told = next(e for e in events if e.kind == "pursuit").data
    assert (told["speed"], told["dice"]) == (2, 2)
    do(s, "hits 2", "lose CW-7A", "lose CW-1RHA")
    assert (cv(s, "CW-1RHA"), cv(s, "CW-7A")) == (2, 3)
    assert (at(s, "CW-1RHA"), at(s, "CW-7A")) == ("0726", "0725")
    assert s.disrupted == units("CW-1RHA", "CW-7A")


@pytest.mark.rule("rommel", "10.41c")
def test_nobody_pursues_if_all_have_fired() -> None:
    s = engaged(("CW-22G", "CW-3A"), axis=("IT-TRE",))
    s.cv[U("CW-22G")] = 1
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}", "hits 0")
    events = do(s, "hits 1")
    assert next(e for e in events if e.kind == "pursuit").data["dice"] == 0
    assert at(s, "CW-3A") == "0726"


@pytest.mark.rule("rommel", "10.41e", "10.5a")
def test_no_pursuit_if_there_is_no_probe_or_the_rearguard_holds() -> None:
    for answer in ([f"no-probe {FRONT}"], [f"probe {FRONT}", "hits 0", "hits 3"]):
        s = engaged(("CW-22G", "CW-3A"))
        leave(s, {"CW-3A": "0726"})
        events = do(s, *answer)
        assert "pursuit" not in kinds(events)
        assert at(s, "CW-3A") == "0726"
        assert cv(s, "CW-3A") == 3


@pytest.mark.rule("rommel", "10.41b", "13.2a", "13.2b")
def test_A23_a_fortress_helps_a_rearguard_that_defends_it_but_not_a_defender_who_probes() -> None:
    s = engaged(("CW-22G", "CW-3A"), hex_="0313")
    leave(s, {"CW-3A": "0314"}, "0313")
    do(s, "probe 0313")
    assert firing(s) == (COMMONWEALTH, U("CW-22G"))
    assert s.stack[-1][5] == 8
    s = engaged(("CW-22G", "CW-3A"), axis=("IT-TRE",), hex_="0313", defender="axis", sides=("E",))
    leave(s, {"CW-3A": "0314"}, "0313")
    do(s, "probe 0313")
    assert s.stack[-1][5] == 4
    do(s, "hits 0")
    assert firing(s) == (AXIS, U("IT-TRE"))
    assert s.stack[-1][5] == 3


@pytest.mark.rule("rommel", "10.41b", "14.2d", "14.2g")
def test_A23_a_minefield_helps_a_rearguard_that_defends_it_but_not_a_defender_who_probes() -> None:
    s = engaged(("CW-22G", "CW-3A"), axis=("IT-TRE",))
    s.mines_open = mask(FRONT)
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}", "hits 1", "hits 2")
    assert (cv(s, "IT-TRE"), cv(s, "CW-22G")) == (2, 3)
    s = engaged(("CW-22G", "CW-3A"), axis=("IT-TRE",), defender="axis", sides=("E",))
    s.mines_open = mask(FRONT)
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}", "hits 2", "hits 1")
    assert (cv(s, "IT-TRE"), cv(s, "CW-22G")) == (1, 3)


@pytest.mark.rule("rommel", "10.41d", "11.3b")
def test_units_still_to_leave_are_not_forgotten_when_the_probe_fails_and_the_enemy_routs() -> None:
    s = empty("commonwealth")
    place(s, "IT-TRE", FRONT, 1)
    place(s, "IT-ARI", FRONT, disrupted=True)
    place(s, ["CW-KDG", "CW-3A"], FRONT)
    battle(s, FRONT, "commonwealth", ["W", "NW"])
    start(s, (F_OPTION,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    leave(s, {"CW-3A": "0726"})
    do(s, f"probe {FRONT}")
    events = do(s, "hits 1")
    assert "routed" in kinds(events)
    # A35: in a probe only those who have not fired pursue: not the faster cars, but the tanks
    assert next(e for e in events if e.kind == "pursuit").data["dice"] == 1
    do(s, "hits 0", "to 0520 -")
    assert (at(s, "IT-ARI"), at(s, "CW-3A"), at(s, "CW-KDG")) == ("0520", "0726", FRONT)
    assert s.stack == [(F_OPTION,)]


def test_odds_of_a_probe_and_of_avoiding_battle() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    leave(s, {"CW-3A": "0726"})
    probe = GAME.odds(s, GAME.parse(f"probe {FRONT}"))
    assert probe is not None
    assert probe.terms[0].rule == "10.41b"
    s = avoiding(attacked("CW-22G", "CW-3A"))
    odds = GAME.odds(s, GAME.parse(f"avoid {FRONT}"))
    assert odds is not None
    assert [t.value for t in odds.terms[:2]] == ["2", "0 to 2"]
    stand = GAME.odds(s, GAME.parse(f"stand {FRONT}"))
    assert stand is not None


# 10.5 Pursuit fire


@pytest.mark.rule("rommel", "10.5a")
def test_every_retreat_without_cover_is_pursued() -> None:
    s = engaged(("CW-3A",))
    assert "pursuit" in kinds(leave(s, {"CW-3A": "0726"}))
    s = avoiding(attacked("CW-3A"))
    assert "pursuit" in kinds(do(s, f"avoid {FRONT}"))
    s = attacked()
    place(s, "CW-3A", FRONT, disrupted=True)
    s.defends = [0, mask(FRONT)]
    assert "pursuit" in kinds(start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0)))


@pytest.mark.rule("rommel", "10.5b", "10.5c", "10.5d", "10.5e")
@pytest.mark.parametrize(
    ("fleeing", "slowest", "pursuers", "dice"),
    [
        (("CW-20A",), 1, ("IT-BRE",), 1),
        (("CW-20A",), 1, ("IT-BRE", "IT-TRE", "IT-ARI", "IT-RCM"), 7),
        (("CW-22G",), 2, ("IT-BRE", "IT-TRE", "IT-ARI", "IT-RCM"), 5),
        (("CW-3A",), 3, ("IT-BRE", "IT-TRE", "IT-ARI", "IT-RCM"), 3),
        (("CW-KDG",), 4, ("IT-BRE", "IT-TRE", "IT-ARI", "IT-RCM"), 1),
        (("CW-KDG",), 4, ("IT-BRE", "IT-TRE", "IT-ARI"), 0),
        (("CW-KDG", "CW-20A"), 1, ("IT-RCM",), 2),
    ],
)
def test_the_slowest_speed_is_announced_and_sets_the_dice(
    fleeing: tuple[str, ...], slowest: int, pursuers: tuple[str, ...], dice: int
) -> None:
    s = avoiding(attacked(*fleeing, axis=pursuers))
    events = do(s, f"avoid {FRONT}")
    told = next(e for e in events if e.kind == "pursuit")
    assert (told.data["speed"], told.data["dice"]) == (slowest, dice)
    assert not told.secret
    if dice:
        assert pursuit_dice(s) == dice
    else:
        assert texts(s)[0].startswith("to ")


@pytest.mark.rule("rommel", "10.5c", "11.1c")
def test_disrupted_units_do_not_pursue() -> None:
    s = attacked("CW-20A", axis=("IT-ARI",))
    place(s, "IT-LIT", FRONT, disrupted=True)
    avoiding(s)
    do(s, f"avoid {FRONT}")
    assert pursuit_dice(s) == 2


@pytest.mark.rule("rommel", "10.5f")
def test_pursuit_hits_on_4_5_and_6_whatever_class_and_cv() -> None:
    s = attacked("CW-1RHA", axis=("IT-ARI", "IT-A21", "IT-TRE"))
    s.cv[U("IT-ARI")] = 1
    avoiding(s)
    do(s, f"avoid {FRONT}")
    assert pursuit_dice(s) == 4  # 2 + 1 + 1 by speed, not by strength
    count = Counter(sum(face >= 4 for face in throw) for throw in product(range(1, 7), repeat=4))
    assert {a[1]: p for a, p in GAME.chances(s)} == {n: Fraction(k, 6**4) for n, k in count.items()}
    for face in range(1, 7):
        assert GAME.roll(s, lambda n, f=face: f).action == GAME.parse(f"hits {4 if face >= 4 else 0}")


@pytest.mark.rule("rommel", "10.5g")
def test_pursuit_losses_are_applied_at_once_by_the_owner_under_the_elite_rule() -> None:
    # any of the retreating units, whatever their class
    s = avoiding(attacked("CW-22G", "CW-3A", axis=("IT-ARI", "IT-LIT")))
    do(s, f"avoid {FRONT}", "hits 2")
    assert GAME.to_act(s) == COMMONWEALTH
    assert texts(s) == ["lose CW-3A", "lose CW-22G"]
    do(s, "lose CW-3A", "lose CW-22G")
    assert (cv(s, "CW-3A"), cv(s, "CW-22G")) == (2, 3)
    assert texts(s)[0].startswith("to "), "the losses come before the withdrawal"
    # an elite unit loses a step for two hits, nothing for one
    for hits, left in ((1, 4), (2, 2), (3, 2)):
        s = avoiding(attacked("CW-4A", axis=("IT-ARI", "IT-RCM")))
        do(s, f"avoid {FRONT}", f"hits {hits}")
        assert cv(s, "CW-4A") == left


@pytest.mark.rule("rommel", "10.5g")
def test_pursuit_can_wipe_out_the_retreating_units() -> None:
    s = attacked("CW-22G", "CW-3A", axis=("IT-ARI", "IT-LIT"))
    s.cv[U("CW-22G")] = s.cv[U("CW-3A")] = 1
    avoiding(s)
    do(s, f"avoid {FRONT}", "hits 3")
    assert (at(s, "CW-22G"), at(s, "CW-3A")) == ("dead", "dead")
    assert s.stack == [(F_OPTION,)]
    assert s.hits == [0, 0, 0, 0]


@pytest.mark.rule("rommel", "10.5g")
def test_a_minefield_does_not_protect_from_pursuit() -> None:
    s = attacked("CW-22G", axis=("IT-ARI",))
    s.mines_open = mask(FRONT)
    avoiding(s)
    do(s, f"avoid {FRONT}", "hits 2")
    assert cv(s, "CW-22G") == 2


def test_the_owner_of_hidden_units_is_asked_even_where_the_rules_leave_one_choice() -> None:
    """One hit on an elite and an ordinary unit: not to ask would tell the pursuer what they are."""
    s = avoiding(attacked("CW-4A", "CW-7A", axis=("IT-ARI", "IT-RCM")))
    do(s, f"avoid {FRONT}", "hits 1")
    assert s.stack[-1][0] == F_LOSSES
    assert texts(s) == ["lose CW-7A"]
    reason = why(s, "lose CW-4A")
    assert reason is not None
    assert reason.rule == "9.5c"


@pytest.mark.rule("rommel", "10.5a")
def test_nobody_is_pursued_when_nobody_retreats() -> None:
    s = attacked("CW-22G")
    events = start(s, (F_OPTION,), (F_PURSUIT, H(FRONT), COMMONWEALTH, 0))
    assert events == []
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "10.5b")
@pytest.mark.parametrize(("dice", "words"), [(0, "0 dice"), (1, "1 die"), (3, "3 dice")])
def test_the_log_counts_dice_and_blocks_as_people_do(dice: int, words: str) -> None:
    told = GAME.describe({"event": "pursuit", "hex": "Msus", "speed": 2, "dice": dice})
    assert told == f"Pursuit at Msus: slowest speed 2, {words}"
    for count, verbs in ((1, ("routs", "avoids")), (2, ("rout", "avoid"))):
        seen = {"hex": "Msus", "side": "axis", "count": count}
        for kind, verb in zip(("routed", "avoided"), verbs, strict=True):
            assert f" {verb} " in GAME.describe({"event": kind, **seen})


@pytest.mark.rule("rommel", "10.41a", "6.4f")
def test_A22_a_march_out_of_a_hex_that_has_been_probed_is_not_probed_again() -> None:
    s = empty()
    place(s, ["GE-PZ5", "IT-BRE", "IT-BOL", "CW-24A"], "0810")
    battle(s, "0810", "axis", ["E"])
    moving(s)
    do(s, "regroup 0809 0", "gather 0808", "join GE-PZ5 -", "end-move", "end-moves")
    assert texts(s) == ["probe 0810", "no-probe 0810"]
    do(s, "no-probe 0810", "march IT-BRE 0808 -", "marches")
    events = roll(s, 5)
    assert "partial_retreat" in kinds(events)
    assert at(s, "IT-BRE") == "0808"  # nobody was asked again
    s = empty()
    place(s, ["IT-BRE", "IT-BOL", "CW-24A"], "0810")
    battle(s, "0810", "axis", ["E"])
    moving(s)
    do(s, "regroup 0809 0", "gather 0808", "end-move", "end-moves", "march IT-BRE 0808 -", "marches")
    roll(s, 5)
    assert texts(s) == ["probe 0810", "no-probe 0810"]  # the first to leave is probed

"""10 Retreats: avoiding battle, full and partial retreats, probes and pursuit fire."""

from __future__ import annotations

import pytest

from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_LEAVE,
    F_MOVES,
    F_OPTION,
    F_ROUT,
)

from ..kit import GAME, H, at, battle, do, empty, kinds, place, start, texts, units, why
from .ch10retreatskit import FRONT, attacked, avoiding, cv, engaged, leave, pursuit_dice

# 10.0 Kinds of retreat


@pytest.mark.rule("rommel", "10.0a", "10.3a", "10.3b", "7.2g")
def test_all_units_leaving_is_a_full_retreat_with_pursuit_and_without_probe() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    events = leave(s, {"CW-22G": "0725", "CW-3A": "0726"})
    assert "full_retreat" in kinds(events)
    assert pursuit_dice(s) == 2
    do(s, "hits 0")
    assert (at(s, "CW-22G"), at(s, "CW-3A")) == ("0725", "0726")


@pytest.mark.rule("rommel", "10.0a", "10.4a", "7.2g")
def test_some_units_leaving_is_a_partial_retreat_with_a_probe_and_no_pursuit_yet() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    events = leave(s, {"CW-3A": "0726"})
    assert "partial_retreat" in kinds(events)
    assert GAME.to_act(s) == AXIS
    assert texts(s) == [f"probe {FRONT}", f"no-probe {FRONT}"]
    do(s, f"no-probe {FRONT}")
    assert (at(s, "CW-22G"), at(s, "CW-3A")) == (FRONT, "0726")


@pytest.mark.rule("rommel", "10.0b", "10.3b", "7.2c")
def test_units_that_disengage_are_disrupted() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    leave(s, {"CW-22G": "0725", "CW-3A": "0726"})
    do(s, "hits 0")
    assert s.disrupted == units("CW-22G", "CW-3A")
    s = engaged(("CW-22G", "CW-3A"))
    leave(s, {"CW-3A": "0726"})
    do(s, f"no-probe {FRONT}")
    assert s.disrupted == units("CW-3A")


@pytest.mark.rule("rommel", "10.0c", "10.3a")
def test_a_voluntary_retreat_by_regroup_move() -> None:
    s = engaged(("CW-22G", "CW-3A"))
    do(s, "regroup 0725 0", "gather 0726", "join CW-22G -", "join CW-3A -", "end-move")
    do(s, "hits 0")
    assert (at(s, "CW-22G"), at(s, "CW-3A")) == ("0726", "0726")
    assert s.disrupted == units("CW-22G", "CW-3A")


@pytest.mark.rule("rommel", "10.0c", "10.3a")
def test_a_voluntary_retreat_by_the_withdrawal_of_a_pass_turn() -> None:
    s = engaged(("CW-22G", "CW-3A"), option="pass")
    leave(s, {"CW-22G": "0725", "CW-3A": "0725"})
    assert pursuit_dice(s) == 2
    do(s, "hits 0")
    assert s.disrupted == units("CW-22G", "CW-3A")


@pytest.mark.rule("rommel", "10.0d", "11.3f")
def test_rout_is_a_forced_retreat_by_withdrawal() -> None:
    s = attacked("CW-22G")
    s.disrupted = units("CW-22G")
    s.firm[COMMONWEALTH] = 0
    start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    do(s, "hits 0")
    assert GAME.to_act(s) == COMMONWEALTH
    assert texts(s) == ["to 0626 -", "to 0725 -", "to 0726 -"]
    stay = why(s, f"to {FRONT} -")
    assert stay is not None
    do(s, "to 0725 -")
    assert at(s, "CW-22G") == "0725"


@pytest.mark.rule("rommel", "10.0e")
def test_disrupted_units_take_no_part_in_a_retreat() -> None:
    s = empty("commonwealth")
    place(s, ["IT-ARI", "CW-22G"], FRONT)
    place(s, "CW-3A", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["W"])
    start(s, (F_OPTION,), (F_LEAVE, 0), (F_MOVES, 0, 0))
    do(s, f"group {FRONT} 0")
    assert texts(s) == ["move CW-22G"]
    # A24: the retreat of all others is full; the disrupted unit left behind routs with its own pursuit
    do(s, "move CW-22G", "to 0725 -")
    events = do(s, "end-move")
    assert "full_retreat" in kinds(events)
    events = do(s, "hits 0")
    assert at(s, "CW-22G") == "0725"
    assert "routed" in kinds(events)
    assert cv(s, "CW-3A") == 2
    assert pursuit_dice(s) == 1  # equal speed 3


@pytest.mark.rule("rommel", "10.0e", "11.3b")
def test_A24_a_group_avoids_battle_without_its_disrupted_units_which_then_rout() -> None:
    s = attacked("CW-22G", axis=("IT-ARI",))
    place(s, "CW-3A", FRONT, disrupted=True)
    avoiding(s)
    events = do(s, f"avoid {FRONT}")
    assert next(e for e in events if e.kind == "avoided").data["count"] == 1
    assert pursuit_dice(s) == 2  # after the group: its slowest unit has speed 2
    do(s, "hits 0")
    events = do(s, "to 0725 -")
    assert "routed" in kinds(events)
    assert pursuit_dice(s) == 1  # after the routing unit: speed 3
    do(s, "hits 0", "to 0726 -")
    assert s.defends == [0, 0]
    assert s.stack == [(F_OPTION,)]


# 10.1 The way out


@pytest.mark.rule("rommel", "10.1a", "7.2b")
def test_units_leave_only_through_friendly_hexsides() -> None:
    s = avoiding(attacked("CW-22G", sides=("W",)))
    assert f"avoid {FRONT}" in texts(s)
    s = avoiding(attacked("CW-22G", sides=("E",)))
    assert s.stack == [(F_OPTION,)], "nobody can go: they stand without being asked"


@pytest.mark.rule("rommel", "10.1a")
def test_the_first_hex_may_not_be_an_enemy_or_battle_hex() -> None:
    s = attacked("CW-22G")
    place(s, "IT-LIT", "0725", disrupted=True)  # cannot block the coast road, but may not be entered
    avoiding(s)
    assert s.stack == [(F_OPTION,)]
    s = attacked("CW-22G")
    place(s, ["IT-LIT", "CW-3A"], "0725")
    battle(s, "0725", "commonwealth", ["SW"])
    avoiding(s)
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "10.1b")
def test_after_leaving_a_unit_goes_on_but_engages_nobody() -> None:
    s = engaged(("CW-3A",))
    place(s, "IT-LIT", "0825")
    do(s, f"group {FRONT} 0", "move CW-3A")
    assert {"to 0725 -", "to 0726 -"} <= set(texts(s))
    assert not [t for t in texts(s) if t.startswith("to 0825")]
    reason = why(s, "to 0825 NW")
    assert reason is not None
    s = attacked("CW-3A")
    place(s, "IT-LIT", "0726", disrupted=True)  # does not block the road, but stands there
    avoiding(s)
    do(s, f"avoid {FRONT}", "hits 0")
    assert texts(s) == ["to 0725 -"]


@pytest.mark.rule("rommel", "10.1c", "11.3f")
def test_a_unit_forced_to_leave_that_cannot_is_eliminated() -> None:
    s = empty("axis")
    place(s, "IT-ARI", FRONT)
    place(s, "CW-22G", FRONT, disrupted=True)
    battle(s, FRONT, "commonwealth", ["E"], revealed=False)
    start(s, (F_OPTION,), (F_ROUT, H(FRONT), COMMONWEALTH, 0))
    events = do(s, "hits 0")
    assert at(s, "CW-22G") == "dead"
    assert next(e for e in events if e.kind == "eliminated").rule == "11.3f"
    assert s.stack == [(F_OPTION,)]


# 10.2 Avoiding battle


@pytest.mark.rule("rommel", "10.2a", "5.3e")
def test_an_attacked_group_avoids_battle_by_a_withdrawal_along_its_supply_line() -> None:
    s = avoiding(attacked("CW-22G"))
    do(s, f"avoid {FRONT}", "hits 0")
    assert texts(s) == ["to 0626 -", "to 0725 -", "to 0726 -"]
    sideways = why(s, "to 0823 -")
    assert sideways is not None
    assert sideways.rule in ("5.3e", "5.3g")
    do(s, "to 0726 -")
    assert at(s, "CW-22G") == "0726"
    assert s.stack == [(F_OPTION,)]


@pytest.mark.rule("rommel", "10.2b")
def test_all_undisrupted_units_go_and_if_one_cannot_nobody_may() -> None:
    s = avoiding(attacked("CW-22G", "CW-3A"))
    do(s, f"avoid {FRONT}", "hits 0", "to 0725 -")
    assert (at(s, "CW-3A"), at(s, "CW-22G")) == (FRONT, FRONT)  # all go when all have been asked about
    do(s, "to 0725 -")
    assert (at(s, "CW-3A"), at(s, "CW-22G")) == ("0725", "0725")
    assert s.stack == [(F_OPTION,)]
    assert not s.here[H(FRONT)] & s.board.of_side[COMMONWEALTH]
    # the road to Alexandria is cut: only units under the fortress supply of Tobruk have a line
    for fed, choices in (
        (("CW-3A",), [f"stand {FRONT}", "stand 0825", "avoid 0825"]),
        (("CW-3A", "CW-22G"), [f"stand {FRONT}", "stand 0825", f"avoid {FRONT}", "avoid 0825"]),
    ):
        s = attacked("CW-22G", "CW-3A", sides=("E",))
        place(s, ["IT-LIT", "CW-7A"], "0825")
        battle(s, "0825", "commonwealth", ["W"], attacked=True, revealed=False)
        s.fort_supply = s.assigned[1] = units(*fed)
        avoiding(s)
        assert texts(s) == choices
        if len(fed) == 1:
            reason = why(s, f"avoid {FRONT}")
            assert reason is not None
            assert reason.rule == "10.2b"


@pytest.mark.rule("rommel", "10.2c")
def test_avoiding_battle_is_a_group_move_each_unit_to_where_it_likes() -> None:
    s = avoiding(attacked("CW-22G", "CW-3A"))
    place(s, "CW-7A", "0725")
    do(s, f"avoid {FRONT}", "hits 0", "to 0725 -", "to 0726 -")
    assert (at(s, "CW-22G"), at(s, "CW-3A"), at(s, "CW-7A")) == ("0726", "0725", "0725")


@pytest.mark.rule("rommel", "10.2d", "11.2d")
def test_who_avoids_battle_suffers_pursuit_and_is_freshly_disrupted() -> None:
    s = avoiding(attacked("CW-22G"))
    do(s, f"avoid {FRONT}")
    assert pursuit_dice(s) == 2
    do(s, "hits 2", "to 0726 -")
    assert cv(s, "CW-22G") == 2
    assert s.disrupted == s.fresh == units("CW-22G")


@pytest.mark.rule("rommel", "10.2e")
def test_who_avoids_battle_is_not_revealed_but_for_the_announced_speed() -> None:
    s = avoiding(attacked("CW-22G", "CW-3A"))
    events = do(s, f"avoid {FRONT}", "hits 1", "lose CW-3A", "to 0726 -", "to 0725 -")
    assert not s.revealed & units("CW-22G", "CW-3A")
    seen = [GAME.event_json(e, AXIS) for e in events]
    named = [e for e in seen if e is not None and ({"unit", "units"} & set(e))]
    assert named == []
    assert next(e for e in events if e.kind == "pursuit").data["speed"] == 2
    own = [GAME.event_json(e, COMMONWEALTH) for e in events if e.kind == "retired"]
    # by destination, not by number: the order tells the enemy nothing
    assert [(e["unit"], e["to"]) for e in own if e] == [("CW-22G", "0725"), ("CW-3A", "0726")]

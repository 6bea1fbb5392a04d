"""What North Africa '41 says before something is done: loads and odds, forces so far, one of a thing or several."""

from __future__ import annotations

from sandtable.engine.texts.words import count
from sandtable.games.na41.shown.counters import KIND_WORDS
from sandtable.games.na41.table.ids import AIR_ALLIED, PHASES
from sandtable.texts import speech

from ...rules.na41.fights import FIELD, WEST, attack, begin, field, panel
from ...rules.na41.kit import GAME, board, controlled_by, do, empty, place, supplies, texts
from ...rules.na41.turnkit import moving, rule_of


def label(s: object, text: str) -> str:
    return str(GAME.action_label(s, GAME.codec.parse(text)))  # type: ignore[arg-type]


def test_one_is_not_several() -> None:
    assert [count(n, "hit") for n in (0, 1, 2)] == ["0 hits", "1 hit", "2 hits"]
    assert [count(n, "die", "dice") for n in (1, 3)] == ["1 die", "3 dice"]


def test_every_kind_of_unit_is_named_in_both_languages() -> None:
    japanese = speech(GAME, "ja")
    kinds = {row["type"] for row in board.pack.units.values()}
    assert [kind for kind in sorted(kinds) if KIND_WORDS[kind] not in japanese] == []


def test_a_load_says_what_it_takes_and_when_the_convoy_is_full() -> None:
    s = empty("axis", "movement", 8, 2)
    controlled_by(s, "axis", "3211", "3828", "2946")
    place(s, ["GE_I8", "GE_AA33", "GE_K15"], "tripoli")
    moving(s)
    do(s, "convoy tripoli derna")
    assert str(GAME.prompt(s).text).startswith("Shipping points loaded: 0 of ")  # whatever the number
    assert label(s, "ship GE_I8") == f"Ship {board.unit_names[board.unit_index['GE_I8']]}: 2 shipping points"
    s.edition = 1  # games of version 1 sailed as soon as they were full
    assert label(s, "ship GE_I8") == f"Ship {board.unit_names[board.unit_index['GE_I8']]}: 2 shipping points, and sail"
    assert label(s, "ship GE_K15").endswith(": 1 shipping point")
    assert GAME.odds(s, GAME.codec.parse("ship GE_K15")) is None
    do(s, "ship GE_K15")
    # it sails at once with the next: the dice are shown before
    assert label(s, "ship GE_AA33").endswith(": 1 shipping point, and sail")
    assert GAME.odds(s, GAME.codec.parse("ship GE_AA33")) == GAME.odds(s, GAME.codec.parse("sail"))
    sailing = GAME.odds(s, GAME.codec.parse("sail"))
    assert sailing is not None
    assert sailing.results[0][0] == "not found"
    assert sailing.results[1][0] == "found, sunk on 2 or less, combat units on 1 or less"


def test_a_supply_point_that_is_left_over_keeps_the_convoy_waiting() -> None:
    s = empty("axis", "movement", 8, 2)
    controlled_by(s, "axis", "3211", "3828", "2946")
    place(s, "GE_K15", "tripoli")
    supplies(s, "axis", "tripoli", 2)
    moving(s)
    do(s, "convoy tripoli derna")
    assert label(s, "ship GE_K15") == f"Ship {board.unit_names[board.unit_index['GE_K15']]}: 1 shipping point"
    do(s, "ship GE_K15")
    assert label(s, "ship-sp") == "Ship a supply point: 1 shipping point"
    s.edition = 1
    assert label(s, "ship-sp") == "Ship a supply point: 1 shipping point, and sail"


def test_dice_and_hits_of_a_demolition() -> None:
    s = empty("axis", "movement", 8, 2)
    controlled_by(s, "axis", "3211")
    s.control_before = s.control
    place(s, "GE_I8", "3211")
    moving(s)
    do(s, "end-moves")
    assert label(s, "demolish benghazi 1") == "Demolish Benghazi with 1 die"
    assert label(s, "demolish benghazi 2") == "Demolish Benghazi with 2 dice"
    assert label(s, "hits 1") == "1 hit"
    odds = GAME.odds(s, GAME.codec.parse("demolish benghazi 2"))
    assert odds is not None
    assert [name for name, _ in odds.results] == ["0 hits", "1 hit", "2 hits"]


def test_who_takes_part_is_told_with_the_odds_so_far() -> None:
    s = field(["GE_155", "GE_361"], "NZ_6")
    begin(s)
    do(s, f"attack {FIELD}")
    assert GAME.prompt(s).text == "From any adjacent hexes"
    do(s, "join GE_155")
    first = panel(s, "commit")
    assert first.ladder is not None
    attack_, defence_ = (force.value for force in first.ladder.forces)
    column = first.ladder.columns[first.ladder.now].label
    assert GAME.prompt(s).text == f"{attack_} against {defence_}, {column} with shifts so far"


def test_a_stack_that_stays_is_several() -> None:
    s = empty("axis", "movement", 8, 2)
    place(s, ["GE_I8", "GE_K15"], WEST)
    moving(s)
    do(s, "move GE_I8")
    assert label(s, "halt") == "Leave it here: it does not move"
    do(s, "join GE_K15")
    assert label(s, "halt") == "Leave them here: they do not move"


def test_an_enemy_in_the_way_is_named() -> None:
    s = field("GE_155", "NZ_6")
    s.phase = PHASES.index("movement")
    s.stack, s.choices = [], None
    moving(s)
    do(s, "move GE_155")
    why = GAME.why_not(s, GAME.codec.parse(f"to {FIELD} normal"))
    assert why is not None
    assert (why.rule, why.why) == ("5.1e", f"{FIELD} is held by {board.unit_names[board.unit_index['NZ_6']]}")
    assert rule_of(s, f"to {FIELD} normal") == "5.1e"


def test_a_marsh_is_named() -> None:
    s = empty("axis", "movement", 8, 2)
    place(s, ["GE_I8", "GE_155"], "1606")
    moving(s)
    do(s, "move GE_I8")
    why = GAME.why_not(s, GAME.codec.parse("to 1607 normal"))
    assert why == ("5.1a", "1607 is marsh without a road: no mechanised unit can be there")
    do(s, "halt", "move GE_155")
    assert "to 1607 normal" in texts(s)  # on foot


def test_a_switch_of_the_panel_names_the_actions_that_decide_it() -> None:
    """What is tried out before an attack can be proposed when its question comes."""
    s = field("NZ_6", "GE_155", active="allied")
    place(s, "AL_7M", "1943")
    s.assets[AIR_ALLIED] = 1
    s.control = 0  # the airfields are Allied
    begin(s)
    found = panel(s, f"attack {FIELD}")
    assert found.ladder is not None
    own = {one.yes: one for one in found.ladder.shifts if one.by == "decider"}
    assert set(own) == {"artillery", "air air_support"}
    attack(s, "NZ_6")
    asked = 0
    while any(text.startswith(("no-supply", "no-artillery", "air ")) for text in texts(s)):
        for yes, one in own.items():
            chosen = [text for text in texts(s) if text.startswith(yes)]
            if chosen:
                assert any(text.startswith(one.no) for text in texts(s))
                asked += 1
        do(s, next(text for text in texts(s) if text.startswith(("no-supply", "no-artillery", "air none"))))
    assert asked == len(own)


def test_guns_that_have_been_declared_cannot_be_switched_any_more() -> None:
    s = field("NZ_6", "GE_155", active="allied")
    place(s, "AL_7M", "1943")
    s.assets[AIR_ALLIED] = 1
    s.control = 0
    attack(s, "NZ_6")
    while "artillery AL_7M" not in texts(s):
        do(s, "no-supply")
    do(s, "artillery AL_7M")
    found = panel(s, "air air_support_allied").ladder
    assert found is not None
    ours = [(one.value, one.by, one.action) for one in found.shifts if one.value > 0]
    assert ours == [(1, "", ""), (1, "decider", "air none")]


def test_the_defender_sees_the_fight_with_his_own_eyes() -> None:
    s = field("GE_155", "BR_1DLI")
    place(s, "GE_ARKO", "1943")
    place(s, "AL_7M", "1947")
    attack(s, "GE_155")
    ours = panel(s, "no-artillery")
    do(s, "no-artillery")
    theirs = panel(s, "no-artillery")
    assert ours.ladder is not None
    assert theirs.ladder is not None
    assert (ours.title, theirs.title) == (f"Attack {FIELD}", f"Defence of {FIELD}")
    assert ours.ladder.question == (f"{FIELD} is cleared", "They hold")
    assert theirs.ladder.question == (f"You hold {FIELD}", "It is cleared")
    mine, yours = (found.columns[found.now] for found in (ours.ladder, theirs.ladder))
    assert mine.label == yours.label
    for a, b in zip(mine.cells, yours.cells, strict=True):
        assert a.good is not None
        assert b.good == 1 - a.good

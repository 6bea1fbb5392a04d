"""A26.5: each scenario with the balance of one side."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from sandtable.games.asl.game import GAME
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.counters import script_of
from sandtable.games.asl.table.forces import forces
from sandtable.games.asl.table.ids import F_DUMMY_MINES, SIDES
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import State

from ..scenariokit import SCENARIOS

marked = partial(pytest.mark.rule, "asl")
PACK = stage(SCENARIOS["s01"]).pack


def opened(scenario: str, side: str) -> State:
    """Set up as proposed, with the balance of a side."""
    s = GAME.new(SCENARIOS[scenario], {f"balance_{side}": True})
    while True:
        if s.stack[-1][0] == F_DUMMY_MINES:
            GAME.apply(s, GAME.roll(s, lambda _: 1).action)
        elif any(action[0] == verbs.ACCEPT for action in GAME.legal(s)):
            GAME.apply(s, (verbs.ACCEPT,))
        else:
            return s


def counted(script: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for side in script["side"]:
        for group in side["group"]:
            for unit in group["units"]:
                found[unit["id"]] = found.get(unit["id"], 0) + int(unit["n"])
            for id, n in group.get("fortifications", {}).items():
                found[f"{side['side']} {id}"] = found.get(f"{side['side']} {id}", 0) + int(n)
    return found


def changed(scenario: str, side: str) -> dict[str, int]:
    """What there is more of, or less."""
    before, after = (
        counted(PACK.scenarios[SCENARIOS[scenario]]),
        counted(script_of(PACK, f"{SCENARIOS[scenario]}+{side}")),
    )
    return {
        id: after.get(id, 0) - before.get(id, 0) for id in {*before, *after} if after.get(id, 0) != before.get(id, 0)
    }


@marked("A26.5")
@pytest.mark.parametrize(
    ("scenario", "side", "more"),
    [
        ("s01", "axis", {"it_346": 1}),
        ("s02", "axis", {"ge_pz2f": -2, "ge_pz3h": 1, "ge_pz4e": 1}),
        ("s02", "allied", {}),
        ("s03", "axis", {"it_at47": 1, "it_126": 1, "axis sangar": 1}),
        ("s03", "allied", {"in_457": -4, "in_458": 4}),
        ("s04", "axis", {"ge_pz4f1": -1, "ge_pz4f2": 1}),
        ("s04", "allied", {"allied known_minefield_at": 12}),
        ("s05", "allied", {"br_mat2": 2}),
        ("s06", "allied", {"br_val2": 1, "br_458": 1}),
        ("s08", "axis", {"ge_pz3h": 2}),
        ("s09", "axis", {"ge_pz4f2": 1, "ge_467": 1}),
        ("s10", "axis", {"allied known_minefield_at": -12}),
        ("s10", "allied", {"ff_art75": 1, "br_228": 1}),
    ],
)
def test_what_a_balance_adds_and_takes(scenario: str, side: str, more: dict[str, int]) -> None:
    assert changed(scenario, side) == more


@marked("A26.5")
@pytest.mark.parametrize(("scenario", "side", "turns"), [("s01", "allied", 7), ("s07", "allied", 10)])
def test_a_balance_of_time(scenario: str, side: str, turns: int) -> None:
    s = GAME.new(SCENARIOS[scenario], {f"balance_{side}": True})
    assert s.stage.turns == turns
    assert GAME.new(SCENARIOS[scenario], {}).stage.turns == turns - 1


@marked("A26.5")
@pytest.mark.parametrize(
    ("scenario", "side", "group", "turn"),
    [
        ("s05", "axis", "panzers", 4),
        ("s06", "axis", "counter_attack", 4),
        ("s07", "axis", "north_group", 2),
        ("s07", "axis", "south_group", 2),
        ("s08", "allied", "armoured_brigade", 2),
        ("s09", "allied", "armour", 4),
    ],
)
def test_a_balance_of_entry(scenario: str, side: str, group: str, turn: int) -> None:
    name = SCENARIOS[scenario]
    assert next(one.turn for one in forces(f"{name}+{side}") if one.id == group) == turn
    assert next(one.turn for one in forces(name) if one.id == group) == turn + 1


@marked("A26.5")
def test_squadron_c_sets_up_with_squadron_b() -> None:
    s = opened("s02", "allied")
    tanks = [s.stage.roster.index[f"br_stu1#{n}"] for n in (11, 12)]
    assert all(s.at[u] >= 0 for u in tanks)
    area = next(one.area for one in forces(s.stage.scenario) if one.id == "squadron_b")
    assert all(area >> s.at[u] & 1 for u in tanks)


@marked("A26.5")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_every_balance_can_be_played(scenario: str, side: str) -> None:
    """All pieces come from the scenario, stand on its map and in its areas."""
    s = opened(scenario, side)
    assert not faults(s)
    roster = s.stage.roster
    for force in forces(s.stage.scenario):
        for u in range(len(s.at)):
            if force.members >> u & 1 and s.at[u] >= 0 and not (roster.men | roster.weapons | s.mounted) >> u & 1:
                assert force.area >> s.at[u] & 1, roster.names[u]
    assert [one.id for one in GAME.options()] == ["balance_axis", "balance_allied"]

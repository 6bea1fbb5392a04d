"""Nothing that is hidden shows: whatever a side sees stays the same when what it does not see is dealt anew.

Every scenario is set up with its Guns hidden, dummies on the map and mines where it has them, and played at random for
a while; views, prompts, lists, labels, odds and events are compared with those of tables imagined from the view.
"""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine.contract import SPECTATOR
from sandtable.fuzz import Fuzzer
from sandtable.games.asl.game import GAME
from sandtable.games.asl.soundness import faults
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.ids import F_SETUP, MINES, SIDES
from sandtable.games.asl.table.stage import SCENARIOS
from sandtable.games.asl.table.state import State, put
from sandtable.mechanics.masks import units_of


def set_up(fuzzer: Fuzzer, rng: Random) -> None:
    """Dummies go wherever they may, everything else as the scenario proposes, and Guns are hidden."""
    table = fuzzer.table
    while table.state.stack[-1][0] == F_SETUP:
        side = table.to_act
        assert side is not None
        roster = table.state.stage.roster
        legal = GAME.legal(table.state)
        dummies = [a for a in legal if a[0] == verbs.PLACE and roster.dummies >> a[1] & 1]
        table.act(rng.choice(dummies) if dummies else (int(verbs.ACCEPT),), side)


def secrets(s: State, side: int) -> int:
    """What lies on the map that this side does not know."""
    roster = s.stage.roster
    foes = roster.of_side[1 - side]
    mines = sum(roster.of_kind[kind] for kind in MINES) & ~s.read
    return sum(1 << u for u in units_of((s.concealed | s.hip | mines) & foes) if s.at[u] >= 0)


@pytest.mark.rule("asl", "A12.1", "A12.3", "F.7c")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_hidden_shows(scenario: str) -> None:
    rng = Random(scenario)
    fuzzer = Fuzzer(GAME, scenario, f"hidden/{scenario}", often=0)
    table = fuzzer.table
    set_up(fuzzer, rng)
    checked = 0
    for step in range(60):
        side = table.to_act
        if side is None:
            break
        legal = list(GAME.legal(table.state))
        if step % 6 == 0:
            for other in range(2):
                fuzzer.check_redeal(table.state, other, side, legal)
                checked += bool(secrets(table.state, other))
        fuzzer.step(side, rng.choice(legal))
    assert checked > 5 or scenario == "s02_gabr_saleh"  # where nobody hides anything


@pytest.mark.rule("asl", "A12.1", "A12.3")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_view_names_nothing_that_is_hidden(scenario: str) -> None:
    fuzzer = Fuzzer(GAME, scenario, f"named/{scenario}", often=0)
    set_up(fuzzer, Random(scenario))
    s = fuzzer.table.state
    names = s.stage.roster.names
    for side in range(2):
        view = GAME.view(s, side)
        said = repr(view)
        assert view["side"] == SIDES[side]
        marks = secrets(s, side) & ~(s.hip | s.stage.roster.weapons | s.stage.roster.works)
        assert sum(view["hidden"].values()) == marks.bit_count()  # a "?" for a dummy too, none for who is hidden
        for u in units_of(secrets(s, side)):
            assert f"'{names[u]}'" not in said, names[u]


@pytest.mark.rule("asl", "A12.1", "A12.3")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_who_only_watches_can_imagine_the_table_too(scenario: str) -> None:
    """He sees whose each "?" is, and nothing of what lies under either side's; a table that he imagines shows him the
    same."""
    rng = Random(scenario)
    fuzzer = Fuzzer(GAME, scenario, f"watched/{scenario}", often=0)
    set_up(fuzzer, rng)
    table = fuzzer.table
    for step in range(40):
        side = table.to_act
        if side is None:
            break
        if step % 8 == 0:
            view = GAME.view(table.state, SPECTATOR)
            imagined = GAME.imagine(view, rng)
            assert GAME.view(imagined, SPECTATOR) == view
            shown = [(one["hex"], one["side"]) for one in GAME.scene(view)["counters"] if one.get("hidden")]
            own = [(name, SIDES[n]) for n in range(2) for name in GAME.view(table.state, 1 - n)["hidden"]]
            assert sorted(shown) == sorted(own)
        fuzzer.step(side, rng.choice(GAME.legal(table.state)))
    names = table.state.stage.roster.names
    hidden = units_of(secrets(table.state, 0) | secrets(table.state, 1))
    said = repr(GAME.view(table.state, SPECTATOR))
    assert not [names[u] for u in hidden if f"'{names[u]}'" in said]


@pytest.mark.rule("asl", "A5.1")
def test_what_is_imagined_under_marks_has_room_there() -> None:
    """Many "?" in a Location may be dummies: no table is imagined on which more men stand there than can."""
    fuzzer = Fuzzer(GAME, "s01_capuzzo_outpost", "room", often=0)
    set_up(fuzzer, Random("room"))
    s = fuzzer.table.state
    side = next(n for n in range(2) if units_of(s.concealed & s.stage.roster.dummies & s.stage.roster.of_side[n]))
    own = s.concealed & s.stage.roster.of_side[side] & ~s.hip
    here = s.at[units_of(own & s.stage.roster.men)[0]]
    for u in units_of(own & s.stage.roster.dummies):
        put(s, u, here)
    view = GAME.view(s, 1 - side)
    assert view["hidden"][s.stage.grid.names[here]] > 4
    for seed in range(20):
        assert faults(GAME.imagine(view, Random(seed))) == []

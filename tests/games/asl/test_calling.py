"""What counters are called: by what they are at that moment, in the log and everywhere else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable import texts
from sandtable.engine.contract import Event
from sandtable.engine.texts.catalogue import BETWEEN
from sandtable.engine.texts.text import Text, say
from sandtable.games.asl.fire.fate import crew_fate
from sandtable.games.asl.fire.morale import break_, deploy, fail, reduce
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table import verbs
from sandtable.games.asl.table.ids import ALLIED, AXIS
from sandtable.games.asl.table.stage import roster, stage
from sandtable.games.asl.table.state import State
from sandtable.games.asl.table.telling import emit, tell
from sandtable.server.table import looks
from tests.rules.asl.infantrykit import FOE, FOE2, LEADER, SQUAD, U, desert, empty, place, rallying

TANK = "br_a10#1"
JAPANESE = texts.speech(GAME, "ja")


def log(events: list[Event], side: int = ALLIED) -> list[str]:
    seen = [GAME.event_json(event, side) for event in events]
    return [say(GAME.describe(one)) for one in seen if one is not None]


def japanese(events: list[Event]) -> list[str]:
    seen = [GAME.event_json(event, ALLIED) for event in events]
    return [say(GAME.describe(one), JAPANESE.get, BETWEEN["ja"]) for one in seen if one is not None]


def reduced(s: State) -> None:
    reduce(s, U(SQUAD), "A7.302")
    break_(s, U(SQUAD), "A10.4")


def replaced(s: State) -> None:
    fail(s, U(SQUAD), s.stage.elr[ALLIED] + 1, twelve=False)


def deployed(s: State) -> None:
    deploy(s, U(SQUAD))
    break_(s, U("allied_spare#1"), "A10.4")


@pytest.mark.rule("asl", "A7.302", "A19.1", "A1.31")
@pytest.mark.parametrize(
    ("happens", "english", "spoken"),
    [
        (
            reduced,
            ["4-5-7 suffers casualties in D1.M9: 2-4-7 half-squad is left", "2-4-7 half-squad breaks in D1.M9"],
            ["4-5-7がD1.M9で損害を受け、半個分隊2-4-7が残る", "半個分隊2-4-7がD1.M9で混乱"],
        ),
        (
            replaced,
            ["4-5-7 is replaced by 4-4-7", "4-4-7 breaks in D1.M9"],
            ["4-5-7が4-4-7に置き換わる", "4-4-7がD1.M9で混乱"],
        ),
        (
            deployed,
            ["4-5-7 deploys in D1.M9 into two 2-4-7 half-squads", "2-4-7 half-squad breaks in D1.M9"],
            ["4-5-7がD1.M9で二つの半個分隊2-4-7に展開", "半個分隊2-4-7がD1.M9で混乱"],
        ),
    ],
)
def test_who_changes_is_called_by_what_he_was_and_what_he_is(
    happens: Callable[[State], None], english: list[str], spoken: list[str]
) -> None:
    s = desert()
    place(s, SQUAD, "M9")
    happens(s)
    assert log(s.events) == english
    assert japanese(s.events) == spoken


@pytest.mark.rule("asl", "D5.1", "D5.6")
def test_a_crew_out_of_a_wreck_is_a_vehicle_crew() -> None:
    s = empty(on=stage("s05_hafid_ridge"))
    place(s, TANK, "M9")
    s.wreck |= 1 << U(TANK)
    crew_fate(s, U(TANK), lives=True)
    assert log(s.events) == ["The crew of A10 Mk IA gets out in D1.M9", "1-2-7 vehicle crew breaks in D1.M9"]
    assert japanese(s.events)[1] == "車両乗員1-2-7がD1.M9で混乱"


def test_what_happened_before_a_change_is_told_as_it_was() -> None:
    s = desert()
    place(s, SQUAD, "M9")
    emit(s, "pinned", "A7.8", {"unit": U(SQUAD), "hex": s.at[U(SQUAD)], "side": ALLIED})
    reduce(s, U(SQUAD), "A7.302")
    assert log(s.events)[0] == "4-5-7 is pinned in D1.M9"


def test_prompts_labels_and_reasons_call_it_by_what_it_is() -> None:
    s = desert()
    place(s, (SQUAD, LEADER), "M9")
    deploy(s, U(SQUAD))
    for name in (SQUAD, "allied_spare#1"):
        said = Text("{unit}: {why}", unit=U(name), why=Text("{units} may not move", units=(U(name), U(LEADER))))
        leader = roster().called[U(LEADER)]
        assert str(GAME.named(said, s)) == f"2-4-7 half-squad: 2-4-7 half-squad, {leader} may not move"
        action = (verbs.DEPLOY, U(name))
        assert str(GAME.action_label(s, action)) == "Deploy 2-4-7 half-squad into half-squads"
        assert GAME.renamed(s, action)
        reason = GAME.why_not(rallying(s, ALLIED), action)
        assert reason is not None
        assert "New unit" not in str(reason.why)
    assert not GAME.renamed(s, (verbs.DEPLOY, U(LEADER)))


def test_a_browser_is_told_the_name_that_it_does_not_know() -> None:
    """It knows what every counter was called when the game began, and no more."""
    s = desert()
    place(s, (SQUAD, LEADER), "M9")
    deploy(s, U(SQUAD))
    table: Any = SimpleNamespace(game=GAME, state=s)
    told = looks.of_verb(table, [(verbs.DEPLOY, U("allied_spare#1"))], plain=True).labels
    assert told == [Text("Deploy {unit} into half-squads", unit=Text("{name} half-squad", name="2-4-7"))]
    assert looks.of_verb(table, [(verbs.DEPLOY, U(LEADER))], plain=True).labels == []


def test_of_who_is_under_a_sign_only_his_own_side_is_told_what_he_is() -> None:
    """A12.1"""
    s = desert(phasing=AXIS)
    place(s, (FOE, FOE2), "M9")
    deploy(s, U(FOE))
    s.events.clear()
    s.concealed |= 1 << U("axis_spare#1")
    tell(s, "advanced_to", "A3.7", 1 << U(FOE) | 1 << U("axis_spare#1"), AXIS, {"to": s.at[U(FOE)]})
    half = roster().types[s.type[U(FOE)]]
    assert log(s.events, AXIS) == [f"{half.name} half-squad, {half.name} half-squad advances to D1.M9"]
    assert log(s.events, ALLIED) == [f"{half.name} half-squad and ? advance to D1.M9"]
    seen = GAME.event_json(s.events[0], ALLIED)
    assert seen is not None
    assert seen["as"] == {FOE: half.id}


def test_an_imagined_table_calls_those_known_alike() -> None:
    s = desert()
    place(s, SQUAD, "M9")
    place(s, FOE, "M5")
    deploy(s, U(SQUAD))
    other = GAME.redeal(s, ALLIED, Random(1))
    for name in (SQUAD, "allied_spare#1"):
        said = Text("{unit}", unit=U(name))
        assert GAME.named(said, other) == GAME.named(said, s) == "2-4-7 half-squad"

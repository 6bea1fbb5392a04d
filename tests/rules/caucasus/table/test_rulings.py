"""Rulings where the book is silent (A63 to A67), and the rule numbers that refusals and prompts cite."""

from __future__ import annotations

import pytest

from sandtable.games.caucasus.combat.retreats import LOSSES
from sandtable.games.caucasus.combat.strengths import reckon
from sandtable.games.caucasus.table.board import SUMMER, WINTER
from sandtable.games.caucasus.table.ids import AXIS, COMBAT, DR, F_ARRIVE, F_MOVES, F_RETREAT, TRACK
from sandtable.games.caucasus.table.state import put
from sandtable.games.caucasus.turn.victory import needed, script

from ..combat.ch11retreatskit import ORIGIN, battlefield
from ..fights import TARGET, combat
from ..kit import GAME, H, U, board, do, empty, place, start, texts, units, why
from ..movekit import goes, phase

rule = pytest.mark.rule


@rule("caucasus", "2.31b", "2.35")
def test_major_rivers_along_seasonal_marsh_stay_in_winter_a63() -> None:
    seasonal = board.pack.terrain["seasonal_marsh"]
    summer, winter = board.grounds[SUMMER], board.grounds[WINTER]
    assert any(river & seasonal for river in summer.major_rivers)
    for d in range(6):
        assert winter.major_rivers[d] & seasonal == summer.major_rivers[d] & seasonal
        assert not winter.minor_rivers[d] & seasonal


@rule("caucasus", "14.4b")
def test_an_hq_does_not_save_the_others_from_the_shift_a64() -> None:
    s = combat()
    place(s, "GE-13Pz", "1234")
    place(s, "SU-4RD", TARGET, oos=True)
    hq = next(name for name in board.units if board.hq >> U(name) & 1 and name.startswith("SU-"))
    place(s, hq, TARGET)
    assert "14.4b" in {push.rule for push in reckon(s, COMBAT, H(TARGET), units("GE-13Pz")).pushes}
    place(s, "SU-74RD", TARGET)
    assert "14.4b" not in {push.rule for push in reckon(s, COMBAT, H(TARGET), units("GE-13Pz")).pushes}


@rule("caucasus", "4.2e")
def test_delayed_alpini_do_not_raise_the_level_before_one_is_placed_a65() -> None:
    s = empty("axis", turn=5)
    condition = next(c for c in script(s).conditions if c.kind == "vp_at_least")
    alpini = [u for u, name in enumerate(board.unit_names) if "Alpini" in name]
    for u in alpini:
        put(s, u, TRACK)
        s.due[u] = 5
    start(s, (F_MOVES, 0), (F_ARRIVE, AXIS, 0))
    assert needed(s, condition) == 18
    placed = next(text for text in texts(s) if text.startswith("place"))
    delayed = s.copy()
    delayed.events = []
    do(delayed, "delay")
    assert needed(delayed, condition) == 18
    do(s, placed)
    assert needed(s, condition) == 20


@rule("caucasus", "14.4c")
def test_no_passage_by_sea_out_of_supply_a66() -> None:
    s = empty("soviet", turn=3)
    ports = [board.grid.names[h] for h, sea in board.port_sea.items() if sea == 1]
    poti = board.grid.names[board.fleet_base]
    s.control = 0
    s.fleet_ready = 1
    place(s, "SU-4RD", poti)
    assert set(goes(s, "SU-4RD", "ship")) == set(ports) - {poti}
    s.oos = units("SU-4RD")
    assert goes(s, "SU-4RD", "ship") == set()
    phase(s)
    do(s, "move SU-4RD")
    other = next(port for port in ports if port != poti)
    assert why(s, f"ship {other} 0").rule == "14.4c"  # type: ignore[union-attr]


@rule("caucasus", "11.2g")
def test_every_part_of_a_stack_that_enters_ezoc_loses_a_step_a67() -> None:
    s = battlefield("1628", "1629", "1928")
    place(s, ["GE-7Flak"], "1828")
    place(s, ["GE-210StG"], "1829")
    place(s, "SU-4RD", "1727")
    place(s, "SU-74RD", "1729")
    s.fight.kind, s.fight.target, s.fight.origin, s.fight.result = COMBAT, H(ORIGIN), H(ORIGIN), DR
    s.fight.defenders = s.fight.retreating = units("SU-4RD", "SU-74RD")
    events = start(s, (F_MOVES, 0), (F_RETREAT, 2, LOSSES, -1))
    lost = [event for event in events if event.kind == "step_lost"]
    assert [event.rule for event in lost] == ["11.2g", "11.2g"]
    assert {event.data["unit"] for event in lost} == {U("SU-4RD"), U("SU-74RD")}


@rule("caucasus", "7.3d", "7.3e")
def test_an_assault_marker_is_cited_by_the_rule_that_gave_it() -> None:
    s = empty("axis", turn=5, phase="axis_second_movement")
    place(s, ["GE-13Pz", "GE-73"], "1234")
    place(s, "SU-4RD", "1333")
    phase(s)
    do(s, "assault GE-13Pz", "assault GE-73")
    assert why(s, "move GE-13Pz").rule == "7.3d"  # type: ignore[union-attr]
    assert why(s, "move GE-73").rule == "7.3e"  # type: ignore[union-attr]


@rule("caucasus", "15.9a")
def test_the_security_division_is_asked_by_its_own_rule() -> None:
    s = empty("axis", turn=3)
    place(s, board.units[board.security], "1728")
    phase(s)
    do(s, f"move {board.units[board.security]}")
    assert GAME.prompt(s).rules == ("7.9", "15.9a")

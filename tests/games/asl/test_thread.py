"""A6.1 the LOS thread of the table: from where the pieces are, with what lies on the map."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.asl.boards.locations import Place
from sandtable.games.asl.game import GAME
from sandtable.games.asl.table.ids import AXIS, FULL, UNDER_FOXHOLE
from sandtable.games.asl.table.stage import stage
from sandtable.games.asl.table.state import State, put

from ...rules.asl.infantrykit import FOE, SQUAD, H, empty, place


def thread(s: State, a: str, b: str) -> Any:
    found = GAME.sight(GAME.view(s, AXIS), a, b)
    assert found is not None
    return found


@pytest.mark.rule("asl", "A6.1", "A24.21")
def test_the_thread_minds_smoke_and_dust() -> None:
    s = empty()
    place(s, SQUAD, "M5")
    place(s, FOE, "M8")
    assert (thread(s, "D1.M5", "D1.M8")["clear"], thread(s, "D1.M5", "D1.M8")["hindrances"]) == (True, [])
    s.smoke = {H("M7"): 1}
    (smoke,) = thread(s, "D1.M5", "D1.M8")["hindrances"]
    assert (smoke["hex"], smoke["rule"], smoke["text"]) == ("D1.M7", "A24.21", "smoke")
    s.smoke = {H(name): 1 << 2 * FULL for name in ("M6", "M7")}
    blocked = thread(s, "D1.M5", "D1.M8")
    assert (blocked["clear"], blocked["rule"]) == (False, "B.10")
    assert GAME.sight(GAME.view(s, AXIS), "D1.M5", "X1.A1") is None


@pytest.mark.rule("asl", "A6.3a", "F4.4b")
def test_the_thread_runs_from_where_the_pieces_are() -> None:
    there = stage("s06_wadi_zigzaou")
    field = there.field
    wadi = next(h for h in field.grid.hexes if field.has("wadi", h) and field.name(h).startswith("D3.P"))
    far = next(h for h in field.grid.hexes if field.grid.distance(h, wadi) == 3 and not field.has("wadi", h))
    men = [u for u in range(len(there.roster.names)) if there.roster.men >> u & 1 and there.roster.side[u] == AXIS]
    s = empty(on=there)
    one, other = men[:2]
    put(s, one, wadi)
    put(s, other, far)
    ends = field.name(far), field.name(wadi)
    s.place[one] = Place.CREST
    assert thread(s, *ends)["clear"]
    s.place[one] = Place.IN
    assert (thread(s, *ends)["clear"], thread(s, *ends)["rule"]) == (False, "A6.3a")
    assert thread(s, *ends)["blocked"] == field.name(wadi)

    deir = stage("s09_snipe")
    s = empty(on=deir)
    u = next(u for u in range(len(deir.roster.names)) if deir.roster.men >> u & 1 and deir.roster.side[u] == AXIS)
    put(s, u, deir.field.hex("D2.P8"))
    assert thread(s, "D2.P8", "D2.J8")["clear"]
    s.under[u] = UNDER_FOXHOLE
    assert thread(s, "D2.P8", "D2.J8")["rule"] == "F4.4b"

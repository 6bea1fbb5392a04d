"""The overlays follow from the view alone and show what the rules say."""

from __future__ import annotations

from random import Random

from sandtable.engine.contract import SPECTATOR

from ...rules.rommel.kit import GAME, empty, new, place, start


def by_id(side: int, s: object) -> dict[str, dict[str, object]]:
    return {o["id"]: dict(o) for o in GAME.overlays(GAME.view(s, side))}  # type: ignore[arg-type]


def test_overlays_do_not_depend_on_hidden_facts() -> None:
    s = new("crusader")
    for side in (0, 1):
        twin = GAME.redeal(s, side, Random(5))
        assert by_id(side, s) == by_id(side, twin)


def test_a_cut_off_unit_is_shown_as_cut() -> None:
    from sandtable.games.rommel.table.ids import F_OPTION

    s = empty("axis", option=None)
    place(s, "GE-PZ5", "0902")
    place(s, "IT-ARI", "0813")  # alone in the desert, no road, no chain
    place(s, "CW-18A", "0626")
    start(s, (F_OPTION,))
    shown = by_id(0, s)
    assert shown["supply"]["cut"] == ["0813"]
    assert "0902" in shown["supply"]["hexes"]  # type: ignore[operator]
    assert shown["enemy_supply"]["cut"] == []


def test_the_threat_follows_the_coast_road_but_not_through_my_blocks() -> None:
    from sandtable.games.rommel.table.ids import F_OPTION

    s = empty("axis", option=None)
    place(s, "GE-PZ5", "0902")
    place(s, "CW-3A", "0704")
    start(s, (F_OPTION,))
    threat = by_id(0, s)["threat"]["hexes"]
    assert "0403" in threat  # type: ignore[operator]  # five hexes up the coast road
    assert "0902" in threat  # type: ignore[operator]  # it can engage me
    assert "0901" not in threat  # type: ignore[operator]  # but not pass me


def test_a_spectator_sees_both_networks() -> None:
    s = new("1941")
    assert [o["title"] for o in GAME.overlays(GAME.view(s, SPECTATOR))] == [
        "Axis supply network",
        "Commonwealth supply network",
    ]

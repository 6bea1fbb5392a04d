"""Chapter 0: the overview that opens the book."""

from __future__ import annotations

import pytest

from sandtable.engine.contract import Outcome
from sandtable.games.rommel.table.ids import (
    AXIS,
    COMMONWEALTH,
    F_CHALLENGE,
    F_MOVES,
    F_OPTION,
    F_SPEND,
    F_VICTORY,
    SIDES,
)
from sandtable.games.rommel.table.scenarios import script_of
from sandtable.games.rommel.table.state import eliminate, lose_step
from sandtable.games.rommel.turn.resupply import deck

from ..kit import GAME, H, U, at, board, do, empty, kinds, new, place, start, texts, why
from ..months import nets, spend
from ..turns import near_agedabia, quiet, top, turn_over

# 0.1 The game


@pytest.mark.rule("rommel", "0.1a")
def test_two_players() -> None:
    assert GAME.info.sides == ("axis", "commonwealth") == SIDES
    for u, nation in enumerate(board.nation):
        assert (board.side[u] == AXIS) == (nation in ("german", "italian"))
    s = new("1941")
    asked = set()
    quiet(s, lambda s: bool(asked.add(GAME.to_act(s))) or s.month == 2)
    assert asked - {-1} == {AXIS, COMMONWEALTH}


@pytest.mark.rule("rommel", "0.1b")
def test_campaigns_and_shorter_scenarios() -> None:
    titles = {scenario.id: scenario.title for scenario in GAME.scenarios()}
    assert "Italian" in titles["1940"]
    plays = {key: script_of(board, key) for key in titles}
    lengths = {key: play.last_month - play.first_month + 1 for key, play in plays.items()}
    assert lengths["1941"] + lengths["1942"] == lengths["campaign"]
    assert [key for key in titles if lengths[key] < lengths["1941"]] == [
        "1940",
        "battleaxe",
        "crusader",
        "first_battle",
        "gazala",
        "pursuit",
    ]


@pytest.mark.rule("rommel", "0.1c")
def test_turns_make_a_month_and_a_buildup_lies_between_months() -> None:
    s = new("1941")
    events = do(s, "option basic 0")
    events += quiet(s, lambda s: s.month == 3)
    story = [k for k in kinds(events) if k in ("turn", "buildup")]
    assert story == ["turn", "turn", "buildup", "turn", "turn", "buildup"]
    sides = [e.data["side"] for e in events if e.kind == "turn"]
    assert sides == [COMMONWEALTH, AXIS, AXIS, COMMONWEALTH]


@pytest.mark.rule("rommel", "0.1d")
def test_objectives() -> None:
    """Tobruk and its surroundings, or else more units; the enemy base wins at once."""
    s = empty("axis", None)
    s.fort_owner = [AXIS, COMMONWEALTH, AXIS]
    place(s, ["GE-PZ5", "GE-PZ8"], "0902")
    place(s, "CW-4A", "0626")
    place(s, "CW-24A", "0313")
    other = s.copy()
    start(s, (F_VICTORY,))
    assert s.ended == Outcome(COMMONWEALTH, "positional", 2, "17.3")
    place(other, "GE-AA3", "0412")
    start(other, (F_VICTORY,))
    assert other.ended == Outcome(AXIS, "decisive", 5, "17.2a")
    base = empty("axis", "basic")
    place(base, "GE-AA3", "0726")
    start(base, (F_MOVES, 0, 0))
    do(base, "group 0726 0", "move GE-AA3", "to 0626 -")
    assert base.ended == Outcome(AXIS, "strategic", 10, "17.1b")


# 0.2 The map


@pytest.mark.rule("rommel", "0.2a")
def test_the_map_is_a_hexagonal_grid_from_libya_to_egypt() -> None:
    libya, egypt = board.pack.tagged("region:libya"), board.pack.tagged("region:egypt")
    assert libya >> H("El Agheila") & 1
    assert egypt >> H("Alexandria") & 1
    assert all(len(board.grid.neighbours[h]) <= 6 for h in board.grid.hexes)
    assert board.grid.distance(H("Tobruk"), H("Bardia")) == 3
    assert board.grid.distance(H("El Agheila"), H("Alexandria")) == 26


@pytest.mark.rule("rommel", "0.2b")
def test_ridges_and_marshes_need_a_gorge_and_mountains_a_road() -> None:
    counted = {"mountain": 0, "ridge": 0, "marsh": 0}
    for edge in board.pack.hexsides:
        if edge.kind not in counted:
            continue
        road = board.any_road[edge.direction] >> edge.hex & 1
        gorge = edge.row.yes("gorge")
        if not board.land >> edge.hex & board.land >> edge.neighbour & 1:
            continue
        crossed = bool(board.open[edge.direction] >> edge.hex & 1)
        assert crossed == bool(road if edge.kind == "mountain" else road or gorge)
        counted[edge.kind] += not crossed
    assert all(counted.values())
    s = empty("axis", "basic")
    place(s, "GE-AA3", "0205")  # Barce in the Jebel: out by its roads only
    start(s, (F_MOVES, 0, 0))
    do(s, "group 0205 0", "move GE-AA3")
    around = {board.grid.names[n] for _, n in board.grid.neighbours[H("0205")]}
    near = {t.split()[1] for t in texts(s)} & around
    assert near < around


@pytest.mark.rule("rommel", "0.2c")
def test_port_capacities_are_printed_on_the_fortresses() -> None:
    named = zip(board.fortress_names, board.fortresses, strict=True)
    printed = {name: board.pack.hexes[h].tag("capacity") for name, h in named}
    assert printed == {"Benghazi": "2", "Tobruk": "5", "Bardia": "2"}
    assert [str(board.capacity[i][COMMONWEALTH]) for i in range(3)] == list(printed.values())


# 0.3 The blocks


@pytest.mark.rule("rommel", "0.3a")
def test_scale_of_the_blocks() -> None:
    sizes: dict[str, set[str]] = {}
    for name, row in board.pack.units.items():
        kind = "commonwealth" if board.side[U(name)] == COMMONWEALTH else row["nation"]
        sizes.setdefault(kind, set()).add(row["size"])
    german = [row["size"] for row in board.pack.units.values() if row["nation"] == "german"]
    assert sum(size in ("regiment", "battalion") for size in german) >= len(german) - 3
    assert "division" in sizes["italian"]
    assert "brigade" in sizes["commonwealth"]
    assert any(row["note"].startswith("with ") for row in board.pack.units.values())  # lumped together


@pytest.mark.rule("rommel", "0.3b")
def test_unrevealed_blocks_are_hidden() -> None:
    """The enemy sees that a block is there, not what it is or how strong."""
    s = empty("axis", "basic")
    place(s, "GE-PZ5", "0803", cv=4)
    place(s, "IT-BRE", "0704")
    place(s, "CW-4A", "0604")
    start(s, (F_MOVES, 0, 0))
    seen = GAME.view(s, COMMONWEALTH)
    blocks = [b for b in seen["units"] if b["side"] == "axis"]
    assert blocks == [{"side": "axis", "hex": "0704"}, {"side": "axis", "hex": "0803"}]
    own = [b for b in GAME.view(s, AXIS)["units"] if b["side"] == "axis"]
    assert {(b["id"], b["cv"]) for b in own} == {("GE-PZ5", 4), ("IT-BRE", board.max_cv[U("IT-BRE")])}
    swapped = empty("axis", "basic")  # another pair of blocks in the same hexes
    place(swapped, "IT-BOL", "0803")
    place(swapped, "GE-AA3", "0704", cv=2)
    place(swapped, "CW-4A", "0604")
    start(swapped, (F_MOVES, 0, 0))
    assert GAME.view(swapped, COMMONWEALTH) == seen


@pytest.mark.rule("rommel", "0.3c")
def test_the_type_fixes_firepower_and_movement() -> None:
    found: dict[str, set[tuple[int, int]]] = {}
    for u, kind in enumerate(board.unit_types):
        found.setdefault(kind, set()).add((board.cls[u], board.speed[u]))
    assert all(len(values) == 1 for values in found.values())
    assert {"armour", "recon", "infantry"} <= set(found)
    table = board.pack.tables["unit_types"]
    for kind, values in found.items():
        assert {speed for _, speed in values} == {table[kind]["speed"]}


@pytest.mark.rule("rommel", "0.3d", "0.3e")
def test_current_strength_falls_by_loss_and_rises_by_replacement() -> None:
    s = new("1941")
    assert all(s.cv[u] == board.max_cv[u] for u in range(len(board.units)) if s.at[u] >= 0)
    u = U("IT-BRE")
    lose_step(s, u, "9.5a")
    assert s.cv[u] == board.max_cv[u] - 1
    block = next(b for b in GAME.view(s, AXIS)["units"] if b.get("id") == "IT-BRE")
    assert block["cv"] == board.max_cv[u] - 1  # what the top edge shows to its owner
    s = empty("axis", None)
    place(s, "IT-BRE", "0902", cv=1)
    nets(s, "0902")
    spend(s)
    do(s, "rebuild IT-BRE")
    assert s.cv[u] == 2


@pytest.mark.rule("rommel", "0.3f")
def test_a_unit_below_its_lowest_cv_never_returns() -> None:
    s = empty("axis", None)
    place(s, "IT-BRE", "0902", cv=1)
    lose_step(s, U("IT-BRE"), "9.5a")
    assert at(s, "IT-BRE") == "dead"
    nets(s, "0902 0903")
    spend(s)
    assert not any("IT-BRE" in text for text in texts(s))
    assert why(s, "rebuild IT-BRE").rule == "16.54a"


# 0.4 Supply cards


@pytest.mark.rule("rommel", "0.4a")
def test_a_first_hand_and_cards_every_month() -> None:
    s = new("1942")
    assert [s.real[i] + s.dummy[i] for i in (0, 1)] == [5, 5]
    events = quiet(s, lambda s: s.month == 12 and top(s) == F_CHALLENGE)
    assert [(e.data["side"], e.data["cards"]) for e in events if e.kind == "dealt"] in (
        [(AXIS, 7), (COMMONWEALTH, 7)],
        [(COMMONWEALTH, 7), (AXIS, 7)],
    )
    assert [s.real[i] + s.dummy[i] for i in (0, 1)] == [12, 12]


@pytest.mark.rule("rommel", "0.4b")
def test_two_thirds_of_the_cards_are_real() -> None:
    real, dummy = deck(empty(cards=((0, 0), (0, 0))))
    assert (real, dummy) == (28, 14)
    assert real == 2 * dummy


@pytest.mark.rule("rommel", "0.4c")
def test_dummies_buy_nothing() -> None:
    s = near_agedabia()
    s.real[AXIS], s.dummy[AXIS] = 0, 6
    s.choices = None
    assert texts(s) == ["pass"]
    s.real[AXIS] = 1
    s.choices = None
    assert texts(s) == [*(f"option basic {n}" for n in range(7)), "pass"]


# 0.5 The course of play


@pytest.mark.rule("rommel", "0.5a")
def test_a_month_is_buildup_initiative_turns() -> None:
    s = new("1941")
    quiet(s, lambda s: s.month == 2)
    order: list[int] = []

    def watch(s: object) -> bool:
        frame = top(s)
        if frame in (F_SPEND, F_CHALLENGE, F_OPTION) and frame not in order:
            order.append(frame)
        return s.month == 3

    quiet(s, watch)
    assert order == [F_SPEND, F_CHALLENGE, F_OPTION]


@pytest.mark.rule("rommel", "0.5b")
def test_what_a_buildup_brings() -> None:
    s = new("1941")
    place(s, "CW-26A", "0626", cv=1)
    s.bp = [0, 20]
    quiet(s, lambda s: s.stack[-1] == (F_SPEND, COMMONWEALTH))
    assert at(s, "CW-11I") == "0626"  # new units
    verbs = {text.split()[0] for text in texts(s)}
    assert {"rebuild", "redeploy", "mine", "refit", "buy"} <= verbs
    before = s.real[COMMONWEALTH] + s.dummy[COMMONWEALTH]
    do(s, "spent")
    quiet(s, lambda s: s.stack[-1][0] in (F_CHALLENGE, F_SPEND))
    assert s.real[COMMONWEALTH] + s.dummy[COMMONWEALTH] == before + 6  # new cards


@pytest.mark.rule("rommel", "0.5c")
def test_as_a_rule_the_axis_begins() -> None:
    s = new("1941")
    assert s.active == AXIS
    quiet(s, lambda s: s.month == 2 and top(s) == F_OPTION)
    assert s.active == AXIS


@pytest.mark.rule("rommel", "0.5d")
def test_secret_option_with_dummies_among_the_cards() -> None:
    s = near_agedabia()
    events = do(s, "option basic 2")
    assert events[0].seen_by(COMMONWEALTH) == {"side": AXIS, "cards": 3}
    assert events[0].seen_by(AXIS)["option"] == 0
    assert top(s) == F_MOVES
    quiet(s, turn_over)


@pytest.mark.rule("rommel", "0.5e")
def test_passing_saves_cards() -> None:
    s = near_agedabia()
    before = s.real[AXIS], s.dummy[AXIS]
    do(s, "pass")
    quiet(s, turn_over)
    assert (s.real[AXIS], s.dummy[AXIS]) == before


@pytest.mark.rule("rommel", "0.5f")
@pytest.mark.parametrize("turns", [2, 4, 6])
def test_a_month_has_any_number_of_turns(turns: int) -> None:
    s = new("1941")
    s.real = [4, 4]
    events = []
    for n in range(turns):
        do(s, "option basic 0" if n < turns - 2 else "pass")
        events += quiet(s, lambda s: top(s) == F_OPTION or s.month == 2)
    assert s.month == 2
    assert kinds(events).count("turn") == turns - 1  # the first had begun


def test_elimination_is_public() -> None:
    """An eliminated block is laid face up beside the map."""
    s = empty("axis", "basic")
    place(s, "IT-BRE", "0902")
    s.events = []
    eliminate(s, U("IT-BRE"), "9.5a")
    assert s.events[-1].seen_by(COMMONWEALTH)["unit"] == U("IT-BRE")

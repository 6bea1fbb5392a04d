"""North Africa '41 made drawable and told in words."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import sandtable.games.na41
from sandtable.engine.contract import CHANCE
from sandtable.engine.drawing import draw_map
from sandtable.engine.hexes import hexes_of
from sandtable.engine.ledger import load_rulebook
from sandtable.engine.texts.text import holes
from sandtable.games.na41.shown.counters import SHOWN_MARKS
from sandtable.games.na41.shown.look import STYLE
from sandtable.games.na41.shown.overlays import line
from sandtable.games.na41.shown.scene import BOX_TITLES, PHASE_TITLES
from sandtable.games.na41.shown.texts import LINES
from sandtable.games.na41.shown.view import MARKS
from sandtable.games.na41.supply.supply_lines import full
from sandtable.games.na41.table.ids import BOXES, PHASES
from sandtable.games.na41.table.position import touch
from sandtable.games.na41.table.state import State

from ...rules.na41.kit import GAME, H, U, board, controlled_by, empty, new, place, supplies

FOLDER = Path(str(sandtable.games.na41.__file__)).parent
RULES = load_rulebook(FOLDER / "rulebook.md")


def first_move() -> State:
    """Enter Rommel in its first Movement Phase, after an Axis event that gave 1 RP."""
    s = new()
    GAME.apply(s, GAME.codec.parse("rolled 7"))
    return s


def counters(s: State) -> dict[str, dict[str, object]]:
    return {str(c.get("unit")): dict(c) for c in GAME.scene(GAME.view(s, 0))["counters"]}


def tracks(s: State) -> dict[str, dict[str, object]]:
    return {str(t["id"]): dict(t) for t in GAME.scene(GAME.view(s, 0))["tracks"]}


def markers(s: State, hex_: str) -> dict[str, str]:
    return {m["kind"]: m.get("label", "") for m in GAME.scene(GAME.view(s, 0))["markers"] if m["hex"] == hex_}


# Counters


def test_a_counter_shows_what_is_printed_on_it() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1603")
    place(s, "AU_20", "2011", shows="reduced")
    place(s, "IT_32", "1601", shows="reduced")
    shown = counters(s)
    panzer = shown["GE_I5_5L"]
    assert (panzer["strength"], panzer["values"], panzer["steps"]) == ("7-5", ["5"], [2, 2])
    assert (panzer["tank"], panzer["tank_hollow"], panzer["boxed"]) == ("3", False, ["", "elite", ""])
    assert (panzer["label"], panzer["size"], panzer["band"]) == ("I/5 Pz", "II", STYLE.bands["5le"])
    assert (shown["AU_20"]["strength"], shown["AU_20"]["steps"]) == ("3-4", [2, 3])
    assert shown["IT_32"]["boxed"] == ["", "low", ""]


def test_artillery_shows_its_range_its_s_and_its_defense() -> None:
    s = empty()
    place(s, "IT_X", "1601")
    place(s, "GE_DAK", "1602", depleted=True)
    shown = counters(s)
    assert shown["IT_X"]["strength"] == "R5S-(1)"
    assert shown["GE_DAK"]["strength"] == "R6-(1)"  # 18.4 it gives no artillery support
    assert shown["GE_DAK"]["marks"] == ["depleted"]


def test_a_truck_has_two_sides() -> None:
    s = empty()
    place(s, "AX_TR1", "1602")
    place(s, "AX_TR2", "1602", msu=True)
    truck, msu = counters(s)["AX_TR1"], counters(s)["AX_TR2"]
    assert (truck["label"], truck["strength"], truck["values"], truck["symbol"]) == ("Tr 1", "", ["6"], "truck")
    assert (msu["label"], msu["strength"], msu["values"], msu["symbol"]) == ("MSU 2", "R5", ["6"], "supply")
    assert "steps" not in truck


def test_the_heavy_side_of_a_tank_replacement_is_told() -> None:
    s = empty("allied")
    place(s, ["BR_RT1", "BR_RT2"], "nile_delta")
    s.heavy |= 1 << U("BR_RT1")
    shown = counters(s)
    assert (shown["BR_RT1"]["label"], shown["BR_RT1"]["tank"]) == ("Br heavy", "H")
    assert shown["BR_RT2"]["label"] == "Br tank"
    assert "tank" not in shown["BR_RT2"]
    assert shown["BR_RT1"]["box"] == "nile_delta"


def test_a_matilda_bears_a_black_band_and_flak_an_open_circle() -> None:
    s = empty()
    place(s, "BR_7R", "2011")
    place(s, "GE_FL33", "1602")
    assert counters(s)["BR_7R"]["band"] == "counter-ink"
    assert (counters(s)["GE_FL33"]["tank"], counters(s)["GE_FL33"]["tank_hollow"]) == ("4", True)


def test_a_remnant_shows_its_own_numbers() -> None:
    s = empty()
    place(s, "AU_20", "2011", shows="remnant")
    remnant = counters(s)["AU_20"]
    assert (remnant["strength"], remnant["steps"]) == ("1-2", [1, 3])
    assert "remnant" in str(remnant["name"])


def test_states_are_marked_by_words_of_their_own() -> None:
    s = empty(phase="combat")
    place(s, "GE_I5_5L", "1603", disrupted=True, oos=True)
    place(s, "GE_II5_5L", "1603", routed=True)
    place(s, "GE_MG2_5L", "1603", isolated=True)
    bits = {name: 1 << U(name) for name in ("GE_I5_5L", "GE_II5_5L", "GE_MG2_5L")}
    s.refreshed, s.shipped = bits["GE_I5_5L"], bits["GE_II5_5L"]
    s.extended, s.auto, s.attacked = bits["GE_MG2_5L"], bits["GE_MG2_5L"], bits["GE_MG2_5L"]
    shown = counters(s)
    assert shown["GE_I5_5L"]["marks"] == ["disrupted", "out_of_supply", "replacement marker"]
    assert shown["GE_II5_5L"]["marks"] == ["full retreat", "transport marker"]
    assert shown["GE_MG2_5L"]["marks"] == ["out_of_supply", "isolated", "Auto DS", "extended movement", "has attacked"]
    assert set(MARKS) - {"msu"} == set(SHOWN_MARKS)
    drawn = {"disrupted", "out_of_supply", "isolated", "moved"}  # the others show their first letter
    letters = [mark[0].upper() for mark in SHOWN_MARKS.values() if mark not in drawn]
    assert len(set(letters)) == len(letters)


def test_who_has_moved_matters_while_his_side_moves() -> None:
    for phase, shown in (("movement", ["moved"]), ("combat", []), ("recovery", [])):
        s = empty(phase=phase)
        place(s, "GE_I5_5L", "1603")
        s.moved = 1 << U("GE_I5_5L")
        assert counters(s)["GE_I5_5L"]["marks"] == shown
    s = empty("allied")
    place(s, "GE_I5_5L", "1603")
    s.moved = 1 << U("GE_I5_5L")
    assert counters(s)["GE_I5_5L"]["marks"] == []


def test_the_stack_on_the_move_is_shown() -> None:
    s = first_move()
    for text in ("end-initial", "move GE_I5_5L", "join GE_MG8_5L"):
        GAME.apply(s, GAME.codec.parse(text))
    acting = {name for name, item in counters(s).items() if "acting" in str(item["marks"])}
    assert acting == {"GE_I5_5L", "GE_MG8_5L"}


def test_names_are_short_and_told_apart() -> None:
    for scenario in ("s1_enter_rommel", "s3_crusader"):
        units = [c for c in GAME.scene(GAME.view(new(scenario), 0))["counters"] if "hex" in c]
        assert all(len(c["label"]) <= 9 for c in units)
        assert not [c["label"] for c in units if c["label"].endswith(".") and c["label"] != "Santam."]
        told = [(c["side"], c["label"], c.get("nation"), c["symbol"]) for c in units]
        assert len(set(told)) == len(told)


def test_the_strongest_of_a_stack_lies_on_top() -> None:
    s = empty()
    place(s, ["AX_TR1", "GE_MG2_5L", "GE_I5_5L"], "1603")
    stack = [c["unit"] for c in GAME.scene(GAME.view(s, 0))["counters"] if c.get("hex") == "1603"]
    assert stack == ["GE_I5_5L", "GE_MG2_5L", "AX_TR1"]


# The map


def test_the_map_shows_supply_ports_control_and_markers() -> None:
    s = empty()
    supplies(s, "axis", "1602", 2)
    s.forts[1] |= 1 << H("2011")
    s.building[0] |= 1 << H("1704")
    s.strafing[0] |= 1 << H("2112")
    s.lrdg |= 1 << H("2113")
    s.delay_allied[2] = H("2212")
    s.port_level[board.port_ids.index("benghazi")] = 2
    assert markers(s, "1602")["supply"] == "2 SP"
    assert "fortification" in markers(s, "2011")
    assert "building" in markers(s, "1704")
    assert "strafing" in markers(s, "2112")
    assert "lrdg" in markers(s, "2113")
    assert markers(s, "2212")["delay"] == "D3"
    assert markers(s, "3211")["badge"] == "3"
    assert "control" in markers(s, "3212")
    place(s, "AU_20", "3212")
    assert "control" not in markers(s, "3212")  # one sees whose it is


def test_attack_supply_is_shown_once_where_it_was_spent() -> None:
    s = empty(phase="combat")
    s.supplies = [(H("1602"), 3, -1), (H("1602"), 6, 0)]
    marks = [m for m in GAME.scene(GAME.view(s, 0))["markers"] if m["hex"] == "1602"]
    assert [(m["kind"], m["label"]) for m in marks] == [("spent", "Attack supply within 6 hexes")]


def test_control_is_told_for_both_sides() -> None:
    s = empty()
    controlled_by(s, "axis", "3211", "3212")
    control = GAME.scene(GAME.view(s, 0))["control"]
    assert {"1604", "3211", "3212"} <= set(control["axis"])
    assert "3138" in control["allied"]


def test_the_map_names_its_places() -> None:
    svg = draw_map(GAME.pack, STYLE, width=1200)
    for name in ("Tobruk", "Benghazi", "Alexandria", "Mersa Matruh", "Mediterranean Sea"):
        assert name in svg


# The displays


def test_the_bar_shows_the_phases_of_the_player_turn() -> None:
    s = empty(phase="combat")
    phases = GAME.scene(GAME.view(s, 0))["phases"]
    assert [p["id"] for p in phases] == ["initial", "movement", "combat", "recovery", "supply", "delay"]
    assert [p["state"] for p in phases].index("now") == 2
    s = empty(phase="supply_attrition")
    around = [p["id"] for p in GAME.scene(GAME.view(s, 0))["phases"]]
    assert around == ["preparation", "supply_attrition", "victory_points"]


def test_every_phase_and_box_has_its_title() -> None:
    assert set(PHASE_TITLES) == set(PHASES)
    hidden = {"unused", "aside"}  # counters that are not in play
    assert (set(BOXES.values()) - hidden) | {"italy", "tripoli", "nile_delta"} == set(BOX_TITLES)


def test_tracks_tell_turn_impulse_means_and_sea() -> None:
    s = empty(turn=7, impulse=3)
    s.rp, s.malta, s.vp, s.rommel = [3, 1], -2, 4, 0
    supplies(s, "axis", "tripoli", 2)
    supplies(s, "allied", "2011", 3)
    controlled_by(s, "axis", "3212", "3629")
    s.assets[2] = 2
    shown = tracks(s)
    assert shown["turn"]["value"] == "7 of 19"
    assert (shown["impulse"]["cells"], shown["impulse"]["now"]) == (["1", "2", "3"], 2)
    assert (shown["rp_axis"]["pips"], shown["rp_allied"]["pips"]) == ([3, 4], [1, 4])
    assert shown["sp"]["value"] == "Axis 2, Allied 3"
    assert (shown["rommel"]["value"], shown["vp"]["value"]) == ("Used", "+4")
    assert shown["air"]["value"] == "Contested"
    cells, now = shown["malta"]["cells"], shown["malta"]["now"]
    assert isinstance(cells, list)
    assert isinstance(now, int)
    assert cells[now] == "−2"
    # 22.2.2: two airfields, Crete from turn 6, the third impulse; the Allies hold three airfields
    assert shown["coastal"]["value"] == "Axis −4, Allied −4"
    assert shown["air_support_allied"]["value"] == "2"


def test_a_summer_turn_has_no_second_impulse() -> None:
    shown = tracks(empty(turn=9, impulse=3))
    assert (shown["impulse"]["cells"], shown["impulse"]["now"]) == (["1", "3"], 1)


def test_objectives_are_counted() -> None:
    s = empty(scenario="s1_enter_rommel")
    controlled_by(s, "axis", "3211", "3212", "3828")
    assert tracks(s)["objectives"]["value"] == "3, 7 needed"


def test_boxes_hold_units_and_supply_points() -> None:
    s = empty()
    place(s, "IT_19", "tripoli")
    supplies(s, "axis", "tripoli", 3)
    supplies(s, "axis", "italy", 2)
    found = {b["id"]: (b["title"], b["count"], b.get("note", "")) for b in GAME.scene(GAME.view(s, 0))["boxes"]}
    assert found == {"tripoli": ("Axis: Tripoli", 1, "3 SP"), "italy": ("Axis: Italy", 0, "2 SP")}


# Overlays


def test_overlays_show_zones_supply_threats_and_range() -> None:
    s = new()
    found = {o["id"]: o for o in GAME.overlays(GAME.view(s, 0))}
    assert list(found) == [
        "zoc_allied",
        "zoc_axis",
        "overlapping_allied",
        "supply_axis",
        "supply_allied",
        "port_supply_axis",
        "threat_allied",
        "air_axis",
    ]
    assert "1606" in found["zoc_allied"]["hexes"]
    assert all(o["rule"] in RULES for o in found.values())
    paths = found["supply_axis"]["paths"]
    assert ["1604", "1603", "1602", "1702", "1701"] in paths


def test_units_that_cannot_be_supplied_are_cut_off() -> None:
    s = empty()
    lost = board.grid.names[hexes_of(board.land & ~full(s, 0))[0]]
    place(s, "GE_I5_5L", lost)
    cut = next(o for o in GAME.overlays(GAME.view(s, 0)) if o["id"] == "supply_axis")
    assert cut["cut"] == [lost]
    assert cut["paths"] == []


@pytest.mark.parametrize("scenario", ["s1_enter_rommel", "s3_crusader"])
def test_every_unit_in_full_supply_has_a_line_that_may_be_traced(scenario: str) -> None:
    s = new(scenario)
    for side in (0, 1):
        for h in hexes_of(s.occ[side] & full(s, side) & board.grid.all):
            path = line(s, side, h)
            assert path[0] == h
            assert all(board.around[a] >> b & 1 for a, b in pairwise(path))


def test_the_line_of_a_unit_beyond_the_road_ends_at_an_msu() -> None:
    s = empty()
    place(s, "GE_I5_5L", "1313")
    place(s, "AX_TR1", "1409", msu=True)
    touch(s)
    assert full(s, 0) >> H("1313") & 1
    assert line(s, 0, H("1313"))[-1] == H("1409") or full(s, 0) >> H("1409") & 1


def test_the_threat_counts_who_could_come_up() -> None:
    s = empty()
    place(s, "BR_5R", "2011")
    place(s, "GE_AA3_5L", "1909")
    numbers = next(o for o in GAME.overlays(GAME.view(s, 0)) if o["id"] == "threat_allied")["numbers"]
    assert numbers["1909"] == "5"
    s.disrupted |= 1 << U("BR_5R")
    assert not next(o for o in GAME.overlays(GAME.view(s, 0)) if o["id"] == "threat_allied")["numbers"]


# Words


def event_kinds() -> set[str]:
    """All kinds of events that the code can tell."""
    found = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "emit":
                kind = node.args[1]
                if isinstance(kind, ast.Constant):
                    found.add(str(kind.value))
    return found


def test_every_kind_of_event_has_its_line() -> None:
    kinds = event_kinds()
    assert len(kinds) > 80
    assert kinds <= LINES.keys(), sorted(kinds - LINES.keys())


def test_every_verb_has_its_words() -> None:
    for verb in GAME.verbs:
        labels = [verb.label] if isinstance(verb.label, str) else list(verb.label.values())
        names = {name for name, _ in verb.args}
        assert labels, verb.word
        for label in labels:
            assert label
            assert set(holes(label)) <= names, verb.word
        if isinstance(verb.label, str):
            assert set(holes(verb.label)) == names, verb.word


@pytest.mark.parametrize(("scenario", "seed"), [("s1_enter_rommel", 1), ("s2_campaign", 2), ("s3_crusader", 3)])
def test_a_game_is_told_and_asked_in_words(scenario: str, seed: int) -> None:
    rng = Random(seed)
    s = new(scenario, **{option.id: True for option in GAME.options()})
    asked = set()
    for _ in range(1200):
        actor = GAME.to_act(s)
        if actor is None:
            break
        if actor == CHANCE:
            action = GAME.roll(s, lambda n: rng.randint(1, n)).action
        else:
            action = rng.choice(GAME.legal(s))
            prompt = GAME.prompt(s)
            asked.add(s.stack[-1][0])
            assert prompt.title
            assert str(prompt.text)[0].isupper() or str(prompt.text)[0].isdigit(), prompt
            assert prompt.rules
            assert set(prompt.rules) <= RULES.keys(), prompt
            assert prompt.phase in PHASES, prompt
        assert GAME.action_label(s, action)
        for event in GAME.apply(s, action):
            seen = GAME.event_json(event, 0)
            assert seen is not None
            text = GAME.describe(seen)
            assert text
            assert "{" not in text
            assert "_" not in text, text
            assert event.rule in RULES, (event.kind, event.rule)
    assert len(asked) > 8
    assert GAME.scene(GAME.view(s, 1))["counters"]


def test_what_an_action_costs_stands_in_its_label() -> None:
    s = first_move()
    labels = {GAME.codec.text(a): GAME.action_label(s, a) for a in GAME.legal(s)}
    assert labels["buy air_support"] == "Air support: 1 RP"


def test_a_move_tells_what_follows_from_it() -> None:
    s = first_move()
    GAME.apply(s, GAME.codec.parse("end-initial"))
    GAME.apply(s, GAME.codec.parse("move GE_AA3_5L"))
    hint = GAME.hint(s, GAME.codec.parse("to 1606 normal"))
    assert hint is not None
    assert hint["stop"]
    assert [(entry["rule"], entry["text"]) for entry in hint["lines"]] == [
        ("7.2a", "Enters an enemy ZOC and stops"),
        ("8.1a", "Next to the enemy in Mersa Brega"),
    ]


def test_reinforcements_lie_turn_by_turn() -> None:
    s = new()
    shown = GAME.scene(GAME.view(s, 0))
    turns = {(box["side"], box["id"]): box for box in shown["boxes"] if box["id"].startswith("scheduled")}
    assert ("axis", "scheduled_4") in turns
    assert turns["axis", "scheduled_4"]["title"] == "Axis: Reinforcements of turn 4"
    assert "scheduled" not in {box["id"] for box in shown["boxes"]}
    for (side, id), box in turns.items():
        there = [c for c in shown["counters"] if c.get("box") == id and c["side"] == side]
        assert len(there) == box["count"]
        assert {s.due[U(c["unit"])] for c in there} == {int(id.removeprefix("scheduled_"))}

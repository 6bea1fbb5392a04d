"""The charts printed in the rulebook are the charts that are played (tables.toml, units.csv, the scenarios)."""

from __future__ import annotations

import re
from pathlib import Path

import sandtable.games.na41
from sandtable.engine.hexes import hexes_of
from sandtable.games.na41.table.scenarios import script_of

from ..kit import board

BOOK = (Path(str(sandtable.games.na41.__file__)).parent / "rulebook.md").read_text(encoding="utf-8")
TABLES = board.pack.tables
COLOURS = {" (orange)": " o", " (red)": " r"}
COSTS = {"no": -1, "⅓": 2, "½": 3, "1": 6, "2": 12, "3": 18}
REPLACEMENTS = {
    "ge_inf": "German infantry",
    "ge_tank": "German tank",
    "it_inf": "Italian infantry",
    "it_tank": "Italian tank",
    "br_tank": "British tank",
    "heavy_tank": "heavy tank",
    "au_inf": "Australian infantry",
    "br_ind_inf": "Br/Ind infantry",
    "any_inf": "any infantry",
}
SCENARIOS = ("s1_enter_rommel", "s2_campaign", "s3_crusader")


def charts(heading: str) -> list[list[list[str]]]:
    """The tables under a heading, head rows left out."""
    _, _, rest = BOOK.partition(f"### {heading}\n")
    assert rest, heading
    found: list[list[list[str]]] = []
    open_ = False
    for line in rest.splitlines():
        if line.startswith("#"):
            break
        if line.startswith("|"):
            if not open_:
                found.append([])
            open_ = True
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        else:
            open_ = False
    return [[row for row in table if set(row[0]) != {"-"}] for table in found]


def chart(heading: str) -> list[list[str]]:
    return charts(heading)[0]


def number(cell: str) -> int:
    return int(cell.replace("−", "-"))


def word(cell: str) -> str:
    return cell.lower().replace(" ", "_")


def test_the_combat_results_table() -> None:
    head, *rows = chart("Combat results table")
    assert head[1:] == TABLES["crt"]["columns"]
    for die, row in enumerate(rows, 1):
        cells = [next((c.replace(w, code) for w, code in COLOURS.items() if w in c), c) for c in row[1:]]
        assert cells == TABLES["crt"]["rows"][str(die)]
    assert len(rows) == 6


def test_the_determined_defense_table() -> None:
    rows = chart("Determined defense table")[1:]
    for die, row in enumerate(rows, 1):
        cells = [
            cell.replace("–", "-").replace("H", "HX").removesuffix(", fortification removed (A6)")
            if "removed" in cell
            else cell.replace("–", "-")
            for cell in row[1:]
        ]
        assert cells == TABLES["determined_defence"]["rows"][str(die)]
    assert len(rows) == 7


def test_terrain() -> None:
    hexes, features, sides, roads = charts("Terrain effects chart")
    known = {row["terrain"]: row for row in TABLES["tec"]["hex"]}
    for name, mech, foot, _, supply, _ in hexes[1:]:
        row = known.pop("desert" if name == "Trackless desert" else word(name))
        assert (COSTS[mech], COSTS[foot]) == (row["mech_sixths"], row["foot_sixths"])
        assert (-1 if supply == "barred" else int(supply)) == row["supply_hexes"]
    assert not known
    assert [word(row[0]) for row in features[1:]] == [row["name"] for row in TABLES["tec"]["feature"]]
    for row, side in zip(sides[1:], TABLES["tec"]["hexside"], strict=True):
        assert word(row[0]) == side["kind"]
        for cell, key in ((row[1], "mech"), (row[2], "foot")):
            assert cell == ("no" if side[key] == "x" else side[key])
    for row, road in zip(roads[1:], [r for r in TABLES["tec"]["road"] if r["is_road"]], strict=True):
        assert (COSTS[row[1]], COSTS[row[2]]) == (road["mech_sixths"], road["foot_sixths"])
        assert row[3] == f"{road['foot_bonus_total_hexes']} hexes"


def test_other_dice() -> None:
    keys = {
        "keeps its state": ("rally", "no_change"),
        "recovers one level": ("rally", "recovers_one_level"),
        "loses a step": ("isolation", "loses_one_step"),
        "complete": ("fortification_completion", "completed"),
        "not yet": ("fortification_completion", "failed"),
        "destroyed": ("sp_capture", "destroyed"),
        "captured": ("sp_capture", "captured"),
        "a hit": ("port_demolition_and_bombing", "hit"),
        "no": ("disengagement", "no"),
        "yes, with the loss of a step": ("disengagement", "yes_minus_one_step"),
        "yes": ("disengagement", "yes"),
    }
    seen = set()
    for _, die, result in chart("Other dice")[1:]:
        if result == "no effect":  # isolation and demolition: the rest of the die
            continue
        table, key = keys[result]
        faces = [int(n) for n in die.split("–")]
        assert list(range(faces[0], faces[-1] + 1)) == TABLES[table][key]
        seen.add(result)
    assert seen == keys.keys()


def test_event_tables() -> None:
    names = {
        "strafing": "strafing (2 markers)",
        "lrdg": "LRDG",
        "comando_supremo": "Comando Supremo",
        "air_support_german": "German air support",
        "air_support_italian": "Italian air support",
        "air_support_allied": "air support",
        "coastal_convoy": "second coastal convoy",
    }
    rows = chart("Event tables (23.1)")[1:]
    assert len(rows) == 11
    for dice, *cells in rows:
        for side, cell in zip(("axis", "allied"), cells, strict=True):
            event = TABLES["events"][side][dice]
            points = [f"{event['rp']} RP" + ("s" if event["rp"] > 1 else "")] if event["rp"] else []
            assert cell.split(", ") == [*points, *(names.get(a, a.replace("_", " ")) for a in event["assets"])]


def test_resources() -> None:
    rows = chart("Resource list (23.2.2)")[1:]
    for row, item in zip(rows, TABLES["resource"], strict=True):
        given = (row[0], row[1].lower(), int(row[2]), row[4] == "yes", row[5] == "yes", row[6])
        assert given == (item["name"], item["side"], item["cost"], item["event"], item["saved"], item["rule"])


def test_markers() -> None:
    counts = {row[0].lower(): int(row[2].split()[0]) for row in chart("Markers that limit play")[1:]}
    for asset in TABLES["asset"]:
        if asset["markers_total"]:
            name = {"air_support_allied": "air support", "coastal_convoy": "second coastal convoy"}.get(
                asset["code"], asset["code"].replace("air_support_german", "german_air_support").replace("_", " ")
            )
            name = "italian air support" if asset["code"] == "air_support_italian" else name
            assert counts[name] == asset["markers_total"]
    assert counts["fortification"] == TABLES["general"]["max_fortifications_per_side"]


def test_supply_attrition() -> None:
    rows, sectors = charts("Supply attrition tables (25.1)")
    for dice, *cells in rows[1:]:
        for side, cell in zip(("axis", "allied"), cells, strict=True):
            assert ("none" if cell == "no loss" else word(cell)) == TABLES["supply_attrition"][side][dice]
    for sector, columns in sectors[1:]:
        first, last = TABLES["supply_attrition"]["sector_columns"][word(sector)]
        assert columns == f"{first:02d}–{last:02d}"


def test_anti_shipping() -> None:
    head, *rows = charts("Anti-shipping table (22.2)")[0]
    assert [word(cell) for cell in head[1:]] == TABLES["ast"]["columns_safe_to_dangerous"]
    assert [int(row[0].split()[0]) for row in rows] == list(range(2, 15))
    for dice, *cells in rows:
        assert [0 if c == "–" else int(c) for c in cells] == TABLES["ast"]["rows"][dice.split()[0]]
    for (_, cell), key in zip(
        charts("Anti-shipping table (22.2)")[1][1:],
        ("per_controlled_map_airfield", "crete_friendly", "third_impulse"),
        strict=True,
    ):
        assert number(cell) == TABLES["ast"]["coastal_drm"][key]


def test_malta() -> None:
    rows = chart("Malta track (22.3)")[1:]
    assert [number(row[0]) for row in rows] == TABLES["malta"]["boxes"]
    for box, luftwaffe, allied in rows:
        for cell, side in ((luftwaffe, "luftwaffe"), (allied, "allied")):
            assert (0 if cell == "–" else int(cell)) == TABLES["malta"][f"{side}_success"][str(number(box))]


def test_ports_airfields_and_objectives() -> None:
    for row, port in zip(chart("Ports (21.3)")[1:], TABLES["port"], strict=True):
        assert row[0] == port["name"]
        assert row[2] == ("no limit" if port["id"] == "italy" else " ".join(str(n) for n in port["track"]))
        assert (row[3] == "yes") == port["damageable"]
    rows = chart("Airfields, ports and objectives")[1:]
    assert {row[1] for row in rows} == {board.grid.names[h] for h in hexes_of(board.controllable)}
    for column, scenario in ((3, "s1_enter_rommel"), (5, "s3_crusader")):
        goals = script_of(board, scenario).objectives
        assert goals is not None
        marked = {row[1] for row in rows if row[column] == "objective"}
        assert marked == {board.grid.names[h] for h in hexes_of(goals.hexes)}


def test_turn_track() -> None:
    rows = chart("Turn track")[1:]
    assert [int(row[0]) for row in rows] == list(board.turns)
    for row, turn in zip(rows, board.turns.values(), strict=True):
        assert row[2] == ("1, 3 (summer)" if turn["summer"] else "1, 2, 3")
        assert [word(row[3]), word(row[4]), int(row[5])] == [
            turn["air_superiority"],
            turn["malta_side"],
            turn["vp_index"],
        ]
        for cell, side in ((row[6], "axis"), (row[7], "allied")):
            codes: list[str] = turn[f"replacements_{side}"]
            many = [f"{codes.count(c)} {REPLACEMENTS[c]}" if codes.count(c) > 1 else REPLACEMENTS[c] for c in codes]
            assert cell == (", ".join(dict.fromkeys(many)) or "–")


def test_arrivals() -> None:
    plan = script_of(board, "s2_campaign")
    due: dict[int, list[str]] = {}
    for u, turn in plan.due.items():
        due.setdefault(turn, []).append(board.unit_names[u])
    told: dict[int, list[str]] = {}
    for turn_, _, what, names, _ in chart("Arrivals and departures")[1:]:
        if what.startswith(("arrive", "to the", "upgrade")):
            given = names.replace("16 Bde (6, later 70 Div)", "16 Bde (6; later 70 Div)").split(", ")
            told.setdefault(int(turn_), []).extend(name.replace(";", ",") for name in given)
    assert {turn: sorted(names) for turn, names in told.items()} == {turn: sorted(n) for turn, n in due.items()}


def test_counters() -> None:
    rows = chart("Axis counters")[1:] + chart("Allied counters")[1:]
    units = [u for u in range(len(board.units)) if board.combat >> u & 1 and not board.remnant_counters >> u & 1]
    units.sort(key=lambda u: board.side[u])
    plans = [script_of(board, name) for name in ("s1_enter_rommel", "s3_crusader")]
    for row, u in zip(rows, units, strict=True):
        assert row[0] == board.unit_names[u]
        sides = [cell for cell in row[4:7] if cell != "–"]
        assert len(sides) == board.steps_of[u]
        for step, cell in enumerate(sides):
            attack, defence, ma = cell.split("-")
            assert (int(attack.split("[")[0]), int(ma)) == (board.att[u][step], board.ma[u][step])
            assert int(defence.strip("()")) == board.dfn[u][step]
            assert ("(" in defence) == bool(board.parenthesised >> u & 1)
            if "[" in attack:
                assert int(attack.split("[")[1].strip("]")) == board.tank_value[u]
        assert row[7] == "LNE"[board.tq[u]]
        assert int(row[8]) == board.stacking[u]
        for cell, plan in zip(row[9:], plans, strict=True):
            if u not in plan.setup:
                assert cell == "–", row
                continue
            place, step = plan.setup[u]
            assert cell.endswith(", reduced") == (step == 1)
            name = board.hex_name(place) if board.is_box(place) else board.grid.names[place]
            assert cell.removesuffix(", reduced").removesuffix(", depleted").endswith(name)


def test_trucks_and_supply_points() -> None:
    starts, replacements, remnants = charts("Trucks, supply points, replacements and remnants")
    for side, scenario, trucks, points in starts[1:]:
        plan = script_of(board, "s3_crusader" if scenario == "S3" else "s1_enter_rommel")
        which = ("Axis", "Allied").index(side)
        counted = sum(1 for u in plan.setup if board.trucks >> u & 1 and board.side[u] == which)
        assert sum(int(part.split(" at ")[0]) for part in trucks.split(", ")) == counted
        depots = sum(count for owner, _, count in plan.depots if owner == which)
        assert sum(int(part.split(" at ")[0]) for part in points.split(", ")) == depots
    assert sum(int(row[1]) for row in replacements[1:]) == board.replacements.bit_count()
    assert [int(row[1]) for row in remnants[1:]] == list(board.remnant_count.values())


def test_scenario_states() -> None:
    rows = {row[0]: row[1:] for row in chart("Scenario states")[1:]}
    for i, name in enumerate(SCENARIOS):
        plan = script_of(board, name)
        assert rows["Turns"][i] == f"{plan.first_turn}–{plan.last_turn}"
        assert number(rows["Malta marker"][i].split(", ")[1]) == plan.malta
        forts = [] if rows["Fortifications"][i] == "none" else rows["Fortifications"][i].split(", ")
        for side, title in enumerate(("Axis", "Allied")):
            marked = {f.rpartition(" ")[0][-5:].strip("( )") for f in forts if f.endswith(title)}
            assert marked == {board.grid.names[h] for h in hexes_of(plan.forts[side])}


def numbers(cell: str) -> set[str]:
    """The hex numbers of a list of places."""
    return {part.rpartition("(")[2].rstrip(")") for part in cell.split(", ") if part.endswith(")")}


def named(mask: int) -> set[str]:
    return {board.grid.names[h] for h in hexes_of(mask)}


def test_places() -> None:
    kinds = {
        "Towns": board.towns,
        "Landmarks": board.landmarks,
        "Ports": board.ports,
        "Airfields": board.airfields,
        "Oases": board.oases,
        "City": board.city,
        "Groundworks (9.5.5)": board.groundworks,
    }
    rows = dict(chart("Places")[1:])
    assert rows.keys() == kinds.keys()
    for kind, hexes in kinds.items():
        wanted = [f"{board.names[h]} ({n})" if board.names[h] else n for h, n in numbered(hexes)]
        assert sorted(rows[kind].split(", ")) == sorted(wanted), kind


def numbered(hexes: int) -> list[tuple[int, str]]:
    return [(h, board.grid.names[h]) for h in hexes_of(hexes)]


def test_railway_stations_and_boxes() -> None:
    line = TABLES["railway"]
    first, later = (numbers(row[0]) for row in chart("Railway stations (5.9)")[1:])
    assert (first, later) == (set(line["stations"]), set(line["extension_stations"]))
    edges = {row[0]: row[2].rpartition(" ")[2].split("–") for row in chart("Boxes")[1:] if row[2] != "no"}
    for name, box in (("Tripoli", board.tripoli), ("Nile Delta", board.delta)):
        hexes = sorted(named(board.entry_hexes[box]))
        assert edges[name] == [hexes[0], hexes[-1]]
        assert len({h[2:] for h in hexes}) == 1
        assert len(hexes) == int(hexes[-1][:2]) - int(hexes[0][:2]) + 1


def test_limits() -> None:
    of = board.general
    found = {row[0]: [int(n) for n in re.findall(r"\d+", row[1])] for row in chart("Limits and constants")[1:]}
    assert found == {
        "SPs received by each player a game turn": [of["sp_per_turn"]],
        "Stacking limit (4.1a)": [of["stacking_limit"], of["free_silhouettes_per_hex"]],
        "Most attack strength counted; without attack supply": [of["max_attack"], of["max_attack_without_supply"]],
        "Most defense strength counted": [of["max_defence"]],
        "Attack strength that needs attack supply": [of["attack_supply_needed_from"]],
        "Most tank shifts": [of["max_tank_shift"]],
        "Extended movement; Rommel": [of["extended_move_mp"], of["rommel_move_mp"]],
        "Tactical movement": [1, of["tactical_move_hexes"]],
        "To leave an EZOC; a limited EZOC": [of["ezoc_exit_mp"], of["limited_ezoc_exit_mp"]],
        "Overland supply; replacement range": [of["overland_supply_hexes"], of["replacement_range_hexes"]],
        "Range of an SP; of an MSU": [of["sp_range"], of["msu_range"]],
        "Air range": [of["air_range"]],
        "Distance to water (16.5.1c)": [of["water_source_range"]],
        "RPs held": [of["max_rp"]],
        "Coastal convoy": [of["coastal_convoy_points"], of["free_coastal_convoys_per_impulse"]],
        "Port supply": [of["port_supply_units_per_capacity"]],
        "Nationalities; tank units in one Allied attack": [
            of["allied_attack_max_nationalities"],
            of["allied_attack_max_tank_units"],
        ],
        "Surrendered units return after": [of["surrender_turns"]],
    }

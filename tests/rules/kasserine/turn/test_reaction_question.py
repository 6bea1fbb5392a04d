"""7.2-7.4 What the other side is shown when it is asked in the Reaction Phase: why, at what odds, with what chances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable import texts as catalogues
from sandtable.engine.contract import Odds
from sandtable.engine.texts.text import say
from sandtable.games.kasserine.combat.declared import as_declared, attack_odds, declared_column
from sandtable.games.kasserine.combat.reckoning import armor_at_risk, reckon, table
from sandtable.games.kasserine.combat.showing import outlook
from sandtable.games.kasserine.table import steps
from sandtable.games.kasserine.table.ids import INTERDICTION, MOBILE
from sandtable.games.kasserine.table.position import put
from sandtable.games.kasserine.table.steps import ReactAt
from sandtable.games.kasserine.turn.checks import AVOID_KIND, chances
from sandtable.terminal import show

from ..kit import ALLIED, AXIS, GAME, H, State, U, board, do, empty, place, roll, start, texts, units, works

PZ, PZ2 = "ger_10pz_i_7_pz", "ger_10pz_ii_7_pz"
RIFLES, TANKS, TANKS2 = "us_34id_1_133", "us_1ad_2_1_ar", "us_1ad_3_1_ar"
SIDI, LESSOUDA = "6732", "6632"


def asked(*attacks: tuple[str, str]) -> State:
    """Allied tanks in 6732 with others behind them, rifles dug in at 6632; panzers have declared their attacks."""
    s = empty("axis_movement")
    place(s, [PZ, PZ2], "6733")
    place(s, TANKS, SIDI)
    place(s, TANKS2, "6730")
    place(s, RIFLES, LESSOUDA)
    works(s, ALLIED, "strongpoint", LESSOUDA)
    for unit, hex_ in attacks or ((PZ, SIDI),):
        s.aims[H(hex_)] = s.aims.get(H(hex_), 0) | units(unit)
    start(s, steps.DECLARATIONS)
    while s.actor == AXIS and "end_declarations" in texts(s):
        do(s, "end_declarations")
    return s


def odds(s: State, text: str) -> Odds:
    found = GAME.odds(s, GAME.parse(text))
    assert found is not None
    return found


def column(s: State, hex_: str) -> str:
    return GAME.board.charts.crts[0].columns[declared_column(s, H(hex_))]


def test_an_attack_is_weighed_with_everybody_before_it_is_declared() -> None:
    s = asked()
    s.aims = {}
    start(s, steps.DECLARATIONS)
    weighed = odds(s, f"declare {SIDI}")
    assert weighed.ladder is not None
    assert str(weighed.title) == "Attack on 6732"
    assert weighed.ladder.hex == SIDI
    assert set(weighed.ladder.forces[0].units) == {PZ, PZ2}
    s.aims = {H(SIDI): units(PZ, PZ2)}
    assert weighed.results == attack_odds(s, H(SIDI)).results


def test_what_can_be_done_is_told_with_its_chance_before_anything_is_pressed() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    for verb, end, rule in (("avoid", "end_avoiding", "7.22"), ("react", "end_reactions", "7.31c")):
        told = odds(s, end)
        choices = [text for text in texts(s) if text.startswith(f"{verb} ")]
        assert [term.rule for term in told.terms] == [rule] * len(choices)
        assert choices
        for term, text in zip(told.terms, choices, strict=True):
            check = odds(s, text)
            assert term.value == f"{float(100 * check.results[0][1]):.0f} %"
        do(s, end)


def test_the_question_names_the_attacks_and_their_odds() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    told = str(GAME.prompt(s).text)
    assert f"at {column(s, SIDI)}" in told
    assert f"at {column(s, LESSOUDA)}" in told
    do(s, "end_avoiding")
    assert f"at {column(s, SIDI)}" in str(GAME.prompt(s).text)
    do(s, "end_reactions")
    assert "No Retreat" in str(GAME.prompt(s).title)
    assert f"at {column(s, LESSOUDA)}" in str(GAME.prompt(s).text)


@pytest.mark.rule("kasserine", "7.22", "3.43")
def test_slipping_away_shows_its_chance_and_the_attack() -> None:
    s = asked()
    found = odds(s, f"avoid {SIDI}")
    er = GAME.board.er[U(TANKS)][0]
    assert dict(found.results)["success"] == Fraction(er, 10)
    (attack,) = found.parts
    assert attack.ladder is not None
    assert attack.ladder.columns[attack.ladder.base].label == column(s, SIDI)
    assert {force.side: force.units for force in attack.ladder.forces} == {"axis": (PZ,), "allied": (TANKS,)}
    assert sum(chance for _, chance in attack.results) == 1
    assert sum(chance for _, chance in attack.parts[0].results) == 1, "the attacker may choose the Mobile CRT (8.32)"


@pytest.mark.rule("kasserine", "8.32")
def test_the_mobile_table_is_shown_only_where_it_may_be_chosen() -> None:
    s = asked((PZ2, LESSOUDA), (PZ, SIDI))
    shown = odds(s, "end_avoiding")
    tables = {str(part.title).split(" at ")[0]: len(part.parts) for part in shown.parts}
    assert tables == {SIDI: 1, LESSOUDA: 0}, "a strongpoint forces the Assault CRT (8.32a)"


@pytest.mark.rule("kasserine", "8.51a", "8.61f")
def test_what_is_shown_is_what_is_rolled() -> None:
    """The column and the modifiers of the combat, when nobody adds anything to it."""
    s = asked()
    (shown,) = odds(s, "end_avoiding").parts
    fight = as_declared(s, H(SIDI))
    reckoned, crt = reckon(s, fight), table(s, fight)
    wanted: dict[str, Fraction] = {}
    for face in range(1, 11):
        result = crt.result(reckoned.column, face + reckoned.drm)
        code = result.code + ("*" if result.shaded and armor_at_risk(s, fight) else "")
        wanted[code] = wanted.get(code, Fraction(0)) + Fraction(1, 10)
    assert {str(result): chance for result, chance in shown.results} == wanted
    clearing = sum(chance for code, chance in wanted.items() if "DR" in code)
    assert (str(shown.terms[0].value), str(shown.terms[0].text)) == (f"{100 * clearing} %", "the hex is cleared")
    do(s, "pass_phase")
    while s.fight is None or s.fight.lead[ALLIED] < 0:
        do(s, texts(s)[0])
    assert reckon(s, s.fight).column == reckoned.column
    assert reckon(s, s.fight).drm == reckoned.drm


@pytest.mark.rule("kasserine", "7.42", "7.43")
def test_no_retreat_shows_the_attack_on_those_who_hold() -> None:
    s = asked((PZ, LESSOUDA))
    (held,) = odds(s, f"stand {LESSOUDA}").parts
    (plain,) = odds(s, "end_stands").parts
    assert "No Retreat" in [str(item.text) for item in held.terms]
    assert "No Retreat" not in [str(item.text) for item in plain.terms]


@pytest.mark.rule("kasserine", "7.31c", "7.33a")
def test_who_reacts_sees_the_attack_without_and_with_it() -> None:
    s = asked()
    do(s, "end_avoiding")
    found = odds(s, f"react {TANKS2}")
    assert dict(found.results)["success"] == Fraction(GAME.board.er[U(TANKS2)][0], 10)
    (alone,) = found.parts
    do(s, f"react {TANKS2}")
    roll(s, 1)
    joined = odds(s, f"to {SIDI}")
    assert joined.ladder is not None
    assert alone.ladder is not None
    assert set(joined.ladder.forces[1].units) == {TANKS, TANKS2}
    assert joined.ladder.base < alone.ladder.base
    assert GAME.odds(s, GAME.parse(next(t for t in texts(s) if t.startswith("to ") and t != f"to {SIDI}"))) is None
    assert s.at[U(TANKS2)] == H("6730"), "nothing has moved"


@pytest.mark.rule("kasserine", "7.11b")
def test_the_attacker_sees_the_same_before_he_declares() -> None:
    s = asked()
    declaring = empty("axis_movement")
    place(declaring, [PZ, PZ2], "6733")
    place(declaring, TANKS, SIDI)
    start(declaring, steps.DECLARATIONS)
    do(declaring, f"declare {SIDI}", f"attack_with {PZ}")
    assert odds(declaring, "declared") == odds(s, "end_avoiding").parts[0]


def test_the_terminal_shows_every_part() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    titles = [str(one.title) for one in show.odds_tables("no more", odds(s, "end_avoiding"))]
    assert len(titles) == 4, "what can be done, and two attacks, one of them on both tables"
    assert any("Mobile" in title for title in titles)


def test_it_is_said_in_japanese() -> None:
    speech = catalogues.speech(GAME, "ja")
    s = asked()
    for said in (GAME.prompt(s).text, odds(s, f"avoid {SIDI}").parts[0].title):
        told = say(said, speech.get)
        assert any("぀" <= letter <= "鿿" for letter in told)
        assert "Attack" not in told


@pytest.mark.rule("kasserine", "3.41a", "3.93b")
def test_a_check_says_what_its_rating_is_made_of() -> None:
    """The printed ER and what is taken from it; a rating that nothing changes is one word."""
    s = asked()
    lead = U(TANKS)
    check = ReactAt(steps.COMMANDING, AVOID_KIND, H(SIDI), lead)
    printed = board.er[lead][0]
    assert [(item.value, str(item.text)) for item in chances(s, check).terms] == [(str(printed), "ER")]
    s.disrupted |= 1 << lead
    (made,) = chances(s, check).terms
    assert (made.value, str(made.text)) == (str(printed - 1), f"ER: {printed} printed, -1 disrupted")


def marks_of(s: State, unit: str) -> list[str]:
    return next(one for one in GAME.scene(GAME.view(s, ALLIED))["counters"] if one.get("unit") == unit)["marks"]


@pytest.mark.rule("kasserine", "7.22a", "7.26", "7.32")
def test_counters_show_who_has_had_his_reaction() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))  # the rifles are asked last, and hold the phase open
    assert marks_of(s, TANKS) == []
    do(s, f"avoid {SIDI}")
    assert marks_of(s, TANKS) == []  # nobody knows yet
    while s.actor == ALLIED:
        do(s, "no_command")
    roll(s, 10)
    assert marks_of(s, TANKS) == ["avoid_failed"]
    do(s, f"react {TANKS2}")
    while s.actor == ALLIED:
        do(s, "no_command")
    roll(s, 10)
    assert marks_of(s, TANKS2) == ["reacted"]
    assert marks_of(s, RIFLES) == []


@pytest.mark.rule("kasserine", "7.22b", "7.34a")
def test_who_slips_away_or_comes_to_help_has_not_failed_to_avoid() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    do(s, f"avoid {SIDI}")
    while s.actor == ALLIED:
        do(s, "no_command")
    roll(s, 1)
    assert str(GAME.prompt(s).title).startswith("Retreat")
    assert marks_of(s, TANKS) == []  # on its way out
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    do(s, f"avoid {SIDI}")
    while s.actor == ALLIED:
        do(s, "no_command")
    roll(s, 10)
    do(s, f"react {TANKS2}")
    roll(s, 1)
    do(s, f"to {SIDI}")
    assert marks_of(s, TANKS2) == ["reacted"]
    assert marks_of(s, TANKS) == ["avoid_failed"]


@pytest.mark.rule("kasserine", "12.23a", "10.36b")
def test_the_question_says_what_headquarters_make_of_an_attempt_and_who_may_interdict_it() -> None:
    s = asked()
    place(s, "us_1ad_1_ad_hq", "6731")
    tried = ReactAt(steps.COMMANDING, AVOID_KIND, H(SIDI), U(TANKS))
    helped = tried._replace(points=board.cp[U("us_1ad_1_ad_hq")])
    alone, with_help = (f"{float(100 * chances(s, one).results[0][1]):.0f} %" for one in (tried, helped))
    assert alone != with_help
    said = [(alone, "7.22"), (with_help, "12.23a")]
    assert [(item.value, item.rule) for item in odds(s, "end_avoiding").terms] == said
    put(s, U("ger_air_ii_jg_51"), INTERDICTION)
    assert [(item.value, item.rule) for item in odds(s, "end_avoiding").terms] == [*said, ("+1", "10.36b")]


@pytest.mark.rule("kasserine", "8.32b")
def test_the_other_table_is_weighed_too() -> None:
    """Beside the Assault CRT stands what is to be expected of the Mobile one, where the attacker may choose it."""
    s = asked()
    (mobile,) = attack_odds(s, H(SIDI)).parts
    fight = as_declared(s, H(SIDI))
    fight.crt = MOBILE
    ladder = outlook(s, fight).ladder
    assert ladder is not None
    column = ladder.columns[ladder.now]
    cleared = sum(cell.chance * (cell.good or 0) for cell in column.cells)
    shown = [f"{float(100 * cleared):.0f} %", *(f"{float(lost):.1f}" for lost in column.lost)]
    assert [item.value for item in mobile.terms] == shown


@pytest.mark.rule("kasserine", "11.45a", "11.45d")
def test_an_untried_minefield_is_named_with_the_chances_of_its_values() -> None:
    s = asked()
    assert not [item for item in attack_odds(s, H(SIDI)).terms if item.rule == "11.45d"]
    works(s, ALLIED, "minefield", SIDI, untried=True)
    s.hidden[:] = [1, 2, 1]
    (said,) = (item for item in attack_odds(s, H(SIDI)).terms if item.rule == "11.45d")
    assert str(said.text) == "Untried minefield: 0 (25 %), +1 (50 %) or +2 (25 %)"
    s.untried = 0  # turned over: its value is a modifier like others
    assert not [item for item in attack_odds(s, H(SIDI)).terms if item.rule == "11.45d"]


@pytest.mark.rule("kasserine", "7.12b")
def test_the_map_shows_from_where_each_hex_is_attacked() -> None:
    s = asked((PZ, SIDI), (PZ2, LESSOUDA))
    grid = s.board.grid
    shown = {
        one["hex"]: one["directions"] for one in GAME.scene(GAME.view(s, ALLIED))["markers"] if "directions" in one
    }
    wanted = {hex_: [grid.directions[grid.direction(H(hex_), H("6733"))]] for hex_ in (SIDI, LESSOUDA)}
    assert shown == wanted

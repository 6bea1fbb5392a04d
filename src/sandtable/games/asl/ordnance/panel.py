"""The odds of a shot before it is fired: the number, every case with its rule, and the chance of every result."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Odds, Term
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import Said, Text, term
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.memory import remembered

from ..boards.pack import asl_pack
from ..fire.air import dusty
from ..fire.fate import BURNT, KILLED, SPARED, STOPPED, soft_outcome
from ..fire.ift import RESULTS, ift
from ..table.hardware import UNLIMITED
from ..table.ids import F_SHOT
from ..table.state import Shoot, State
from ..table.telling import known_to
from ..table.weather import die_drms, grit
from . import shells, to_hit, to_kill, weapons
from .aim import burst_of, hull_down, indirect, marks, of_shot, piece, shot_of, supply_of
from .bursts import keeps_rof, strike_of
from .effects import armour_terms, effect, motor_columns, on_the_ift, rapid, rapid_steps, shaken, soft_tem
from .laying import Shot, ShotAt, deeds, most_exposed
from .to_hit import CRITICAL, IMPROBABLE, MISS, VEHICLE

ONE = Fraction(1, 36)
DICE = [(a, b) for a in range(1, 7) for b in range(1, 7)]

MALFUNCTION, NONE_LEFT, MISSES, DUD = (
    term("malfunctions"),
    term("none left"),
    term("misses"),
    term("hits without effect"),
)
WORDS = {
    to_kill.NOTHING: DUD,
    to_kill.SHOCK: term("shock"),
    to_kill.IMMOBILIZED: term("immobilized"),
    to_kill.DESTROYED: term("destroyed"),
    to_kill.BURNING: term("burns"),
}


SOFT = {STOPPED: to_kill.IMMOBILIZED, KILLED: to_kill.DESTROYED, BURNT: to_kill.BURNING}

GRAVEST: tuple[Said, ...] = (
    *(WORDS[one] for one in (to_kill.BURNING, to_kill.DESTROYED, to_kill.IMMOBILIZED, to_kill.SHOCK)),
    *reversed(RESULTS[1:]),
    term("SMOKE"),
    *(DUD, MISSES, NONE_LEFT, MALFUNCTION),
)
"""What may become of a shot, the worst for its target first."""


class Tally:
    """Chances by what happens."""

    def __init__(self) -> None:
        self.found: dict[Said, Fraction] = {}

    def add(self, what: Said, chance: Fraction) -> None:
        if chance:
            self.found[what] = self.found.get(what, Fraction(0)) + chance

    def results(self) -> tuple[tuple[Said, Fraction], ...]:
        """The worst for the target first."""
        return tuple(sorted(self.found.items(), key=lambda pair: GRAVEST.index(pair[0])))


def shot_odds(s: State, f: ShotAt, action: Action) -> Odds | None:
    if s.shoot is None or s.shoot.shell < 0:
        return None
    known = known_to(s, s.shoot.side)
    found = in_dust(known, s.shoot) if dusty(s) else odds_of(known, s.shoot)
    return found if found is None else replace(found, parts=lasting(known, s.shoot))


def lasting(s: State, shoot: Shoot) -> tuple[Odds, ...]:
    """A9.2 the chance to fire again, where the weapon does not break down."""
    shot = shot_of(s, shoot)
    broken = to_hit.breakdown(shot, grit(s))
    again = sum(a + b < broken and keeps_rof(s, shoot, a) for a, b in DICE)
    said = Text("{unit} may fire again", unit=shot.gun.name)
    return (Odds("What stays", (), ((said, again * ONE),)),) if again else ()


def in_dust(s: State, shoot: Shoot, known: Odds | None = None) -> Odds | None:
    """F11.71b the same over every face of the extra die. `known`: the panel without it, where there is one already."""
    plain, tally, clouds = known or odds_of(s, shoot), Tally(), die_drms(s)
    if plain is None:
        return None
    alike: dict[int, Odds | None] = {}
    for face, drm in enumerate(clouds if len(clouds) > 1 else range(1, 7), 1):  # faces that add the same are alike
        if drm not in alike:
            aside = shoot.copy()
            aside.dusty = face
            alike[drm] = odds_of(s, aside)
        found = alike[drm]
        for what, chance in found.results if found is not None else ():
            tally.add(what, chance / 6)
    cloud = Term(f"+{min(clouds)}…+{max(clouds)}", "F11.71b", "the die of dust")
    return Odds(plain.title, (*plain.terms, cloud), tally.results())


def odds_of(s: State, shoot: Shoot) -> Odds | None:
    """The panel of the shot in hand."""
    if on_the_ift(shoot):
        return _on_the_ift(s, shoot)
    shot, u = most_exposed(s, shoot)
    terms = [Term(str(one.value), one.rule, one.text) for one in to_hit.number(shot)]
    for case in to_hit.cases(shot):
        terms.append(Term(signed(case.value), case.rule, Text("Case {case}: {what}", case=case.case, what=case.text)))
    tally = Tally()
    if shoot.type == VEHICLE:
        terms += _vehicle(s, shoot, shot, tally)
    elif shoot.shell in weapons.PLACED:
        _smoke(s, shoot, shot, tally)
    else:
        terms += _burst(s, shoot, shot, u, tally)
    title = Text(
        "To Hit {number}, DRM {drm}: {gun} at {hex}",
        number=to_hit.needed(shot),
        drm=signed(to_hit.drm(shot)),
        gun=shot.gun.name,
        hex=s.stage.field.name(shoot.hex),
    )
    return Odds(title, tuple(terms), tally.results())


def _rolls(s: State, shoot: Shoot, shot: to_hit.Shot) -> tuple[tuple[int, int, int | str], ...]:
    """Every DR with what it gives, or A9.7, C8.9 that it malfunctions or finds no shell."""
    number = supply_of(s, piece(shoot), shoot.weapon).get(shoot.shell, UNLIMITED)
    return _rolled(shot, number, to_hit.breakdown(shot, grit(s)))


@remembered()
def _rolled(shot: to_hit.Shot, number: int, broken: int) -> tuple[tuple[int, int, int | str], ...]:
    goal, drm = to_hit.needed(shot), to_hit.drm(shot)
    found: list[tuple[int, int, int | str]] = []
    for a, b in DICE:
        if a + b >= broken:
            found.append((a, b, MALFUNCTION))
        elif weapons.depletion(a + b, number) == weapons.DEPLETED:
            found.append((a, b, NONE_LEFT))
        else:
            found.append((a, b, to_hit.judged(shot, goal, a + b, to_hit.rolled(shot, a, b) + drm)))
    return tuple(found)


Results = tuple[tuple[Said, Fraction], ...]
Met = dict[str | tuple[Results, bool], int]
"""What so many DR give: a word, or the results of a hit, which may be an improbable one (AMB-66)."""


def _note(met: Met, what: str | tuple[Results, bool]) -> None:
    met[what] = met.get(what, 0) + 1


def _share(met: Met, target: int, tally: Tally) -> None:
    """The chances of all that was met."""
    for what, count in met.items():
        if isinstance(what, str):
            tally.add(what, count * ONE)
            continue
        results, lucky = what
        chance = ONE * Fraction(to_hit.improbable(target), 6) if lucky else ONE
        tally.add(MISSES, count * (ONE - chance))
        for word, odds in results:
            tally.add(word, count * chance * odds)


def _vehicle(s: State, shoot: Shoot, shot: to_hit.Shot, tally: Tally) -> list[Term]:
    u = shoot.target.bit_length() - 1
    low = hull_down(s, shoot, u)
    terms: list[Term] = [] if low is None else [Term("", low.rule, low.text)]
    shown: set[int] = set()
    strikes: dict[tuple[bool, bool], to_kill.Strike] = {}
    met: Met = {}
    for a, b, result in _rolls(s, shoot, shot):
        if isinstance(result, str):
            _note(met, result)
            continue
        where = (to_hit.turret(a, b), result == CRITICAL)
        if where not in strikes:
            strikes[where] = strike_of(s, shoot, a, b, result == CRITICAL)
        strike = strikes[where]
        if result == MISS or (low is not None and strike.location == to_kill.HULL):
            _note(met, MISSES)
            continue
        if strike.location not in shown and not strike.critical:
            shown.add(strike.location)
            part = to_kill.LOCATIONS[strike.location]
            terms += [
                Term(signed(one.value), one.rule, Text("To Kill, {part}: {what}", part=part, what=one.text))
                for one in to_kill.kill_number(strike)
            ]
        _note(met, (best_of(strike), result == IMPROBABLE))
    _share(met, VEHICLE, tally)
    return terms


@remembered()
def best_of(strike: to_kill.Strike) -> Results:
    """The chances of the best of all TK DR of a weapon."""
    single = Counter(to_kill.outcome(strike, a, b) for a, b in DICE)
    total: dict[Said, Fraction] = {}
    below, upto = Fraction(0), 0
    for outcome in sorted(single):
        upto += single[outcome]
        chance = Fraction(upto, len(DICE)) ** strike.gun.tk_rolls
        total[WORDS[outcome]] = chance - below
        below = chance
    stopped = WORDS[to_kill.IMMOBILIZED]
    if strike.skirts and stopped in total:  # C7.2 the dr of its skirts
        hurt = total[stopped] * Fraction(int(asl_pack().tables["counter_notes"]["skirts_dr"]), 6)
        total[DUD] = total.get(DUD, Fraction(0)) + total[stopped] - hurt
        total[stopped] = hurt
    return tuple(total.items())


def _smoke(s: State, shoot: Shoot, shot: to_hit.Shot, tally: Tally) -> None:
    for _, _, result in _rolls(s, shoot, shot):
        if result == IMPROBABLE:
            chance = ONE * Fraction(to_hit.improbable(shoot.type), 6)
            tally.add(term("SMOKE"), chance)
            tally.add(MISSES, ONE - chance)
        elif isinstance(result, str):
            tally.add(result, ONE)
        else:
            tally.add(MISSES if result == MISS else term("SMOKE"), ONE)


def _burst(s: State, shoot: Shoot, shot: to_hit.Shot, u: int, tally: Tally) -> list[Term]:
    """A shot on the Infantry or Area type, against the most exposed of its targets."""
    motor = u >= 0 and bool(s.stage.roster.vehicles >> u & 1)
    chances = _motor_chances if motor else _result_chances
    plain, double = (tuple(chances(s, shoot, u, critical).items()) for critical in (False, True))
    met: Met = {}
    for _, _, result in _rolls(s, shoot, shot):
        if isinstance(result, str) or result == MISS:
            _note(met, result if isinstance(result, str) else MISSES)
        else:
            _note(met, (double if result == CRITICAL else plain, result == IMPROBABLE))
    _share(met, shoot.type, tally)
    terms = [
        Term(f"{one.fp:g}", one.rule, Text("FP of a hit: {what}", what=one.text))
        for one in shells.steps(burst_of(s, shoot))
    ]
    found = effect(s, shoot, u).drms if u >= 0 and not motor else armour_terms(s, shoot, u) if motor else ()
    terms += [Term(signed(one.value), one.rule, Text("On the IFT: {what}", what=one.text)) for one in found]
    return terms


def _motor_chances(s: State, shoot: Shoot, u: int, critical: bool) -> dict[Said, Fraction]:
    """C3.32 what a burst does to a vehicle of its hex."""
    own, _ = motor_columns(s, shoot, u, critical)
    turned = critical and s.edition > 5
    drm = soft_tem(s, u, shells.is_he(burst_of(s, shoot)), indirect(of_shot(s, shoot)), turned)
    found: dict[Said, Fraction] = {}
    for a, b in DICE:
        word = WORDS[shaken(s, u, own, a, b, drm)]
        found[word] = found.get(word, Fraction(0)) + ONE
    return found


def _result_chances(s: State, shoot: Shoot, u: int, critical: bool) -> dict[Said, Fraction]:
    found: dict[Said, Fraction] = {}
    if u < 0:
        column = shells.column(burst_of(s, shoot, critical))
        drm = 0
    else:
        one = effect(s, shoot, u, critical)
        column, drm = one.column, one.drm
    for a, b in DICE:
        result = ift().result(column, a + b + drm)
        word: Said = RESULTS[result] if result else DUD
        soft = soft_outcome(s, u, column, a + b + drm) if u >= 0 and s.stage.roster.vehicles >> u & 1 else SPARED
        if soft != SPARED:  # A7.308
            word = WORDS[SOFT[soft]]
        found[word] = found.get(word, Fraction(0)) + ONE
    return found


def _on_the_ift(s: State, shoot: Shoot) -> Odds | None:
    """C8.3, C2.29 canister and rapid fire."""
    there = units_of(marks(s, shoot))
    if not there:
        return None
    u = min(there, key=lambda one: effect(s, shoot, one).drm)
    one = effect(s, shoot, u)
    if rapid(s, shoot):
        terms = [Term(f"{fp:g}", rule, text) for fp, rule, text in rapid_steps(s, shoot, u)]
    else:
        terms = [Term(f"{step.fp:g}", step.rule, step.text) for step in shells.steps(burst_of(s, shoot))]
    terms += [Term(signed(term.value), term.rule, term.text) for term in one.drms]
    if one.column < 0:
        return None
    column = ift().columns[one.column]
    title = Text("{fp} FP on the {column} column, DRM {drm}", fp=f"{one.fp:g}", column=column, drm=signed(one.drm))
    order = sorted(_result_chances(s, shoot, u, False).items(), key=lambda pair: GRAVEST.index(pair[0]))
    return Odds(title, tuple(terms), tuple(order))


Shot.does = deeds(shot_odds)

FRAMES: dict[int, Frame[State, Any]] = {F_SHOT: Shot()}

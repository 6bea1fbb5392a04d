"""10.4 Determined Defence: the defender stands where the table tells him to retreat."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sandtable.engine.contract import Action, Odds, Prompt, Term
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.defending import Stand, chance_to_hold, result_chances
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..table import verbs
from ..table.board import Ground
from ..table.frames import LossAt, StepAt, SupportedAt
from ..table.ids import (
    CITIES,
    ELITE,
    F_DD_ROLL,
    F_DD_SUPPORT,
    F_DEFENCE,
    F_LOSS,
    FLEET,
    MOBILE,
    NO_SUPPORT,
    PHASES,
    POOR,
    RESULTS,
)
from ..table.state import State
from . import support
from .losses import DD_BOTH_LOSE, DD_LEAD_LOSS, take_loss
from .strengths import support_name

COLUMNS = {
    "clear": term("Clear"),
    "rough": term("Rough"),
    "town": term("Town"),
    "forest_marsh": term("Forest, marsh"),
    "minor_city_mountain": term("Minor city, mountain"),
    "major_city": term("Major city"),
}
"""The headings of the table."""


class Table:
    """The Determined Defence table, and its column for every hex of the map of one season."""

    def __init__(self, ground: Ground) -> None:
        board = ground.board
        table = board.pack.tables["determined_defence"]
        of = table["column_of"]
        order: list[str] = of["quality_order"]
        self.names: tuple[str, ...] = tuple(order)
        self.low: int = table["roll_clamp"][0]
        self.high: int = table["roll_clamp"][1]
        self.cells: tuple[tuple[str, ...], ...] = tuple(tuple(table["columns"][name]) for name in order)
        self.codes: dict[str, Stand] = {  # 10.4i-k
            code: Stand(c["holds"], c["lead_loss"], c["attacker_loss"], _words(c)) for code, c in table["codes"].items()
        }
        self.drm: dict[str, int] = table["drm"]
        self.column: list[int] = [0] * board.size
        for h in board.grid.hexes:  # 10.4f the column that is best for the defender
            if ground.land >> h & 1:
                city = board.city[h]
                columns = [of[ground.terrain_at(h)]] + ([of[CITIES[city]]] if city else [])
                self.column[h] = max(order.index(name) for name in columns)

    def result(self, h: Hex, roll: int) -> str:
        """The code of a modified roll in a hex."""
        return self.cells[self.column[h]][max(self.low, min(self.high, roll)) - 1]


def _words(code: dict[str, int]) -> str:
    """10.4i-k in words."""
    if code["attacker_loss"]:
        return HOLDS[2] if code["holds"] else FAILS[2]
    if code["lead_loss"]:
        return HOLDS[1] if code["holds"] else FAILS[1]
    return HOLDS[0] if code["holds"] else FAILS[0]


HOLDS = (
    term("holds"),
    term("holds; lead unit loses a step"),
    term("holds; lead unit and attacker lose a step each"),
)
FAILS = (
    term("fails, retreat 2"),
    term("fails, retreat 2; lead unit loses a step"),
    term("fails, retreat 2; lead unit and attacker lose a step each"),
)


def dd_table(s: State) -> Table:
    return _table(s.ground)


_table = remembered()(Table)


def left(s: State) -> int:
    """10.4b the defenders that survived."""
    at, target = s.at, s.fight.target
    return sum(1 << u for u in units_of(s.fight.defenders) if at[u] == target)


MAY_LEAD: Bars[State, int] = Bars(
    Bar("11.5c", "{unit} is disrupted and cannot lead", lambda s, kind: s.disrupted),
    Bar("10.4e", "{unit} has a white box and cannot lead", lambda s, kind: s.board.white),
    Bar(
        "11.4a",
        "{unit} has retreated in this phase and cannot lead",
        lambda s, kind: 0 if kind == MOBILE else s.retreated,
    ),
)
"""10.4e who may lead, by kind of fight."""


# 10.4f, 10.4h Column and modifiers


def quality_drm(s: State, lead: int, shows: int) -> int:
    """10.4h the modifier of a lead unit that shows this side of its counter."""
    quality = s.board.tq_def[lead][shows]
    if quality == ELITE:
        return dd_table(s).drm["lead_elite"]
    return dd_table(s).drm["lead_poor"] if quality == POOR else 0


def stands(s: State, target: Hex, drm: int) -> tuple[Stand, ...]:
    """The result of every face of the die, the 1 first."""
    table = dd_table(s)
    return tuple(table.codes[table.result(target, face + drm)] for face in range(1, 7))


def hold_chance(s: State, fight: int, target: Hex, units: int, shows: bytearray, marker: int) -> Fraction:
    """The chance that these units keep their hex if their best lead unit tries, showing these sides of their counters.

    A lead unit that is alone and loses its last step in a success leaves the hex empty (10.4l).
    """
    best = Fraction(0)
    for u in units_of(MAY_LEAD.free(units, s, fight)):
        last = units == 1 << u and shows[u] + 1 >= s.board.steps[u]
        drm = quality_drm(s, u, shows[u]) + s.board.air_drm[marker]
        best = max(best, chance_to_hold(stands(s, target, drm), last))
    return best


LEADS = (
    term("{unit} leads: poor troops"),
    term("{unit} leads: regular troops"),
    term("{unit} leads: elite troops"),
)
"""By quality of the lead unit."""


def dd_odds(s: State, lead: int, marker: int) -> Odds:
    """The calculation of a Determined Defence in the fight under way, and the chance of every result."""
    board, table, target = s.board, dd_table(s), s.fight.target
    quality = board.tq_def[lead][s.step[lead]]
    of_lead, of_marker = quality_drm(s, lead, s.step[lead]), board.air_drm[marker]
    terms = [
        Term(COLUMNS[table.names[table.column[target]]], "10.4f", Text("column for {hex}", hex=board.hex_name(target))),
        Term(signed(of_lead), "10.4h", Text(LEADS[quality], unit=board.unit_names[lead])),
    ]
    if marker != NO_SUPPORT:
        terms.append(Term(signed(of_marker), "16.22" if marker == FLEET else "16.13a", support_name(s, marker)))
    terms.append(Term(signed(of_lead + of_marker), "10.4h", "added to the die"))
    results = result_chances(stands(s, target, of_lead + of_marker))
    title = Text("Determined Defence of {hex}, led by {unit}", hex=board.hex_name(target), unit=board.unit_names[lead])
    return Odds(title, tuple(terms), results)


# 10.4a, 10.4d, 10.4e Stand or retreat

LEAD: Bars[State, int] = Bars(Need("10.4d", "{unit} does not defend {hex}", lambda s, kind: left(s)), MAY_LEAD)


def _lead(s: State, f: StepAt, u: int) -> None:
    s.fight.lead = u
    s.stack[-1] = (F_DD_SUPPORT,)


def _yield(s: State, f: StepAt) -> None:
    s.stack.pop()
    emit(s, "yielded", "10.4a", {"side": enemy(s.active), "hex": s.fight.target})


class Defence(Phase[State, StepAt, int]):
    """10.4a Stand or retreat: which unit leads. If nobody may lead (10.4e), they retreat."""

    at = StepAt
    does = (
        Each(
            verbs.LEAD,
            of=lambda s, _: left(s),
            bars=LEAD,
            facts=lambda s, _: {"hex": s.fight.target},
            take=_lead,
            odds=lambda s, f, action: dd_odds(s, action[1], NO_SUPPORT),
        ),
        Once(verbs.YIELD, take=_yield),
    )

    def now(self, s: State, f: StepAt) -> int:
        return s.fight.kind

    def actor(self, s: State, f: StepAt) -> int | None:
        return enemy(s.active) if LEAD.free(left(s), s, s.fight.kind) else None

    def prompt(self, s: State, f: StepAt) -> Prompt:
        sentence = term("{result} against {hex}: a Determined Defence, or a retreat of 2 hexes")
        text = Text(sentence, result=RESULTS[s.fight.result], hex=s.fight.target)
        return Prompt("Stand or retreat?", text, ("10.4a", "10.4d", "10.4e"), PHASES[s.phase])


def _support(s: State, f: F, marker: int) -> None:
    s.stack[-1] = SupportedAt(F_DD_ROLL, marker)
    support.use(s, marker, enemy(s.active), "16.22" if marker == FLEET else "16.13a")


class DefenceSupport(Phase[State, F, support.Help]):
    """10.4g, 16.13b One support marker, declared before the die. Skipped if there is none to use."""

    does = (
        Each(
            verbs.SUPPORT,
            bars=support.MARKER,
            facts=lambda s, now: {"hex": now.target, "turn": s.turn},
            take=_support,
            odds=lambda s, f, action: dd_odds(s, s.fight.lead, action[1]),
        ),
    )

    def now(self, s: State, f: F) -> support.Help:
        return support.Help(enemy(s.active), s.fight.kind, 1 << s.fight.target, s.fight.target)

    def actor(self, s: State, f: F) -> int | None:
        return enemy(s.active) if support.for_defence(s, s.fight.kind, s.fight.target) else None

    def run(self, s: State, f: F) -> None:
        s.stack[-1] = SupportedAt(F_DD_ROLL, NO_SUPPORT)

    def prompt(self, s: State, f: F) -> Prompt:
        text = Text("{unit} leads the defence of {hex}", unit=s.fight.lead, hex=s.fight.target)
        return Prompt("Support for the Determined Defence?", text, ("10.4g", "10.4h", "16.13b"), PHASES[s.phase])


class DefenceRoll(OneDie[State, SupportedAt]):
    """10.4h, 10.4i The die."""

    at = SupportedAt

    def take(self, s: State, f: SupportedAt, action: Action) -> None:
        s.stack.pop()
        lead, table = s.fight.lead, dd_table(s)
        drm = quality_drm(s, lead, s.step[lead]) + s.board.air_drm[f.marker]
        code = table.result(s.fight.target, action[1] + drm)
        stand = table.codes[code]
        s.fight.held = int(stand.holds)
        data = {
            "hex": s.fight.target,
            "side": enemy(s.active),
            "lead": lead,
            "die": action[1],
            "drm": drm,
            "column": table.names[table.column[s.fight.target]],
            "result": code,
            "holds": s.fight.held,
        }
        emit(s, "determined_defence", "10.4i", data, final=True)
        if stand.attacker_loss:  # 10.4k of the attacker's choice
            s.stack.append(LossAt(F_LOSS, s.active, s.active, DD_BOTH_LOSE))
        if stand.lead_loss:  # 10.4d, 10.4j
            take_loss(s, lead, DD_BOTH_LOSE if stand.attacker_loss else DD_LEAD_LOSS)

    def prompt(self, s: State, f: SupportedAt) -> Prompt:
        text = Text("{unit} leads in {hex}", unit=s.fight.lead, hex=s.fight.target)
        return Prompt("Determined Defence", text, ("10.4h", "10.4i"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_DEFENCE: Defence(),
    F_DD_SUPPORT: DefenceSupport(),
    F_DD_ROLL: DefenceRoll(verbs.ROLLED),
}

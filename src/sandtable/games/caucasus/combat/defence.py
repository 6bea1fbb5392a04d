"""10.4 Determined Defence: the defender stands where the table tells him to retreat."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import Action, Odds, Prompt, Reason, Term
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.text import Text
from sandtable.mechanics.defending import Stand, chance_to_hold, result_chances
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.odds import signed
from sandtable.mechanics.telling import emit

from ..table import verbs
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
    QUALITIES,
    RESULTS,
)
from ..table.state import State
from . import support
from .losses import DD_BOTH_LOSE, DD_LEAD_LOSS, take_loss
from .strengths import support_name

COLUMNS = {
    "clear": "Clear",
    "rough": "Rough",
    "town": "Town",
    "forest_marsh": "Forest, marsh",
    "minor_city_mountain": "Minor city, mountain",
    "major_city": "Major city",
}
"""The headings of the table."""


class Table:
    """The Determined Defence table, and its column for every hex of the map of one season."""

    def __init__(self, s: State) -> None:
        table = s.board.pack.tables["determined_defence"]
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
        self.column: list[int] = [0] * s.board.size
        for h in s.board.grid.hexes:  # 10.4f the column that is best for the defender
            if s.ground.land >> h & 1:
                city = s.board.city[h]
                columns = [of[s.ground.terrain_at(h)]] + ([of[CITIES[city]]] if city else [])
                self.column[h] = max(order.index(name) for name in columns)

    def result(self, h: Hex, roll: int) -> str:
        """The code of a modified roll in a hex."""
        return self.cells[self.column[h]][max(self.low, min(self.high, roll)) - 1]


def _words(code: dict[str, int]) -> str:
    """10.4i-k in words."""
    ends = "holds" if code["holds"] else "fails, retreat 2"
    if code["attacker_loss"]:
        return f"{ends}; lead unit and attacker lose a step each"
    if code["lead_loss"]:
        return f"{ends}; lead unit loses a step"
    return ends


def dd_table(s: State) -> Table:
    found = s.ground.kept.get("determined defence")
    if found is None:
        found = s.ground.kept["determined defence"] = Table(s)
    made: Table = found
    return made


def left(s: State) -> int:
    """10.4b the defenders that survived."""
    at, target = s.at, s.fight.target
    return sum(1 << u for u in units_of(s.fight.defenders) if at[u] == target)


def may_lead(s: State, fight: int, units: int) -> int:
    """10.4e who may lead: no disrupted unit (11.5c), no white box, in combat none that has retreated (11.4a)."""
    units &= ~(s.disrupted | s.board.white)
    return units if fight == MOBILE else units & ~s.retreated


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
    for u in units_of(may_lead(s, fight, units)):
        last = units == 1 << u and shows[u] + 1 >= s.board.steps[u]
        drm = quality_drm(s, u, shows[u]) + s.board.air_drm[marker]
        best = max(best, chance_to_hold(stands(s, target, drm), last))
    return best


def dd_odds(s: State, lead: int, marker: int) -> Odds:
    """The calculation of a Determined Defence in the fight under way, and the chance of every result."""
    board, table, target = s.board, dd_table(s), s.fight.target
    quality = board.tq_def[lead][s.step[lead]]
    of_lead, of_marker = quality_drm(s, lead, s.step[lead]), board.air_drm[marker]
    terms = [
        Term(COLUMNS[table.names[table.column[target]]], "10.4f", f"column for {board.hex_name(target)}"),
        Term(signed(of_lead), "10.4h", f"{board.unit_names[lead]} leads: {QUALITIES[quality]} troops"),
    ]
    if marker != NO_SUPPORT:
        terms.append(Term(signed(of_marker), "16.22" if marker == FLEET else "16.13a", support_name(s, marker)))
    terms.append(Term(signed(of_lead + of_marker), "10.4h", "added to the die"))
    results = result_chances(stands(s, target, of_lead + of_marker))
    title = f"Determined Defence of {board.hex_name(target)}, led by {board.unit_names[lead]}"
    return Odds(title, tuple(terms), results)


# The frames


class Defence(Frame[State]):
    """10.4a Stand or retreat: which unit leads. Frame: 0."""

    def actor(self, s: State, f: F) -> int | None:
        return enemy(s.active) if may_lead(s, s.fight.kind, left(s)) else None

    def run(self, s: State, f: F) -> None:
        s.stack.pop()  # 10.4e nobody may lead: they retreat

    def legal(self, s: State, f: F) -> list[Action]:
        found: list[Action] = [(verbs.LEAD, u) for u in units_of(may_lead(s, s.fight.kind, left(s)))]
        found.append((verbs.YIELD,))
        return found

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.YIELD:
            s.stack.pop()
            emit(s, "yielded", "10.4a", {"side": enemy(s.active), "hex": s.fight.target})
            return
        s.fight.lead = action[1]
        s.stack[-1] = (F_DD_SUPPORT,)

    def prompt(self, s: State, f: F) -> Prompt:
        sentence = "{result} against {hex}: a Determined Defence, or a retreat of 2 hexes"
        text = Text(sentence, result=RESULTS[s.fight.result], hex=s.fight.target)
        return Prompt("Stand or retreat?", text, ("10.4a", "10.4d", "10.4e"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        return why_not_lead(s, action[1]) if action[0] == verbs.LEAD else None

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        return dd_odds(s, action[1], NO_SUPPORT) if action[0] == verbs.LEAD else None


def why_not_lead(s: State, u: int) -> Reason | None:
    name = s.board.unit_names[u]
    if not left(s) >> u & 1:
        return Reason("10.4d", f"{name} does not defend {s.board.hex_name(s.fight.target)}")
    if s.disrupted >> u & 1:
        return Reason("11.5c", f"{name} is disrupted and cannot lead")
    if s.board.white >> u & 1:
        return Reason("10.4e", f"{name} has a white box and cannot lead")
    return Reason("11.4a", f"{name} has retreated in this phase and cannot lead")


class DefenceSupport(Frame[State]):
    """10.4g, 16.13b One support marker, declared before the die. Skipped if there is none to use."""

    def actor(self, s: State, f: F) -> int | None:
        return enemy(s.active) if support.for_defence(s, s.fight.kind, s.fight.target) else None

    def run(self, s: State, f: F) -> None:
        s.stack[-1] = (F_DD_ROLL, NO_SUPPORT)

    def legal(self, s: State, f: F) -> list[Action]:
        found: list[Action] = [(verbs.SUPPORT, m) for m in support.for_defence(s, s.fight.kind, s.fight.target)]
        found.append((verbs.SUPPORT, NO_SUPPORT))
        return found

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack[-1] = (F_DD_ROLL, action[1])
        support.use(s, action[1], enemy(s.active), "16.22" if action[1] == FLEET else "16.13a")

    def prompt(self, s: State, f: F) -> Prompt:
        text = f"{s.board.unit_names[s.fight.lead]} leads the defence of {s.board.hex_name(s.fight.target)}"
        return Prompt("Support for the Determined Defence?", text, ("10.4g", "10.4h", "16.13b"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.SUPPORT:
            return None
        return support.why_no_marker(s, s.fight.kind, enemy(s.active), action[1], 1 << s.fight.target, s.fight.target)

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        return dd_odds(s, s.fight.lead, action[1])


class DefenceRoll(OneDie[State]):
    """10.4h, 10.4i The die. Frame: the support marker used."""

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        lead, table = s.fight.lead, dd_table(s)
        drm = quality_drm(s, lead, s.step[lead]) + s.board.air_drm[f[1]]
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
            s.stack.append((F_LOSS, s.active, s.active, DD_BOTH_LOSE))
        if stand.lead_loss:  # 10.4d, 10.4j
            take_loss(s, lead, DD_BOTH_LOSE if stand.attacker_loss else DD_LEAD_LOSS)

    def prompt(self, s: State, f: F) -> Prompt:
        text = f"{s.board.unit_names[s.fight.lead]} leads in {s.board.hex_name(s.fight.target)}"
        return Prompt("Determined Defence", text, ("10.4h", "10.4i"), PHASES[s.phase])


FRAMES: dict[int, Frame[State]] = {
    F_DEFENCE: Defence(),
    F_DD_SUPPORT: DefenceSupport(),
    F_DD_ROLL: DefenceRoll(verbs.ROLLED),
}

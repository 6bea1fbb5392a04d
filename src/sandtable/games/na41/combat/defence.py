"""11 Determined defense: the defender stands where the combat results table tells him to retreat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.engine.contract import CHANCE, Action, Odds, Prompt, Term
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex
from sandtable.engine.texts.text import Fact, Text
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.fights.defending import Stand, chance_to_hold, result_chances
from sandtable.mechanics.fights.odds import signed
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Offered, Once, Phase
from sandtable.mechanics.shown.telling import emit

from ..retreat.search import way_exists
from ..retreat.surrender import free_trucks
from ..supply import supply_lines, support
from ..supply.support import AIR, FLIPS, PAYS, STAND
from ..table.board import Board
from ..table.frames import DDRollAt, DDSupportAt, DefenceAt, LossAt, RerollAt
from ..table.ids import AXIS, COMBAT, F_DD_ROLL, F_DD_SUPPORT, F_DEFENCE, F_LOSS, F_REROLL, NO_ASSET, PHASES
from ..table.position import good_order, steps_left, touch
from ..table.state import State
from ..table.verbs import V_AIR, V_ARTILLERY, V_ARTILLERY_SP, V_DESPERATE, V_LEAD, V_ROLLED, V_YIELD
from . import results
from .losses import DD_LOSS, DD_PICKED, combat_loss
from .results import code_of, colour_of, defenders_left
from .strengths import defending, is_elite, is_low, quality

FAR = 9
"""More hexes than any retreat has."""

COLUMNS = {"flat_rough": "Flat, rough", "other": "Other", "fortification_city": "Fortification, city"}
"""The headings of the table."""


# 11.2.1 The table


class Row(NamedTuple):
    """11.4.1 One result of the table."""

    stand: Stand
    picked: bool  # 11.4.1e the defender picks the attacker's loss
    fortification: bool  # 11.4.1c it is lost


TROOPS_WORDS = ("{unit} leads: low troops", "{unit} leads: normal troops", "{unit} leads: elite troops")


class Table:
    """11.4 The determined defense table, and its column for every hex that holds no fortification."""

    def __init__(self, board: Board) -> None:
        tables = board.pack.tables
        table: Mapping[str, Any] = tables["determined_defence"]
        self.names: tuple[str, ...] = tuple(table["columns"])
        self.low: int = table["first_row"]
        self.high: int = table["last_row"]
        self.drm: dict[str, int] = table["drm"]
        self.price: int = table["failed_desperate_try_costs_lead_steps"]
        self.rows: dict[tuple[int, str], Row] = {(c["die"], c["column"]): _row(c) for c in table["cell"]}
        precedence: list[str] = tables["tec"]["dd_precedence"]  # 11.2.1c before 11.2.1e before 11.2.1d
        features = {row["name"]: row["dd_column"] for row in tables["tec"]["feature"]}
        tagged = {"town": board.towns, "groundworks": board.groundworks, "city": board.city}
        self.fortified: str = features["fortification"]
        self.column: dict[Hex, str] = {}
        for row in tables["tec"]["hex"]:
            for h in board.grid.hexes:
                if board.land >> h & 1 and board.pack.terrain[row["terrain"]] >> h & 1:
                    found = {row["dd_column"], *(features[name] for name, m in tagged.items() if m >> h & 1)}
                    self.column[h] = min(found, key=precedence.index)

    def column_of(self, s: State, h: Hex) -> str:
        """11.2.1c to f the column of a hex; landmarks, roads, airfields and hexsides have no effect."""
        return self.fortified if s.forts[enemy(s.active)] >> h & 1 else self.column[h]

    def result(self, s: State, h: Hex, roll: int) -> Row:
        """11.4 the result of a modified roll in a hex."""
        return self.rows[max(self.low, min(self.high, roll)), self.column_of(s, h)]


def _row(cell: Mapping[str, Any]) -> Row:
    stand = Stand(cell["holds"], cell["lead_loss"], cell["attacker_loss"], _words(cell))
    return Row(stand, cell["attacker_loss_chosen_by"] == "defender", cell["fortification_removed"])


def _words(cell: Mapping[str, Any]) -> str:
    """11.4.1 a result in words."""
    words = "holds" if cell["holds"] else "fails"
    if cell["fortification_removed"]:
        words += ", fortification lost"
    if cell["attacker_loss"]:
        words += "; attacker loses a step"
        words += " of the defender's choice" if cell["attacker_loss_chosen_by"] == "defender" else ""
    return words + ("; lead unit loses a step" if cell["lead_loss"] else "")


@remembered()
def dd_table(board: Board) -> Table:
    return Table(board)


# 11.2.3, 11.2.4 The lead unit and the modifiers


def may_lead(s: State, units: int) -> int:
    """11.2.3b, 13.2.1c who may lead: Good Order combat units other than ASUs."""
    return units & good_order(s) & s.board.combat & ~s.board.asus


def quality_drm(s: State, lead: int) -> int:
    """11.2.4a +1 for an elite lead unit, -1 for one of low quality."""
    drm = dd_table(s.board).drm
    return drm["lead_elite"] if is_elite(s, lead) else drm["lead_low"] if is_low(s, lead) else 0


def total_drm(s: State, lead: int, colour: int, supported: int) -> int:
    """11.2.4 all modifiers of the die, +2 at the most (11.2.4b)."""
    drm = dd_table(s.board).drm
    total = quality_drm(s, lead)
    total += drm["orange_result"] if colour == results.ORANGE else 0
    total += drm["support"] if supported else 0
    return min(total, drm["maximum"])


def stands(s: State, target: Hex, drm: int) -> tuple[Stand, ...]:
    """The result of every face of the die, the 1 first."""
    table = dd_table(s.board)
    return tuple(table.result(s, target, face + drm).stand for face in range(1, 7))


def hold_chance(s: State, fight: int, target: Hex, units: int, lost: int, colour: int, hexes: int = 0) -> Fraction:
    """The chance that these units keep their hex, after losing so many steps: once with their best lead unit, or again
    and again (11.5.1) if they may where a retreat of so many hexes is due.

    With DD support if there is any (11.3). A lead unit that loses the last step of all leaves the hex empty (11.4.2).
    """
    leads = units_of(may_lead(s, units))
    if not leads:
        return Fraction(0)
    supported = int(bool(s.fight.dd_support) or can_be_helped(s, fight, target, units))
    steps = steps_left(s, units & s.board.combat) - lost
    if hexes and steps > 1 and desperate(s, fight, target, units, hexes):
        return _again_and_again(s, target, leads, steps, colour, supported)
    faces = [stands(s, target, total_drm(s, u, colour, supported)) for u in leads]
    return max(chance_to_hold(found, steps <= 1) for found in faces)


def _again_and_again(s: State, target: Hex, leads: Sequence[int], steps: int, colour: int, supported: int) -> Fraction:
    """11.5.3 the chance that a desperate defense holds: the best lead first, and the next when its steps are gone."""
    order = sorted(leads, key=lambda u: -quality_drm(s, u))
    tries = [u for u in order for _ in range(s.board.steps_of[u] - s.step[u])][:steps]
    chance = Fraction(0)
    for i, u in reversed(list(enumerate(tries))):  # i steps have gone in failures
        faces = stands(s, target, total_drm(s, u, colour, supported))
        failed = Fraction(sum(not stand.holds for stand in faces), len(faces))
        chance = chance_to_hold(faces, steps - i <= 1) + failed * chance
    return chance


def can_be_helped(s: State, fight: int, target: Hex, units: int) -> bool:
    """11.3b, 11.3d, 15.2.8a whether an ASU or an air unit may help these defenders; none in a breakthrough combat."""
    side = enemy(s.active)
    return fight == COMBAT and bool(
        support.gun_actions(s, side, 1 << target, units) or support.air_assets(s, side, target, units)
    )


def dd_odds(s: State, lead: int, supported: int, desperate: bool) -> Odds:
    """The calculation of a determined defense in the fight under way, and the chance of every result."""
    board, target, colour = s.board, s.fight.target, colour_of(s)
    table, drm = dd_table(board), dd_table(board).drm
    of_lead = quality_drm(s, lead)
    terms = [
        Term(COLUMNS[table.column_of(s, target)], "11.2.1c", Text("column for {hex}", hex=board.hex_name(target))),
        Term(signed(of_lead), "11.2.4a", Text(TROOPS_WORDS[quality(s, lead)], unit=board.unit_names[lead])),
    ]
    if colour == results.ORANGE:
        terms.append(Term(signed(drm["orange_result"]), "11.2.2a", "an orange result"))
    if supported:
        terms.append(Term(signed(drm["support"]), "11.3a", "DD support"))
    total = total_drm(s, lead, colour, supported)
    terms.append(Term(signed(total), "11.2.4a", "added to the die"))
    if desperate:
        terms.append(Term("again", "11.5.3a", "a failure costs the lead unit a step, and you may try again"))
    title = Text.of(
        "Desperate defense of {hex}, led by {unit}" if desperate else "Determined defense of {hex}, led by {unit}",
        {"hex": board.hex_name(target), "unit": board.unit_names[lead]},
    )
    return Odds(title, tuple(terms), result_chances(stands(s, target, total)))


# 11.5 Desperate defense


def doomed(s: State) -> bool:
    """11.5.2b whether a retreat would eliminate all the units (12.2.1), with or without a truck."""
    return no_way_out(s, s.fight.kind, s.fight.target, defenders_left(s), s.fight.defenders, code_of(s).retreat[1])


def no_way_out(s: State, fight: int, h: Hex, units: int, party: int, hexes: int) -> bool:
    """12.2.1 whether none of these units could live through a retreat of so many hexes: not the Tobruk ASU (17.1.2c),
    nor who has retreated onto friends before (12.3b; not in a breakthrough, 15.3a), whatever ways there are."""
    units &= ~(1 << s.board.tobruk_asu)
    if fight == COMBAT:
        units &= ~s.sheltered
    movers = units | free_trucks(s, enemy(s.active), h) if units & s.board.foot else units
    return not any(way_exists(s, u, hexes, h, party, walk=FAR) for u in units_of(movers))


def desperate(s: State, fight: int, target: Hex, units: int, hexes: int) -> bool:
    """11.5.2 whether units that have to leave this hex may defend it desperately."""
    key = ("desperate", fight, target, units, hexes, s.retreated, s.sheltered)
    found: bool | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = lives_by_port(s, target) or no_way_out(s, fight, target, units, units, hexes)
    return found


def nations(s: State) -> int:
    """11.3d the nations of the defenders, as bits."""
    units = defenders_left(s)
    return sum(1 << n for n, of in enumerate(s.board.of_nation) if of & units)


def lives_by_port(s: State, h: Hex) -> bool:
    """11.5.2c whether the units hold a port hex whose loss would put them out of supply."""
    side = enemy(s.active)
    if not s.board.ports >> h & 1 or supply_lines.full(s, side) >> h & 1:
        return False
    sources = supply_lines.source_limits(s, side)
    if h not in sources or any(supply_lines.fed_by(s, side, p) >> h & 1 for p in sources if p != h):
        return False
    return any(supply_lines.port_fed(s, u) for u in units_of(defending(s, h)))  # 16.2c others are out of supply already


# The frames


class Standing(NamedTuple):
    """Who is left to defend, and how they may: plainly, or desperately for their port."""

    left: int
    plain: bool
    port: bool


LEADING: Bars[State, Standing] = Bars(
    Need("11.2.1b", "{unit} is no combat unit that defends {hex}", lambda s, now: now.left),
    Bar("11.2.3b", "{unit} is an ASU and cannot lead", lambda s, _: s.board.asus),
    Need("13.2.1c", "{unit} is not in Good Order and cannot lead", lambda s, _: good_order(s)),
)
"""11.2.3b who may lead a determined defense."""

PLAINLY: Bars[State, Standing] = Bars(
    LEADING,
    Bar("11.5.3a", "after a failed try only another desperate one is left", lambda s, now: 0 if now.plain else ALL),
)
DESPERATELY: Bars[State, Standing] = Bars(
    LEADING,
    Bar(
        "11.5.3a",
        "there is no way to retreat: every try is desperate, declared or not",
        lambda s, now: ALL if not now.port and doomed(s) else 0,
    ),
    Bar(
        "11.5.2a",
        "there is a way to retreat, and no port whose loss would put the units out of supply",
        lambda s, now: 0 if now.port else ALL,
    ),
)


def defended(s: State, _: object) -> dict[str, Fact]:
    return {"hex": s.fight.target}


def lead(s: State, f: DefenceAt, u: int) -> None:
    stand(s, f, u, doomed(s))


def lead_desperately(s: State, f: DefenceAt, u: int) -> None:
    stand(s, f, u, True)


def stand(s: State, f: DefenceAt, u: int, desperately: bool) -> None:
    """11.2.3, 11.5.3 a unit leads the defence."""
    s.fight.lead = u
    desperate = (f.desperate or nations(s)) if desperately else 0
    if desperate and not f.desperate:
        emit(s, "desperate_defence", "11.5.1", {"side": enemy(s.active), "hex": s.fight.target, "lead": u})
    s.stack[-1] = (
        DDRollAt(F_DD_ROLL, desperate, 0) if s.fight.dd_support else DDSupportAt(F_DD_SUPPORT, desperate)
    )  # 11.5.3c


def give_up(s: State, f: DefenceAt) -> None:
    """11.1a no determined defense."""
    s.stack.pop()
    emit(s, "yielded", "11.1a", {"side": enemy(s.active), "hex": s.fight.target})


def stand_odds(s: State, f: DefenceAt, action: Action) -> Odds | None:
    return dd_odds(s, action[1], s.fight.dd_support, action[0] == V_DESPERATE or doomed(s))


class Defence(Phase[State, DefenceAt, Standing]):
    """11.2.1b Stand or retreat: which unit leads. Frame: 0, or once a desperate try has failed the nations that were
    there when the defense began (11.3d), as bits.

    Who is doomed has nothing to lose and always defends desperately; for a port it is declared (11.5.3a).
    """

    at = DefenceAt
    does = (
        Each(V_LEAD, of=lambda s, now: now.left, bars=PLAINLY, take=lead, odds=stand_odds, facts=defended),
        Each(
            V_DESPERATE,
            of=lambda s, now: now.left,
            bars=DESPERATELY,
            take=lead_desperately,
            odds=stand_odds,
            facts=defended,
        ),
        Once(V_YIELD, take=give_up),
    )

    def now(self, s: State, f: DefenceAt) -> Standing:
        """11.2.3b, 11.5.3b who may lead, and how; after a desperate try only another one."""
        left = defenders_left(s)
        units = may_lead(s, left)
        port = bool(units) and lives_by_port(s, s.fight.target) and not doomed(s)
        return Standing(left, not f.desperate or (bool(units) and not port and doomed(s)), port)

    def actor(self, s: State, f: DefenceAt) -> int | None:
        return enemy(s.active) if len(self.legal(s, f)) > 1 else None

    def prompt(self, s: State, f: DefenceAt) -> Prompt:
        result = results.cell_name(s.fight.result)
        text = Text("{result} against {hex}: a determined defense, or a retreat", result=result, hex=s.fight.target)
        rules = ("11.1a", "11.2.1b", "11.2.3b", *(("11.5.3a",) if f.desperate else ()))
        return Prompt("Stand or retreat?", text, rules, PHASES[s.phase])


def helped(s: State, f: DDSupportAt) -> int:
    """11.3d those whom support can be for: all of the nations in the hex when the defense began, lost or not since;
    a try that is not desperate is its own beginning."""
    began = f.desperate or nations(s)
    return sum(units for n, units in enumerate(s.board.of_nation) if began >> n & 1)


def fires(s: State, f: DDSupportAt, action: Action) -> None:
    s.stack[-1] = DDRollAt(F_DD_ROLL, f.desperate, 0)
    s.fight.dd_support = 1
    support.fire(s, action, "11.3c")


def flies(s: State, f: DDSupportAt, asset: int) -> None:
    s.stack[-1] = DDRollAt(F_DD_ROLL, f.desperate, 0)
    s.fight.dd_support = int(asset != NO_ASSET)
    support.fly(s, enemy(s.active), asset, "11.3c")


class DefenceSupport(Offered[State, DDSupportAt, support.Help]):
    """11.3 One air unit or one ASU in range, declared before the roll. Frame: desperate. Skipped if there is none.

    Desperate is, here and for the die, 0 or the nations that were there when the defense began.
    """

    at = DDSupportAt
    does = (
        Each(V_ARTILLERY, bars=FLIPS[STAND], take=lambda s, f, u: fires(s, f, (V_ARTILLERY, u))),
        Each(V_ARTILLERY_SP, bars=PAYS[STAND], take=lambda s, f, u: fires(s, f, (V_ARTILLERY_SP, u))),
        Each(V_AIR, bars=AIR[STAND], take=flies, facts=defended),
    )

    def now(self, s: State, f: DDSupportAt) -> support.Help:
        return support.Help(enemy(s.active), 1 << s.fight.target, helped(s, f))

    def chooser(self, s: State, f: DDSupportAt) -> int:
        return enemy(s.active)

    def of_use(self, s: State, f: DDSupportAt) -> bool:
        return s.fight.kind == COMBAT  # 15.2.8a

    def prompt(self, s: State, f: DDSupportAt) -> Prompt:
        text = Text("{unit} leads the defense of {hex}: +1 to the die", unit=s.fight.lead, hex=s.fight.target)
        return Prompt("Support for the determined defense?", text, ("11.3a", "11.3b", "11.3c"), PHASES[s.phase])

    def odds(self, s: State, f: DDSupportAt, action: Action) -> Odds | None:
        return dd_odds(s, s.fight.lead, int(action != (V_AIR, NO_ASSET)), bool(f.desperate))


class DefenceRoll(OneDie[State, DDRollAt]):
    """11.2.1g The die. Frame: desperate, whether the die has fallen (then Rommel may have it rolled again, 18.5a)."""

    at = DDRollAt

    def actor(self, s: State, f: DDRollAt) -> int | None:
        return None if f.fallen == 1 else CHANCE

    def take(self, s: State, f: DDRollAt, action: Action) -> None:
        s.fight.die = action[1]
        again = f.desperate < 0
        if again:
            s.stack.pop()
        else:
            s.stack[-1] = DDRollAt(F_DD_ROLL, f.desperate, 1)
        drm = total_drm(s, s.fight.lead, colour_of(s), s.fight.dd_support)
        row = dd_table(s.board).result(s, s.fight.target, s.fight.die + drm)
        data = {
            "hex": s.fight.target,
            "side": enemy(s.active),
            "lead": s.fight.lead,
            "die": s.fight.die,
            "drm": drm,
            "column": dd_table(s.board).column_of(s, s.fight.target),
            "result": row.stand.text,
            "holds": int(row.stand.holds),
        }
        emit(s, "determined_defence", "11.2.1g", data, final=True)
        if not again and s.rommel and enemy(s.active) == AXIS:
            s.stack.append(RerollAt(F_REROLL, 1))

    def run(self, s: State, f: DDRollAt) -> None:
        """11.4 what the roll brings: the lead unit's loss, then the attacker's; 11.5.3a a failure is no failure yet."""
        row = dd_table(s.board).result(
            s, s.fight.target, s.fight.die + total_drm(s, s.fight.lead, colour_of(s), s.fight.dd_support)
        )
        s.stack.pop()
        s.fight.held = int(row.stand.holds)
        if row.fortification:
            self.lose_fortification(s)
        if row.stand.attacker_loss:
            picker = enemy(s.active) if row.picked else s.active  # 11.4.1e
            s.stack.append(LossAt(F_LOSS, picker, s.active, DD_PICKED if row.picked else DD_LOSS))
        again = f.desperate and not s.fight.held
        if again:
            s.stack.append(DefenceAt(F_DEFENCE, f.desperate))
        for _ in range(dd_table(s.board).price if again else row.stand.lead_loss):
            combat_loss(s, s.fight.lead, DD_LOSS)

    def lose_fortification(self, s: State) -> None:
        """11.4.1c, A6 the fortification is lost; in a city without one nothing is."""
        side, b = enemy(s.active), 1 << s.fight.target
        if s.forts[side] & b:
            s.forts[side] &= ~b
            touch(s)
            emit(s, "fortification_removed", "11.4.1c", {"hex": s.fight.target, "side": side})

    def prompt(self, s: State, f: DDRollAt) -> Prompt:
        text = Text("{unit} leads in {hex}", unit=s.fight.lead, hex=s.fight.target)
        return Prompt("Determined defense", text, ("11.2.1g", "11.2.4a"), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_DEFENCE: Defence(),
    F_DD_SUPPORT: DefenceSupport(),
    F_DD_ROLL: DefenceRoll(V_ROLLED),
}

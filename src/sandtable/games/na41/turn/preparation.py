"""3.1 A The Preparation Phase, 20 reinforcements, removals, withdrawals, upgrades and conversions, 22.3 Malta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Prompt
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import Bars, Doubt, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of, where
from sandtable.mechanics.phases import Each, Forced, Linked, Once, Only
from sandtable.mechanics.shown.telling import emit

from ..supply.resources import shift_malta
from ..supply.supply_lines import full
from ..table.frames import ChooseReplacementAt, ConvertAt, FreedAt, PreparationAt, RemovalAt, UpgradeAt
from ..table.ids import (
    ALLIED,
    AXIS,
    ELIMINATED,
    F_CHOOSE_REPLACEMENT,
    F_CONVERT,
    F_FREED,
    F_MALTA,
    F_PREPARATION,
    F_REMOVAL,
    F_UPGRADE,
    REDUCED,
    REMNANT,
    REMOVED,
    RESERVE,
    SCHEDULED,
    SURRENDER_LEFT,
    SURRENDER_RIGHT,
    WITHDRAWN,
)
from ..table.position import add_sp, clear_marks, put, remnants_left, steps_left, touch
from ..table.reserves import release
from ..table.scenarios import Departure, arrival_box, script
from ..table.state import State
from ..table.verbs import V_CHOOSE, V_GIVE, V_PUT_OFF, V_REMOVE, V_ROLLED, V_UPGRADE
from .conversions import Convert, convert_in_place, open_pairs
from .replacements import draw, pool_for

PHASE = "preparation"


class Preparation(Frame[State, PreparationAt]):
    """3.1a The steps of the Preparation Phase, in order. Frame: step."""

    at = PreparationAt

    def run(self, s: State, f: PreparationAt) -> None:
        step = f.step
        if step == len(STEPS):
            s.stack.pop()
            return
        s.stack[-1] = PreparationAt(F_PREPARATION, step + 1)
        STEPS[step](s)


# 3.1b Supply points, reinforcements, replacements


def supply(s: State) -> None:
    """3.1b each player puts two SPs in his base."""
    count = s.board.general["sp_per_turn"]
    for side in (AXIS, ALLIED):
        add_sp(s, side, s.board.base[side], count)
        emit(s, "sp_received", "3.1b", {"side": side, "hex": s.board.base[side], "count": count})


def reinforce(s: State) -> None:
    """20.1a, A4 this turn's reinforcements come to the base of their side, S2.2b or to the Reserve Box; 20.3a those
    who were withdrawn until now come back."""
    upgrades = script(s).upgrades
    for u, turn in enumerate(s.due):
        if turn == s.turn and not upgrades >> u & 1 and s.at[u] in (SCHEDULED, WITHDRAWN):
            arrive(s, u, arrival_box(s, u) if s.at[u] == SCHEDULED else s.board.delta)


def arrive(s: State, u: int, place: int) -> None:
    """20.1a, 20.1b at full strength, ASUs ready; 20.3a whoever returns has the steps it went with."""
    rule = "20.1a" if s.at[u] == SCHEDULED else "20.3a"
    side = s.board.side[u]
    s.due[u] = 0
    put(s, u, place)
    if place == RESERVE:
        emit(s, "arrived", "S2.2b", {"unit": u, "side": side, "box": place})
    else:
        emit(s, "arrived", rule, {"unit": u, "side": side, "hex": place})


def replacements(s: State) -> None:
    """19.1.1b, 19.1.1c the replacements that the turn track lists."""
    codes = [row["code"] for row in s.board.pack.tables["replacement_code"]]
    due = script(s).replacements
    frames = [
        ChooseReplacementAt(F_CHOOSE_REPLACEMENT, side, codes.index(code))
        for side in (AXIS, ALLIED)
        for code in due.get((s.turn, side), ())
    ]
    s.stack += reversed(frames)


def take_counter(s: State, f: ChooseReplacementAt, u: int) -> None:
    s.stack.pop()
    draw(s, u, f.code)


class ChooseReplacement(Forced[State, ChooseReplacementAt, ChooseReplacementAt]):
    """19.2.4 Which counter a replacement of the turn track is. Frame: side, code."""

    at = ChooseReplacementAt
    does = (
        Only(
            V_CHOOSE,
            "19.2.4a",
            "{unit} is not among the replacements to choose from",
            lambda s, f: pool_for(s, f.side, f.code),
            take=take_counter,
        ),
    )

    def nothing(self, s: State, f: ChooseReplacementAt) -> None:
        s.stack.pop()
        code = s.board.pack.tables["replacement_code"][f.code]["code"]
        emit(s, "replacement_forfeited", "19.2.2b", {"side": f.side, "code": code})

    def prompt(self, s: State, f: ChooseReplacementAt) -> Prompt:
        text = term("The nationality of an infantry replacement is yours to choose")
        return Prompt("Which replacement?", text, ("19.2.4a", "19.2.4b"), PHASE)


# 3.1c Malta


def malta_number(s: State) -> int:
    """22.3.3 the success number under the current box, for the side that shows this turn (22.3.2b); 0 without roll."""
    table = s.board.pack.tables["malta"]
    side = s.board.turns[s.turn]["malta_side"]
    found: int = table[f"{side}_success"][str(s.malta)]
    return found


def roll_for_malta(s: State) -> None:
    """3.1c, A47 a roll each turn, unless the marker is in its last box."""
    if malta_number(s):
        s.stack.append((F_MALTA,))


class Malta(OneDie[State]):
    """22.3.3 One die: equal to the success number or above, the marker moves a box."""

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        side = s.board.turns[s.turn]["malta_side"]
        moved = action[1] >= malta_number(s)
        emit(s, "malta_roll", "22.3.3", {"die": action[1], "needed": malta_number(s), "moved": moved}, final=True)
        if moved:
            shift_malta(s, s.board.pack.tables["malta"]["step"][side], "22.3.3")

    def prompt(self, s: State, f: F) -> Prompt:
        german = s.board.turns[s.turn]["malta_side"] == "luftwaffe"
        text = Text.of(
            "The Luftwaffe lowers the convoy modifier ({malta}) on {n} or more"
            if german
            else "The Allies raise the convoy modifier ({malta}) on {n} or more",
            {"malta": f"{s.malta:+d}", "n": malta_number(s)},
        )
        return Prompt("Malta", text, ("22.3.3", "22.3.2b"), PHASE)


# 3.1d, 3.1e


def ready_rommel(s: State) -> None:
    """3.1d, 18.5d"""
    s.rommel = 1


def advance_surrendered(s: State) -> None:
    """3.1e, 12.5.2a from the right half of the Surrender Box to the Eliminated Box, from the left half to the right."""
    for u, h in enumerate(s.at):
        if h in (SURRENDER_LEFT, SURRENDER_RIGHT):
            box = SURRENDER_RIGHT if h == SURRENDER_LEFT else ELIMINATED
            put(s, u, box)
            emit(s, "surrender_advanced", "12.5.2a", {"unit": u, "side": s.board.side[u], "box": box})


# 20.2, 20.3 Removals and withdrawals


def depart(s: State) -> None:
    """3.1f, 20.2, 20.3 the units that have to go this turn."""
    due = script(s).departures.get(s.turn, ())
    s.stack += [RemovalAt(F_REMOVAL, due[i].side, i) for i in reversed(range(len(due)))]


def standing(s: State, u: int) -> int:
    """20.2c the class of a unit for removal: the lowest goes first. -1 if it is out of reach."""
    h = s.at[u]
    if h in (ELIMINATED, SURRENDER_LEFT, SURRENDER_RIGHT):
        return 4
    if h < 0:
        return -1
    cut_off = s.oos >> u & 1
    return 2 + cut_off if s.step[u] == REMNANT else cut_off


def first_to_go(s: State, due: Departure) -> int:
    """20.2c of the units that come in question, those of the lowest class."""
    ranks = {u: standing(s, u) for u in units_of(due.likes)}
    lowest = min((rank for rank in ranks.values() if rank >= 0), default=0)
    return sum(1 << u for u, rank in ranks.items() if rank == lowest)


def leave(s: State, f: RemovalAt, u: int) -> None:
    """20.2a, 20.3a a unit leaves the game, or until its return."""
    s.stack.pop()
    due, came_from = departure(s, f), s.at[u]
    clear_marks(s, u)
    s.depleted &= ~(1 << u)
    rule, kind = "20.2a", "removed"
    if due.returns:
        rule, kind = "20.3a" if came_from >= 0 else "20.3c", "withdrawn"
        s.due[u] = due.returns
        if came_from < 0 and s.step[u] == REMNANT and not remnants_left(s, s.board.remnant[u]):
            s.step[u] = REDUCED  # 10.4.2b there is no lower step that could be shown
    put(s, u, WITHDRAWN if due.returns else REMOVED)
    emit(s, kind, rule, {"unit": u, "side": f.side, "from": came_from, "shows": s.step[u], "turn": due.returns})


def departure(s: State, f: RemovalAt) -> Departure:
    return script(s).departures[s.turn][f.number]


class Removal(Forced[State, RemovalAt, Departure]):
    """20.2b, 20.2c Which unit goes. Frame: side, index among those of the turn."""

    at = RemovalAt
    does = (
        Each(
            V_REMOVE,
            bars=Bars(
                Need("20.2b", "{unit} is not of the same type, nationality and tank value", lambda s, due: due.likes),
                Doubt("20.2a", "{unit} is not in play", lambda s, _, u: standing(s, u) < 0),
                Doubt(
                    "20.2c",
                    "units in better standing than {unit} go first",
                    lambda s, due, u: not first_to_go(s, due) >> u & 1,
                ),
            ),
            take=leave,
        ),
    )

    def now(self, s: State, f: RemovalAt) -> Departure:
        return departure(s, f)

    def prompt(self, s: State, f: RemovalAt) -> Prompt:
        due = departure(s, f)
        text = Text("{unit} is due, or a unit of the same kind", unit=due.unit)
        if due.returns:
            again = term("{unit} is due, or a unit of the same kind; it returns on turn {turn}")
            text = Text(again, unit=due.unit, turn=due.returns)
        return Prompt("Which unit leaves?", text, ("20.2b", "20.2c", "20.3a" if due.returns else "20.2a"), PHASE)


# 20.4.1 Allied tank upgrades


def upgrade(s: State) -> None:
    """20.4.1a the upgrades of this turn, and those put off until now."""
    due = [u for u in units_of(script(s).upgrades) if s.at[u] == SCHEDULED and s.due[u] == s.turn]
    s.stack += [UpgradeAt(F_UPGRADE, u) for u in reversed(due)]


def in_reach(s: State, u: int) -> bool:
    """20.4.1b in the Eliminated Box, in the Delta box, or on the map in full supply; port supply will not do."""
    h = s.at[u]
    return h == ELIMINATED or (h >= 0 and bool(full(s, s.board.side[u]) >> h & 1))


def old_tanks(s: State, _: object = None) -> int:
    """20.4.1b the Allied tank units."""
    return s.board.tanks & s.board.of_side[ALLIED]


REPLACED: Bars[State, int] = Bars(
    Need("20.4.1b", "{other} is not another Allied tank unit", lambda s, new: old_tanks(s) & ~(1 << new)),
    Doubt("20.4.1b", "{other} is not in play", lambda s, _, u: s.at[u] < 0 and s.at[u] != ELIMINATED),
    Doubt("20.4.1b", "{other} is not in full supply", lambda s, _, u: not in_reach(s, u)),
)
"""20.4.1b which tank unit a new one replaces."""


def upgrade_with(s: State, f: UpgradeAt, new: int, old: int) -> None:
    """20.4.1b the new unit comes, the old one leaves the game."""
    s.stack.pop()
    freed = 0 if s.at[old] == ELIMINATED else steps_left(s, 1 << old)  # 20.4.1c
    emit(s, "upgraded", "20.4.1b", {"unit": new, "other": old, "side": ALLIED, "from": s.at[old], "steps": freed})
    clear_marks(s, old)
    put(s, old, REMOVED)
    s.due[new] = 0
    put(s, new, s.board.delta)  # 20.4.1a
    if freed:
        s.stack.append(FreedAt(F_FREED, freed, s.board.tank_value[old]))


def put_off(s: State, f: UpgradeAt) -> None:
    """20.4.1f the new unit waits a turn."""
    s.stack.pop()
    s.due[f.unit] = s.turn + 1
    emit(s, "put_off", "20.4.1f", {"unit": f.unit, "side": ALLIED, "turn": s.due[f.unit]})


class Upgrade(Forced[State, UpgradeAt, int]):
    """20.4.1 A new tank unit comes and another goes, or it waits a turn. Frame: the new unit."""

    at = UpgradeAt
    does = (
        Linked(
            V_UPGRADE,
            first=Bars(Need("20.4.1a", "{unit} does not arrive now", lambda s, new: 1 << new)),
            second=REPLACED,
            take=upgrade_with,
        ),
        Once(V_PUT_OFF, take=put_off),
    )

    def now(self, s: State, f: UpgradeAt) -> int:
        return f.unit

    def chooser(self, s: State, f: UpgradeAt) -> int:
        return ALLIED

    def prompt(self, s: State, f: UpgradeAt) -> Prompt:
        text = Text("{unit} arrives if another tank unit leaves the game; its steps go to others", unit=f.unit)
        return Prompt("Upgrade a tank unit?", text, ("20.4.1a", "20.4.1b", "20.4.1f"), PHASE)


def step_over(s: State, f: FreedAt, u: int) -> None:
    """20.4.1c a unit takes over a step of the old one."""
    if f.steps > 1:
        s.stack[-1] = FreedAt(F_FREED, f.steps - 1, f.value)
    else:
        s.stack.pop()
    if s.at[u] == ELIMINATED:
        s.step[u] = s.board.steps_of[u] - 1
        put(s, u, s.board.delta)
    else:
        s.step[u] -= 1
    s.refreshed |= 1 << u  # 20.4.1d
    touch(s)
    emit(s, "restored", "20.4.1c", {"unit": u, "side": ALLIED, "hex": s.at[u], "shows": s.step[u]})


def forfeit(s: State, f: FreedAt) -> None:
    """20.4.1e the steps that are left are lost."""
    s.stack.pop()
    emit(s, "steps_forfeited", "20.4.1e", {"side": ALLIED, "steps": f.steps})


class Freed(Forced[State, FreedAt, FreedAt]):
    """20.4.1c The steps of the removed unit, one at a time. Frame: steps, tank value of the removed unit."""

    at = FreedAt
    does = (
        Each(
            V_GIVE,
            bars=Bars(
                Need(
                    "20.4.1c",
                    "{unit} is no tank unit of value {value} or less",
                    lambda s, f: old_tanks(s) & where(value <= f.value for value in s.board.tank_value),
                ),
                Doubt("20.4.1c", "{unit} has lost no step", lambda s, _, u: s.at[u] != ELIMINATED and not s.step[u]),
                Doubt(
                    "20.4.1c",
                    "{unit} is neither in full supply nor in the Eliminated Box",
                    lambda s, _, u: not in_reach(s, u),
                ),
            ),
            facts=lambda s, f: {"value": f.value},
            take=step_over,
        ),
        Once(V_PUT_OFF, take=forfeit),
    )

    def chooser(self, s: State, f: FreedAt) -> int:
        return ALLIED

    def prompt(self, s: State, f: FreedAt) -> Prompt:
        text = term("{steps} left, for tank units of value {value} or less; what is not given is lost")
        said = Text(text, steps=f.steps, value=f.value)
        return Prompt("Who takes over the old tanks?", said, ("20.4.1c", "20.4.1d", "20.4.1e"), PHASE)


# 20.4.2 to 20.4.4 Conversions: conversions.py


def convert(s: State) -> None:
    """3.1f first those that happen by themselves, then the pairs that the Axis may convert."""
    convert_in_place(s)
    s.stack += [ConvertAt(F_CONVERT, i) for i in reversed(open_pairs(s))]


STEPS: tuple[Callable[[State], None], ...] = (
    supply,
    reinforce,
    release,
    replacements,
    roll_for_malta,
    ready_rommel,
    advance_surrendered,
    depart,
    upgrade,
    convert,
)

FRAMES: dict[int, Frame[State, Any]] = {
    F_PREPARATION: Preparation(),
    F_CHOOSE_REPLACEMENT: ChooseReplacement(),
    F_MALTA: Malta(V_ROLLED),
    F_REMOVAL: Removal(),
    F_UPGRADE: Upgrade(),
    F_FREED: Freed(),
    F_CONVERT: Convert(),
}

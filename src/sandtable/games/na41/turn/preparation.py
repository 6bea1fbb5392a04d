"""3.1 A The Preparation Phase, 20 reinforcements, removals, withdrawals, upgrades and conversions, 22.3 Malta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import F, Frame
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import units_of
from sandtable.mechanics.picking import PickUnit
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


class ChooseReplacement(Frame[State, ChooseReplacementAt]):
    """19.2.4 Which counter a replacement of the turn track is. Frame: side, code."""

    at = ChooseReplacementAt

    def actor(self, s: State, f: ChooseReplacementAt) -> int | None:
        return f.side if len(pool_for(s, f.side, f.code)) > 1 else None

    def run(self, s: State, f: ChooseReplacementAt) -> None:
        s.stack.pop()
        pool = pool_for(s, f.side, f.code)
        if pool:
            draw(s, pool[0], f.code)
        else:
            code = s.board.pack.tables["replacement_code"][f.code]["code"]
            emit(s, "replacement_forfeited", "19.2.2b", {"side": f.side, "code": code})

    def legal(self, s: State, f: ChooseReplacementAt) -> list[Action]:
        return [(V_CHOOSE, u) for u in pool_for(s, f.side, f.code)]

    def take(self, s: State, f: ChooseReplacementAt, action: Action) -> None:
        s.stack.pop()
        draw(s, action[1], f.code)

    def prompt(self, s: State, f: ChooseReplacementAt) -> Prompt:
        text = term("The nationality of an infantry replacement is yours to choose")
        return Prompt("Which replacement?", text, ("19.2.4a", "19.2.4b"), PHASE)

    def why_not(self, s: State, f: ChooseReplacementAt, action: Action) -> Reason | None:
        if action[0] == V_CHOOSE:
            return Reason(
                "19.2.4a",
                Text("{unit} is not among the replacements to choose from", unit=s.board.unit_names[action[1]]),
            )
        return None


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


class Removal(PickUnit[State, RemovalAt]):
    """20.2b, 20.2c Which unit goes. Frame: side, index among those of the turn."""

    at = RemovalAt

    def candidates(self, s: State, f: RemovalAt) -> int:
        ranks = {u: standing(s, u) for u in units_of(self.due(s, f).likes)}
        found = [rank for rank in ranks.values() if rank >= 0]
        return sum(1 << u for u, rank in ranks.items() if rank == min(found)) if found else 0

    def due(self, s: State, f: RemovalAt) -> Departure:
        return script(s).departures[s.turn][f.number]

    def picked(self, s: State, f: RemovalAt, u: int) -> None:
        due = self.due(s, f)
        came_from = s.at[u]
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

    def prompt(self, s: State, f: RemovalAt) -> Prompt:
        due = self.due(s, f)
        name = s.board.unit_names[due.unit]
        text = Text("{unit} is due, or a unit of the same kind", unit=name)
        if due.returns:
            text = Text(
                "{unit} is due, or a unit of the same kind; it returns on turn {turn}", unit=name, turn=due.returns
            )
        return Prompt("Which unit leaves?", text, ("20.2b", "20.2c", "20.3a" if due.returns else "20.2a"), PHASE)

    def why_not(self, s: State, f: RemovalAt, action: Action) -> Reason | None:
        if action[0] != V_REMOVE:
            return None
        u = action[1]
        name = s.board.unit_names[u]
        if not self.due(s, f).likes >> u & 1:
            return Reason("20.2b", Text("{unit} is not of the same type, nationality and tank value", unit=name))
        if standing(s, u) < 0:
            return Reason("20.2a", Text("{unit} is not in play", unit=name))
        return Reason("20.2c", Text("units in better standing than {unit} go first", unit=name))


# 20.4.1 Allied tank upgrades


def upgrade(s: State) -> None:
    """20.4.1a the upgrades of this turn, and those put off until now."""
    due = [u for u in units_of(script(s).upgrades) if s.at[u] == SCHEDULED and s.due[u] == s.turn]
    s.stack += [UpgradeAt(F_UPGRADE, u) for u in reversed(due)]


def in_reach(s: State, u: int) -> bool:
    """20.4.1b in the Eliminated Box, in the Delta box, or on the map in full supply; port supply will not do."""
    h = s.at[u]
    return h == ELIMINATED or (h >= 0 and bool(full(s, s.board.side[u]) >> h & 1))


class Upgrade(Frame[State, UpgradeAt]):
    """20.4.1 A new tank unit comes and another goes, or it waits a turn. Frame: the new unit."""

    at = UpgradeAt

    def old(self, s: State, f: UpgradeAt) -> list[int]:
        tanks = s.board.tanks & s.board.of_side[ALLIED] & ~(1 << f.unit)
        return [u for u in units_of(tanks) if in_reach(s, u)]

    def actor(self, s: State, f: UpgradeAt) -> int | None:
        return ALLIED if self.old(s, f) else None

    def run(self, s: State, f: UpgradeAt) -> None:
        self.take(s, f, (V_PUT_OFF,))

    def legal(self, s: State, f: UpgradeAt) -> list[Action]:
        return [*((V_UPGRADE, f.unit, u) for u in self.old(s, f)), (V_PUT_OFF,)]

    def take(self, s: State, f: UpgradeAt, action: Action) -> None:
        s.stack.pop()
        new = f.unit
        if action[0] == V_PUT_OFF:  # 20.4.1f
            s.due[new] = s.turn + 1
            emit(s, "put_off", "20.4.1f", {"unit": new, "side": ALLIED, "turn": s.due[new]})
            return
        old = action[2]
        freed = 0 if s.at[old] == ELIMINATED else steps_left(s, 1 << old)  # 20.4.1c
        emit(s, "upgraded", "20.4.1b", {"unit": new, "other": old, "side": ALLIED, "from": s.at[old], "steps": freed})
        clear_marks(s, old)
        put(s, old, REMOVED)
        s.due[new] = 0
        put(s, new, s.board.delta)  # 20.4.1a
        if freed:
            s.stack.append(FreedAt(F_FREED, freed, s.board.tank_value[old]))

    def prompt(self, s: State, f: UpgradeAt) -> Prompt:
        text = Text(
            "{unit} arrives if another tank unit leaves the game; its steps go to others",
            unit=s.board.unit_names[f.unit],
        )
        return Prompt("Upgrade a tank unit?", text, ("20.4.1a", "20.4.1b", "20.4.1f"), PHASE)

    def why_not(self, s: State, f: UpgradeAt, action: Action) -> Reason | None:
        if action[0] != V_UPGRADE:
            return None
        old = action[2]
        name = s.board.unit_names[old]
        if action[1] != f.unit:
            return Reason("20.4.1a", Text("{unit} does not arrive now", unit=s.board.unit_names[action[1]]))
        if old == f.unit or not s.board.tanks & s.board.of_side[ALLIED] & 1 << old:
            return Reason("20.4.1b", Text("{unit} is not another Allied tank unit", unit=name))
        if s.at[old] < 0:
            return Reason("20.4.1b", Text("{unit} is not in play", unit=name))
        return Reason("20.4.1b", Text("{unit} is not in full supply", unit=name))


class Freed(Frame[State, FreedAt]):
    """20.4.1c The steps of the removed unit, one at a time. Frame: steps, tank value of the removed unit."""

    at = FreedAt

    def receivers(self, s: State, f: FreedAt) -> list[int]:
        """Reduced or eliminated tank units in full supply or in the Eliminated Box, no better than the old one."""
        board = s.board
        return [
            u
            for u in units_of(board.tanks & board.of_side[ALLIED])
            if board.tank_value[u] <= f.value and in_reach(s, u) and (s.step[u] or s.at[u] == ELIMINATED)
        ]

    def actor(self, s: State, f: FreedAt) -> int | None:
        return ALLIED if self.receivers(s, f) else None

    def run(self, s: State, f: FreedAt) -> None:
        self.take(s, f, (V_PUT_OFF,))

    def legal(self, s: State, f: FreedAt) -> list[Action]:
        return [*((V_GIVE, u) for u in self.receivers(s, f)), (V_PUT_OFF,)]

    def take(self, s: State, f: FreedAt, action: Action) -> None:
        if action[0] == V_PUT_OFF:  # 20.4.1e
            s.stack.pop()
            emit(s, "steps_forfeited", "20.4.1e", {"side": ALLIED, "steps": f.steps})
            return
        if f.steps > 1:
            s.stack[-1] = FreedAt(F_FREED, f.steps - 1, f.value)
        else:
            s.stack.pop()
        u = action[1]
        if s.at[u] == ELIMINATED:
            s.step[u] = s.board.steps_of[u] - 1
            put(s, u, s.board.delta)
        else:
            s.step[u] -= 1
        s.refreshed |= 1 << u  # 20.4.1d
        touch(s)
        emit(s, "restored", "20.4.1c", {"unit": u, "side": ALLIED, "hex": s.at[u], "shows": s.step[u]})

    def prompt(self, s: State, f: FreedAt) -> Prompt:
        text = Text(
            "{steps} left, for tank units of value {value} or less; what is not given is lost",
            steps=f.steps,
            value=f.value,
        )
        return Prompt("Who takes over the old tanks?", text, ("20.4.1c", "20.4.1d", "20.4.1e"), PHASE)

    def why_not(self, s: State, f: FreedAt, action: Action) -> Reason | None:
        if action[0] != V_GIVE:
            return None
        u = action[1]
        name = s.board.unit_names[u]
        if not s.board.tanks & s.board.of_side[ALLIED] & 1 << u or s.board.tank_value[u] > f.value:
            return Reason("20.4.1c", Text("{unit} is no tank unit of value {value} or less", unit=name, value=f.value))
        if s.at[u] != ELIMINATED and not s.step[u]:
            return Reason("20.4.1c", Text("{unit} has lost no step", unit=name))
        return Reason("20.4.1c", Text("{unit} is neither in full supply nor in the Eliminated Box", unit=name))


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
    F_REMOVAL: Removal(V_REMOVE),
    F_UPGRADE: Upgrade(),
    F_FREED: Freed(),
    F_CONVERT: Convert(),
}

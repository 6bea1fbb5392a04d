"""7 Movement: the decisions of the two movement phases.

F_MOVES asks which unit; F_UNIT (unit.py) where it goes. Moves are of single units: a stack that moves together (7.1c)
matters in mobile assaults alone (mobile.py).
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.contract import Action, Prompt, Reason
from sandtable.engine.frames import Frame
from sandtable.engine.texts.text import term
from sandtable.mechanics.bars import ALL, Bar, Bars, Doubt, Need
from sandtable.mechanics.masks import enemy, units_of
from sandtable.mechanics.phases import Each, Elsewhere, Listed, Once, Phase

from ..combat import combat
from ..combat.lookout import Watch, look
from ..paths.legs import exits, reachable
from ..supply.hqs import REMOVE, remove
from ..table import verbs
from ..table.frames import PhaseAt, RaidAt, StackAt, UnitAt
from ..table.ids import AFTER_MOVES, F_MOVES, F_OVERSTACK, F_RAID, F_UNIT, PHASES, SOVIET
from ..table.state import State, on_map, zone
from . import merging, replacements
from .rails import LAND, SHIP, open_rails, own_reach, rail_hexes_for, security_due
from .unit import NEVER_ATTACKS, going, mark

END: Action = (verbs.END_MOVES,)


def begin_moves(s: State) -> None:
    """7.1 a movement phase begins: nobody has moved; what is fixed at its start is noted (7.22k, 18.2)."""
    side = s.active
    s.moved = s.assault = s.marked = s.met = 0
    s.claims = {}
    s.raid = s.raid_spent = 0
    s.raid_failed = -1
    s.rail_used = s.sea_used = 0
    s.rail_open = 0 if s.second else open_rails(s, side)  # 7.22a, 7.22k
    s.pinned = 0
    if s.turn == 1 and side == SOVIET and s.second:  # 18.2, A44 not one step back
        ezoc = zone(s, enemy(side))
        for u in units_of(on_map(s, side)):
            if ezoc >> s.at[u] & 1:
                s.pinned |= 1 << u


# 7.1 Who can do something


class Now(NamedTuple):
    """What the lists of a movement phase need to know once."""

    second: int
    seen: Watch


NOT_ITS_TURN: Bars[State, object] = Bars(
    Need("7.1a", "{unit} is not yours to move in this phase", lambda s, _: s.board.of_side[s.active]),
    Need("7.1a", "{unit} is not on the map", lambda s, _: s.on_map[s.active]),
    Bar("8.5c", "{unit} is marked for an automatic elimination and moves no further", lambda s, _: s.marked),
    Bar("7.3d", "{unit} has an assault marker: its move is over", lambda s, _: s.assault & s.board.mobile),
    Bar("7.3e", "{unit} has an assault marker: its move is over", lambda s, _: s.assault),
    Bar("7.1e", "{unit} has finished its move in this phase", lambda s, _: s.moved),
)


def stuck(s: State, now: Now, u: int) -> bool:
    """Whether a unit about which there is a doubt can go nowhere."""
    board, h, second = s.board, s.at[u], now.second
    if u == board.flotilla:
        return not own_reach(s, u, second)
    foe = enemy(s.active)
    near = exits(s, u, h) & ~s.occ[foe]
    if s.disrupted >> u & 1:
        near &= ~zone(s, foe)
    if u == board.security:  # 15.9
        near = near & board.grid.within(board.rostov, board.grid.distance(h, board.rostov) - 1) if near else 0
    if near:  # one step is always possible (7.4a)
        return False
    if board.own_movers >> u & 1:
        return not own_reach(s, u, second)
    if reachable(s, u, second).hexes:
        return False
    if second:
        return True
    leave = going(s, u, second)
    return not (rail_hexes_for(s, u) or SHIP.free(board.ports, s, leave) or LAND.free(board.black_coast, s, leave))


MOVE: Bars[State, Now] = Bars(
    NOT_ITS_TURN,
    Bar("18.1b", "{unit} has merged: its movement is over", lambda s, _: s.pinned if s.turn > 1 else 0),
    Bar(
        "18.2",
        "{unit} began in an enemy zone of control: not one step back",
        lambda s, _: s.pinned if s.turn == 1 else 0,
    ),
    Bar(
        "15.9b",
        "{unit} must remain in Rostov",
        lambda s, _: 1 << s.board.security if s.at[s.board.security] == s.board.rostov else 0,
    ),
    Bar("7.1g", "{unit} has a movement allowance of 0 and may never move", lambda s, _: s.board.immobile),
    Doubt(
        "15.3a",
        "no other Azov port is under Soviet control",
        stuck,
        about=lambda s, _: 1 << s.board.flotilla,
    ),
    Doubt(
        "15.6a",
        "enemies stand on its railway on all sides",
        stuck,
        about=lambda s, _: 1 << s.board.train,
    ),
    Doubt(
        "11.5b",
        "{unit} is disrupted and finds no hex out of enemy zones of control to end its move in",
        stuck,
        about=lambda s, now: s.disrupted & (now.seen.hemmed | 1 << s.board.security),
    ),
    Doubt(
        "7.1d",
        "{unit} has no hex beside it that it may enter",
        stuck,
        about=lambda s, now: ~s.disrupted & (now.seen.hemmed | 1 << s.board.security),
    ),
)

IN_THE_SECOND_PHASE: Bars[State, Now] = Bars(
    Bar(
        "7.3d",
        "assault markers are given in the Second Movement Phase",
        lambda s, now: 0 if now.second else ALL,
    ),
)

ASSAULT: Bars[State, Now] = Bars(
    IN_THE_SECOND_PHASE,
    Bar(
        "7.3b",
        "{unit} has moved: a foot unit moves one hex or attacks, not both",
        lambda s, _: s.board.foot & s.moved & ~s.assault & s.board.of_side[s.active],
    ),
    NOT_ITS_TURN,
    NEVER_ATTACKS,
    Bar(
        "7.3f",
        "{unit} attacks in the Second Combat Phase without a marker",
        lambda s, _: s.board.special_movers,  # A14
    ),
    Need(
        "7.3d",
        "an assault marker is for a unit that is to attack: no enemy is beside {unit}",
        lambda s, now: now.seen.near,
    ),
)
"""7.3d, 7.3e who may take an assault marker where it stands."""

RAID: Bars[State, Now] = Bars(
    Bar(
        "13.1a",
        "mobile assaults are made in the Second Movement Phase",
        lambda s, now: 0 if now.second else ALL,
    ),
    NOT_ITS_TURN,
    Need(
        "13.1b",
        "only mechanised units and cavalry make mobile assaults, not {unit}",
        lambda s, _: s.board.mobile & ~s.board.special_movers,
    ),
    NEVER_ATTACKS,
    Bar("13.2d", "{unit} is out of supply and makes no mobile assault", lambda s, _: s.oos),
    Bar("18.2", "{unit} began in an enemy zone of control: not one step back", lambda s, _: s.pinned),
    Need("13.1e", "{unit} cannot get beside an enemy with 3 MPs left", lambda s, now: now.seen.raiding),
)
"""13.1b who may begin a mobile assault."""


def movable(s: State, second: int) -> int:
    """7.1a the units of the active side that may still move and have somewhere to go."""
    return MOVE.free(s.on_map[s.active], s, Now(second, look(s)))


def markable(s: State) -> int:
    """7.3d, 7.3e the units that may take an assault marker where they stand."""
    return ASSAULT.free(s.on_map[s.active], s, Now(1, look(s)))


# 7.1 Which unit


def _move(s: State, f: PhaseAt, u: int) -> None:
    s.stack.append(UnitAt(F_UNIT, u, f.second))


def _raid(s: State, f: PhaseAt, u: int) -> None:
    s.raid, s.raid_spent, s.raid_failed = 1 << u, -1, -1
    s.stack.append(RaidAt(F_RAID, 0, s.at[u]))


def _end(s: State, f: PhaseAt) -> None:
    s.stack[-1] = StackAt(F_OVERSTACK, s.active, AFTER_MOVES)  # 5.2b


def _not_yet(s: State, now: Now) -> Reason | None:
    if not now.second and security_due(s):
        return Reason("15.9a", "the 454th Security Division must move to Rostov in this impulse")
    return None


class Moves(Phase[State, PhaseAt, Now]):
    """7.2, 7.3 A movement phase: unit by unit, and what else may be done meanwhile."""

    at = PhaseAt
    does = (
        Each(verbs.MOVE, of=lambda s, _: s.on_map[s.active], bars=MOVE, take=_move),
        Each(verbs.REMOVE, of=lambda s, _: s.board.hq, bars=REMOVE, take=lambda s, f, u: remove(s, u)),
        Each(
            verbs.ASSAULT,
            of=lambda s, now: now.seen.near if now.second else 0,
            bars=ASSAULT,
            take=lambda s, f, u: mark(s, u),
        ),
        Each(verbs.RAID, of=lambda s, now: now.seen.raiding if now.second else 0, bars=RAID, take=_raid),
        Listed(
            verbs.REBUILD,
            of=lambda s, f, now: replacements.rebuildable(s),
            reason=lambda s, f, now, pair: replacements.why_not(s, pair),
            take=lambda s, f, u, kind: replacements.rebuild(s, u, kind),
            others=lambda s, f, now: [(u, kind) for u in units_of(s.on_map[s.active]) for kind in range(6)],
        ),
        Listed(
            verbs.MERGE,
            of=lambda s, f, now: merging.pairs(s, now.seen.crowds) if now.seen.crowds else (),
            reason=lambda s, f, now, pair: merging.why_not(s, pair),
            take=lambda s, f, u, v: merging.merge(s, u, v),
            others=lambda s, f, now: [(u, v) for h in s.here.values() for u in units_of(h) for v in units_of(h)],
        ),
        Each(
            verbs.CRUSH,
            of=lambda s, now: now.seen.weak,
            bars=combat.CRUSH,
            take=lambda s, f, h: combat.begin_crush(s, h),
            odds=lambda s, f, action: combat.crush_odds(s, action[1]),
        ),
        Once(verbs.END_MOVES, take=_end, shut=_not_yet),
        Elsewhere(
            "7.1e",
            "first pick the unit that moves, with `move`",
            verbs.TO,
            verbs.CHARGE,
            verbs.RAIL,
            verbs.SHIP,
            verbs.LAND,
        ),
        Elsewhere(
            "13.1a",
            "no mobile assault is under way: in a Second Movement Phase `raid` begins one",
            verbs.PICK,
            verbs.STORM,
            verbs.READY,
            verbs.HALT,
            verbs.ENTER,
            verbs.STAY,
        ),
    )

    def now(self, s: State, f: PhaseAt) -> Now:
        return Now(f.second, look(s))

    def actor(self, s: State, f: PhaseAt) -> int | None:
        if f.second and not s.moved and not s.assault:  # a Second Movement Phase in which nobody can do anything
            choices = self.legal(s, f)
            if choices == [END]:
                return None
            s.choices = choices
        return s.active

    def run(self, s: State, f: PhaseAt) -> None:
        _end(s, f)

    def prompt(self, s: State, f: PhaseAt) -> Prompt:
        if f.second:
            text = term(
                "Mechanised units and cavalry move and may raid; foot units move one hex or take assault markers"
            )
            return Prompt("Second Movement Phase", text, ("7.3a", "7.3b", "7.3d", "13.1a"), PHASES[s.phase])
        text = term("Move units, use replacements; extended, rail and sea movement are for this phase only")
        rules = ("7.2a", "7.21a", "7.22a", "17.2a") if s.active != SOVIET else ("7.2a", "7.21a", "7.22c", "17.2a")
        return Prompt("First Movement Phase", text, rules, PHASES[s.phase])


FRAMES: dict[int, Frame[State, PhaseAt]] = {F_MOVES: Moves()}

"""21.4 Damage to ports and their repair: demolition, bombing raids, repair."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Odds, Prompt, Reason, Roll
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Mask
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy, where
from sandtable.mechanics.phases import Choose, Each, Elsewhere, Forced, Linked, Once
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.frames import BombRollAt, DemolitionAt, PortsAt
from ..table.ids import AXIS, B_REPAIR, F_BOMB, F_BOMB_ROLL, F_DEMOLITION, F_PORTS, PHASES, SIDES
from ..table.position import capacity, controls, touch
from ..table.state import State
from ..table.verbs import V_BOMB, V_DEMOLISH, V_END_PORTS, V_HITS, V_REPAIR, V_ROLLED
from .resources import can_pay, spend
from .supply_lines import held_ports

# 21.4.1 The track


def boxes_right(s: State, port: int) -> int:
    """21.4.2b how many boxes lie to the right of a port's marker; 0 when it is at the floor (21.4.1b)."""
    if not s.board.port_damageable[port]:  # 21.4.2d
        return 0
    return len(s.board.port_track[port]) - 1 - s.port_level[port]


def damage(s: State, port: int, hits: int, rule: str) -> None:
    """21.4.1a each hit moves the marker a box to the right, 21.4.1b never beyond the last."""
    hits = min(hits, boxes_right(s, port))
    if not hits:
        return
    s.port_level[port] += hits
    touch(s)
    place = s.board.port_place[port]
    emit(s, "port_damaged", rule, {"port": port, "hex": place, "hits": hits, "capacity": capacity(s, port)})


def hit_chance(board: Board) -> Fraction:
    return Fraction(len(board.pack.tables["port_demolition_and_bombing"]["hit"]), 6)


# 21.4.2, 21.4.4 Demolition and repair, last in the Movement Phase (3.2d)


def was_own(s: State, port: int) -> bool:
    """21.4.2a, 21.4.4b whether a port was friendly when the phase began."""
    return bool(s.control_before >> s.board.port_place[port] & 1) == (s.active == AXIS)


def tended(s: State, port: int) -> bool:
    """21.4.2a, 21.4.4a, 21.4.4b a port that was friendly when the phase began, with a combat unit in it or beside it;
    supply and EZOCs do not matter."""
    board, place = s.board, s.board.port_place[port]
    if board.box_mask >> place & 1 or not was_own(s, port) or not controls(s, s.active, place):
        return False
    return bool((board.around[place] | 1 << place) & s.men[s.active])


def _tended(s: State, _: object) -> int:
    return where(tended(s, port) for port in range(len(s.port_level)))


def _floored(s: State, _: object) -> int:
    """21.4.1b the ports that cannot be damaged any further."""
    return where(not boxes_right(s, port) for port in range(len(s.port_level)))


NEVER: Bar[State, object] = Bar(
    "21.4.2d",
    "the port of {port} can never be damaged",
    lambda s, _: where(not damageable for damageable in s.board.port_damageable),
)
NO_FURTHER: Bar[State, object] = Bar("21.4.1b", "the port of {port} cannot be damaged any further", _floored)
NOT_TENDED = term("{port} was not yours when the phase began, or no combat unit of yours is there")

DEMOLISHED: Bars[State, int] = Bars(
    NEVER,
    Need("21.4.2a", NOT_TENDED, _tended),
    NO_FURTHER,
    Bar("21.4.2b", "the port of {port} has been demolished in this phase", lambda s, done: done),
)
"""21.4.2 the ports that can be demolished; each once in a phase."""

DICE: Bars[State, int] = Bars(
    Need(
        "21.4.2b",
        lambda s, port, dice: Text.many(
            boxes_right(s, port),
            "at most 1 die: one for each box to the right",
            "at most {n} dice: one for each box to the right",
        ),
        lambda s, port: (1 << boxes_right(s, port)) - 1 << 1,
    )
)
"""21.4.2b up to one die for each box to the right."""

REPAIRED: Bars[State, object] = Bars(
    NEVER,
    Need(
        "21.4.4a",
        lambda s, _, port: Reason("21.4.4b" if was_own(s, port) else "21.4.4a", Text(NOT_TENDED, port=port)),
        _tended,
    ),
    Need("21.4.4c", "the port of {port} is not damaged", lambda s, _: where(level > 0 for level in s.port_level)),
    Bar(
        "21.4.4c",
        "the port of {port} has been repaired in this impulse",
        lambda s, _: where(bool(s.repaired >> place & 1) for place in s.board.port_place),
    ),
    Bar("21.4.4a", "a repair costs an RP", lambda s, _: 0 if can_pay(s, s.active, B_REPAIR) else ALL),
)
"""21.4.4 the ports that can be repaired: one box for an RP, each once in an impulse, never beyond the first box."""


def demolish(s: State, f: PortsAt, port: int, dice: int) -> None:
    s.stack[-1] = PortsAt(F_PORTS, f.done | 1 << port)
    s.stack.append(DemolitionAt(F_DEMOLITION, port, dice))


def demolition_odds(s: State, f: PortsAt, action: Action) -> Odds:
    results = tuple(
        (Text.many(n, "{n} hit", "{n} hits"), chance) for n, chance in enumerate(hits_of(s.board, action[2]))
    )
    return Odds(Text("Demolition of {hex}", hex=s.board.hex_name(s.board.port_place[action[1]])), (), results)


def repair(s: State, port: int) -> None:
    """21.4.4a, 21.4.4d the marker moves a box to the left; the capacity can be used from the next impulse on."""
    spend(s, s.active, B_REPAIR)
    place = s.board.port_place[port]
    s.port_level[port] -= 1
    s.repaired |= 1 << place
    touch(s)
    level = s.board.port_track[port][s.port_level[port]]
    emit(s, "port_repaired", "21.4.4a", {"port": port, "hex": place, "side": s.active, "capacity": level})


class Ports(Choose[State, PortsAt, int]):
    """3.2d Demolition and repair. Frame: the ports demolished in this phase, as bits."""

    at = PortsAt
    does = (
        Linked(V_DEMOLISH, first=DEMOLISHED, second=DICE, take=demolish, odds=demolition_odds),
        Each(V_REPAIR, bars=REPAIRED, take=lambda s, f, port: repair(s, port)),
        Once(V_END_PORTS, take=lambda s, f: s.stack.pop()),
    )

    def now(self, s: State, f: PortsAt) -> int:
        return f.done

    def prompt(self, s: State, f: PortsAt) -> Prompt:
        text = term(
            "Demolish or repair ports that were yours when the phase began, with a combat unit in or beside them"
        )
        return Prompt("Ports", text, ("3.2d", "21.4.2a", "21.4.4a"), PHASES[s.phase])


def hits_of(board: Board, dice: int) -> list[Fraction]:
    """The chances of 0, 1, 2 … hits with some dice."""
    hit = hit_chance(board)
    return [comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in range(dice + 1)]


class Demolition(Frame[State, DemolitionAt]):
    """21.4.2b Some dice on the port demolition table, and how many hit. Frame: port, dice."""

    at = DemolitionAt

    def actor(self, s: State, f: DemolitionAt) -> int | None:
        return CHANCE

    def legal(self, s: State, f: DemolitionAt) -> list[Action]:
        return [(V_HITS, n) for n in range(f.dice + 1)]

    def chances(self, s: State, f: DemolitionAt) -> list[tuple[Action, Fraction]]:
        return [((V_HITS, n), chance) for n, chance in enumerate(hits_of(s.board, f.dice))]

    def roll(self, s: State, f: DemolitionAt, die: Die) -> Roll:
        faces = tuple(die(6) for _ in range(f.dice))
        hits = s.board.pack.tables["port_demolition_and_bombing"]["hit"]
        return Roll((V_HITS, sum(face in hits for face in faces)), faces)

    def take(self, s: State, f: DemolitionAt, action: Action) -> None:
        s.stack.pop()
        port = f.port
        data = {"port": port, "hex": s.board.port_place[port], "side": s.active, "dice": f.dice, "hits": action[1]}
        emit(s, "demolition", "21.4.2b", data, final=True)
        damage(s, port, action[1], "21.4.1a")

    def prompt(self, s: State, f: DemolitionAt) -> Prompt:
        text = Text.many(f.dice, "1 die: 4, 5 and 6 are hits", "{n} dice: 4, 5 and 6 are hits")
        return Prompt(
            Text("Demolition of {hex}", hex=s.board.hex_name(s.board.port_place[f.port])),
            text,
            ("21.4.2b",),
            PHASES[s.phase],
        )


# 21.4.3 Bombing raids


def bases(s: State) -> int:
    """21.4.3c the enemy box that can be bombed: the Nile Delta by the Axis, Tripoli by the Allies."""
    table = s.board.pack.tables["port_demolition_and_bombing"]["base_targets"]
    return s.board.grid.boxes[table[SIDES[s.active]]]


def targets(s: State) -> Mask:
    """21.4.3b, 21.4.3c every enemy port that a hit would damage, and the enemy's base; range does not matter."""
    return held_ports(s, enemy(s.active)) & ~_places(s, _floored(s, None)) | 1 << bases(s)


def _places(s: State, ports: int) -> Mask:
    """The places of some ports on the map."""
    return sum(1 << place for port, place in enumerate(s.board.port_place) if ports >> port & 1) & ~s.board.box_mask


def _theirs(s: State, _: object) -> Mask:
    return sum(1 << h for h in s.board.port_at if not controls(s, s.active, h)) | 1 << bases(s)


class Bomb(Forced[State, F, object]):
    """21.4.3a A raid is flown at once: where?"""

    does = (
        Each(
            V_BOMB,
            bars=Bars(
                Need("21.4.3b", "{hex} is no enemy port", _theirs),
                Bar(NEVER.rule, "the port of {hex} can never be damaged", lambda s, _: _places(s, NEVER.held(s, None))),
                Bar(
                    "21.4.1b",
                    "the port of {hex} cannot be damaged any further",
                    lambda s, _: _places(s, _floored(s, None)),
                ),
                Need("21.4.3b", "{hex} is nobody's port", lambda s, _: targets(s)),
            ),
            take=lambda s, f, place: s.stack.__setitem__(-1, BombRollAt(F_BOMB_ROLL, place)),
            odds=lambda s, f, action: raid_odds(s, action[1]),
        ),
        Elsewhere("21.4.3a", "the bombing raid must be flown at once"),
    )

    def prompt(self, s: State, f: F) -> Prompt:
        text = Text("Any enemy port, or {hex}, where a hit costs a resource point", hex=s.board.hex_name(bases(s)))
        return Prompt("Bombing raid", text, ("21.4.3a", "21.4.3b", "21.4.3c"), PHASES[s.phase])


def raid_odds(s: State, place: int) -> Odds:
    hit = hit_chance(s.board)
    return Odds(Text("Raid on {hex}", hex=s.board.hex_name(place)), (), (("hit", hit), ("no effect", 1 - hit)))


class BombRoll(OneDie[State, BombRollAt]):
    """21.4.3b One die on the port demolition and bombing table. Frame: place."""

    at = BombRollAt

    def take(self, s: State, f: BombRollAt, action: Action) -> None:
        s.stack.pop()
        place, foe = f.place, enemy(s.active)
        hit = action[1] in s.board.pack.tables["port_demolition_and_bombing"]["hit"]
        data = {"hex": place, "side": s.active, "die": action[1], "hit": hit}
        emit(s, "bombing", "21.4.3b", data, final=True)
        if not hit:
            return
        if not s.board.box_mask >> place & 1:
            damage(s, s.board.port_at[place], 1, "21.4.3b")
            s.repaired &= ~(1 << place)  # 21.4.4d the box that could not be used yet is gone
        elif s.rp[foe]:
            s.rp[foe] -= 1
            emit(s, "rp_lost", "21.4.3c", {"side": foe, "held": s.rp[foe]})
        else:
            s.rp_debt[foe] = 1  # the marker is turned over: there is but one
            emit(s, "rp_owed", "21.4.3c", {"side": foe})

    def prompt(self, s: State, f: BombRollAt) -> Prompt:
        return Prompt(
            Text("Raid on {hex}", hex=s.board.hex_name(f.place)), "4, 5 and 6 are hits", ("21.4.3b",), PHASES[s.phase]
        )


FRAMES: dict[int, Frame[State, Any]] = {
    F_PORTS: Ports(),
    F_DEMOLITION: Demolition(),
    F_BOMB: Bomb(),
    F_BOMB_ROLL: BombRoll(V_ROLLED),
}

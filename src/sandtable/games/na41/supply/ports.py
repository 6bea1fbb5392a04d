"""21.4 Damage to ports and their repair: demolition, bombing raids, repair."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Odds, Prompt, Reason, Roll
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import hexes_of
from sandtable.engine.texts.text import Text, term
from sandtable.mechanics.dice import OneDie
from sandtable.mechanics.masks import enemy
from sandtable.mechanics.picking import Choose
from sandtable.mechanics.shown.telling import emit

from ..table.board import Board
from ..table.frames import BombRollAt, DemolitionAt, PortsAt
from ..table.ids import AXIS, B_REPAIR, F_BOMB, F_BOMB_ROLL, F_DEMOLITION, F_PORTS, PHASES, SIDES
from ..table.position import capacity, controls, touch
from ..table.state import State
from ..table.verbs import V_BOMB, V_DEMOLISH, V_END_PORTS, V_HITS, V_REPAIR, V_ROLLED
from .resources import can_pay, spend
from .supply_lines import held_ports

END: Action = (V_END_PORTS,)


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


def tended(s: State, port: int) -> bool:
    """21.4.2a, 21.4.4a, 21.4.4b a port that was friendly when the phase began, with a combat unit in it or beside it;
    supply and EZOCs do not matter."""
    board, side = s.board, s.active
    place = board.port_place[port]
    if board.box_mask >> place & 1 or bool(s.control_before >> place & 1) != (side == AXIS):
        return False
    return controls(s, side, place) and bool((board.around[place] | 1 << place) & s.men[side])


def demolitions(s: State, done: int) -> list[Action]:
    """21.4.2b `demolish PORT DICE`, up to one die for each box to the right; each port once in a phase."""
    return [
        (V_DEMOLISH, port, dice)
        for port in range(len(s.port_level))
        if not done >> port & 1
        for boxes in (boxes_right(s, port),)
        if boxes and tended(s, port)
        for dice in range(1, boxes + 1)
    ]


def repairs(s: State) -> list[Action]:
    """21.4.4 `repair PORT`, one box for an RP, each port once in an impulse and never beyond the first box."""
    if not can_pay(s, s.active, B_REPAIR):
        return []
    return [
        (V_REPAIR, port)
        for port, level in enumerate(s.port_level)
        if level and not s.repaired >> s.board.port_place[port] & 1 and tended(s, port)
    ]


def repair(s: State, port: int) -> None:
    """21.4.4a, 21.4.4d the marker moves a box to the left; the capacity can be used from the next impulse on."""
    spend(s, s.active, B_REPAIR)
    place = s.board.port_place[port]
    s.port_level[port] -= 1
    s.repaired |= 1 << place
    touch(s)
    level = s.board.port_track[port][s.port_level[port]]
    emit(s, "port_repaired", "21.4.4a", {"port": port, "hex": place, "side": s.active, "capacity": level})


class Ports(Choose[State, PortsAt]):
    """3.2d Demolition and repair. Frame: the ports demolished in this phase, as bits."""

    at = PortsAt

    def done(self, f: PortsAt) -> int:
        return f.done

    def run(self, s: State, f: PortsAt) -> None:
        s.stack.pop()

    def legal(self, s: State, f: PortsAt) -> list[Action]:
        return [*demolitions(s, self.done(f)), *repairs(s), END]

    def take(self, s: State, f: PortsAt, action: Action) -> None:
        if action[0] == V_DEMOLISH:
            s.stack[-1] = PortsAt(F_PORTS, self.done(f) | 1 << action[1])
            s.stack.append(DemolitionAt(F_DEMOLITION, action[1], action[2]))
        elif action[0] == V_REPAIR:
            repair(s, action[1])
        else:
            s.stack.pop()

    def odds(self, s: State, f: PortsAt, action: Action) -> Odds | None:
        if action[0] != V_DEMOLISH:
            return None
        results = tuple(
            (Text.many(n, "{n} hit", "{n} hits"), chance) for n, chance in enumerate(hits_of(s.board, action[2]))
        )
        return Odds(Text("Demolition of {hex}", hex=s.board.hex_name(s.board.port_place[action[1]])), (), results)

    def prompt(self, s: State, f: PortsAt) -> Prompt:
        text = term(
            "Demolish or repair ports that were yours when the phase began, with a combat unit in or beside them"
        )
        return Prompt("Ports", text, ("3.2d", "21.4.2a", "21.4.4a"), PHASES[s.phase])

    def why_not(self, s: State, f: PortsAt, action: Action) -> Reason | None:
        verb = action[0]
        if verb not in (V_DEMOLISH, V_REPAIR):
            return None
        board, port = s.board, action[1]
        name = board.hex_name(board.port_place[port])
        if not board.port_damageable[port]:
            return Reason("21.4.2d", Text("the port of {hex} can never be damaged", hex=name))
        if not tended(s, port):
            was = bool(s.control_before >> board.port_place[port] & 1) == (s.active == AXIS)
            rule = "21.4.4b" if verb == V_REPAIR and was else "21.4.4a" if verb == V_REPAIR else "21.4.2a"
            return Reason(
                rule, Text("{hex} was not yours when the phase began, or no combat unit of yours is there", hex=name)
            )
        if verb == V_DEMOLISH:
            if not boxes_right(s, port):
                return Reason("21.4.1b", Text("the port of {hex} cannot be damaged any further", hex=name))
            if self.done(f) >> port & 1:
                return Reason("21.4.2b", Text("the port of {hex} has been demolished in this phase", hex=name))
            one = term("at most 1 die: one for each box to the right")
            many = term("at most {n} dice: one for each box to the right")
            return Reason("21.4.2b", Text.many(boxes_right(s, port), one, many))
        if not s.port_level[port]:
            return Reason("21.4.4c", Text("the port of {hex} is not damaged", hex=name))
        if s.repaired >> board.port_place[port] & 1:
            return Reason("21.4.4c", Text("the port of {hex} has been repaired in this impulse", hex=name))
        return Reason("21.4.4a", "a repair costs an RP")


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


def targets(s: State) -> list[int]:
    """21.4.3b, 21.4.3c every enemy port that a hit would damage, and the enemy's base; range does not matter."""
    ports = [h for h in hexes_of(held_ports(s, enemy(s.active))) if boxes_right(s, s.board.port_at[h])]
    return sorted([*ports, bases(s)])


class Bomb(Frame[State]):
    """21.4.3a A raid is flown at once: where?"""

    def actor(self, s: State, f: F) -> int | None:
        return s.active if len(targets(s)) > 1 else None

    def run(self, s: State, f: F) -> None:
        self.take(s, f, (V_BOMB, bases(s)))

    def legal(self, s: State, f: F) -> list[Action]:
        return [(V_BOMB, h) for h in targets(s)]

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack[-1] = BombRollAt(F_BOMB_ROLL, action[1])

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        hit = hit_chance(s.board)
        return Odds(Text("Raid on {hex}", hex=s.board.hex_name(action[1])), (), (("hit", hit), ("no effect", 1 - hit)))

    def prompt(self, s: State, f: F) -> Prompt:
        text = Text("Any enemy port, or {hex}, where a hit costs a resource point", hex=s.board.hex_name(bases(s)))
        return Prompt("Bombing raid", text, ("21.4.3a", "21.4.3b", "21.4.3c"), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != V_BOMB:
            return Reason("21.4.3a", "the bombing raid must be flown at once")
        place = action[1]
        port = s.board.port_at.get(place, -1)
        name = s.board.hex_name(place)
        if port < 0 or controls(s, s.active, place):
            return Reason("21.4.3b", Text("{hex} is no enemy port", hex=name))
        if not s.board.port_damageable[port]:
            return Reason("21.4.2d", Text("the port of {hex} can never be damaged", hex=name))
        if not boxes_right(s, port):
            return Reason("21.4.1b", Text("the port of {hex} cannot be damaged any further", hex=name))
        return Reason("21.4.3b", Text("{hex} is nobody's port", hex=name))


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

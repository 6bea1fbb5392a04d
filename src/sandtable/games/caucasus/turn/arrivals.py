"""4.1 to 4.4, 4.7 Reinforcements: where and how they arrive."""

from __future__ import annotations

from fractions import Fraction

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Reason, Roll
from sandtable.engine.frames import F, Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.words import count
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.telling import emit

from ..supply.hqs import arrival_hexes, connected_cities, return_hexes, returning, supplied_hqs
from ..table import verbs
from ..table.ids import (
    ALPINI,
    AXIS,
    BLACK,
    BLUECHER,
    CADRE,
    CUP,
    DRAWN,
    EAST_CASPIAN,
    EASTERN,
    F_ARRIVE,
    F_DRAW,
    F_EVENT,
    F_RANDOM,
    LEND_LEASE,
    NAVAL_BOX,
    PHASES,
    SOVIET,
    TRACK,
    TURKISH_FRONT,
    WAITING,
)
from ..table.scenarios import script
from ..table.state import State, controlled, controls, put, zone

REINFORCEMENTS, HEADQUARTERS = 0, 1  # F_ARRIVE's kinds: steps (1) and (4) of the Initial Phases

_BOX_NAMES = {EAST_CASPIAN: "east_caspian", LEND_LEASE: "lend_lease", TURKISH_FRONT: "turkish_front"}
BOX_RULES = {NAVAL_BOX: "4.7b", LEND_LEASE: "4.7e", TURKISH_FRONT: "4.7f", CADRE: "17.2b"}


# 4.1 Where a reinforcement arrives


def this_turn(s: State) -> int:
    """20.1b at set-up the reinforcements of the first turn are placed."""
    return max(s.turn, script(s).first_turn)


def entry(s: State, letters: str, side: int) -> Mask:
    """4.1b, 4.1f the hexes of these entry letters that are not enemy controlled."""
    found = 0
    for letter in letters:
        found |= s.board.entry_masks[letter]
    return found & controlled(s, side)


def box_hexes(s: State, box: int) -> Mask:
    """Where a unit out of this box may be placed now."""
    board = s.board
    if box == NAVAL_BOX:  # 4.7b, EZOC or not
        return board.ports_of[BLACK] & controlled(s, SOVIET)
    if box == CADRE:  # 17.2b
        return arrival_hexes(s, s.active)
    if box == EASTERN:  # 4.2i
        return connected_cities(s, AXIS, board.cities) & ~zone(s, enemy(AXIS))
    exits = board.pack.tables["box_arrivals"][_BOX_NAMES[box]]  # 4.3b, 4.7e, 4.7f
    places = board.mask(exits.get("hexes", ())) & controlled(s, SOVIET)
    return places | entry(s, "".join(exits["entries"]), SOVIET)


def hexes_for(s: State, u: int) -> Mask:
    """4.1a to 4.3b where a reinforcement that is due may be placed, EZOC and stacking not asked (4.1e)."""
    board = s.board
    if board.hq >> u & 1 and not _on_track(s, u):
        return return_hexes(s, board.side[u])
    if u == board.brandenburg:  # 15.2b
        return arrival_hexes(s, AXIS)
    home = script(s).boxes.get(u)
    if home in (EASTERN, NAVAL_BOX, LEND_LEASE, TURKISH_FRONT):
        return box_hexes(s, home)
    letter = board.entry[u]
    if letter == "EC":
        return box_hexes(s, EAST_CASPIAN)
    if letter == "J" and not controls(s, AXIS, board.taman):  # 4.2b, 4.2c
        return entry(s, "A", AXIS) if this_turn(s) > s.due[u] else 0
    return entry(s, letter, board.side[u])


def _on_track(s: State, u: int) -> bool:
    return s.at[u] in (TRACK, WAITING)


def due(s: State, side: int) -> list[int]:
    """4.1a the reinforcements of a side for this turn, and the delayed ones of earlier turns."""
    boxes, since, turn = s.boxes, s.due, this_turn(s)
    waiting = boxes.get(TRACK, 0) | boxes.get(WAITING, 0) | boxes.get(EAST_CASPIAN, 0)
    return [u for u in units_of(waiting & s.board.of_side[side]) if since[u] <= turn]


def may_delay(s: State, u: int) -> bool:
    """4.1g whoever arrives at an entry hex may be delayed; so may units in the East Caspian box (4.3b).

    Eastern units, the Brandenburg battalion and naval brigades arrive elsewhere, HQs return by themselves
    (15.1f), and the 454th Security Division has its orders (15.9a).
    """
    board = s.board
    if u in (board.brandenburg, board.security) or (board.hq >> u & 1 and not _on_track(s, u)):
        return False
    return script(s).boxes.get(u) not in (EASTERN, NAVAL_BOX)


def arrive(s: State, u: int, h: Hex, rule: str) -> None:
    """4.1e a reinforcement is laid into its hex: at no cost, stacking and EZOC do not matter."""
    s.due[u] = 0
    put(s, u, h)
    emit(s, "arrived", rule, {"unit": u, "hex": h, "side": s.board.side[u], "shows": s.step[u]})
    if script(s).boxes.get(u) == ALPINI and not s.alpini_came:  # 4.2e
        s.alpini_came = 1
        emit(s, "alpini_level", "4.2e", {"side": AXIS})


class Arrive(Frame[State]):
    """4.1 the reinforcements of a side, or (15.1f) its returning HQs, one by one in any order."""

    def units(self, s: State, f: F) -> list[int]:
        if f[2] == HEADQUARTERS:
            return returning(s, f[1])
        return due(s, f[1])

    def options(self, s: State, f: F) -> list[Action]:
        out: list[Action] = []
        must = False
        for u in self.units(s, f):
            places = hexes_for(s, u)
            if places:
                out += [(verbs.PLACE, u, h) for h in hexes_in(places)]
                must = must or not may_delay(s, u)
        if out and not must:
            out.append((verbs.DELAY,))
        return out

    def actor(self, s: State, f: F) -> int | None:
        options = self.options(s, f)
        if len(options) < 2:
            return None
        s.choices = options
        return f[1]

    def run(self, s: State, f: F) -> None:
        forced = self.options(s, f)
        if forced:
            self.take(s, f, forced[0])
        else:
            self.finish(s, f)

    def legal(self, s: State, f: F) -> list[Action]:
        return self.options(s, f)

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.DELAY:
            self.finish(s, f)
            return
        _, u, h = action
        arrive(s, u, h, "15.1f" if f[2] == HEADQUARTERS else "4.1a")

    def finish(self, s: State, f: F) -> None:
        """4.1f, 4.1g whoever could not or should not come waits."""
        s.stack.pop()
        left = self.units(s, f)
        for u in left:
            if s.at[u] == TRACK:
                put(s, u, WAITING)
        if left:
            blocked = not any(hexes_for(s, u) for u in left)
            emit(s, "delayed", "4.1f" if blocked else "4.1g", {"units": left, "side": f[1]})

    def prompt(self, s: State, f: F) -> Prompt:
        phase = PHASES[s.phase]
        units = self.units(s, f)
        if f[2] == HEADQUARTERS:
            return Prompt("HQs return", "Place the HQs that were eliminated or removed", ("15.1f",), phase)
        some = ", ".join(s.board.unit_names[u] for u in units[:3]) + (" and more" if len(units) > 3 else "")
        rules = ("20.1b", "4.1a") if s.phase == PHASES.index("setup") else ("4.1a", "4.1g")
        return Prompt("Reinforcements", f"Place {some}, or delay them", rules, phase)

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == verbs.DELAY:
            held = next(u for u in self.units(s, f) if not may_delay(s, u))
            return Reason(_delay_rule(s, held), f"{s.board.unit_names[held]} may not be delayed")
        if action[0] != verbs.PLACE:
            return None
        _, u, h = action
        name, where = s.board.unit_names[u], s.board.hex_name(h)
        if u not in self.units(s, f):
            if s.at[u] >= 0:
                return Reason("4.1a", f"{name} is on the map")
            if _on_track(s, u) and s.board.side[u] == f[1]:
                return Reason("4.1a", f"{name} arrives on turn {s.due[u]}")
            return Reason("4.1a", f"{name} is not among the arrivals of this phase")
        return _wrong_place(s, u, h, name, where)


def _delay_rule(s: State, u: int) -> str:
    if s.board.hq >> u & 1:
        return "15.1f"
    return "15.9a" if u == s.board.security else "15.2b" if u == s.board.brandenburg else "4.2i"


def _wrong_place(s: State, u: int, h: Hex, name: str, where: str) -> Reason:
    """Why a unit that is due may not be placed in this hex."""
    board = s.board
    places = hexes_for(s, u)
    if board.hq >> u & 1 and not _on_track(s, u):
        return Reason("15.1f", f"{name} returns to a connected major city or an entry hex of yours, not to {where}")
    if u == board.brandenburg:
        return Reason("15.2b", f"{name} arrives at a fully supplied HQ or in a connected major city, not in {where}")
    if script(s).boxes.get(u) == EASTERN:
        return Reason("4.2i", f"{name} arrives in a connected city of yours outside EZOC, not in {where}")
    letter = board.entry[u]
    if letter == "EC":
        return Reason("4.3b", f"{name} arrives at Astrakhan, Makhachkala or entry hex F, if they are Soviet controlled")
    if letter == "J" and not controls(s, AXIS, board.taman):
        if not places:
            return Reason("4.2c", f"{name} waits for Taman, or arrives next turn at an A entry hex")
        return Reason("4.2c", f"without Taman, {name} arrives at an A entry hex")
    if letter and h in board.entries[letter]:
        return Reason("4.1f", f"{where} is enemy controlled")
    return Reason("4.1b", f"{name} arrives at {letter or 'its'} entry hexes, and {where} is none of them")


# 4.2f, 4.3b Units that become due


def in_box(s: State, box: int) -> list[int]:
    """The units in a box, in the order of the roster."""
    return list(units_of(s.boxes.get(box, 0)))


def call_up(s: State, side: int) -> None:
    """The boxes open: Blücher II when Taman is held (4.2f), the East Caspian box for those on the track (4.3b)."""
    if side == AXIS:
        if controls(s, AXIS, s.board.taman):
            for u in in_box(s, BLUECHER):
                put(s, u, TRACK)
                s.due[u] = s.turn
                emit(s, "called_up", "4.2f", {"unit": u, "side": AXIS})
        return
    for u in in_box(s, TRACK):
        if s.board.entry[u] == "EC" and s.due[u] <= s.turn:
            put(s, u, EAST_CASPIAN)
            s.due[u] = s.turn + 1
            emit(s, "called_up", "4.3a", {"unit": u, "side": SOVIET, "box": EAST_CASPIAN})


# 4.4 Random reinforcements


class Draw(Frame[State]):
    """4.4b, A4 exactly three counters are drawn from the cup, as long as it has any."""

    def cup(self, s: State) -> list[int]:
        return in_box(s, CUP)

    def actor(self, s: State, f: F) -> int | None:
        if f[1] >= s.board.pack.tables["random_pool"]["draw"]:
            return None
        return CHANCE if len(self.cup(s)) + s.none_chits else None

    def run(self, s: State, f: F) -> None:
        s.stack[-1] = (F_RANDOM, 0)

    def legal(self, s: State, f: F) -> list[Action]:
        out: list[Action] = [(verbs.DREW, u) for u in self.cup(s)]
        if s.none_chits:
            out.append((verbs.DREW_NONE,))
        return out

    def chances(self, s: State, f: F) -> list[tuple[Action, Fraction]]:
        actions = self.legal(s, f)
        total = len(self.cup(s)) + s.none_chits
        return [(a, Fraction(s.none_chits if a[0] == verbs.DREW_NONE else 1, total)) for a in actions]

    def roll(self, s: State, f: F, die: Die) -> Roll:
        cup = self.cup(s)
        face = die(len(cup) + s.none_chits)
        return Roll((verbs.DREW, cup[face - 1]) if face <= len(cup) else (verbs.DREW_NONE,), (face,))

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack[-1] = (F_DRAW, f[1] + 1)
        if action[0] == verbs.DREW_NONE:  # 4.4i, 4.4j it leaves the game
            s.none_chits -= 1
            emit(s, "drew_none", "4.4i", {"side": SOVIET, "left": s.none_chits}, final=True)
            return
        put(s, action[1], DRAWN)
        emit(s, "drew", "4.4b", {"unit": action[1], "side": SOVIET}, final=True)

    def prompt(self, s: State, f: F) -> Prompt:
        text = f"The cup holds {count(len(self.cup(s)), 'unit')} and {count(s.none_chits, 'None chit')}"
        return Prompt("Random reinforcements", text, ("4.4b", "4.4i"), PHASES[s.phase])


def random_places(s: State, taken: tuple[int, ...]) -> Mask:
    """4.4d, 4.4e, 4.4g where the next of the others may be placed; `taken` are the hexes of this phase.

    A front HQ in full supply, or one of the four cities, Soviet controlled and connected by rail. One unit a
    hex; two in a major city that also holds a front HQ (A6: in all).
    """
    board = s.board
    kept = s.ground.kept
    cities: Mask | None = kept.get("random_cities")
    if cities is None:
        cities = kept["random_cities"] = board.mask(board.pack.tables["random_pool"]["city_hexes"])
    places = supplied_hqs(s, SOVIET) | connected_cities(s, SOVIET, cities)
    for h in taken:
        with_hq = board.major_cities >> h & 1 and s.here.get(h, 0) & board.hq
        if taken.count(h) >= (2 if with_hq else 1):
            places &= ~(1 << h)
    return places


class Random(Frame[State]):
    """4.4c to 4.4f the drawn units are placed: first the one for Tbilisi, then the others.

    The frame carries whether Tbilisi has had its unit, then the hexes used so far.
    """

    def drawn(self, s: State) -> list[int]:
        return in_box(s, DRAWN)

    def options(self, s: State, f: F) -> list[Action]:
        drawn = self.drawn(s)
        if not f[1]:
            if controls(s, SOVIET, s.board.tbilisi):  # 4.4c
                return [(verbs.PLACE, u, s.board.tbilisi) for u in drawn]
            return [(verbs.DROP, u) for u in drawn]  # 4.4c, A5 that unit is lost
        places = hexes_in(random_places(s, f[2:]))
        return [(verbs.PLACE, u, h) for u in drawn for h in places]

    def actor(self, s: State, f: F) -> int | None:
        options = self.options(s, f)
        if len(options) < 2:
            return None
        s.choices = options
        return SOVIET

    def run(self, s: State, f: F) -> None:
        forced = self.options(s, f)
        if forced:
            self.take(s, f, forced[0])
            return
        s.stack.pop()
        for u in self.drawn(s):
            _lose(s, u, "4.4f")

    def legal(self, s: State, f: F) -> list[Action]:
        return self.options(s, f)

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == verbs.DROP:
            s.stack[-1] = (F_RANDOM, 1, *f[2:])
            _lose(s, action[1], "4.4c")
            return
        _, u, h = action
        s.stack[-1] = (F_RANDOM, 1, *f[2:], h)
        arrive(s, u, h, "4.4d" if f[1] else "4.4c")

    def prompt(self, s: State, f: F) -> Prompt:
        names = ", ".join(s.board.unit_names[u] for u in self.drawn(s))
        rules: tuple[str, ...] = ("4.4c",)
        if f[1]:
            text, rules = f"Place {names} at a front HQ in full supply or in a connected major city", ("4.4d", "4.4e")
        elif controls(s, SOVIET, s.board.tbilisi):
            text = f"Which of them goes to Tbilisi: {names}?"
        else:
            text = f"Tbilisi is lost. Which of them is lost with it: {names}?"
        return Prompt("Random reinforcements", text, rules, PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] != verbs.PLACE:
            return None
        _, u, h = action
        name, where = s.board.unit_names[u], s.board.hex_name(h)
        if s.at[u] != DRAWN:
            return Reason("4.4b", f"{name} has not been drawn")
        if not f[1]:
            return Reason("4.4c", "one of the units drawn must go to Tbilisi first")
        if random_places(s, ()) >> h & 1:
            return Reason("4.4e", f"{where} has taken its random reinforcement of this turn")
        return Reason("4.4d", f"{where} is neither a front HQ in full supply nor a connected city of the four")


def _lose(s: State, u: int, rule: str) -> None:
    """4.4c, 4.4f a unit without a place goes to the Cadre Box."""
    s.step[u] = s.board.steps[u] - 1
    put(s, u, CADRE)
    emit(s, "lost", rule, {"unit": u, "side": SOVIET, "box": CADRE})


# 4.7 Units out of boxes


class FromBox(Frame[State]):
    """4.7b, 4.7e, 4.7f the event's unit, or (17.2b, 4.5g) a unit out of the Cadre Box, is placed.

    The frame carries the unit, -1 if the player may choose it, and the box whose rule says where.
    """

    def units(self, s: State, f: F) -> list[int]:
        return [f[1]] if f[1] >= 0 else in_box(s, f[2])

    def options(self, s: State, f: F) -> list[Action]:
        places = hexes_in(box_hexes(s, f[2]))
        out: list[Action] = [(verbs.PLACE, u, h) for u in self.units(s, f) for h in places]
        if out and f[2] in (LEND_LEASE, TURKISH_FRONT):  # 4.1g
            out.append((verbs.DELAY,))
        return out

    def actor(self, s: State, f: F) -> int | None:
        return s.active if len(self.options(s, f)) > 1 else None

    def run(self, s: State, f: F) -> None:
        forced = self.options(s, f)
        self.take(s, f, forced[0] if forced else (verbs.DELAY,))

    def legal(self, s: State, f: F) -> list[Action]:
        return self.options(s, f)

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        if action[0] == verbs.DELAY:  # 4.1f, 4.1g the first unit of the box waits for a later turn
            u = self.units(s, f)[0]
            put(s, u, WAITING)
            s.due[u] = s.turn
            emit(s, "delayed", "4.1g", {"units": [u], "side": s.active})
            return
        _, u, h = action
        arrive(s, u, h, BOX_RULES[f[2]])

    def prompt(self, s: State, f: F) -> Prompt:
        names = [s.board.unit_names[u] for u in self.units(s, f)]
        text = f"Where does {names[0]} arrive?" if len(names) == 1 else f"Place one of these: {', '.join(names)}"
        return Prompt("A unit arrives", text, (BOX_RULES[f[2]],), PHASES[s.phase])

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == verbs.DELAY:
            return Reason("4.1g", "only a reinforcement that arrives at an entry hex may be delayed")
        if action[0] != verbs.PLACE:
            return None
        name, where = s.board.unit_names[action[1]], s.board.hex_name(action[2])
        if action[1] not in self.units(s, f):
            return Reason(BOX_RULES[f[2]], f"{name} is not the unit that arrives")
        if f[2] == NAVAL_BOX:
            return Reason("4.7b", f"{where} is no Soviet controlled port on the Black Sea")
        if f[2] == LEND_LEASE:
            return Reason("4.7e", "lend-lease tanks arrive at entry hex F or G, if it is Soviet controlled")
        if f[2] == TURKISH_FRONT:
            return Reason("4.7f", "divisions from the Turkish front arrive at entry hex G or H, if Soviet controlled")
        return Reason("17.2b", f"{where} is neither a fully supplied HQ that has not moved nor a connected major city")


FRAMES: dict[int, Frame[State]] = {
    F_ARRIVE: Arrive(),
    F_DRAW: Draw(),
    F_RANDOM: Random(),
    F_EVENT: FromBox(),
}

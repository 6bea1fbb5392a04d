"""4.1 to 4.4, 4.7 Reinforcements: where and how they arrive."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sandtable.engine.contract import CHANCE, Action, Die, Prompt, Reason, Roll
from sandtable.engine.frames import Frame
from sandtable.engine.hexes import Hex, Mask
from sandtable.engine.texts.text import Fact, Text, term
from sandtable.mechanics.bars import ALL, Bar, Bars, Need
from sandtable.mechanics.masks import enemy, hexes_in, units_of
from sandtable.mechanics.memory import remembered
from sandtable.mechanics.phases import Each, Forced, Listed, Once
from sandtable.mechanics.shown.telling import emit

from ..supply.hqs import arrival_hexes, connected_cities, return_hexes, returning, supplied_hqs
from ..table import verbs
from ..table.board import Board
from ..table.frames import ArriveAt, BoxAt, RandomAt, StepAt
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


def arriving(s: State, f: ArriveAt) -> list[int]:
    """The reinforcements of a side, or (15.1f) its returning HQs."""
    return returning(s, f.side) if f.kind == HEADQUARTERS else due(s, f.side)


def _arrivals(s: State, f: ArriveAt) -> list[tuple[int, int]]:
    return [(u, h) for u in arriving(s, f) for h in hexes_in(hexes_for(s, u))]


def why_not_there(s: State, f: ArriveAt, pair: Sequence[int]) -> Reason | None:
    """4.1 to 4.3 why a unit is not placed in a hex."""
    u, h = pair
    board, places = s.board, hexes_for(s, u)
    facts: dict[str, Fact] = {"unit": u, "hex": h, "turn": s.due[u]}
    if u not in arriving(s, f):
        if s.at[u] >= 0:
            return Reason("4.1a", Text("{unit} is on the map", **facts))
        if _on_track(s, u) and board.side[u] == f.side:
            return Reason("4.1a", Text("{unit} arrives on turn {turn}", **facts))
        return Reason("4.1a", Text("{unit} is not among the arrivals of this phase", **facts))
    if places >> h & 1:
        return None
    if board.hq >> u & 1 and not _on_track(s, u):
        sentence = term("{unit} returns to a connected major city or an entry hex of yours, not to {hex}")
        return Reason("15.1f", Text(sentence, **facts))
    if u == board.brandenburg:
        sentence = term("{unit} arrives at a fully supplied HQ or in a connected major city, not in {hex}")
        return Reason("15.2b", Text(sentence, **facts))
    if script(s).boxes.get(u) == EASTERN:
        return Reason("4.2i", Text("{unit} arrives in a connected city of yours outside EZOC, not in {hex}", **facts))
    letter = board.entry[u]
    if letter == "EC":
        sentence = term("{unit} arrives at Astrakhan, Makhachkala or entry hex F, if they are Soviet controlled")
        return Reason("4.3b", Text(sentence, **facts))
    if letter == "J" and not controls(s, AXIS, board.taman):
        if not places:
            return Reason("4.2c", Text("{unit} waits for Taman, or arrives next turn at an A entry hex", **facts))
        return Reason("4.2c", Text("without Taman, {unit} arrives at an A entry hex", **facts))
    if letter and h in board.entries[letter]:
        return Reason("4.1f", Text("{hex} is enemy controlled", **facts))
    if letter:
        sentence = term("{unit} arrives at {letter} entry hexes, and {hex} is none of them")
        return Reason("4.1b", Text(sentence, letter=letter, **facts))
    return Reason("4.1b", Text("{unit} arrives at its entry hexes, and {hex} is none of them", **facts))


def _must_come(s: State, f: ArriveAt) -> Reason | None:
    """4.1g who may not be delayed and can arrive."""
    held = next((u for u in arriving(s, f) if hexes_for(s, u) and not may_delay(s, u)), -1)
    if held < 0:
        return None
    return Reason(_delay_rule(s, held), Text("{unit} may not be delayed", unit=held))


def _delay_rule(s: State, u: int) -> str:
    if s.board.hq >> u & 1:
        return "15.1f"
    return "15.9a" if u == s.board.security else "15.2b" if u == s.board.brandenburg else "4.2i"


def _arrive(s: State, f: ArriveAt, u: int, h: Hex) -> None:
    arrive(s, u, h, "15.1f" if f.kind == HEADQUARTERS else "4.1a")


def finish(s: State, f: ArriveAt) -> None:
    """4.1f, 4.1g whoever could not or should not come waits."""
    s.stack.pop()
    left = arriving(s, f)
    for u in left:
        if s.at[u] == TRACK:
            put(s, u, WAITING)
    if left:
        blocked = not any(hexes_for(s, u) for u in left)
        emit(s, "delayed", "4.1f" if blocked else "4.1g", {"units": left, "side": f.side})


class Arrive(Forced[State, ArriveAt, ArriveAt]):
    """4.1 the reinforcements of a side, or (15.1f) its returning HQs, one by one in any order."""

    at = ArriveAt
    does = (
        Listed(
            verbs.PLACE,
            of=lambda s, f, _: _arrivals(s, f),
            reason=lambda s, f, _, pair: why_not_there(s, f, pair),
            take=_arrive,
            others=lambda s, f, _: [(u, h) for u in arriving(s, f) for h in hexes_in(s.board.places)],
        ),
        Once(verbs.DELAY, take=finish, shut=_must_come),
    )

    def now(self, s: State, f: ArriveAt) -> ArriveAt:
        return f

    def legal(self, s: State, f: ArriveAt) -> list[Action]:
        """Nobody is delayed where nobody can arrive."""
        found = super().legal(s, f)
        return [] if found == [(verbs.DELAY,)] else found

    def chooser(self, s: State, f: ArriveAt) -> int:
        return f.side

    def nothing(self, s: State, f: ArriveAt) -> None:
        finish(s, f)

    def prompt(self, s: State, f: ArriveAt) -> Prompt:
        phase = PHASES[s.phase]
        units = tuple(arriving(s, f))
        if f.kind == HEADQUARTERS:
            return Prompt("HQs return", "Place the HQs that were eliminated or removed", ("15.1f",), phase)
        text = Text("Place {units}, or delay them", units=units)
        if len(units) > 3:
            text = Text("Place {units} and more, or delay them", units=units[:3])
        rules = ("20.1b", "4.1a") if s.phase == PHASES.index("setup") else ("4.1a", "4.1g")
        return Prompt("Reinforcements", text, rules, phase)


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


class Draw(Frame[State, StepAt]):
    """4.4b, A4 exactly three counters are drawn from the cup, as long as it has any."""

    at = StepAt

    def cup(self, s: State) -> list[int]:
        return in_box(s, CUP)

    def actor(self, s: State, f: StepAt) -> int | None:
        if f.step >= s.board.pack.tables["random_pool"]["draw"]:
            return None
        return CHANCE if len(self.cup(s)) + s.none_chits else None

    def run(self, s: State, f: StepAt) -> None:
        s.stack[-1] = RandomAt(F_RANDOM, 0)

    def legal(self, s: State, f: StepAt) -> list[Action]:
        out: list[Action] = [(verbs.DREW, u) for u in self.cup(s)]
        if s.none_chits:
            out.append((verbs.DREW_NONE,))
        return out

    def chances(self, s: State, f: StepAt) -> list[tuple[Action, Fraction]]:
        actions = self.legal(s, f)
        total = len(self.cup(s)) + s.none_chits
        return [(a, Fraction(s.none_chits if a[0] == verbs.DREW_NONE else 1, total)) for a in actions]

    def roll(self, s: State, f: StepAt, die: Die) -> Roll:
        cup = self.cup(s)
        face = die(len(cup) + s.none_chits)
        return Roll((verbs.DREW, cup[face - 1]) if face <= len(cup) else (verbs.DREW_NONE,), (face,))

    def take(self, s: State, f: StepAt, action: Action) -> None:
        s.stack[-1] = f._replace(step=f.step + 1)
        if action[0] == verbs.DREW_NONE:  # 4.4i, 4.4j it leaves the game
            s.none_chits -= 1
            emit(s, "drew_none", "4.4i", {"side": SOVIET, "left": s.none_chits}, final=True)
            return
        put(s, action[1], DRAWN)
        emit(s, "drew", "4.4b", {"unit": action[1], "side": SOVIET}, final=True)

    def prompt(self, s: State, f: StepAt) -> Prompt:
        units = Text.many(len(self.cup(s)), "{n} unit", "{n} units")
        chits = Text.many(s.none_chits, "{n} None chit", "{n} None chits")
        text = Text("The cup holds {content} and {chits}", content=units, chits=chits)
        return Prompt("Random reinforcements", text, ("4.4b", "4.4i"), PHASES[s.phase])


@remembered()
def _random_cities(board: Board) -> Mask:
    return board.mask(board.pack.tables["random_pool"]["city_hexes"])


def random_places(s: State, taken: tuple[int, ...]) -> Mask:
    """4.4d, 4.4e, 4.4g where the next of the others may be placed; `taken` are the hexes of this phase.

    A front HQ in full supply, or one of the four cities, Soviet controlled and connected by rail. One unit a
    hex; two in a major city that also holds a front HQ (A6: in all).
    """
    board = s.board
    places = supplied_hqs(s, SOVIET) | connected_cities(s, SOVIET, _random_cities(board))
    for h in taken:
        with_hq = board.major_cities >> h & 1 and s.here.get(h, 0) & board.hq
        if taken.count(h) >= (2 if with_hq else 1):
            places &= ~(1 << h)
    return places


def drawn(s: State) -> list[int]:
    return in_box(s, DRAWN)


def _random_places(s: State, f: RandomAt) -> Mask:
    """4.4c first the one for Tbilisi, then the others."""
    if f.served:
        return random_places(s, f.taken)
    return 1 << s.board.tbilisi if controls(s, SOVIET, s.board.tbilisi) else 0


DRAWN_UNITS: Bars[State, RandomAt] = Bars(
    Need("4.4b", "{unit} has not been drawn", lambda s, f: s.boxes.get(DRAWN, 0)),
)
RANDOM: Bars[State, RandomAt] = Bars(
    Bar(
        "4.4c",
        "one of the units drawn must go to Tbilisi first",
        lambda s, f: 0 if f.served else ~_random_places(s, f),
    ),
    Bar(
        "4.4e",
        "{hex} has taken its random reinforcement of this turn",
        lambda s, f: random_places(s, ()) & ~random_places(s, f.taken) if f.served else 0,
    ),
    Need("4.4d", "{hex} is neither a front HQ in full supply nor a connected city of the four", _random_places),
)


def why_not_random(s: State, f: RandomAt, pair: Sequence[int]) -> Reason | None:
    """4.4 what keeps a drawn unit from a hex."""
    u, h = pair
    return DRAWN_UNITS.why(u, s, f, {"unit": u}) or RANDOM.why(h, s, f, {"hex": h})


LOST: Bars[State, RandomAt] = Bars(
    DRAWN_UNITS,
    Bar(  # 4.4c, A5
        "4.4c",
        "a unit is lost only in the place of one for Tbilisi, when that has fallen",
        lambda s, f: ALL if f.served or controls(s, SOVIET, s.board.tbilisi) else 0,
    ),
)


def _drop(s: State, f: RandomAt, u: int) -> None:
    s.stack[-1] = RandomAt(F_RANDOM, 1, *f.taken)
    _lose(s, u, "4.4c")


def _place(s: State, f: RandomAt, u: int, h: Hex) -> None:
    s.stack[-1] = RandomAt(F_RANDOM, 1, *f.taken, h)
    arrive(s, u, h, "4.4d" if f.served else "4.4c")


class Random(Forced[State, RandomAt, RandomAt]):
    """4.4c to 4.4f the drawn units are placed: first the one for Tbilisi, then the others."""

    at = RandomAt
    does = (
        Listed(
            verbs.PLACE,
            of=lambda s, f, _: [(u, h) for u in drawn(s) for h in hexes_in(_random_places(s, f))],
            reason=lambda s, f, _, pair: why_not_random(s, f, pair),
            take=_place,
            others=lambda s, f, _: [(u, h) for u in drawn(s) for h in hexes_in(s.board.places | s.occ[SOVIET])],
        ),
        Each(verbs.DROP, of=lambda s, f: s.boxes.get(DRAWN, 0), bars=LOST, take=_drop),
    )

    def now(self, s: State, f: RandomAt) -> RandomAt:
        return f

    def chooser(self, s: State, f: RandomAt) -> int:
        return SOVIET

    def nothing(self, s: State, f: RandomAt) -> None:
        s.stack.pop()
        for u in drawn(s):
            _lose(s, u, "4.4f")

    def prompt(self, s: State, f: RandomAt) -> Prompt:
        units = tuple(drawn(s))
        rules: tuple[str, ...] = ("4.4c",)
        if f.served:
            sentence = term("Place {units} at a front HQ in full supply or in a connected major city")
            text, rules = Text(sentence, units=units), ("4.4d", "4.4e")
        elif controls(s, SOVIET, s.board.tbilisi):
            text = Text("Which of them goes to Tbilisi: {units}?", units=units)
        else:
            text = Text("Tbilisi is lost. Which of them is lost with it: {units}?", units=units)
        return Prompt("Random reinforcements", text, rules, PHASES[s.phase])


def _lose(s: State, u: int, rule: str) -> None:
    """4.4c, 4.4f a unit without a place goes to the Cadre Box."""
    s.step[u] = s.board.steps[u] - 1
    put(s, u, CADRE)
    emit(s, "lost", rule, {"unit": u, "side": SOVIET, "box": CADRE})


# 4.7 Units out of boxes


def candidates(s: State, f: BoxAt) -> list[int]:
    return [f.unit] if f.unit >= 0 else in_box(s, f.box)


IS_COMING: Bars[State, BoxAt] = Bars(
    Need(
        "",
        lambda s, f, u: Reason(BOX_RULES[f.box], Text("{unit} is not the unit that arrives", unit=u)),
        lambda s, f: sum(1 << u for u in candidates(s, f)),
    ),
)


def _outside(s: State, f: BoxAt, box: int) -> Mask:
    return ~box_hexes(s, box) if f.box == box else 0


OUT_OF_BOX: Bars[State, BoxAt] = Bars(
    Bar("4.7b", "{hex} is no Soviet controlled port on the Black Sea", lambda s, f: _outside(s, f, NAVAL_BOX)),
    Bar(
        "4.7e",
        "lend-lease tanks arrive at entry hex F or G, if it is Soviet controlled",
        lambda s, f: _outside(s, f, LEND_LEASE),
    ),
    Bar(
        "4.7f",
        "divisions from the Turkish front arrive at entry hex G or H, if Soviet controlled",
        lambda s, f: _outside(s, f, TURKISH_FRONT),
    ),
    Bar(
        "17.2b",
        "{hex} is neither a fully supplied HQ that has not moved nor a connected major city",
        lambda s, f: _outside(s, f, CADRE),
    ),
)


def why_not_out(s: State, f: BoxAt, pair: Sequence[int]) -> Reason | None:
    """4.7, 17.2b what keeps a unit out of a box from a hex."""
    u, h = pair
    return IS_COMING.why(u, s, f, {"unit": u}) or OUT_OF_BOX.why(h, s, f, {"hex": h})


def _no_delay(s: State, f: BoxAt) -> Reason | None:
    """4.1g only at entry hexes."""
    if f.box in (LEND_LEASE, TURKISH_FRONT):
        return None
    return Reason("4.1g", "only a reinforcement that arrives at an entry hex may be delayed")


def _come(s: State, f: BoxAt, u: int, h: Hex) -> None:
    s.stack.pop()
    arrive(s, u, h, BOX_RULES[f.box])


def _wait(s: State, f: BoxAt) -> None:
    """4.1f, 4.1g the first unit of the box waits for a later turn."""
    s.stack.pop()
    u = candidates(s, f)[0]
    put(s, u, WAITING)
    s.due[u] = s.turn
    emit(s, "delayed", "4.1g", {"units": [u], "side": s.active})


class FromBox(Forced[State, BoxAt, BoxAt]):
    """4.7b, 4.7e, 4.7f the event's unit, or (17.2b, 4.5g) a unit out of the Cadre Box, is placed."""

    at = BoxAt
    does = (
        Listed(
            verbs.PLACE,
            of=lambda s, f, _: [(u, h) for u in candidates(s, f) for h in hexes_in(box_hexes(s, f.box))],
            reason=lambda s, f, _, pair: why_not_out(s, f, pair),
            take=_come,
            others=lambda s, f, _: [(u, h) for u in candidates(s, f) for h in hexes_in(s.board.places)],
        ),
        Once(verbs.DELAY, take=_wait, shut=_no_delay),
    )

    def now(self, s: State, f: BoxAt) -> BoxAt:
        return f

    def chooser(self, s: State, f: BoxAt) -> int:
        return s.active

    def nothing(self, s: State, f: BoxAt) -> None:
        _wait(s, f)

    def prompt(self, s: State, f: BoxAt) -> Prompt:
        units = tuple(candidates(s, f))
        text = Text("Place one of these: {units}", units=units)
        if len(units) == 1:
            text = Text("Where does {unit} arrive?", unit=units[0])
        return Prompt("A unit arrives", text, (BOX_RULES[f.box],), PHASES[s.phase])


FRAMES: dict[int, Frame[State, Any]] = {
    F_ARRIVE: Arrive(),
    F_DRAW: Draw(),
    F_RANDOM: Random(),
    F_EVENT: FromBox(),
}

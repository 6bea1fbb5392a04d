"""A small, complete game for the engine's own tests: two sides, hidden strengths, dice, a few turns.

"Causeway": seven hexes in a line, three blocks a side, strengths 1, 2 and 3 assigned in secret.
Each turn a die says who goes first; a side makes up to two moves, each a block and then a hex; a move
onto enemy blocks is a battle, which reveals both blocks and rolls a die for each point of strength.
The game ends after six turns, or when a side has no block left; more blocks win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from sandtable.engine.actions import Codec, Kind, Verb, numbers
from sandtable.engine.contract import (
    CHANCE,
    Action,
    Die,
    Event,
    GameInfo,
    Illegal,
    Odds,
    Option,
    Outcome,
    Prompt,
    Reason,
    Roll,
    Scenario,
    Term,
    View,
)
from sandtable.engine.frames import F, Frame, FrameGame
from sandtable.engine.log import Entry, Log
from sandtable.engine.migrations import migration, rewrite

SIDES = ("red", "blue")
HEXES = 7
BLOCKS = 3
GONE = -1

ASSIGN, FIRST, BLOCK, TO, ATTACK, PASS, RESULT = range(7)
WON, LOST, DRAWN = range(3)

_block = Kind("block", ("A", "B", "C", "X", "Y", "Z"))
_hex = Kind("hex", tuple(f"H{i}" for i in range(HEXES)))
CODEC = Codec(
    [
        Verb("assign", (("block", _block), ("strength", numbers("strength", 4)))),
        Verb("first", (("side", Kind("side", SIDES)),)),
        Verb("block", (("block", _block),)),
        Verb("to", (("hex", _hex),)),
        Verb("attack", (("hex", _hex),)),
        Verb("pass"),
        Verb("result", (("result", Kind("result", ("won", "lost", "drawn"))),)),
    ]
)


class State:
    """What lies on the causeway."""

    __slots__ = ("actor", "at", "choices", "ended", "events", "long", "seen", "stack", "strength", "turn")

    def __init__(self) -> None:
        self.stack: list[tuple[int, ...]] = []
        self.actor = CHANCE
        self.events: list[Event] = []
        self.choices: list[Action] | None = None
        self.ended: Outcome | None = None
        self.turn = 0
        self.long = False
        self.at = [0, 0, 0, HEXES - 1, HEXES - 1, HEXES - 1]
        self.strength = [0] * (2 * BLOCKS)
        self.seen = [False] * (2 * BLOCKS)

    def copy(self) -> State:
        new = State.__new__(State)
        new.stack = self.stack.copy()
        new.actor = self.actor
        new.events = []
        new.choices = None
        new.ended = self.ended
        new.turn = self.turn
        new.long = self.long
        new.at = self.at.copy()
        new.strength = self.strength.copy()
        new.seen = self.seen.copy()
        return new


def own(side: int) -> range:
    return range(side * BLOCKS, side * BLOCKS + BLOCKS)


def left(s: State, side: int) -> int:
    return sum(s.at[b] != GONE for b in own(side))


class Setup(Frame[State]):
    """1 A side assigns its strengths in secret."""

    def actor(self, s: State, f: F) -> int:
        return f[1]

    def legal(self, s: State, f: F) -> list[Action]:
        used = {s.strength[b] for b in own(f[1])}
        block = next(b for b in own(f[1]) if not s.strength[b])
        return [(ASSIGN, block, n) for n in (1, 2, 3) if n not in used]

    def take(self, s: State, f: F, action: Action) -> None:
        _, block, strength = action
        s.strength[block] = strength
        s.events.append(Event("assigned", "1.2", {"block": block}, f[1], {"strength": strength}))
        if all(s.strength[b] for b in own(f[1])):
            s.stack.pop()

    def prompt(self, s: State, f: F) -> Prompt:
        return Prompt("Assign a strength", "Nobody else sees it.", ("1.2",), "setup")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == ASSIGN and action[1] in own(f[1]) and action[2] in (1, 2, 3):
            return Reason("1.3", "each strength is used once, block after block")
        return None


class Turn(Frame[State]):
    """2 A turn: a die for the first side, then each side's moves."""

    def actor(self, s: State, f: F) -> int | None:
        return CHANCE if s.turn < (8 if s.long else 6) and left(s, 0) and left(s, 1) else None

    def run(self, s: State, f: F) -> None:
        red, blue = left(s, 0), left(s, 1)
        winner = None if red == blue else int(blue > red)
        s.ended = Outcome(winner, "destroyed" if not (red and blue) else "by count", abs(red - blue), "3.1")
        s.events.append(Event("over", "3.1", {"red": red, "blue": blue}, final=True))

    def legal(self, s: State, f: F) -> list[Action]:
        return [(FIRST, 0), (FIRST, 1)]

    def chances(self, s: State, f: F) -> list[tuple[Action, Fraction]]:
        return [((FIRST, 0), Fraction(1, 2)), ((FIRST, 1), Fraction(1, 2))]

    def roll(self, s: State, f: F, die: Die) -> Roll:
        face = die(6)
        return Roll((FIRST, int(face > 3)), (face,))

    def take(self, s: State, f: F, action: Action) -> None:
        first = action[1]
        s.turn += 1
        s.events.append(Event("first", "2.1", {"side": first, "turn": s.turn}, final=True))
        s.stack += [(MOVES, 1 - first, 2), (MOVES, first, 2)]

    def prompt(self, s: State, f: F) -> Prompt:
        return Prompt("Who goes first?", rules=("2.1",), phase="turn")


class Moves(Frame[State]):
    """2.2 Up to two moves."""

    def actor(self, s: State, f: F) -> int | None:
        return f[1] if f[2] and left(s, 0) and left(s, 1) else None

    def run(self, s: State, f: F) -> None:
        s.stack.pop()

    def legal(self, s: State, f: F) -> list[Action]:
        return [*((BLOCK, b) for b in own(f[1]) if s.at[b] != GONE), (PASS,)]

    def take(self, s: State, f: F, action: Action) -> None:
        if action[0] == PASS:
            s.stack.pop()
            s.events.append(Event("passed", "2.2", {"side": f[1]}))
            return
        s.stack[-1] = (MOVES, f[1], f[2] - 1)
        s.stack.append((STEP, f[1], action[1]))
        s.events.append(Event("picked", "2.2", {"block": action[1]}, f[1], hidden=True))

    def prompt(self, s: State, f: F) -> Prompt:
        return Prompt("Move a block or pass", f"{f[2]} moves are left.", ("2.2",), "moves")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == BLOCK:
            mine = action[1] in own(f[1])
            return Reason("2.2", "that block is gone" if mine else "that block is not yours")
        return None


class Step(Frame[State]):
    """2.3 The block picked goes one hex, or attacks."""

    def actor(self, s: State, f: F) -> int:
        return f[1]

    def legal(self, s: State, f: F) -> list[Action]:
        here = s.at[f[2]]
        near = [h for h in (here - 1, here + 1) if 0 <= h < HEXES]
        enemies = {s.at[b] for b in own(1 - f[1])}
        return sorted((ATTACK if h in enemies else TO, h) for h in near)

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        block, there = f[2], action[1]
        if action[0] == TO:
            s.events.append(Event("moved", "2.3", {"block": block, "hex": there}))
            s.at[block] = there
            return
        target = next(b for b in own(1 - f[1]) if s.at[b] == there)
        for b in (block, target):
            if not s.seen[b]:
                s.seen[b] = True
                s.events.append(Event("revealed", "2.4", {"block": b, "strength": s.strength[b]}, final=True))
        s.stack.append((BATTLE, block, target))

    def prompt(self, s: State, f: F) -> Prompt:
        return Prompt("Where to?", rules=("2.3",), phase="moves")

    def why_not(self, s: State, f: F, action: Action) -> Reason | None:
        if action[0] == TO:
            return Reason("2.3", "a block goes to an adjacent hex without enemies")
        return Reason("2.4", "there is no enemy to attack") if action[0] == ATTACK else None

    def odds(self, s: State, f: F, action: Action) -> Odds | None:
        if action[0] != ATTACK:
            return None
        mine = s.strength[f[2]]
        return Odds("Battle", (Term(str(mine), "2.5", "strength"),))


class Battle(Frame[State]):
    """2.5 A die for each point of strength; 5 and 6 hit; more hits win."""

    def actor(self, s: State, f: F) -> int:
        return CHANCE

    def legal(self, s: State, f: F) -> list[Action]:
        return [(RESULT, r) for r in (WON, LOST, DRAWN)]

    def chances(self, s: State, f: F) -> list[tuple[Action, Fraction]]:
        mine, theirs = s.strength[f[1]], s.strength[f[2]]
        count: Counter[int] = Counter()
        for faces in product(range(1, 7), repeat=mine + theirs):
            count[result(faces[:mine], faces[mine:])] += 1
        return [((RESULT, r), Fraction(count[r], 6 ** (mine + theirs))) for r in (WON, LOST, DRAWN)]

    def roll(self, s: State, f: F, die: Die) -> Roll:
        mine = tuple(die(6) for _ in range(s.strength[f[1]]))
        theirs = tuple(die(6) for _ in range(s.strength[f[2]]))
        return Roll((RESULT, result(mine, theirs)), mine + theirs)

    def take(self, s: State, f: F, action: Action) -> None:
        s.stack.pop()
        s.events.append(Event("battle", "2.5", {"result": action[1]}, final=True))
        if action[1] != DRAWN:
            gone = f[2] if action[1] == WON else f[1]
            s.at[gone] = GONE
            s.events.append(Event("lost", "2.5", {"block": gone}))

    def prompt(self, s: State, f: F) -> Prompt:
        return Prompt("Battle", rules=("2.5",), phase="battle")


def result(mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
    a, b = sum(face >= 5 for face in mine), sum(face >= 5 for face in theirs)
    return DRAWN if a == b else WON if a > b else LOST


FRAMES: tuple[Frame[State], ...] = (Setup(), Turn(), Moves(), Step(), Battle())
SETUP, TURN, MOVES, STEP, BATTLE = range(5)


class ToyGame(FrameGame[State]):
    """Causeway."""

    id = "toy"
    version = 2
    info = GameInfo(
        id="toy",
        title="Causeway",
        title_ja="土手道",
        sides=SIDES,
        side_titles=("Red", "Blue"),
        summary="Blocks on a causeway.",
        players={"first": "tests.toygame:First"},
    )
    codec = CODEC
    frames = FRAMES
    reveals: tuple[str, ...] = ("revealed", "battle")

    def scenarios(self) -> list[Scenario]:
        return [Scenario("line", "The line"), Scenario("close", "At close quarters")]

    def options(self) -> list[Option]:
        return [Option("long", "Eight turns")]

    def new(self, scenario: str, options: Mapping[str, bool] | None = None) -> State:
        s = State()
        s.long = (options or {}).get("long", False)
        if scenario == "close":
            s.at = [2, 2, 2, 4, 4, 4]
        s.stack = [(TURN,), (SETUP, 1), (SETUP, 0)]
        self.settle(s)
        return s

    def view(self, s: State, side: int) -> View:
        mine = own(side) if side >= 0 else range(0)
        end = s.ended
        return {
            "side": side,
            "turn": s.turn,
            "long": s.long,
            "at": list(s.at),
            "strength": [n if b in mine or s.seen[b] else None for b, n in enumerate(s.strength)],
            "assigned": [bool(n) for n in s.strength],
            "seen": list(s.seen),
            "stack": [list(f) for f in s.stack],
            "ended": None if end is None else [end.winner, end.level, end.points, end.rule],
        }

    def imagine(self, view: View, rng: Random) -> State:
        s = State()
        s.turn, s.long, s.at, s.seen = view["turn"], view["long"], list(view["at"]), list(view["seen"])
        s.stack = [tuple(f) for f in view["stack"]]
        s.strength = [n or 0 for n in view["strength"]]
        for side in (0, 1):
            free = [n for n in (1, 2, 3) if n not in [s.strength[b] for b in own(side)]]
            rng.shuffle(free)
            for b in own(side):
                if view["assigned"][b] and not s.strength[b]:
                    s.strength[b] = free.pop()
        s.ended = None if view["ended"] is None else Outcome(*view["ended"])
        if s.ended is None:
            self.settle(s)
        return s

    def invariants(self, s: State) -> list[str]:
        wrong = []
        for side in (0, 1):
            if not all(s.at[b] == GONE or 0 <= s.at[b] < HEXES for b in own(side)):
                wrong.append("a block is off the map")
            given = [n for n in (s.strength[b] for b in own(side)) if n]
            if len(set(given)) != len(given):
                wrong.append("a strength is used twice")
        return wrong

    def event_json(self, event: Event, side: int) -> dict[str, Any] | None:
        seen = event.seen_by(side)
        if seen is None:
            return None
        out: dict[str, Any] = {"event": event.kind, "rule": event.rule, **seen}
        if "block" in out:
            out["block"] = _block.values[out["block"]]
        return out

    def describe(self, seen: Mapping[str, Any]) -> str:
        words = [str(seen[key]) for key in ("block", "hex", "strength") if key in seen]
        return " ".join([str(seen["event"]), *words])


GAME = ToyGame()


class First:
    """A player that takes the first legal action, and looks at everything it may."""

    def __init__(self, game: Any, rng: Random) -> None:
        self.looked = 0

    def choose(self, seat: Any) -> Action:
        assert seat.view()["side"] == seat.side
        assert seat.prompt().title
        self.looked += 1
        first: Action = seat.legal[0]
        return first


class Last:
    """A player that takes the last legal action: one of somebody's own, known to no game."""

    def __init__(self, game: Any, rng: Random) -> None:
        self.rng = rng

    def choose(self, seat: Any) -> Action:
        last: Action = seat.legal[-1]
        return last


class _Broken(ToyGame):
    """Causeway with a fault in its rules: the third turn cannot begin."""

    id = "broken"
    info = GameInfo("broken", "Broken", "", SIDES, ("Red", "Blue"), "")

    def apply(self, s: State, action: Action) -> list[Event]:
        if action[0] == FIRST and s.turn == 2 and action[1] == 1:
            s.turn = 99
            raise ZeroDivisionError("the third turn")
        return super().apply(s, action)


BROKEN = _Broken()


@migration("toy", 1)
def go_became_to(log: Log) -> Log:
    """2: the verb 'go' became 'to'."""

    def change(entry: Entry) -> Entry:
        return entry._replace(do="to " + entry.do[3:]) if entry.do.startswith("go ") else entry

    return rewrite(log, change)


__all__ = ["BROKEN", "GAME", "Illegal", "State", "ToyGame"]

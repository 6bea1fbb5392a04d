"""What a lesson is, and how it is read from `games/<game>/data/lessons/*.toml`.

    [lesson]
    title = "Your first turn"           # as the lobby names it
    summary = "One sentence."
    ending = "What is said when the last step is done."
    scenario = "battleaxe"              # one of the game's
    side = "axis"                       # who learns
    seed = "any words"                  # the dice are derived from them: known in advance, rolled as always
    minutes = 6
    options = { fog = true }            # as for any game; may be left out
    before = ["option basic 0"]         # the actions that lead from the set-up to the position, of both sides
    theirs = ["stand *"]                # what the other side does if it can, first wish first; or its planner

    [[step]]
    title = "A block"
    text = "What to know, and what to do now."
    rules = ["1.4"]
    show = { hexes = ["0412"], units = ["GE-PZ5"], panel = "decision" }
    look = "0412"                       # done when that hex is looked at
    do = ["group 0412 *", "?move GE-PZ5", "to 0512 * | to 0513 *"]     # or: done when these are done, in this order
    also = ["end-move"]                 # other actions that are right here and need no answer
    otherwise = "What is said to any other action."

    [[step.instead]]
    do = "pass"                         # what is said to this one
    say = "Then the turn is over."
    then = "stay"                       # stay, next, or the number of a step (from 1)

    [battle]                            # the first real battle after it, against the easy computer
    scenario = "first_battle"           # one of the game's
    side = "axis"
    summary = "One sentence: what is to be done."
    minutes = 10

A step without `look` and `do` is read. A pattern is an action as the log writes it, `*` standing for anything, ` | `
between ways that are all right; `?` before it: may be left out. Texts are templates of the game's catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from sandtable import texts
from sandtable.engine.contract import Game, Illegal
from sandtable.engine.dice import derive_seed
from sandtable.engine.ledger import book
from sandtable.engine.packs.faults import Fault, refuse
from sandtable.engine.packs.files import Document, TomlPath, read_toml

FEWEST, MOST = 5, 14
"""Steps of a lesson."""
PANELS = ("", "decision", "odds", "hand", "log", "tracks", "rules", "hexcard")
"""What of the page a step can point at, besides the map."""
STAY, NEXT = "stay", "next"
READ, LOOK, DO = "read", "look", "do"


@dataclass(frozen=True)
class Pattern:
    """Which actions are meant; `may`: or none of them."""

    words: str
    may: bool = False

    @staticmethod
    def of(words: str) -> Pattern:
        return Pattern(words.removeprefix("?"), words.startswith("?"))

    def fits(self, action: str) -> bool:
        """Whether an action, as the log writes it, is one of these."""
        return any(fnmatchcase(action, one) for one in self.ways)

    @property
    def ways(self) -> list[str]:
        return [one.strip() for one in self.words.split(" | ")]


@dataclass(frozen=True)
class Instead:
    """An answer to something else that is done; `then`: where the lesson goes on, -1 for where it is."""

    do: Pattern
    say: str
    then: int = -1


@dataclass(frozen=True)
class Step:
    """One coached decision, or something to look at or to read."""

    title: str
    text: str
    rules: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    panel: str = ""
    look: str = ""
    do: tuple[Pattern, ...] = ()
    also: tuple[Pattern, ...] = ()
    instead: tuple[Instead, ...] = ()
    otherwise: str = ""

    @property
    def kind(self) -> str:
        return DO if self.do else LOOK if self.look else READ


@dataclass(frozen=True)
class Battle:
    """The battle that a learner fights after the lesson: a small scenario by the whole rules, and his side of it."""

    scenario: str
    side: str
    summary: str
    minutes: int


@dataclass(frozen=True)
class Lesson:
    """A prepared position and its steps, and the battle that comes after it."""

    game: str
    id: str
    title: str
    summary: str
    ending: str
    scenario: str
    side: str
    seed: bytes
    minutes: int
    steps: tuple[Step, ...]
    battle: Battle
    options: Mapping[str, bool] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    theirs: tuple[Pattern, ...] = ()


class Reader:
    """Reads one lesson; every fault says file, line and what is wrong."""

    def __init__(self, game: Game[Any], document: Document, faults: list[Fault]) -> None:
        self.game = game
        self.document = document
        self.faults = faults
        shelf = book(game.id)
        self.rules = set(shelf.rules) if shelf is not None else set()
        self.verbs = {verb.word for verb in getattr(game, "verbs", None) or ()}

    def fault(self, path: TomlPath, text: str) -> None:
        self.faults.append(self.document.fault(path, text))

    def lesson(self, name: str) -> Lesson | None:
        data = self.document.data
        known = len(self.faults)
        for key in data.keys() - {"lesson", "step", "battle"}:
            self.fault((key,), f"a lesson has no '{key}': it has [lesson], [[step]] and [battle]")
        head, steps, battle = data.get("lesson"), data.get("step"), data.get("battle")
        if not isinstance(head, dict) or not isinstance(steps, list) or not isinstance(battle, dict):
            self.fault((), "a lesson is one [lesson], several [[step]] and the [battle] that follows")
            return None
        if not FEWEST <= len(steps) <= MOST:
            self.fault(("step",), f"a lesson has {FEWEST} to {MOST} steps; this one has {len(steps)}")
        found = self._head(head, name)
        read = tuple(self._step(step, ("step", i), len(steps)) for i, step in enumerate(steps))
        fought = self._battle(battle)
        if len(self.faults) > known:
            return None
        return Lesson(steps=read, battle=fought, **found)

    def _head(self, head: dict[str, Any], name: str) -> dict[str, Any]:
        at: TomlPath = ("lesson",)
        needed = ("title", "summary", "ending", "scenario", "side", "seed")
        self._keys(head, at, (*needed, "minutes", "options", "before", "theirs"))
        words = {key: self._word(head, at, key) for key in needed}
        self._seat(words, at)
        minutes = self._minutes(head, at, 5)
        options = head.get("options", {})
        if not isinstance(options, dict) or set(options) - {one.id for one in self.game.options()}:
            self.fault((*at, "options"), f"these are not options of {self.game.id}")
        before = self._words(head, at, "before")
        for action in before:
            self._check_action((*at, "before"), action)
        return {
            **words,
            "game": self.game.id,
            "id": name,
            "seed": derive_seed(f"lesson {words['seed']}"),
            "minutes": minutes,
            "options": options,
            "before": before,
            "theirs": self._patterns(head, at, "theirs"),
        }

    def _battle(self, battle: dict[str, Any]) -> Battle:
        at: TomlPath = ("battle",)
        needed = ("scenario", "side", "summary")
        self._keys(battle, at, (*needed, "minutes"))
        words = {key: self._word(battle, at, key) for key in needed}
        self._seat(words, at)
        return Battle(**words, minutes=self._minutes(battle, at, 10))

    def _seat(self, words: Mapping[str, str], at: TomlPath) -> None:
        if words["scenario"] not in {one.id for one in self.game.scenarios()}:
            self.fault((*at, "scenario"), f"{self.game.id} has no scenario '{words['scenario']}'")
        if words["side"] not in self.game.info.sides:
            self.fault((*at, "side"), f"{self.game.id} has no side '{words['side']}'")

    def _minutes(self, table: dict[str, Any], at: TomlPath, usual: int) -> int:
        minutes = table.get("minutes", usual)
        if not isinstance(minutes, int) or not 1 <= minutes <= 10:
            self.fault((*at, "minutes"), "it takes 1 to 10 minutes")
            return usual
        return minutes

    def _step(self, step: dict[str, Any], at: TomlPath, count: int) -> Step:
        keys = ("title", "text", "rules", "show", "look", "do", "also", "instead", "otherwise")
        self._keys(step, at, keys)
        show = step.get("show", {})
        if not isinstance(show, dict):
            self.fault((*at, "show"), "'show' is a table of hexes, units and panel")
            show = {}
        self._keys(show, (*at, "show"), ("hexes", "units", "panel"))
        rules = self._words(step, at, "rules")
        for rule in rules:
            if rule not in self.rules:
                self.fault((*at, "rules"), f"the rulebook of {self.game.id} has no rule {rule}")
        if not rules:
            self.fault(at, "a step names its rule")
        panel = str(show.get("panel", ""))
        if panel not in PANELS:
            self.fault((*at, "show"), f"no panel is called '{panel}'; there are: {', '.join(PANELS[1:])}")
        do, look = self._patterns(step, at, "do"), str(step.get("look", ""))
        if do and look:
            self.fault(at, "a step has 'look' or 'do', not both")
        if not do and any(key in step for key in ("also", "instead", "otherwise")):
            self.fault(at, "'also', 'instead' and 'otherwise' are of steps with 'do'")
        if do and not step.get("otherwise"):
            self.fault(at, "a step with 'do' says what is answered 'otherwise'")
        if do and do[-1].may:
            self.fault((*at, "do"), "the last thing to do may not be left out: the step would not end")
        return Step(
            title=self._word(step, at, "title"),
            text=self._word(step, at, "text"),
            rules=rules,
            hexes=self._words(show, (*at, "show"), "hexes"),
            units=self._words(show, (*at, "show"), "units"),
            panel=panel,
            look=look,
            do=do,
            also=self._patterns(step, at, "also"),
            instead=tuple(
                self._instead(one, (*at, "instead", i), int(str(at[1])), count)
                for i, one in enumerate(step.get("instead", []))
            ),
            otherwise=texts.tidy(str(step.get("otherwise", ""))),
        )

    def _instead(self, one: dict[str, Any], at: TomlPath, here: int, count: int) -> Instead:
        self._keys(one, at, ("do", "say", "then"))
        pattern = self._pattern(self._word(one, at, "do"), (*at, "do"))
        then = one.get("then", STAY)
        goes = {STAY: -1, NEXT: here + 1}.get(str(then), int(then) - 1 if str(then).isdigit() else -2)
        if goes != -1 and not here < goes <= count:
            self.fault((*at, "then"), f"'then' is stay, next or the number of a later step, not '{then}'")
        return Instead(pattern, self._word(one, at, "say"), goes)

    # Words

    def _keys(self, table: dict[str, Any], at: TomlPath, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self.fault((*at, key), f"'{key}' is not known here; known are {', '.join(known)}")

    def _word(self, table: dict[str, Any], at: TomlPath, key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            self.fault((*at, key), f"'{key}' is missing")
            return ""
        return texts.tidy(value)

    def _words(self, table: dict[str, Any], at: TomlPath, key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fault((*at, key), f"'{key}' is a list of words")
            return ()
        return tuple(value)

    def _patterns(self, table: dict[str, Any], at: TomlPath, key: str) -> tuple[Pattern, ...]:
        return tuple(self._pattern(one, (*at, key)) for one in self._words(table, at, key))

    def _pattern(self, words: str, at: TomlPath) -> Pattern:
        pattern = Pattern.of(words)
        for way in pattern.ways:
            verb = way.split(" ")[0]
            if self.verbs and "*" not in verb and verb not in self.verbs:
                self.fault(at, f"{self.game.id} has no verb '{verb}'")
        return pattern

    def _check_action(self, at: TomlPath, action: str) -> None:
        try:
            self.game.parse(action)
        except Illegal as error:
            self.fault(at, f"'{action}' is not an action: {error.why}")


def read_lesson(game: Game[Any], path: Path) -> Lesson:
    """The lesson in a file; PackError with file and line if it is none."""
    faults: list[Fault] = []
    document = read_toml(path, f"lessons/{path.name}", faults)
    refuse(faults)
    found = Reader(game, document, faults).lesson(path.stem)
    refuse(faults)
    assert found is not None
    return found


def lessons(game: Game[Any]) -> Mapping[str, Lesson]:
    """The lessons of a game by their names, in the order of their files; read once."""
    one: Any = game
    return _lessons(one)


@cache
def _lessons(game: Any) -> Mapping[str, Lesson]:
    folder = texts.home(game) / "data" / "lessons"
    return {path.stem: read_lesson(game, path) for path in sorted(folder.glob("*.toml"))}

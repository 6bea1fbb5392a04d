"""State declared once: a field's type, kind, default and comment stand in one line.

    class State(Flat):
        at: list[int] = row(lambda b: [UNUSED] * len(b.units), "unit -> hex or box")
        moved: int = units("units whose move is finished")
        target: int = number("the defenders' hex", -1)

The metaclass makes slots, a beginning (`State(board, …)`) and a `copy` from generated source, as fast as by hand, and
the lists of fields by kind from which views are made. What a state keeps only to save work is a `cache`: it is no part
of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

F = TypeVar("F", bound="Flat")

NUMBER, UNITS, HEXES, ROW, TABLE, RECORD, GIVEN, DERIVED, CACHE = (
    "number",
    "units",
    "hexes",
    "row",
    "table",
    "record",
    "given",
    "derived",
    "cache",
)


class Field(NamedTuple):
    """One field: what kind it is, how it begins, how it is copied (an expression with {} for the old one), and why."""

    kind: str
    begins: Callable[[Any], Any]
    copied: str
    comment: str


def number(comment: str, begins: int = 0) -> Any:
    """A number: a turn, a hex, a flag."""
    return Field(NUMBER, lambda _: begins, "{}", comment)


def units(comment: str) -> Any:
    """A set of units, one bit each."""
    return Field(UNITS, lambda _: 0, "{}", comment)


def hexes(comment: str) -> Any:
    """A set of hexes, one bit each."""
    return Field(HEXES, lambda _: 0, "{}", comment)


def row(begins: Callable[[Any], Any], comment: str) -> Any:
    """A list or bytearray of numbers, made for a board."""
    return Field(ROW, begins, "{}[:]", comment)


def table(comment: str, begins: Callable[[Any], Any] = lambda _: {}) -> Any:
    """A dict of numbers."""
    return Field(TABLE, begins, "{}.copy()", comment)


def record(comment: str, begins: Callable[[Any], Any] = lambda _: None) -> Any:
    """A record of its own (a fight in hand), or None: a `Flat` that is copied with the state."""
    return Field(RECORD, begins, "None if {0} is None else {0}.copy()", comment)


def records(comment: str) -> Any:
    """Records in a list: nested fights."""
    return Field(RECORD, lambda _: [], "[one.copy() for one in {}]", comment)


def given(comment: str, begins: Callable[[Any], Any] = lambda _: None) -> Any:
    """What is never changed in place, so that copies share it: the board, an outcome, a list of choices."""
    return Field(GIVEN, begins, "{}", comment)


def derived(begins: Callable[[Any], Any], comment: str, copied: str = "{}[:]") -> Any:
    """What follows from other fields and is kept up with them: copied and pickled, but no part of a key."""
    return Field(DERIVED, begins, copied, comment)


def cache(comment: str, begins: Callable[[Any], Any] = lambda _: None, copied: str = "{}") -> Any:
    """What is kept to save work: no part of the position. `copied` says what a copy takes over."""
    return Field(CACHE, begins, copied, comment)


class Maker(type):
    """Makes the class of a state from its fields."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Maker:
        own = {key: value for key, value in space.items() if isinstance(value, Field)}
        for key in own:
            del space[key]
        space["__slots__"] = tuple(own)
        inherited: dict[str, Field] = {}
        for base in bases:
            inherited |= getattr(base, "fields", {})
        fields = space["fields"] = {**inherited, **own}
        space["caches"] = tuple(key for key, one in fields.items() if one.kind == CACHE)
        made = super().__new__(mcs, name, bases, space)
        lines = "".join(f"    new.{key} = {one.copied.format('self.' + key)}\n" for key, one in fields.items())
        scope: dict[str, Any] = {"cls": made, "create": object.__new__}
        exec(f"def copy(self):\n    new = create(cls)\n{lines}    return new\n", scope)
        made.copy = scope["copy"]  # type: ignore[attr-defined]
        if fields and "__init__" not in space:
            made.__init__ = _beginning(fields)  # type: ignore[misc]
        return made


def _refuse(one: object, others: Mapping[str, Any]) -> None:
    raise TypeError(f"{type(one).__name__} has no field {', '.join(sorted(others))}")


def _beginning(fields: Mapping[str, Field]) -> Callable[..., None]:
    """How a record begins, made from generated source as `copy` is: plain numbers and sets stand in it."""
    scope: dict[str, Any] = {"unsaid": object(), "refuse": _refuse}
    told, lines = ["self", "_board=None", "/", "*"], []
    for key, one in fields.items():
        if one.kind in (NUMBER, UNITS, HEXES):
            told.append(f"{key}={one.begins(None)!r}")
            lines.append(f"    self.{key} = {key}\n")
        else:
            scope[f"{key}_begins"] = one.begins
            told.append(f"{key}=unsaid")
            lines.append(f"    self.{key} = {key}_begins(_board) if {key} is unsaid else {key}\n")
    lines.append(
        "    if others: raise TypeError(f\"{type(self).__name__} has no field {', '.join(sorted(others))}\")\n"
    )
    exec(f"def __init__({', '.join([*told, '**others'])}):\n{''.join(lines)}", scope)
    made: Callable[..., None] = scope["__init__"]
    return made


class Flat(metaclass=Maker):
    """Flat state: lists and bytearrays of small ints, and bit masks. Copying takes microseconds."""

    fields: ClassVar[Mapping[str, Field]] = {}
    caches: ClassVar[tuple[str, ...]] = ()
    __slots__ = ()

    def __init__(self, board: Any = None, /, **values: Any) -> None:
        """Each field as it is given, or as it begins on a board."""
        raise NotImplementedError  # each class has its own, made by Maker

    def copy(self: F) -> F:
        """The same again, to be changed by itself."""
        raise NotImplementedError  # each class has its own, made by Maker

    @classmethod
    def names(cls, *kinds: str) -> tuple[str, ...]:
        """The fields of these kinds, in order."""
        return tuple(name for name, one in cls.fields.items() if one.kind in kinds)

    def key(self) -> Hashable:
        """Equal for equal positions, whatever is cached; different for different ones."""
        return tuple(_key(getattr(self, name)) for name in _position(type(self)))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return isinstance(other, Flat) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in _position(type(self)))})"

    def __reduce__(self) -> tuple[Any, ...]:
        names = tuple(name for name, one in self.fields.items() if one.kind != CACHE)
        return _again, (type(self), {name: getattr(self, name) for name in names})


_POSITIONS: dict[type, tuple[str, ...]] = {}


def _position(cls: type[Flat]) -> tuple[str, ...]:
    """The fields that make a position, but for those that copies share and that belong to the table (see `apart`)."""
    found = _POSITIONS.get(cls)
    if found is None:
        told = "apart" not in cls.fields  # a game may have a field of that name
        apart: frozenset[str] = getattr(cls, "apart", frozenset()) if told else frozenset()
        found = tuple(
            name for name, one in cls.fields.items() if one.kind not in (DERIVED, CACHE) and name not in apart
        )
        _POSITIONS[cls] = found
    return found


def _key(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(_key(one) for one in value)
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, dict):
        return frozenset((key, _key(one)) for key, one in value.items())
    if isinstance(value, Flat):
        return value.key()
    return cast(Hashable, value)


def _again(cls: type[F], values: dict[str, Any]) -> F:
    """A state out of a pickle: its caches begin anew."""
    return cls(values.get("board"), **values)


# Comparing states

CACHES = frozenset({"events", "choices"})
"""Parts of a state that are not part of the game. A state class may name more in `caches`."""


def differences(one: Any, other: Any) -> list[str]:
    """The parts in which two states differ, caches left out, each as one line."""
    if type(one) is not type(other):
        return [f"{type(one).__name__} is not {type(other).__name__}"]
    skip = CACHES | frozenset(getattr(type(one), "caches", ()))
    names: list[str] = []
    for kind in reversed(type(one).__mro__):
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    names += {**getattr(one, "__dict__", {}), **getattr(other, "__dict__", {})}
    missing = object()
    found = []
    for name in names:
        if name in skip or name in ("__dict__", "__weakref__"):
            continue
        a, b = getattr(one, name, missing), getattr(other, name, missing)
        if a is not b and a != b:
            found.append(f"{name}: {_short(a)} is not {_short(b)}")
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two states are the same position."""
    return not differences(one, other)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"

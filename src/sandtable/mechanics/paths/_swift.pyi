from typing import TypeVar

T = TypeVar("T")

def flood(
    shifts: tuple[int, ...],
    prices: bytes,
    firm: bytes,
    start: int,
    starts: tuple[tuple[int, int, int], ...],
    points: int,
    closed: int,
    stop: int,
    leaving: tuple[tuple[int, int], ...],
    entering: tuple[tuple[int, int], ...],
    /,
) -> tuple[int, bytearray, bytearray, bytearray]: ...
def trace(
    shifts: tuple[int, ...],
    prices: bytes,
    firm: bytes,
    start: int,
    first: bytearray,
    second: bytearray,
    stop: int,
    leaving: tuple[tuple[int, int], ...],
    entering: tuple[tuple[int, int], ...],
    h: int,
    /,
) -> list[int]: ...
def within(costs: bytes | bytearray, points: int, /) -> int: ...
def roam(
    shifts: tuple[int, ...],
    prices: bytes,
    flags: bytes,
    start: int,
    points: int,
    closed: int,
    stop: int,
    leaving: tuple[tuple[int, int], ...],
    entering: tuple[tuple[int, int], ...],
    setting_out: bool,
    chain: int,
    /,
) -> tuple[int, bytes, bytes]: ...
def costs_to(
    shifts: tuple[int, ...],
    prices: bytes,
    goals: tuple[tuple[int, int], ...],
    far: int,
    most: int,
    closed: int,
    entering: tuple[tuple[int, int], ...],
    /,
) -> list[int]: ...
def listed(table: list[T], masks: tuple[int, ...], /) -> list[T]: ...

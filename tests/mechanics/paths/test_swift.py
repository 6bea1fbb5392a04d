"""The compiled kernel beside what it stands in for; what is worked out with it is compared in test_surveys.py."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from random import Random
from types import ModuleType

import pytest

from sandtable.mechanics.paths import swift
from sandtable.mechanics.paths.surveys import NEVER, set_within
from sandtable.mechanics.paths.waves import Roaming, Waves, wave

from .slow import GRID, random_chart, random_terms, some
from .test_surveys import OFF_MAP, surveyed

compiled = pytest.mark.skipif(swift.flood is None, reason="no kernel was compiled at install")
KERNEL = "sandtable.mechanics.paths._swift"


@pytest.fixture
def other_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[ModuleType | None], None]]:
    """Imports the front again, with this in the kernel's place."""

    def put(kernel: ModuleType | None) -> None:
        monkeypatch.setitem(sys.modules, KERNEL, kernel)
        importlib.reload(swift)

    yield put
    monkeypatch.undo()
    importlib.reload(swift)


def test_without_a_kernel_everything_is_plain(other_kernel: Callable[[ModuleType | None], None]) -> None:
    other_kernel(None)
    assert (swift.flood, swift.trace, swift.within, swift.roam, swift.costs_to, swift.listed) == (None,) * 6


def test_an_old_kernel_is_refused(other_kernel: Callable[[ModuleType | None], None]) -> None:
    with pytest.raises(ImportError, match=r"older than its source .*hatch_build"):
        other_kernel(ModuleType(KERNEL))


@compiled
@pytest.mark.parametrize("seed", range(20))
def test_the_compiled_kernel_knows_the_same_costs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    surveyor = surveyed(rng, some(rng, rng.choice((0, 0.4)))).surveyor
    assert surveyor is not None
    starts = [(h, ((0, 1 << h, 0),)) for h in GRID.hexes[::11]]
    starts.append((OFF_MAP, tuple((rng.randint(1, 4), 1 << h, surveyor.dry >> h & 1) for h in GRID.hexes[3::40])))
    compiled = [surveyor.explore(start, first, points) for start, first in starts for points in (0, 5, 30)]
    monkeypatch.setattr(swift, "flood", None)
    plain = [surveyor.explore(start, first, points) for start, first in starts for points in (4, 5, 30)]
    assert compiled[1::3] == plain[1::3]
    assert compiled[2::3] == plain[2::3]
    for (start, _), (a, _, least) in zip(starts[:-1], compiled[::3], strict=False):
        assert (a[start], sum(cost != NEVER for cost in least)) == (0, 1)


@compiled
def test_the_compiled_kernel_refuses_what_makes_no_sense() -> None:
    surveyor = surveyed(Random(1), 0).surveyor
    assert surveyor is not None
    assert swift.flood is not None
    begin = ((0, 1, 0),)
    with pytest.raises(ValueError, match="points from 0 to 254"):
        swift.flood(*surveyor.ground, 0, begin, NEVER, 0, 0, (), ())
    with pytest.raises(OverflowError):
        swift.flood(*surveyor.ground, 0, begin, 9, 1 << GRID.size + 8, 0, (), ())
    with pytest.raises((OverflowError, ValueError)):
        swift.flood(*surveyor.ground, 0, begin, 9, 0, -1, (), ())
    with pytest.raises(TypeError, match="tuple"):
        swift.flood(*surveyor.ground, 0, [begin], 9, 0, 0, (), ())
    with pytest.raises(TypeError, match="tolls are a tuple"):
        swift.flood(*surveyor.ground, 0, begin, 9, 0, 0, None, ())
    assert swift.costs_to is not None
    shifts, prices, _ = random_chart(Random(1)).sheet()
    for goal, cost, far in ((-1, 0, 9), (GRID.size, 0, 9), (0, -1, 9), (0, 9, 9), (0, 0, 0)):
        with pytest.raises(ValueError, match=r"far|million"):
            swift.costs_to(shifts, prices, ((goal, cost),), far, far, 0, ())
    with pytest.raises(ValueError, match="each side"):
        swift.costs_to(shifts, prices[:-1], (), 9, 9, 0, ())
    with pytest.raises(TypeError, match="is an int"):
        swift.flood(*surveyor.ground, 0, begin, 9, "0", 0, (), ())


@compiled
@pytest.mark.parametrize("seed", range(20))
def test_the_compiled_kernel_roams_as_a_wave_does(seed: int) -> None:
    rng = Random(seed)
    chart = random_chart(rng)
    for number in range(12):
        terms = random_terms(rng, tolls=number % 2 == 0)._replace(chain=some(rng, 0.4) if number % 3 == 0 else 0)
        one, other = wave(chart, *terms[:7], terms.chain), Roaming(chart, *terms[:7], terms.chain)
        assert isinstance(Waves(chart)(*terms[:7], terms.chain), Roaming)
        assert one.hexes == other.hexes
        assert [one.within(points) for points in range(-1, 12)] == [other.within(points) for points in range(-1, 12)]
        for h in GRID.hexes:
            assert (one.cost(h), one.halts(h), one.path(h)) == (other.cost(h), other.halts(h), other.path(h))


@compiled
def test_the_compiled_kernel_does_not_roam_where_it_makes_no_sense() -> None:
    sheet = random_chart(Random(1)).sheet()
    assert swift.roam is not None
    with pytest.raises(ValueError, match="points from 0 to 254"):
        swift.roam(*sheet, 0, NEVER, 0, 0, (), (), True, 0)
    with pytest.raises(ValueError, match="a start on the map"):
        swift.roam(*sheet, GRID.size + 1, 9, 0, 0, (), (), True, 0)
    with pytest.raises(ValueError, match="flags as prices"):
        swift.roam(sheet[0], sheet[1], b"", 0, 9, 0, 0, (), (), True, 0)
    with pytest.raises((OverflowError, ValueError)):
        swift.roam(*sheet, 0, 9, -1, 0, (), (), True, 0)
    with pytest.raises(TypeError, match="tolls are a tuple"):
        swift.roam(*sheet, 0, 9, 0, 0, None, (), True, 0)
    with pytest.raises(TypeError, match="is an int"):
        swift.roam(*sheet, 0, 9, 0, 0, (), (), True, "0")


@compiled
def test_the_compiled_kernel_knows_what_costs_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(4)
    costs = bytearray(rng.choice((0, 3, 40, 254, NEVER)) for _ in range(GRID.size))
    compiled = [set_within(costs, points) for points in range(NEVER)]
    monkeypatch.setattr(swift, "within", None)
    assert compiled == [set_within(costs, points) for points in range(NEVER)]


@compiled
def test_the_compiled_kernel_follows_no_way_to_where_none_leads() -> None:
    surveyor = surveyed(Random(1), 0).surveyor
    assert surveyor is not None
    assert swift.trace is not None
    start = GRID.hexes[0]
    first, second, _ = surveyor.explore(start, ((0, 1 << start, 0),), 4)
    for nowhere in (first.index(NEVER), -1, GRID.size):
        with pytest.raises(ValueError, match="no way leads there"):
            swift.trace(*surveyor.ground, start, first, second, 0, (), (), nowhere)
    far = next(h for h in GRID.hexes if first[h] == 4)
    first[far] = 1  # what no flood has found
    with pytest.raises(AssertionError, match="from nowhere"):
        swift.trace(*surveyor.ground, start, first, second, 0, (), (), far)

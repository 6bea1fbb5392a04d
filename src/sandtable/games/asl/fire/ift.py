"""A7 The Infantry Fire Table: columns, rows and what they say."""

from __future__ import annotations

from functools import cache

from ..boards.pack import asl_pack

RESULTS = (
    "-",
    "PTC",
    "NMC",
    "1MC",
    "2MC",
    "3MC",
    "4MC",
    "K/1",
    "K/2",
    "K/3",
    "K/4",
    "1KIA",
    "2KIA",
    "3KIA",
    "4KIA",
    "5KIA",
    "6KIA",
    "7KIA",
)
NO_EFFECT, PIN_CHECK = 0, 1
FIRST_MC, FIRST_K, FIRST_KIA = RESULTS.index("NMC"), RESULTS.index("K/1"), RESULTS.index("1KIA")


class Ift:
    """The table as the pack has it."""

    def __init__(self) -> None:
        chart = asl_pack().tables["ift"]
        self.columns: tuple[int, ...] = tuple(chart["columns_fp"])
        rows = {int(row): [RESULTS.index(one) for one in cells] for row, cells in chart["rows"].items()}
        self.rows = [rows[i] for i in range(16)]
        self.kills: tuple[int, ...] = tuple(chart["kill_number_unarmored"])
        residual = asl_pack().tables["residual_fp"]
        self.residual: tuple[int, ...] = tuple(residual["residual"])
        self.counters: tuple[int, ...] = tuple(residual["counters"])

    def column(self, fp: float) -> int:
        """A7.1 the highest column not above the FP; -1 is no attack."""
        return sum(1 for one in self.columns if one <= fp) - 1

    def result(self, column: int, final: int) -> int:
        """What a Final DR gives; a column left of the first has no effect."""
        return self.rows[max(0, min(15, final))][column] if column >= 0 else NO_EFFECT

    def residual_of(self, column: int, down: int) -> int:
        """A8.2 the Residual FP that an attack on a column leaves, one counter lower for each DRM from outside."""
        left = self.residual[column] if column >= 0 else 0
        if not left:
            return 0
        step = self.counters.index(left) - down
        return self.counters[step] if step >= 0 else 0


@cache
def ift() -> Ift:
    return Ift()


def morale_modifier(result: int) -> int:
    """The n of an nMC, or of the MC that follows a K/n."""
    word = RESULTS[result]
    if word == "NMC":
        return 0
    return int(word[-1]) if word.startswith("K/") else int(word[0])


def killed(result: int) -> int:
    """The n of an nKIA."""
    return int(RESULTS[result][0])

/** Chances as they travel, fractions written out ("5/36"), made numbers. */

import type { Cell, Ladder, Odds, OddsTable } from "./types";

type Served = NonNullable<Odds["ladder"]>;

/** The number that a fraction stands for. */
export function fraction(text: string): number {
  const [above = "", below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

export function readOdds(odds: Odds): OddsTable {
  const results = (odds.results ?? []).map(([result, chance]) => ({
    result: result as OddsTable["results"][number]["result"],
    chance: fraction(String(chance)),
    exact: String(chance),
  }));
  const ladder = odds.ladder ? readLadder(odds.ladder) : null;
  return { ...odds, terms: odds.terms ?? [], results, ladder, parts: (odds.parts ?? []).map(readOdds) };
}

function readLadder(ladder: Served): Ladder {
  const columns = ladder.columns.map(({ cells, lost, ...column }) => ({
    ...column,
    cells: cells.map(readCell),
    lost: (lost ?? []).map(fraction),
  }));
  return { ...ladder, columns };
}

function readCell({ chance, good, ...cell }: Served["columns"][number]["cells"][number]): Cell {
  return { ...cell, chance: fraction(chance), exact: chance, good: good == null ? null : fraction(good) };
}

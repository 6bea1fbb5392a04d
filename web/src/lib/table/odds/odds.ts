/** Chances, made fit to be read. */

import { english } from "../../i18n/said";
import type { OddsTable } from "../../api/types";

type Result = OddsTable["results"][number];

const MOST_ROWS = 9;
const HAIR = 1e-9; // what adding up fractions may leave over

/** A chance in whole percents; what is possible is never shown as 0, what is not sure never as 100. */
export function percent(chance: number): string {
  if (chance > HAIR && chance < 0.005) return "<1%";
  if (chance < 1 - HAIR && chance > 0.995) return ">99%";
  return `${Math.round(chance * 100)}%`;
}

/** The results to be listed: of very many, the unlikely ones at the end are put together. */
export function shown(results: readonly Result[]): Result[] {
  if (results.length <= MOST_ROWS) return [...results];
  const rest = results.slice(MOST_ROWS - 1);
  const chance = rest.reduce((sum, row) => sum + row.chance, 0);
  return [...results.slice(0, MOST_ROWS - 1), { result: `${english(rest[0]?.result ?? "")} +`, chance, exact: "" }];
}

/** The average of results that are numbers of something, or null if they are not. */
export function average(results: readonly Result[]): { value: string; unit: string } | null {
  if (results.length < 2) return null;
  let mean = 0;
  let unit = "";
  for (const { result, chance } of results) {
    const found = /^(-?\d+)\s*(.*)$/.exec(english(result));
    if (!found) return null;
    mean += Number(found[1]) * chance;
    // Of one thing and several, the word for several.
    if (found[2] && (!unit || Number(found[1]) !== 1)) unit = found[2];
  }
  return { value: mean.toFixed(1), unit };
}

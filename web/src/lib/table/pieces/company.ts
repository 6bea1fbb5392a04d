/** Those of a stack who go together: taken up with one click, though the rules move them one by one. */

import type { CounterItem } from "../../api/types";
import type { Together } from "../../games/presentation";
import type { Choice } from "../decision/choices";

/** The choice that begins the move of a unit. */
export const moveOf = (choices: readonly Choice[], unit: string, verb: string): Choice | undefined =>
  choices.find((choice) => choice.verb === verb && choice.picks.length === 1 && choice.picks[0]?.value === unit);

/** How far a counter can go: the last of its values. */
const pace = (item: CounterItem): number => Number.parseFloat(item.values?.at(-1) ?? "") || 0;

/**
 * Who goes if this unit is taken with its stack: all of its hex who may move now, the slowest first, since the others
 * can go wherever it goes. It goes alone if it is of a kind that goes by itself.
 */
export function companyOf(
  counters: readonly CounterItem[],
  choices: readonly Choice[],
  unit: string,
  together: Together | undefined,
): string[] {
  const own = counters.find((item) => item.unit === unit);
  const apart = (item: CounterItem): boolean => together?.apart.includes(item.symbol ?? "") ?? true;
  if (!together || !own?.hex || apart(own)) return [unit];
  const goes = (item: CounterItem): boolean =>
    item.hex === own.hex && !!item.unit && !apart(item) && !!moveOf(choices, item.unit, together.move);
  const found = counters.filter(goes).sort((a, b) => pace(a) - pace(b));
  return found.some((item) => item.unit === unit) ? found.map((item) => item.unit ?? "") : [unit];
}

/** The choice by which another unit goes where one has gone, in the same way. */
export function sameWay(choices: readonly Choice[], gone: Choice): Choice | undefined {
  return choices.find((choice) => choice.item.text === gone.item.text);
}

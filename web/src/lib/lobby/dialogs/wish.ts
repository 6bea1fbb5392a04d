/** Games as they are begun from the lobby. */

import type { GameSummary, NewGame, ScenarioInfo } from "../../api/types";
import { lobbyLook } from "../presentation";

/** Against whom: the computer, a friend by link, oneself, or whoever comes. */
export type Mode = "computer" | "friend" | "hotseat" | "open";

/** Days per turn of a rated game, if nothing else is said: it has to have a clock. */
const SLOW = 3;

const withPeople = (mode: Mode): boolean => mode === "open" || mode === "friend";

/** Any side, as chance will have it. */
export const EITHER = "";

export function wishFor(
  game: GameSummary,
  scenario: string,
  side: string,
  mode: Mode,
  pace: number | null = null,
  level = "",
  rated = false,
): NewGame {
  const mine = side || game.sides[Math.floor(Math.random() * game.sides.length)]!;
  const computer = game.players.includes(level) ? level : (game.players[0] ?? "random");
  const other = { computer, friend: "invite", hotseat: "me", open: "open" }[mode];
  return {
    game: game.id,
    scenario,
    seats: Object.fromEntries(game.sides.map((one) => [one, one === mine ? "me" : other])),
    pace: withPeople(mode) ? (pace ?? (rated ? SLOW : null)) : null,
    rated: rated && withPeople(mode),
  };
}

/** The scenario to begin with, if nobody has chosen another. */
export function firstScenario(game: GameSummary): string {
  const first = lobbyLook(game.id)?.first;
  return game.scenarios.find((one) => one.id === first)?.id ?? game.scenarios[0]?.id ?? "";
}

/** The one to begin with, then the short ones before the long ones. */
export function inOrder(game: GameSummary): ScenarioInfo[] {
  const first = firstScenario(game);
  const rank = (one: ScenarioInfo): number => (one.id === first ? -1 : Number.parseInt(one.length, 10) || 0);
  return game.scenarios.toSorted((a, b) => rank(a) - rank(b));
}

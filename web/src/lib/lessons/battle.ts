/** The battle that a learner fights after a lesson: a small scenario, against the easy computer. */
import type { LessonInfo, NewGame } from "../api/types";
import { recall, remember } from "../store";

type Battle = LessonInfo["battle"];

export const battleWish = (game: string, sides: readonly string[], battle: Battle): NewGame => ({
  game,
  scenario: battle.scenario,
  seats: Object.fromEntries(sides.map((one) => [one, one === battle.side ? "me" : battle.opponent])),
  pace: null,
  rated: false,
});

/** Who goes to a first battle has been told nothing of it yet: its briefing opens by itself. */
export const begins = (id: string): void => remember("battle", id);
export const hasBegun = (id: string): boolean => recall<string>("battle", "") === id;

/** Sentences about games: who sits where, how long is left, how it ended. */

import type { GameRecord, GameSummary, SeatRecord } from "../api/types";
import { japaneseLength } from "../i18n/dates";
import { gameText, sideTitle, t, titleOf, words } from "../i18n/index.svelte";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time in the two largest units that matter: "2 d 4 h", "35 min". */
export function span(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  const days = Math.floor(left / DAY);
  const hours = Math.floor((left % DAY) / HOUR);
  const minutes = Math.floor((left % HOUR) / MINUTE);
  if (days >= 7 || (days && !hours)) return t("{n} d", { n: days });
  if (days) return t("{d} d {h} h", { d: days, h: hours });
  if (hours >= 6 || (hours && !minutes)) return t("{n} h", { n: hours });
  if (hours) return t("{h} h {m} min", { h: hours, m: minutes });
  return t("{n} min", { n: minutes });
}

/** What a clock says: "2 d 4 h left", or for live play nothing. */
export function timeLeft(record: GameRecord, now = Date.now()): string {
  if (!record.clock) return "";
  if (record.clock.overdue) return t("overdue");
  return t("{time} left", { time: span(Date.parse(record.clock.due) - now) });
}

export function ago(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time);
  return passed < MINUTE ? t("now") : t("{time} ago", { time: span(passed) });
}

export function paceText(days: number | null): string {
  if (days === null) return t("live");
  if (days === 7) return t("a week a turn");
  return days === 1 ? t("a day a turn") : t("{n} days a turn", { n: days });
}

/** The game of a record, in the language of the interface. */
export function gameTitle(record: GameRecord): string {
  return words.say(record.title);
}

/** The name of a game: the one that it was given, or the title of its scenario. */
export function gameName(record: GameRecord, catalogue: readonly GameSummary[]): string {
  if (record.name !== record.scenario_title) return record.name;
  const scenario = catalogue.find((one) => one.id === record.game)?.scenarios.find((one) => one.id === record.scenario);
  return scenario ? titleOf(scenario) : record.name;
}

/** The side of a seat, in the language of the interface. */
export function seatTitle(game: string, seat: Pick<SeatRecord, "side" | "title">): string {
  return gameText(game, seat.title);
}

/** A name, marked where it is only what a guest calls himself. */
export function named(name: string, guest = false): string {
  return guest ? t("{name} (guest)", { name }) : name;
}

/** A computer player, by how it plays. */
export function computerTitle(player: string): string {
  switch (player) {
    case "random":
      return t("Computer, at random");
    case "easy":
      return t("Computer, easy");
    case "strong":
      return t("Computer, strong");
    case "patient":
      return t("Computer, patient");
    default:
      return t("Computer");
  }
}

/** What to expect of a level, for who hovers over it. */
export function levelNote(player: string): string {
  switch (player) {
    case "random":
      return t("Takes any legal action.");
    case "easy":
      return t("Looks at less, and has lapses as people have.");
    case "strong":
      return t("Plays its plans out in its head before it chooses: seconds for a move.");
    case "patient":
      return t("The same with ten times the work: for slow play.");
    default:
      return t("Plans each phase as a whole.");
  }
}

/** A level in a word. */
export function levelTitle(player: string): string {
  switch (player) {
    case "random":
      return t("At random");
    case "easy":
      return t("Easy");
    case "strong":
      return t("Strong");
    case "patient":
      return t("Patient");
    default:
      return t("Normal");
  }
}

/** Who holds a seat, in a word. */
export function holder(seat: SeatRecord): string {
  if (seat.you) return t("You");
  if (seat.holder) return named(seat.holder, seat.guest);
  if (seat.computer) return computerTitle(seat.computer);
  if (seat.kept_for) return t("kept for {name}", { name: seat.kept_for });
  return seat.open ? t("open seat") : t("invited");
}

/** The others at the table. */
export function others(record: GameRecord): string {
  const names = record.seats.filter((seat) => !seat.you).map(holder);
  return names.length ? [...new Set(names)].join(", ") : t("hot seat");
}

/** The seat of this account whose turn it is, or the first one it holds. */
export function mySeat(record: GameRecord): string | null {
  const mine = record.seats.filter((seat) => seat.you);
  return (mine.find((seat) => seat.side === record.to_act) ?? mine[0])?.side ?? null;
}

/** What is waited for, in one line. */
export function status(record: GameRecord): string {
  const waiting = record.seats.find((seat) => seat.side === record.to_act);
  if (record.your_turn) return t("Your decision");
  switch (record.status) {
    case "open":
      return record.seats.some((seat) => seat.open) ? t("Waiting for a player") : t("Waiting for an invited player");
    case "running":
      return waiting ? t("Waiting for {who}", { who: holder(waiting) }) : t("Running");
    case "abandoned":
      return t("Abandoned");
    case "finished":
      return outcome(record);
  }
}

export function outcome(record: GameRecord): string {
  const end = record.outcome;
  if (!end) return t("Ended without a result");
  if (!end.winner) return t("A draw");
  const seat = record.seats.find((one) => one.side === end.winner);
  return t("{side} won: {level}", {
    side: seat ? seatTitle(record.game, seat) : end.winner,
    level: gameText(record.game, end.level),
  });
}

/** How long a scenario is, in the language of the interface. */
export const lengthOf = (english: string): string => (words.language === "ja" ? japaneseLength(english) : english);

/** "2 to 20 months" of the lengths of all scenarios; "" if they are not counted in one unit. */
export function lengths(game: Pick<GameSummary, "scenarios">): string {
  const parts = game.scenarios.map((scenario) => /^(\d+)\s+(\D+)$/.exec(scenario.length));
  const units = new Set(parts.map((part) => part?.[2]));
  const unit = parts[0]?.[2];
  if (units.size !== 1 || !unit) return "";
  const numbers = parts.map((part) => Number(part?.[1]));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return lengthOf(least === most ? `${most} ${unit}` : `${least}–${most} ${unit}`);
}

/** The link that gives a seat away: the game and its token, so that the page can show the game first. */
export function inviteLink(game: string, token: string): string {
  return `${location.origin}${location.pathname}#/join/${encodeURIComponent(`${game}.${token}`)}`;
}

/** The game and the token of an invitation. */
export function invitation(word: string): { game: string; token: string } | null {
  const dot = word.indexOf(".");
  return dot > 0 && dot < word.length - 1 ? { game: word.slice(0, dot), token: word.slice(dot + 1) } : null;
}

/** How the first side fares when both are played alike: "Computer v Computer: Axis 46 % of 100 games". */
export function balanceText(
  game: { id: string; sides: readonly string[]; side_titles: readonly string[] },
  { player, share, games }: { player: string; share: number; games: number },
): string {
  const side = sideTitle(game, game.sides[0] ?? "");
  return t("{a} v {b}: {side} {n} % of {games} games", {
    a: computerTitle(player),
    b: computerTitle(player),
    side,
    n: Math.round(100 * share),
    games,
  });
}

/** About how long a scenario takes. */
export function lasts({ hours, minutes }: { hours?: string; minutes?: number }): string {
  if (minutes) return t("about {n} min", { n: minutes });
  return hours ? t("about {n} h", { n: hours }) : "";
}

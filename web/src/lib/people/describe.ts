/** Sentences about people and contests. */

import type { ContestRecord, MeetingRecord, RatingRecord } from "../api/types";
import { t, words } from "../i18n/index.svelte";

export function personLink(name: string): string {
  return `#/person/${encodeURIComponent(name)}`;
}

export function contestLink(id: string, token: string | null = null): string {
  return `#/club/${encodeURIComponent(id)}${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}

/** The whole address of a page of this server, for sending to somebody. */
export function whole(hash: string): string {
  return `${location.origin}${location.pathname}${hash}`;
}

/** "1662 ±290": the rating, and its deviation. */
export function ratingText({ rating, deviation }: Pick<RatingRecord, "rating" | "deviation">): string {
  return `${rating} ±${deviation}`;
}

/** What the two numbers of a rating mean. */
export function ratingNote({ rating, deviation }: Pick<RatingRecord, "rating" | "deviation">): string {
  return t("With 95 in 100 between {low} and {high}", { low: rating - 2 * deviation, high: rating + 2 * deviation });
}

/** Points as they are written in tables: 1½. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return points - whole === 0.5 ? `${whole || ""}½` : points.toFixed(2);
}

export function dayText(time: string): string {
  return new Date(time).toLocaleDateString(words.language, { year: "numeric", month: "short", day: "numeric" });
}

export function formText(contest: Pick<ContestRecord, "form">): string {
  switch (contest.form) {
    case "single":
      return t("League, everybody once");
    case "double":
      return t("League, both sides");
    case "knockout":
      return t("Knock-out");
  }
}

export function statusText(contest: ContestRecord): string {
  switch (contest.status) {
    case "gathering":
      return t("{n} {n|player|players} so far", { n: contest.players });
    case "running":
      return contest.at_once
        ? t("Under way, all rounds at once")
        : t("Round {n} of {all}", { n: contest.round, all: contest.rounds });
    case "finished":
      return t("Over");
    case "cancelled":
      return t("Called off");
  }
}

/** What came of a game: "1 – 0", and how, if it was not played. */
export function scoreText(meeting: MeetingRecord): string {
  switch (meeting.result) {
    case "first":
      return meeting.second === null ? "" : "1 – 0";
    case "second":
      return "0 – 1";
    case "draw":
      return "½ – ½";
    case "none":
      return "0 – 0";
    default:
      return "";
  }
}

export function howText(meeting: MeetingRecord): string {
  switch (meeting.how) {
    case "bye":
      return t("bye");
    case "forfeit":
      return t("forfeit");
    case "settled":
      return t("settled by the organiser");
    case "abandoned":
      return t("abandoned");
    default:
      return "";
  }
}

/** Playing by script: the table of a seat, and moves chosen by chance (always the same chance). */
import { readMoved, readTable, type SentMoved, type SentTable } from "../../src/lib/api/brief";
import type { EventItem, GameRecord, Moment, TableState } from "../../src/lib/api/types";
import { address, type Visitor } from "./stage";
import { english } from "../../src/lib/i18n/said";

/** A small generator of numbers between 0 and 1. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function table(visitor: Visitor, id: string, seat: string): Promise<TableState> {
  return readTable(await visitor.ask<SentTable>("GET", `/api/games/${id}/table?seat=${seat}`));
}

export async function move(
  visitor: Visitor,
  id: string,
  seat: string,
  state: TableState,
  action: TableState["actions"][number],
): Promise<TableState> {
  const key = `k${Math.random().toString(36).slice(2)}${Date.now()}`;
  const wish = { seat, length: state.length, key, action: action.action };
  return readMoved(await visitor.ask<SentMoved>("POST", `/api/games/${id}/moves`, wish), state.scene).table;
}

/** Asks as somebody who holds no seat and has no cookies. */
export async function anybody<T>(path: string): Promise<T> {
  const answer = await fetch(`${address}${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

export const publicMoment = (id: string, n: number): Promise<Moment> =>
  anybody(`/api/games/${id}/at/${n}?seat=spectator`);
export const publicEvents = (id: string, since: number): Promise<EventItem[]> =>
  anybody(`/api/games/${id}/events?seat=spectator&since=${Math.max(0, since)}`);
export const record = (id: string): Promise<GameRecord> => anybody(`/api/games/${id}`);

export const SEATS = { axis: "me", commonwealth: "me" };

const HELPFUL = /^(Spend no more|Do not challenge|Offensive$|Fight at )/;
const GAMES = 8;

/** A game of both sides at one browser, on until the decision about which the test is: dice may keep it from coming. */
export async function until(
  player: Visitor,
  wanted: (state: TableState) => boolean,
  scenario = "crusader",
): Promise<{ id: string; seat: string }> {
  for (let seed = 2; seed < 2 + GAMES; seed += 1) {
    const { id } = await player.ask<{ id: string }>("POST", "/api/games", { game: "rommel", scenario, seats: SEATS });
    const random = chance(seed);
    for (let i = 0; i < 400; i += 1) {
      const { to_act: seat } = await player.ask<GameRecord>("GET", `/api/games/${id}`);
      if (!seat) break;
      const state = await table(player, id, seat);
      if (wanted(state)) return { id, seat };
      const on = state.actions.find(({ label }) => HELPFUL.test(english(label ?? "")));
      await move(player, id, seat, state, on ?? state.actions[Math.floor(random() * state.actions.length)]!);
    }
  }
  throw new Error("such a decision does not come");
}

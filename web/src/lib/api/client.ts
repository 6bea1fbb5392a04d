/** The HTTP API, one function a request. Anything but success is a `Problem`. */

import { readLines } from "../analysis/curve";
import { refusalText, t } from "../i18n/index.svelte";
import type { Said, Text } from "../i18n/said";
import { readMoved, readTable, type SentMoved, type SentTable } from "./brief";
import { readOdds } from "./odds";
import { transport } from "./transport";
import type * as T from "./types";

/** What the server (or the lack of one) has against a request; its message is in the language of the interface. */
export class Problem extends Error {
  readonly status: number;
  /** The same as the server says it: a game knows more of its own words. */
  readonly said: Said;
  readonly rule: string;
  readonly code: string;
  /** The length of the game, in this seat's count, that a stale move should have named. */
  readonly length: number | null;
  /** After how many seconds it may be asked again. */
  readonly wait: number;

  constructor(status: number, said: Said, rule = "", code = "", length: number | null = null, wait = 0) {
    super(refusalText(said));
    this.said = said;
    this.status = status;
    this.rule = rule;
    this.code = code;
    this.length = length;
    this.wait = wait;
  }

  get offline(): boolean {
    return this.status === 0;
  }
  /** Asked too often. */
  get often(): boolean {
    return this.status === 429;
  }
  get stale(): boolean {
    return this.status === 409;
  }
}

/** No foreign page can send this header: the server takes no change without it. */
const OWN_PAGE = { "x-sandtable": "1" };

type Query = Record<string, string | number | boolean | null | undefined>;

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return search ? `${path}?${search}` : path;
}

async function problem(answer: Response): Promise<Problem> {
  let body: unknown = null;
  try {
    body = await answer.json();
  } catch {
    // Not JSON: the status has to say it.
  }
  const facts: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const text = (key: string): string => (typeof facts[key] === "string" ? facts[key] : "");
  const said = facts["said"] ? (facts["said"] as Text) : text("why") || text("detail") || answer.statusText;
  const length = typeof facts["length"] === "number" ? facts["length"] : null;
  return new Problem(
    answer.status,
    said,
    text("rule"),
    text("code"),
    length,
    Number(answer.headers.get("retry-after")) || 1,
  );
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") Object.assign(headers, OWN_PAGE);
  let answer: Response;
  try {
    const init: RequestInit = { method, headers, credentials: "same-origin" };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    if (signal) init.signal = signal;
    answer = await transport().ask(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, t("The server does not answer."));
  }
  if (!answer.ok) throw await problem(answer);
  return answer;
}

export async function get<R>(path: string, query?: Query, signal?: AbortSignal): Promise<R> {
  return (await (await send("GET", withQuery(path, query), undefined, signal)).json()) as R;
}

export async function getText(path: string, query?: Query): Promise<string> {
  return (await send("GET", withQuery(path, query))).text();
}

/** POST, PUT and DELETE. */
export async function change<R>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<R> {
  const answer = await send(method, path, body);
  const text = await answer.text();
  return (text ? JSON.parse(text) : null) as R;
}

const game = (id: string, rest = ""): string => `/api/games/${encodeURIComponent(id)}${rest}`;

/** A key for a move: the same move sent twice is taken once. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const api = {
  me: () => get<T.Me>("/api/me"),
  guest: (name = "") => change<T.Me>("POST", "/api/account/guest", { name }),

  catalogue: () => get<T.GameSummary[]>("/api/catalogue"),
  /** A game, with the map of a scenario where each has its own. */
  detail: (id: string, scenario: string) => get<T.GameDetail>(`/api/catalogue/${encodeURIComponent(id)}`, { scenario }),
  map: (id: string, scenario: string) =>
    getText(`/api/catalogue/${encodeURIComponent(id)}/map.svg`, { palette: "css", names: 0, scenario }),
  rulebook: (id: string, language: string) =>
    get<T.Rulebook>(`/api/catalogue/${encodeURIComponent(id)}/rulebook`, { language }),

  /** The diagrams of its worked examples, and the ground of one. */
  examples: (id: string) => get<T.ExampleText[]>(`/api/catalogue/${encodeURIComponent(id)}/examples`),
  exampleGround: (id: string, example: string) =>
    getText(`/api/catalogue/${encodeURIComponent(id)}/examples/${encodeURIComponent(example)}/ground.svg`),

  /** What a player is told before the first move of a scenario. */
  briefing: (id: string, scenario: string) =>
    get<T.BriefingText>(`/api/catalogue/${encodeURIComponent(id)}/briefing/${encodeURIComponent(scenario)}`),

  /** How its counters and its map are read, and what its words mean. */
  legend: (id: string) => get<T.LegendText>(`/api/catalogue/${encodeURIComponent(id)}/legend`),

  newGame: (wish: T.NewGame) => change<T.GameRecord>("POST", "/api/games", wish),
  games: (list: string) => get<T.GameRecord[]>("/api/games", { list }),
  game: (id: string) => get<T.GameRecord>(game(id)),

  table: (id: string, seat: string | null) => get<SentTable>(game(id, "/table"), { seat }).then(readTable),
  /** `live` names the own live connection: what the answer says is not said there again. */
  move: async (id: string, seat: string, at: T.TableState, key: string, action: T.ActionJson, live: string) => {
    const wish = { seat, length: at.length, key, action, live, brief: true };
    return readMoved(await change<SentMoved>("POST", game(id, "/moves"), wish), at.scene);
  },
  /** What there is to know about one action: why it is not allowed, or its cost and its chances. */
  about: async (id: string, seat: string, action: string, signal?: AbortSignal): Promise<T.About> => {
    const found = await get<Omit<T.About, "odds"> & { odds: T.Odds | null }>(
      game(id, "/about"),
      { seat, action },
      signal,
    );
    return { ...found, odds: found.odds ? readOdds(found.odds) : null };
  },
  /** What the computer would do at one's own decision; refused in games against people. */
  advice: (id: string, seat: string, signal?: AbortSignal) => get<T.Advice>(game(id, "/hint"), { seat }, signal),
  /** A game looked back at; `told` hears how far the work is, and in the end what was found. `done`: that alone, if it is there. */
  analysis: async (
    id: string,
    told: (line: T.AnalysisLine) => void,
    signal?: AbortSignal,
    done = false,
  ): Promise<void> => {
    const answer = await send("GET", game(id, done ? "/analysis?done=true" : "/analysis"), undefined, signal);
    if (answer.body) await readLines(answer.body, told);
  },
  costs: (id: string, seat: string) => get<T.Cost[]>(game(id, "/costs"), { seat }),
  /** The line of sight between two hexes, in games that have one. */
  sight: (id: string, seat: string | null, a: string, b: string, signal?: AbortSignal) =>
    get<T.Sight | null>(game(id, "/sight"), { seat, a, b }, signal),
  overlays: (id: string, seat: string | null) => get<T.Overlay[]>(game(id, "/overlays"), { seat }),
  events: (id: string, seat: string | null, since = 0) => get<T.EventItem[]>(game(id, "/events"), { seat, since }),
  /** A moment by its number: in this seat's own count, in the public one, which means the same to everybody, or (after the end) in a side's. */
  moment: (id: string, seat: string | null, n: number, signal?: AbortSignal, counted: string = "own") =>
    get<T.Moment>(game(id, `/at/${n}`), { seat, counted: counted === "own" ? null : counted }, signal),
  /** What has happened since a seat's last decision, in short. */
  away: (id: string, seat: string | null) => get<T.Away | null>(game(id, "/away"), { seat }),
  /** A game that has ended, told as a whole. */
  ending: (id: string) => get<T.Ending>(game(id, "/ending")),
  branch: (id: string, at: number, seat: string | null) =>
    change<T.GameRecord>("POST", game(id, "/branch"), { at, seat }),
  undo: async (id: string, seat: string, at: T.TableState, key: string, live: string) => {
    const wish = { seat, length: at.length, key, live, brief: true };
    return readMoved(await change<SentMoved>("POST", game(id, "/undo"), wish), at.scene);
  },
  askUndo: (id: string, seat: string, decisions = 1) =>
    change<T.GameRecord>("POST", game(id, "/undo/ask"), { seat, decisions }),
  answerUndo: (id: string, seat: string, yes: boolean) =>
    change<T.GameRecord>("POST", game(id, "/undo/answer"), { seat, yes }),
};

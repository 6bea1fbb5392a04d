/**
 * The shapes that travel between server and browser, by short names.
 *
 * All of them are generated from the server's OpenAPI schema (`npm run types`). Only what a game puts into open
 * dictionaries is described here: actions (a verb and its arguments) and events (facts by name).
 */

import type { Said } from "../i18n/said";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Settings = Required<Schemas["MySettings"]>;
export type PushTarget = Schemas["PushSubscription"];
export type Me = Omit<Schemas["Me"], "settings"> & { settings: Settings };

export type ScenarioInfo = Schemas["ScenarioInfo"];
export type GameSummary = Schemas["GameSummary"];
export type GameDetail = Schemas["GameDetail"];
export type GridInfo = Schemas["GridInfo"];
export type HexInfo = Schemas["HexInfo"];
export type UnitInfo = Schemas["UnitInfo"];
export type VerbInfo = Schemas["VerbInfo"];
export type PlaceInfo = Schemas["PlaceInfo"];
export type SideLook = Schemas["CounterLook"];
export type BriefingText = Schemas["BriefingText"];
export type Rulebook = Schemas["Rulebook"];
export type LegendText = Schemas["LegendText"];
export type ExampleText = Schemas["ExampleText"];

export type LessonInfo = Schemas["LessonInfo"];
export type LessonState = Schemas["LessonState"];

export type NewGame = Schemas["NewGame"];
export type GameRecord = Schemas["GameRecord"];
export type SeatRecord = Schemas["SeatRecord"];
export type RatingRecord = Schemas["RatingRecord"];

export type Profile = Schemas["Profile"];
export type GameRating = Schemas["GameRating"];
export type Friends = Schemas["Friends"];
export type LinkOwner = Schemas["LinkOwner"];

export type NewContest = Schemas["NewContest"];
export type ContestRecord = Schemas["ContestRecord"];
export type ContestDetail = Schemas["ContestDetail"];
export type MeetingRecord = Schemas["MeetingRecord"];
export type MatchRecord = Schemas["MatchRecord"];
export type Verdict = Schemas["Settlement"]["result"];

export type PromptText = Schemas["PromptText"];
export type Scene = Schemas["Scene"];
export type CounterItem = Schemas["CounterItem"];
export type MarkerItem = Schemas["MarkerItem"];
export type TrackItem = Schemas["TrackItem"];
export type HandItem = Schemas["HandItem"];
export type Overlay = Schemas["Overlay"];
export type Sight = Schemas["Sight"];
export type Hint = Schemas["Hint"];

export type Advice = Schemas["HintRecord"];
export type Analysis = Schemas["AnalysisRecord"];
export type AnalysisLine = Schemas["AnalysisLine"];

export type ReasonText = Schemas["ReasonText"];
export type Cost = Schemas["Cost"];
export type Odds = Schemas["Odds"];
type ServedLadder = Schemas["Ladder"];
type ServedColumn = ServedLadder["columns"][number];
type ServedCell = ServedColumn["cells"][number];

/** A result of a column: its chance as a number, and as the fraction that it is. */
export type Cell = Omit<ServedCell, "chance" | "good"> & { chance: number; exact: string; good?: number | null };
export type Column = Omit<ServedColumn, "cells" | "lost"> & { cells: Cell[]; lost?: number[] };
export type Ladder = Omit<ServedLadder, "columns"> & { columns: Column[] };
export type Shift = Schemas["Shift"];
/** The chances of an action, as they are shown. */
export type OddsTable = Omit<Odds, "results" | "ladder" | "terms" | "parts"> & {
  terms: NonNullable<Odds["terms"]>;
  results: { result: Said; chance: number; exact: string }[];
  ladder: Ladder | null;
  /** What is shown beside them, one after the other. */
  parts: OddsTable[];
};
/** What there is to know about one action. */
export interface About {
  reason: ReasonText | null;
  hint: Hint | null;
  odds: OddsTable | null;
}
export type Away = Schemas["Away"];
export type Ending = Schemas["Ending"];
export type DiceRecord = Schemas["DiceRecord"];
export type ChatLine = Schemas["ChatLine"];
export type Drawing = Schemas["Drawing"];

/** A verb under `do` and its arguments by name. */
export type ActionJson = Record<string, string> & { do: string };

/** One action: as it is sent, as it is written, and how it is said where the label of its verb does not say it all. */
export interface ActionItem {
  action: ActionJson;
  text: string;
  label?: Said;
}

export type TableState = Omit<Schemas["TableState"], "actions"> & { actions: ActionItem[] };

/** Something that happened, as this seat learned it. */
export interface EventItem {
  /** In this seat's own count. */
  n: number;
  /** In the count of spectators, which means the same to everybody. */
  public?: number;
  event: string;
  rule: string;
  text: Said;
  by?: string;
  faces?: number[];
  side?: string;
  unit?: string;
  units?: string[];
  hex?: string;
  hexes?: string[];
  from?: string;
  to?: string;
  path?: string[];
  [fact: string]: unknown;
}

export type Moved = Omit<Schemas["Moved"], "events" | "table"> & { events: EventItem[]; table: TableState };
export type Moment = Omit<Schemas["Moment"], "events"> & { events: EventItem[] };

/** A message of the live connection; what is empty is left out. */
export type Lived = Pick<Schemas["Lived"], "kind"> &
  Partial<Omit<Schemas["Lived"], "kind" | "events">> & { events?: EventItem[] };

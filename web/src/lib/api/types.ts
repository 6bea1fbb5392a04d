/** The shapes that travel between server and browser. */

export interface Settings {
  theme: string;
  palette: string;
  language: string;
  help: string;
  notify: boolean;
  email: string;
  notify_urls: string[];
  push: PushTarget[];
  client: Record<string, unknown>;
}

export interface PushTarget {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface Me {
  id: string;
  name: string;
  guest: boolean;
  settings: Settings;
}

export interface ScenarioInfo {
  id: string;
  title: string;
  title_ja: string;
  length: string;
  note: string;
}

export interface OptionInfo {
  id: string;
  title: string;
  rule: string;
  default: boolean;
}

export interface GameSummary {
  id: string;
  version: number;
  title: string;
  title_ja: string;
  summary: string;
  sides: string[];
  side_titles: string[];
  scenarios: ScenarioInfo[];
  options: OptionInfo[];
  players: string[];
  picture: string | null;
}

export interface HexInfo {
  id: string;
  x: number;
  y: number;
  terrain: string;
  name?: string;
  tags?: string[];
}

export interface GridInfo {
  orientation: string;
  directions: string[];
  radius: number;
  width: number;
  height: number;
  hexes: HexInfo[];
}

export interface UnitInfo {
  name: string;
  side: string;
  symbol?: string;
  size?: string;
  nation?: string;
  formation?: string;
  facts?: Record<string, string>;
}

export interface VerbInfo {
  word: string;
  args: { name: string; kind: string }[];
}

export interface PlaceInfo {
  name: string;
  hex: string;
  kind: string;
  name_ja?: string;
  x?: number;
  y?: number;
  mark?: string;
  type?: string;
  shown_from?: number;
  badge?: string;
}

export interface EdgeInfo {
  hex: string;
  neighbour: string;
  kind: string;
  name: string;
}

export interface SideLook {
  edge: string;
  square: boolean;
  block: string;
  label: string;
}

export interface GameLook {
  blocks: boolean;
  sides: Record<string, SideLook>;
  nations: Record<string, string>;
}

export interface GameDetail extends GameSummary {
  grid: GridInfo | null;
  units: Record<string, UnitInfo>;
  verbs: VerbInfo[];
  places: PlaceInfo[];
  hexsides: EdgeInfo[];
  ways: EdgeInfo[];
  palettes: string[];
  look?: GameLook | null;
}

export interface RuleText {
  id: string;
  title: string;
  text: string;
}

export interface Rulebook {
  chapters: { id: string; title: string; rules: RuleText[] }[];
  appendices: { title: string; text: string }[];
}

export interface NewGame {
  game: string;
  scenario: string;
  options?: Record<string, boolean>;
  seats?: Record<string, string>;
  pace?: number | null;
  watch?: "anyone" | "players";
  name?: string;
}

export interface SeatRecord {
  side: string;
  title: string;
  holder?: string | null;
  account?: string | null;
  computer?: string | null;
  you?: boolean;
  open?: boolean;
  invite?: string | null;
}

export interface OutcomeRecord {
  winner: string | null;
  level: string;
  points: number;
  rule: string;
}

export interface UndoAsked {
  by: string;
  decisions: number;
  length: number;
}

export interface GameRecord {
  id: string;
  name: string;
  game: string;
  title: string;
  scenario: string;
  scenario_title: string;
  options: Record<string, boolean>;
  status: "open" | "running" | "finished" | "abandoned";
  seats: SeatRecord[];
  owner: boolean;
  length: number;
  to_act: string | null;
  your_turn: boolean;
  commitment: string;
  seed: string | null;
  unsealed: boolean;
  clock: { days: number; since: string; due: string; overdue: boolean } | null;
  watch: string;
  analysis: boolean;
  parent: string | null;
  branched_at: number | null;
  rematch: string | null;
  notify: boolean;
  created: string;
  updated: string;
  outcome: OutcomeRecord | null;
}

/** A verb under `do` and its arguments by name. */
export type ActionJson = Record<string, string> & { do: string };

/** What the rules tell of an action before it is taken. */
export interface ActionHint {
  cost?: string;
  path?: string[];
  stop?: boolean;
  note?: string;
}

export interface ActionItem {
  action: ActionJson;
  label: string;
  text: string;
  hint?: ActionHint | null;
}

export interface PromptText {
  title: string;
  text: string;
  rules: string[];
  phase: string;
}

export interface CounterItem {
  unit?: string;
  side: string;
  hex?: string;
  box?: string;
  hidden?: boolean;
  label?: string;
  name?: string;
  formation?: string;
  symbol?: string;
  size?: string;
  nation?: string;
  strength?: string;
  values?: string[];
  steps?: number[];
  elite?: boolean;
  marks?: string[];
  flat?: boolean;
  detail?: string;
}

export interface MarkerItem {
  hex: string;
  kind: string;
  label?: string;
  side?: string;
  rule?: string;
  directions?: string[];
}

export interface TrackItem {
  id: string;
  title: string;
  cells: string[];
  now: number;
}

export interface HandItem {
  side: string;
  title: string;
  count: number;
  cards?: string[];
}

export interface BoxItem {
  id: string;
  title: string;
  side?: string;
  count: number;
  rule?: string;
}

export interface StatItem {
  id: string;
  title: string;
  values: (number | null)[];
}

export interface PhaseItem {
  id: string;
  title: string;
  state: string;
}

export interface Scene {
  title?: string;
  subtitle?: string;
  active?: string;
  to_act?: string | null;
  phases?: PhaseItem[];
  counters?: CounterItem[];
  markers?: MarkerItem[];
  control?: Record<string, string[]>;
  tracks?: TrackItem[];
  hands?: HandItem[];
  boxes?: BoxItem[];
  stats?: StatItem[];
  notes?: string[];
}

export interface Overlay {
  id: string;
  title: string;
  rule?: string;
  hexes?: string[];
  cut?: string[];
  paths?: string[][];
  numbers?: Record<string, string>;
}

export interface TableState {
  length: number;
  seat: string | null;
  status: string;
  to_act: string | null;
  prompt: PromptText;
  actions: ActionItem[];
  scene: Scene;
  can_undo: boolean;
  undo_asked: UndoAsked | null;
  outcome: OutcomeRecord | null;
  events_from: number;
}

/** Something that happened, as this seat learned it. */
export interface EventItem {
  n: number;
  event: string;
  rule: string;
  text: string;
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

export interface Moved {
  length: number;
  events: EventItem[];
  table: TableState;
}

export interface ReasonText {
  rule: string;
  why: string;
}

export interface OddsTable {
  title: string;
  terms: { value: string; rule: string; text: string }[];
  results: { result: string; chance: number; exact: string }[];
}

export interface Moment {
  n: number;
  length: number;
  to_act: string | null;
  prompt: PromptText;
  scene: Scene;
  events: EventItem[];
}

export interface DiceRecord {
  commitment: string;
  seed: string | null;
  from_entry: number;
  rolls: { n: number; index: number; faces: number[]; dice: { index: number; sides: number; value: number }[] }[];
}

export interface ChatLine {
  id: number;
  by: string;
  account: string;
  sides: string[];
  you: boolean;
  text: string;
  at: string;
}

/** A message of the live connection. */
export interface Lived {
  kind: "events" | "chat" | "game";
  length?: number;
  to_act?: string | null;
  status?: string;
  events?: EventItem[];
  undo_asked?: UndoAsked | null;
  chat?: ChatLine[];
}

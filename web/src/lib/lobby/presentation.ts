/** What a game adds to its entry in the lobby; everything here may be absent. */

export interface Block {
  x: number;
  y: number;
  count: number;
  /** The token of its colour: block-axis, block-cw. */
  colour: string;
}

export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A counter that stands for a side: its nation's colour, its number of men or its symbol, its printed values. */
export interface Counter {
  /** The token of its fill; with `-box` that of the symbol's box. */
  fill: string;
  edge: "axis" | "allied";
  sign: "armour" | "infantry" | "squad";
  values: string;
}

export interface ScenarioLook {
  dates?: string;
  /** About how long it takes. */
  hours?: string;
  minutes?: number;
  character?: string;
  tag?: string;
}

export interface LobbyLook {
  map: { width: number; height: number };
  /** The piece of the map that is shown, and a wider one for a card that lies. */
  crop: Crop;
  wide: Crop;
  blocks: readonly Block[];
  /** The token of the colour of each side's blocks. */
  sides: Readonly<Record<string, string>>;
  /** Where it is played with counters: one of each side. */
  counters?: Readonly<Record<string, Counter>>;
  /** In a word or two. */
  weight: string;
  /** The scenario to begin with. */
  first: string;
  scenarios: Readonly<Record<string, ScenarioLook>>;
}

const files = import.meta.glob<{ lobby: LobbyLook }>("../games/*/lobby.ts", { eager: true });

export function lobbyLook(game: string): LobbyLook | null {
  return files[`../games/${game}/lobby.ts`]?.lobby ?? null;
}

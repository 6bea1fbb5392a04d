/** Tables as the server sends them, in few words, and as the client reads them: action by action, with the whole scene. */

import type { components } from "./schema";
import type { ActionItem, Moved, Scene, TableState } from "./types";

type Schemas = components["schemas"];
export type SentTable = Schemas["TableState"];
export type SentMoved = Schemas["Moved"];

/** The actions one by one, in the order of the list. */
export function readActions(rows: SentTable["actions"]): ActionItem[] {
  return rows.flatMap(({ do: verb, args = {}, labels = [], said = [] }) => {
    const columns = Object.entries(args);
    const many = Math.max(1, ...columns.map(([, values]) => (typeof values === "string" ? 1 : values.length)));
    return Array.from({ length: many }, (_, i): ActionItem => {
      const given = columns.map(([name, values]) => [name, typeof values === "string" ? values : (values[i] ?? "")]);
      const label = labels[said[i] ?? 0];
      return {
        action: { do: verb, ...(Object.fromEntries(given) as Record<string, string>) },
        text: [verb, ...given.map(([, value]) => value)].join(" "),
        ...(label !== undefined && { label }),
      };
    });
  });
}

export const readTable = (table: SentTable): TableState => ({ ...table, actions: readActions(table.actions) });

/** The whole scene: what is new in it, and what is as it was before. */
export function wholeScene(news: Scene, kept: SentMoved["kept"], before: Scene): Scene {
  const found: Record<string, unknown> = { ...news };
  const old: Record<string, unknown> = { ...before };
  for (const [part, places] of Object.entries(kept)) {
    if (places === null) {
      found[part] = old[part];
      continue;
    }
    const fresh = found[part] as unknown[];
    const items = old[part] as unknown[];
    let next = 0;
    found[part] = places.map((place) => (place < 0 ? fresh[next++] : items[place]));
  }
  return found as Scene;
}

/** The answer to a move that was chosen at a table with this scene. */
export function readMoved(moved: SentMoved, before: Scene): Moved {
  const scene = wholeScene(moved.table.scene, moved.kept, before);
  return { ...moved, events: moved.events as Moved["events"], table: readTable({ ...moved.table, scene }) };
}

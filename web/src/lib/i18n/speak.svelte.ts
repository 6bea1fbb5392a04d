/** What the server says, in the language of the interface; English where there is nothing else. */

import type { ActionItem, EventItem, GameDetail } from "../api/types";
import { line, type Names } from "./game-words";
import { gameText, t, words } from "./index.svelte";

interface Known {
  english: Map<string, string>;
  japanese: Map<string, string>;
}

const known = new WeakMap<GameDetail, Known>();

function placesOf(detail: GameDetail): Known {
  let found = known.get(detail);
  if (!found) {
    const english = new Map((detail.grid?.hexes ?? []).map((hex) => [hex.id, hex.name ?? ""]));
    const japanese = new Map<string, string>();
    for (const place of detail.places) {
      // A hex is called by the place that gives it its name, not by a road or a ridge that it also holds.
      if (place.name_ja && place.name === english.get(place.hex)) japanese.set(place.hex, place.name_ja);
    }
    found = { english, japanese };
    known.set(detail, found);
  }
  return found;
}

function place(detail: GameDetail, hex: string): string {
  const { english, japanese } = placesOf(detail);
  return (words.language === "ja" && japanese.get(hex)) || english.get(hex) || hex;
}

/** A unit by its whole name. */
function unit(detail: GameDetail, id: string): string {
  const name = detail.units[id]?.name ?? id;
  return words.of(detail.id)?.unit?.(id, name) ?? name;
}

function names(detail: GameDetail): Names {
  return { hex: (id) => place(detail, id), unit: (id) => unit(detail, id) };
}

export const speak = {
  /** A log line. */
  event(detail: GameDetail, event: EventItem): string {
    if (event.event === "undo") {
      const entries = event["entries"];
      const at = detail.sides.indexOf(event.by ?? "");
      const n = Array.isArray(entries) ? entries.length : 1;
      return t("{side}: {n} {n|decision|decisions} taken back", { n, side: at < 0 ? (event.by ?? "") : gameText(detail.id, detail.side_titles[at] ?? "") });
    }
    if (words.language === "en") return event.text;
    const own = words.of(detail.id);
    return own ? line(own.events, event.event, event, names(detail), event.text) : event.text;
  },

  /** An action as a player would say it. */
  action(detail: GameDetail, item: ActionItem): string {
    const own = words.of(detail.id);
    return own ? line(own.actions, item.action.do, item.action, names(detail), item.label) : item.label;
  },

  /** The title or text of a decision, a phase, a track, a box, a mark, a reason, a term of odds, a level of victory. */
  say: (detail: GameDetail, text: string): string => gameText(detail.id, text),

  /** A hex by its name, or its number. */
  place,
  unit,
};

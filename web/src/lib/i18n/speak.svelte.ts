/** What the server says, in the language of the interface; English where there is nothing else. */

import type { ActionItem, CounterItem, EventItem, GameDetail } from "../api/types";
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

const callings = new WeakMap<GameDetail, Map<string, string>>();

/** What a name of a place or a unit in an English sentence is called in the language of the interface. */
function calling(detail: GameDetail): Map<string, string> {
  let found = callings.get(detail);
  const own = words.of(detail.id);
  if (!found && own) {
    found = new Map(Object.entries(detail.units).map(([id, { name }]) => [name, own.unit?.(id, name) ?? name]));
    for (const { name, name_ja } of detail.places) if (name_ja) found.set(name, name_ja);
    callings.set(detail, found);
  }
  return found ?? new Map<string, string>();
}

export const speak = {
  /** A log line. */
  event(detail: GameDetail, event: EventItem): string {
    if (event.event === "undo") {
      const entries = event["entries"];
      const at = detail.sides.indexOf(event.by ?? "");
      const n = Array.isArray(entries) ? entries.length : 1;
      return t("{side}: {n} {n|decision|decisions} taken back", {
        n,
        side: at < 0 ? (event.by ?? "") : gameText(detail.id, detail.side_titles[at] ?? ""),
      });
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
  say: (detail: GameDetail, text: string): string =>
    words.language === "en" ? text : gameText(detail.id, text, (name) => calling(detail).get(name)),

  /** All that is to be said of a counter, in one line: its name and what it is, with commas between. */
  counter(detail: GameDetail, item: CounterItem): string {
    const whole = item.detail ?? item.name ?? "";
    const name = detail.units[item.unit ?? ""]?.name ?? "";
    if (words.language === "en" || !name || !whole.startsWith(name)) return whole;
    const facts = whole.slice(name.length).split(/[,:] /).filter(Boolean);
    return [unit(detail, item.unit ?? ""), ...facts.map((fact) => gameText(detail.id, fact))].join("、");
  },

  /** A hex by its name, or its number. */
  place,
  unit,
};

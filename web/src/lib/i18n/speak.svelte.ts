/** What the server says, in the language of the interface; English where there is nothing else. */

import type { ActionItem, CounterItem, EventItem, GameDetail } from "../api/types";
import { line, type Names } from "./game-words";
import { gameText, t, words } from "./index.svelte";
import { japaneseNear } from "./dates";
import { english, type Said } from "./said";

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

const placeNamed = (detail: GameDetail, name: string): string | undefined =>
  detail.places.find((one) => one.name === name)?.name_ja;

function place(detail: GameDetail, hex: string): string {
  const { english, japanese } = placesOf(detail);
  const name = english.get(hex) ?? hex;
  if (words.language !== "ja") return name;
  return japanese.get(hex) ?? japaneseNear(name, (near) => placeNamed(detail, near)) ?? name;
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
    for (const [hex, name] of placesOf(detail).english) if (!found.has(name)) found.set(name, place(detail, hex));
    callings.set(detail, found);
  }
  return found ?? new Map<string, string>();
}

/** Whether the catalogue of a game has a text, so that nothing has to be found out from its English. */
function isKnown(detail: GameDetail, said: Said): boolean {
  return words.language === "en" || (typeof said === "string" ? said : said.template) in words.catalogue(detail.id);
}

/** What an action does: the server says it, or the label of its verb does, filled with its units and hexes. */
function labelOf(detail: GameDetail, { action, label, text }: ActionItem): Said {
  if (label) return label;
  const verb = detail.verbs.find(({ word }) => word === action.do);
  if (!verb?.label) return text;
  const named = verb.args.map(({ name, kind }): [string, string] => {
    const id = action[name] ?? "";
    if (kind === "unit") return [name, unit(detail, id)];
    const called = place(detail, id);
    return [name, called === id ? id : words.language === "ja" ? `${called}（${id}）` : `${called} (${id})`];
  });
  return { template: verb.label, facts: Object.fromEntries(named) };
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
    if (isKnown(detail, event.text)) return speak.say(detail, event.text);
    const own = words.of(detail.id);
    const plain = english(event.text);
    return own ? line(own.events, event.event, event, names(detail), plain) : plain;
  },

  /** An action as a player would say it. */
  action(detail: GameDetail, item: ActionItem): string {
    const label = labelOf(detail, item);
    if (isKnown(detail, label)) return speak.say(detail, label);
    const own = words.of(detail.id);
    const plain = english(label);
    return own ? line(own.actions, item.action.do, item.action, names(detail), plain) : plain;
  },

  /** The title or text of a decision, a phase, a track, a box, a mark, a reason, a term of odds, a level of victory. */
  say: (detail: GameDetail, said: Said): string => gameText(detail.id, said, (name) => calling(detail).get(name)),

  /** All that is to be said of a counter, in one line: its name and what it is, with commas between. */
  counter(detail: GameDetail, item: CounterItem): string {
    const said = item.detail ?? item.name ?? "";
    if (words.language === "en" || isKnown(detail, said)) return speak.say(detail, said);
    const whole = english(said);
    const name = detail.units[item.unit ?? ""]?.name ?? "";
    if (!name || !whole.startsWith(name)) return whole;
    const facts = whole.slice(name.length).split(/[,:] /).filter(Boolean);
    return [unit(detail, item.unit ?? ""), ...facts.map((fact) => gameText(detail.id, fact))].join("、");
  },

  /** A hex by its name, or its number. */
  place,
  unit,
};

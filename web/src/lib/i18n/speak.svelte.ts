/** What the server says, in the language of the interface; English where there is nothing else. */

import type { ActionItem, CounterItem, EventItem, GameDetail } from "../api/types";
import { gameText, t, words } from "./index.svelte";
import { japaneseNear } from "./dates";
import type { Said, Text } from "./said";

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

/** Where a hex has its number a box beside the map has words: "nile_delta" is the Nile Delta. */
const isBox = (id: string): boolean => /^[a-z]/.test(id);
const box = (id: string): string =>
  id.replace(/(^|_)(.)/g, (_, gap: string, letter: string) => (gap ? " " : "") + letter.toUpperCase());

function place(detail: GameDetail, hex: string): string {
  const { english, japanese } = placesOf(detail);
  const name = english.get(hex) || hex; // most hexes have a number alone
  if (words.language !== "ja") return name;
  return japanese.get(hex) ?? japaneseNear(name, (near) => placeNamed(detail, near)) ?? gameText(detail.id, name);
}

/** A unit by its whole name. */
function unit(detail: GameDetail, id: string): string {
  const name = detail.units[id]?.name ?? id;
  return gameText(detail.id, name);
}

const callings = new WeakMap<GameDetail, Map<string, string>>();

/** What a place is called in the language of the interface, by its English name, with its number behind it or not. */
function calling(detail: GameDetail, name: string): string | undefined {
  if (words.language === "en") return undefined;
  let found = callings.get(detail);
  if (!found) {
    found = new Map(detail.places.flatMap(({ name, name_ja }) => (name_ja ? [[name, name_ja]] : [])));
    // Most hexes have no name: nothing is called by that.
    for (const [hex, name] of placesOf(detail).english)
      if (name && !found.has(name)) found.set(name, place(detail, hex));
    callings.set(detail, found);
  }
  const at = name.endsWith(")") ? name.lastIndexOf(" (") : -1;
  const bare = found.get(at < 0 ? name : name.slice(0, at));
  return at < 0 || !bare ? bare : `${bare}（${name.slice(at + 2, -1)}）`;
}

/** What an action does: the server says it, or the label of its verb does, filled with its units and hexes. */
function labelOf(detail: GameDetail, { action, label, text }: ActionItem): Said {
  const verb = detail.verbs.find(({ word }) => word === action.do);
  if (typeof label === "string" && label) return label;
  const said: Text = typeof label === "object" ? label : { template: verb?.label ?? "", facts: {} };
  if (!verb || !said.template) return text;
  const named = verb.args.map(({ name, kind }): [string, string] => {
    const id = action[name] ?? "";
    if (kind === "unit") return [name, unit(detail, id)];
    if (kind === "hex or box" && isBox(id)) return [name, gameText(detail.id, box(id))];
    const called = place(detail, id);
    return [name, called === id ? id : words.language === "ja" ? `${called}（${id}）` : `${called} (${id})`];
  });
  return { template: said.template, facts: { ...Object.fromEntries(named), ...said.facts } };
}

/** Who takes back what both sides agreed on. */
const CONSENT = "consent";

export const speak = {
  /** A log line. */
  event(detail: GameDetail, event: EventItem): string {
    if (event.event === "undo") {
      const entries = event["entries"];
      const at = detail.sides.indexOf(event.by ?? "");
      const n = Array.isArray(entries) ? entries.length : 1;
      if (event.by === CONSENT) return t("By consent: {n} {n|decision|decisions} taken back", { n });
      return t("{side}: {n} {n|decision|decisions} taken back", {
        n,
        side: at < 0 ? (event.by ?? "") : gameText(detail.id, detail.side_titles[at] ?? ""),
      });
    }
    return speak.say(detail, event.text);
  },

  /** An action as a player would say it. */
  action(detail: GameDetail, item: ActionItem): string {
    return speak.say(detail, labelOf(detail, item));
  },

  /** The title or text of a decision, a phase, a track, a box, a mark, a reason, a term of odds, a level of victory. */
  say: (detail: GameDetail, said: Said): string => gameText(detail.id, said, (name) => calling(detail, name)),

  /** All that is to be said of a counter, in one line: its name and what it is, with commas between. */
  counter(detail: GameDetail, item: CounterItem): string {
    return speak.say(detail, item.detail ?? item.name ?? "");
  },

  /** A hex by its name, or its number. */
  place,
  unit,
};

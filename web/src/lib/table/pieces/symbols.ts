/** The symbol of a kind of troops, as an SVG fragment; kinds that are not known show their first letters. */

import { SYMBOLS } from "virtual:symbols";

export const SYMBOL_BOX = "20 45 160 110";

/** Other words for the same. */
const SAME: Record<string, string> = {
  armor: "armour",
  tank: "armour",
  panzer: "armour",
  infantry_tank: "armour",
  assault_gun: "mobile_antitank",
  motorized_infantry: "motorised_infantry",
  mot_infantry: "motorised_infantry",
  panzergrenadier: "mechanised_infantry",
  armored_infantry: "mechanised_infantry",
  mountain: "mountain_infantry",
  jaeger: "mountain_infantry",
  commando: "paratroops",
  airborne: "paratroops",
  mot_airborne: "motorised_paratroops",
  motorcycle: "bicycle_infantry",
  mot_machine_gun: "machine_gun",
  security: "infantry",
  nkvd: "infantry",
  armored_car: "armoured_cars",
  anti_tank: "antitank",
  at: "antitank",
  td: "mobile_antitank",
  asu_artillery: "artillery",
  rocket_artillery: "artillery",
  armored_artillery: "self_propelled_artillery",
  flak88: "flak",
  aa: "flak",
  heavy_aa: "flak",
  truck: "transport",
  port_garrison: "naval",
};

const LETTERS: Record<string, string> = {
  hq: "HQ",
  asu_hq: "HQ",
  leader: "L",
  replacement_inf: "R",
  replacement_tank: "R",
};
/** Air units and leaders have no frame of their own in the standard: an oval with an aircraft, a star. */
const DRAWN: Record<string, string> = {
  air:
    '<ellipse cx="100" cy="100" rx="75" ry="50" stroke-width="6" stroke="currentColor" fill="var(--box)"></ellipse>' +
    '<path d="M100 60c5 0 8 5 8 12v14l42 20v10l-42 -10v18l14 10v8l-22 -5l-22 5v-8l14 -10v-18l-42 10v-10l42 -20v-14c0 -7 3 -12 8 -12z" fill="currentColor"></path>',
  leader:
    '<path d="M25,50 l150,0 0,100 -150,0 z" stroke-width="6" stroke="currentColor" fill="var(--box)"></path>' +
    '<path d="M100 60l10 29h31l-25 18l9 30l-25 -18l-25 18l9 -30l-25 -18h31z" fill="currentColor"></path>',
};
const FRAME = '<path d="M25,50 l150,0 0,100 -150,0 z" stroke-width="6" stroke="currentColor" fill="var(--box)"></path>';

const safe = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

export function symbolOf(kind: string, own: Record<string, string> = {}): string {
  const found = SYMBOLS[own[kind] ?? kind] ?? SYMBOLS[SAME[kind] ?? ""];
  if (found) return found;
  if (DRAWN[kind]) return DRAWN[kind];
  const letters =
    LETTERS[kind] ??
    kind
      .split(/[_ -]/)
      .map((word) => word.charAt(0).toUpperCase())
      .join("")
      .slice(0, 3);
  const text = `<text x="100" y="122" text-anchor="middle" font-size="62" font-weight="700" fill="currentColor" style="font-family:var(--font-counter)">${safe(letters)}</text>`;
  return FRAME + text;
}

const SIZES: Record<string, string> = {
  company: "I",
  battery: "I",
  battalion: "II",
  regiment: "III",
  brigade: "X",
  "combat command": "X",
  division: "XX",
  corps: "XXX",
  army: "XXXX",
};

/** The sign of a unit's size: II for a battalion, X for a brigade. */
export function sizeMark(size: string): string {
  return SIZES[size.toLowerCase()] ?? (/^[IX+•]+$/.test(size) ? size : "");
}

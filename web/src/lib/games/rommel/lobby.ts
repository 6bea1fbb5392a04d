/** Rommel in the Desert in the lobby: a piece of its map with blocks, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

/** Blocks as they stand before Crusader: centre of the hex, side, how many. */
const STANDING: readonly [number, number, "axis" | "commonwealth", number][] = [
  [1062, 243, "axis", 2],
  [1162, 243, "axis", 3],
  [1262, 243, "commonwealth", 4],
  [1362, 243, "axis", 4],
  [1212, 330, "axis", 3],
  [1312, 330, "axis", 4],
  [1412, 330, "axis", 3],
  [1512, 330, "axis", 1],
  [1162, 416, "axis", 1],
  [1262, 416, "axis", 1],
  [1362, 416, "axis", 1],
  [1462, 416, "axis", 3],
  [1662, 416, "commonwealth", 3],
  [1762, 416, "commonwealth", 4],
  [1412, 503, "axis", 1],
  [1512, 503, "commonwealth", 2],
  [1612, 503, "commonwealth", 4],
  [1712, 503, "commonwealth", 4],
];

export const lobby: LobbyLook = {
  map: { width: 2724, height: 918.9 },
  crop: { x: 1100, y: 140, width: 720, height: 420 },
  wide: { x: 960, y: 200, width: 960, height: 280 },
  blocks: STANDING.map(([x, y, side, count]) => ({
    x,
    y,
    count,
    colour: side === "axis" ? "block-axis" : "block-cw",
  })),
  sides: { axis: "block-axis", commonwealth: "block-cw" },
  weight: "Easy to learn",
  first: "crusader",
  scenarios: {
    first_battle: {
      dates: "Jun 1942",
      character: "Panzers storm a tired Tobruk",
      minutes: 10,
      tag: "First battle",
    },
    "1940": {
      dates: "Sep 1940 to Feb 1941",
      hours: "3",
      character: "Italians in strength, then Compass",
      tag: "Lopsided",
    },
    "1941": { dates: "Apr 1941 to Jan 1942", hours: "5", character: "First rush, siege of Tobruk", tag: "The classic" },
    "1942": {
      dates: "Feb to Nov 1942",
      hours: "5",
      character: "Gazala and the road to Alamein",
      tag: "Swings both ways",
    },
    battleaxe: { dates: "Jun to Aug 1941", hours: "1½", character: "A relief across the frontier", tag: "Few blocks" },
    campaign: { dates: "Apr 1941 to Nov 1942", hours: "12", character: "Supply decides", tag: "For the long haul" },
    crusader: {
      dates: "Nov 1941 to Jan 1942",
      hours: "2",
      character: "Armour in the open, Tobruk to relieve",
      tag: "Best first game",
    },
    gazala: { dates: "May to Jun 1942", hours: "1", character: "One line to break, many blocks", tag: "The shortest" },
    pursuit: {
      dates: "Jun to Nov 1942",
      hours: "3",
      character: "A run for the Nile on empty tanks",
      tag: "Axis to attack",
    },
  },
};

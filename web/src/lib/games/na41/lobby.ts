/** North Africa '41 in the lobby: the coast between Gazala and the wire, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

export const lobby: LobbyLook = {
  map: { width: 8074, height: 2737.5 },
  crop: { x: 2900, y: 250, width: 2000, height: 1170 },
  wide: { x: 2400, y: 350, width: 3200, height: 930 },
  blocks: [],
  sides: { axis: "block-axis", allied: "block-cw" },
  counters: {
    axis: { fill: "de", edge: "axis", sign: "armour", values: "7 5 5" },
    allied: { fill: "gb", edge: "allied", sign: "infantry", values: "2 3 5" },
  },
  weight: "Demanding",
  first: "s3_crusader",
  scenarios: {
    s4_first_battle: {
      dates: "Mar 1941",
      character: "Two columns close on Benghazi",
      minutes: 10,
      tag: "First battle",
    },
    s1_enter_rommel: {
      dates: "Mar to Jun 1941",
      hours: "8",
      character: "Rommel strikes, Tobruk holds or falls",
      tag: "The classic",
    },
    s2_campaign: {
      dates: "Mar to Dec 1941",
      hours: "20",
      character: "Convoys, sieges and reliefs for most of a year",
      tag: "For the long haul",
    },
    s3_crusader: {
      dates: "Nov to Dec 1941",
      hours: "4",
      character: "Both sides strong, three turns to decide",
      tag: "The shortest",
    },
  },
};

/** Kasserine in the lobby: the country between Thala and Sidi Bou Zid, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

export const lobby: LobbyLook = {
  map: { width: 6115, height: 4874 },
  crop: { x: 2050, y: 1150, width: 2000, height: 1170 },
  wide: { x: 1950, y: 1450, width: 3200, height: 930 },
  blocks: [],
  sides: { axis: "block-axis", allied: "block-cw" },
  counters: {
    axis: { fill: "de", edge: "axis", sign: "armour", values: "7 5 8" },
    allied: { fill: "us", edge: "allied", sign: "infantry", values: "3 4 6" },
  },
  weight: "Demanding",
  first: "s0_learning",
  scenarios: {
    s4_first_battle: {
      dates: "14 Feb 1943",
      character: "A spearhead opens the road behind Faid",
      minutes: 10,
      tag: "First battle",
    },
    s0_learning: {
      dates: "14 to 16 Feb 1943",
      hours: "2",
      character: "Two panzer divisions close on one combat command",
      tag: "Best first game",
    },
    s1_historical: {
      dates: "14 to 24 Feb 1943",
      hours: "12",
      character: "From Faid to the passes, under two commanders",
      tag: "The classic",
    },
    s2_campaign: {
      dates: "14 to 26 Feb 1943",
      hours: "15",
      character: "Rommel has it all his own way, and Mareth to answer for",
      tag: "For the long haul",
    },
    s3_kasserine_pass: {
      dates: "19 to 23 Feb 1943",
      hours: "5",
      character: "Five days to force the pass and reach Thala or Tebessa",
      tag: "The famous battle",
    },
  },
};

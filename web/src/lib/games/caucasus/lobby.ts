/** The Caucasus Campaign in the lobby: the ridge and the oil behind it, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

export const lobby: LobbyLook = {
  map: { width: 3774, height: 2477.7 },
  crop: { x: 850, y: 960, width: 1500, height: 880 },
  wide: { x: 700, y: 1080, width: 2300, height: 670 },
  blocks: [],
  sides: { axis: "block-axis", soviet: "block-cw" },
  counters: {
    axis: { fill: "de", edge: "axis", sign: "armour", values: "8 8 6" },
    soviet: { fill: "su", edge: "allied", sign: "infantry", values: "3 5 3" },
  },
  weight: "Middling",
  first: "tournament",
  scenarios: {
    first_battle: {
      dates: "28 Jul 1942",
      character: "Four fast divisions race for Salsk",
      minutes: 10,
      tag: "First battle",
    },
    tournament: {
      dates: "25 Jul to 11 Sep 1942",
      hours: "4",
      character: "The summer rush to the Kuban and the Terek",
      tag: "Best first game",
    },
    campaign: {
      dates: "25 Jul to 14 Nov 1942",
      hours: "8",
      character: "From Rostov to the oil, and the winter",
      tag: "The whole story",
    },
  },
};

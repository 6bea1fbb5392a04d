/** ASL in the lobby: the post in the scrub, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

export const lobby: LobbyLook = {
  map: { width: 1778, height: 1128 },
  crop: { x: 300, y: 260, width: 1080, height: 632 },
  wide: { x: 120, y: 300, width: 1500, height: 436 },
  blocks: [],
  sides: { axis: "block-axis", allied: "block-cw" },
  weight: "Demanding",
  first: "s01_capuzzo_outpost",
  scenarios: {
    s01_capuzzo_outpost: {
      dates: "14 Jun 1940",
      hours: "2",
      character: "A company of rifles against four sangars in the scrub",
      tag: "Best first game",
    },
  },
};

/** ASL in the lobby: the post in the scrub, and what its scenarios are like. */
import type { LobbyLook } from "../../lobby/presentation";

export const lobby: LobbyLook = {
  map: { width: 1778, height: 1128 },
  crop: { x: 300, y: 260, width: 1080, height: 632 },
  wide: { x: 120, y: 300, width: 1500, height: 436 },
  blocks: [],
  sides: { axis: "block-axis", allied: "block-cw" },
  counters: {
    axis: { fill: "it", edge: "axis", sign: "squad", values: "3-4-7" },
    allied: { fill: "gb", edge: "allied", sign: "squad", values: "4-5-7" },
  },
  weight: "Demanding",
  first: "s01_capuzzo_outpost",
  scenarios: {
    s11_first_battle: {
      dates: "16 Jun 1940",
      character: "Three squads hold two sangars",
      minutes: 10,
      tag: "First battle",
    },
    s01_capuzzo_outpost: {
      dates: "14 Jun 1940",
      hours: "2",
      character: "A company of rifles against four sangars in the scrub",
      tag: "Best first game",
    },
    s02_gabr_saleh: {
      dates: "19 Nov 1941",
      hours: "3",
      character: "Panzers and Honeys on the open plain, nothing else",
      tag: "Tanks alone",
    },
    s03_nibeiwa: {
      dates: "9 Dec 1940",
      hours: "5",
      character: "Matildas through the mines into a sleeping camp",
    },
    s04_cauldron_sunset: {
      dates: "5 Jun 1942",
      hours: "6",
      character: "A box in a deir, attacked out of the setting sun",
    },
    s05_hafid_ridge: {
      dates: "15 Jun 1941",
      hours: "6",
      character: "Cruisers over three hillocks into the muzzles of two 88s",
    },
    s06_wadi_zigzaou: {
      dates: "21 Mar 1943",
      hours: "6",
      character: "Valentines with fascines against the far bank of a wadi",
    },
    s07_sidi_bou_zid: {
      dates: "15 Feb 1943",
      hours: "6",
      character: "Shermans in parade order toward a village in the haze",
    },
    s08_totensonntag: {
      dates: "23 Nov 1941",
      hours: "12",
      character: "Two panzer regiments overrun a brigade on four boards",
      tag: "For the long haul",
    },
    s09_snipe: {
      dates: "27 Oct 1942",
      hours: "5",
      character: "Anti-tank guns in a hollow, and everything comes at them",
      tag: "The famous stand",
    },
    s10_bir_hakeim: {
      dates: "27 May 1942",
      hours: "5",
      character: "Ariete charges the minefields of the Free French",
    },
  },
};

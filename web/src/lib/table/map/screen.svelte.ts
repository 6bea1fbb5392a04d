/** How the table is arranged on this screen: which panels are open, which overlays are on. */

import { recall, remember } from "../../store";

export type Tab = "decide" | "log" | "chat" | "rules" | "forces" | "tracks";

/** All boxes off the map in one panel. */
export const ALL_BOXES = "*";

const phone = matchMedia("(max-width: 860px)");

export class Screen {
  phone = $state(phone.matches);
  /** The tab of the side panel below the decision; on a phone that of the sheet. */
  tab: Tab = $state("log");
  sheet: "peek" | "half" | "full" = $state("half");
  menu = $state(false);
  keys = $state(false);
  briefing = $state(false);
  /** What was asked about: a hex, a counter in it or in a box. */
  about: { hex: string | null; unit: string | null } | null = $state.raw(null);
  /** The page of the legend that is open. */
  legend: "map" | "counters" | "overlays" | "words" | null = $state(null);
  /** The next press on the map asks what is there. */
  looking = $state(false);
  hand = $state(false);
  /** The panel of the decision, on a wide screen. */
  panel = $state(true);
  box: string | null = $state(null);
  overlays: string[] = $state.raw([]);
  hideCounters = $state(false);
  numbers = $state(recall("numbers", true));
  private readonly listen = (event: MediaQueryListEvent): void => void (this.phone = event.matches);

  constructor() {
    phone.addEventListener("change", this.listen);
    if (this.phone) this.tab = "decide";
  }

  /** Tells what a hex or a counter is. */
  tell(hex: string | null, unit: string | null): void {
    this.looking = false;
    if (hex !== null || unit !== null) this.about = { hex, unit };
  }

  shut(): void {
    phone.removeEventListener("change", this.listen);
  }

  toggleOverlay(id: string): void {
    this.overlays = this.overlays.includes(id) ? this.overlays.filter((one) => one !== id) : [...this.overlays, id];
  }

  toggleNumbers(): void {
    this.numbers = !this.numbers;
    remember("numbers", this.numbers);
  }
}

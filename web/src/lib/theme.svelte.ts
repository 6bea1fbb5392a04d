import { recall, remember } from "./store";

export type Theme = "system" | "light" | "dark";
export type Palette = "standard" | "cvd";

const night = matchMedia("(prefers-color-scheme: dark)");

/** Light or dark, standard or safe for colour-blind eyes; kept in this browser, and in the account by settings. */
class Look {
  theme: Theme = $state(recall<Theme>("theme", "system"));
  palette: Palette = $state(recall<Palette>("palette", "standard"));
  private night = $state(night.matches);

  constructor() {
    night.addEventListener("change", (event) => {
      this.night = event.matches;
      applyTheme();
    });
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "system" && this.night);
  }

  set(theme: Theme, palette: Palette = this.palette): void {
    this.theme = theme;
    this.palette = palette;
    remember("theme", theme);
    remember("palette", palette);
    applyTheme();
  }

  /** From light to dark and back. */
  toggle(): void {
    this.set(this.dark ? "light" : "dark");
  }
}

export const look = new Look();

export function applyTheme(): void {
  const root = document.documentElement;
  root.toggleAttribute("data-theme", false);
  if (look.dark) root.setAttribute("data-theme", "dark");
  root.toggleAttribute("data-palette", false);
  if (look.palette === "cvd") root.setAttribute("data-palette", "cvd");
  const colour = getComputedStyle(root).getPropertyValue("--surface").trim();
  if (colour) document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
}

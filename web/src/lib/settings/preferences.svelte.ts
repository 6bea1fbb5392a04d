/** What a person likes: kept in this browser, and in the account so that other browsers have it too. */

import { Problem } from "../api/client";
import type { Me, Settings } from "../api/types";
import { words, type Language } from "../i18n/index.svelte";
import { requests } from "../lobby/requests";
import { session } from "../session.svelte";
import { recall, remember } from "../store";
import { look, type Palette, type Theme } from "../theme.svelte";
import "./calm.css";

export type Help = "full" | "short" | "none";
export type Motion = "system" | "reduced";
/** How fast counters go and dice fall. */
export type Pace = "slow" | "normal" | "fast";

/** The settings of an account with one of them changed; the rest as it is. */
export function changed(before: Settings, change: Partial<Settings>): Settings {
  return { ...before, ...change, client: { ...before.client, ...change.client } };
}

class Preferences {
  help: Help = $state(recall<Help>("help", "full"));
  motion: Motion = $state(recall<Motion>("motion", "system"));
  pace: Pace = $state(recall<Pace>("pace", "normal"));
  sounds = $state(recall("sounds", false));
  fault = $state("");

  constructor() {
    this.applyMotion();
  }

  private applyMotion(): void {
    document.documentElement.toggleAttribute("data-calm", this.motion === "reduced");
  }

  /** Whether things should not move. */
  get calm(): boolean {
    return this.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  setTheme(theme: Theme): void {
    look.set(theme);
    void this.keep({ theme });
  }

  setPalette(palette: Palette): void {
    look.set(look.theme, palette);
    void this.keep({ palette });
  }

  setLanguage(language: Language): void {
    words.set(language);
    void this.keep({ language });
  }

  setHelp(help: Help): void {
    this.help = help;
    remember("help", help);
    void this.keep({ help });
  }

  setMotion(motion: Motion): void {
    this.motion = motion;
    remember("motion", motion);
    remember("animate", motion !== "reduced");
    this.applyMotion();
    void this.keep({ client: { motion } });
  }

  setPace(pace: Pace): void {
    this.pace = pace;
    remember("pace", pace);
    void this.keep({ client: { pace } });
  }

  setSounds(sounds: boolean): void {
    this.sounds = sounds;
    remember("sounds", sounds);
    void this.keep({ client: { sounds: sounds ? "on" : "off" } });
  }

  /** Writes a change to the account, if there is one. */
  async keep(change: Partial<Settings>): Promise<boolean> {
    this.fault = "";
    if (!session.me) return true;
    try {
      session.me = await requests.settings(changed(session.me.settings, change));
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fault = error.message;
      return false;
    }
  }

  private get client(): Record<string, string> {
    return { motion: this.motion, pace: this.pace, sounds: this.sounds ? "on" : "off" };
  }

  /** Gives a new account what this browser has set. */
  async give(): Promise<void> {
    const { theme, palette } = look;
    await this.keep({ theme, palette, language: words.language, help: this.help, client: this.client });
  }

  /** Takes over what the account has set, after signing in. */
  adopt(me: Me): void {
    const { theme, palette, language, help, client } = me.settings;
    if (theme === "light" || theme === "dark" || theme === "system")
      look.set(theme, palette === "cvd" ? "cvd" : "standard");
    if (language === "en" || language === "ja") words.set(language);
    if (help === "full" || help === "short" || help === "none") this.help = help;
    if (client["motion"] === "reduced" || client["motion"] === "system") this.motion = client["motion"];
    const { pace, sounds } = client;
    if (pace === "slow" || pace === "normal" || pace === "fast") {
      this.pace = pace;
      remember("pace", pace);
    }
    if (sounds === "on" || sounds === "off") this.sounds = sounds === "on";
    this.applyMotion();
  }
}

export const preferences = new Preferences();

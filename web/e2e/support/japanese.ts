/** A visitor whose page is in Japanese, and a look at one of its screens. */
import type { Browser } from "playwright-core";
import type { ContestRecord, GameRecord } from "../../src/lib/api/types";
import { latin } from "./latin";
import { faults, Visitor } from "./stage";

export async function japanese(browser: Browser, width = 1440): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, { language: "ja", width, height: width < 500 ? 844 : 900 });
  await visitor.context.addInitScript(() => localStorage.setItem("sandtable.language", '"ja"'));
  await visitor.open();
  return visitor;
}

export async function become(visitor: Visitor): Promise<void> {
  await visitor.ask("POST", "/api/account/guest", { name: "Mara" });
  await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
}

/** The names that people gave to themselves and to their games, the longest first. */
async function given(visitor: Visitor): Promise<string[]> {
  const found = new Set<string>();
  for (const list of ["open", "watch"])
    for (const game of await visitor.ask<GameRecord[]>("GET", `/api/games?list=${list}`)) {
      if (game.name !== game.scenario_title) found.add(game.name);
      for (const seat of game.seats) if (seat.holder) found.add(seat.holder);
    }
  for (const contest of await visitor.ask<ContestRecord[]>("GET", "/api/contests"))
    found.add(contest.name).add(contest.organiser);
  return [...found].sort((a, b) => b.length - a.length);
}

/** Looks at a screen, at its words and at what keeps some from using it; texts of a game come a moment after it. */
export async function look(
  visitor: Visitor,
  screen: string,
  all: Record<string, string[]>,
  printed: ReadonlySet<string> = new Set(),
): Promise<void> {
  let words: string[] = [];
  for (let i = 0; i < 20; i += 1) {
    await visitor.page.waitForTimeout(i ? 500 : 250);
    words = await latin(visitor.page, printed, await given(visitor));
    if (!words.length) break;
  }
  if (words.length) all[screen] = words;
  // A whole rulebook takes long to look through: it has a test of its own.
  if (screen.startsWith("rules of")) return;
  const barriers = await faults(visitor.page);
  if (barriers.length) all[`${screen}, to be used by everybody`] = barriers;
}

/** No English is left where a Japanese newcomer goes: through every lesson, back to a slow game, to its end, and astray. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Away, GameRecord, GameSummary } from "../../src/lib/api/types";
import { latin } from "../support/latin";
import { follow } from "../support/learn";
import { chance, move, table } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const NAMES = ["Hanako", "Taro"];
const saves = resolve(import.meta.dirname, "../../../tests/golden");
/** A game of each that was played to its end. */
const PLAYED: [string, string][] = [
  ["rommel", "v1-gazala"],
  ["caucasus", "v1-tournament"],
  ["na41", "v2-s3_crusader"],
  ["kasserine", "v2-s0_learning"],
  ["asl", "v2-s01_capuzzo_outpost"],
];

async function enter(name = NAMES[0]!, width = 1440): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, { language: "ja", width, height: width < 500 ? 844 : 900 });
  await visitor.context.addInitScript(() => localStorage.setItem("sandtable.language", '"ja"'));
  await visitor.open();
  await visitor.ask("POST", "/api/account/guest", { name });
  await visitor.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  return visitor;
}

/** Looks at a screen; texts of a game come a moment after it. */
async function look(visitor: Visitor, screen: string, all: Record<string, string[]>, printed: Set<string>) {
  let words: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    words = await latin(visitor.page, printed, NAMES);
    if (!words.length) return;
    await visitor.page.waitForTimeout(300);
  }
  all[screen] = words;
}

/** Designations as they are printed on counters stand below them too. */
async function printedBy(visitor: Visitor, id: string, seat: string): Promise<Set<string>> {
  const { scene } = await table(visitor, id, seat);
  return new Set((scene.counters ?? []).flatMap(({ label }) => (label ? [label] : [])));
}

it.each(PLAYED)("are the steps of the lesson of %s", async (game) => {
  const learner = await enter();
  const { page } = learner;
  const all: Record<string, string[]> = {};
  await page.reload();
  await page.locator(`[data-lesson="${game}"]`).click();
  const id = await learner.gameId();
  const { seats } = await learner.ask<GameRecord>("GET", `/api/games/${id}`);
  const mine = seats.find((seat) => seat.you)!.side;
  const printed = await printedBy(learner, id, mine);
  await follow(page, (step) => look(learner, step, all, printed));
  await look(learner, "the end of the lesson", all, printed);
  expect(all).toEqual({});
  learner.calm();
  await learner.leave();
});

it.each(PLAYED)(
  "is a game of %s that was played to its end: its log, its reckoning, its look back",
  async (game, name) => {
    const reader = await enter();
    const { page } = reader;
    const all: Record<string, string[]> = {};
    const save = readFileSync(join(saves, game, `${name}.jsonl`), "utf8");
    const { id } = await page.evaluate(async (body) => {
      const headers = { "x-sandtable": "1", "content-type": "application/json" };
      const answer = await fetch("/api/games/import", { method: "POST", headers, body });
      return (await answer.json()) as { id: string };
    }, save);
    await reader.open(`#/end/${id}`);
    await page.locator("#reckoned").waitFor({ timeout: 120_000 });
    for (const list of await page.locator("main details summary").all()) await list.click();
    await look(reader, "the end", all, new Set());
    expect(await faults(page)).toEqual([]);
    await reader.open(`#/game/${id}`);
    await page.locator("main.table").waitFor();
    const [seat] = (await reader.ask<GameRecord>("GET", `/api/games/${id}`)).seats;
    await look(reader, "the table and the log", all, await printedBy(reader, id, seat!.side));
    expect(all).toEqual({});
    reader.calm();
    await reader.leave();
  },
);

it.each(PLAYED)("is what happened in %s while one was away", async (game) => {
  const [one, other] = [await enter(), await enter(NAMES[1])];
  const all: Record<string, string[]> = {};
  const info = (await one.ask<GameSummary[]>("GET", "/api/catalogue")).find(({ id }) => id === game)!;
  const seats = { [info.sides[0]!]: "me", [info.sides[1]!]: "open" };
  const wish = { game, scenario: info.scenarios[0]!.id, seats };
  const { id } = await one.ask<GameRecord>("POST", "/api/games", wish);
  await other.ask("POST", `/api/games/${id}/join`, {});
  const random = chance(7);
  // Until the other side has decided much, after a decision of one's own.
  for (let i = 0, own = 0, since = 0; i < 300 && !(own && since >= 12); i += 1) {
    const { to_act: seat } = await one.ask<GameRecord>("GET", `/api/games/${id}`);
    if (!seat) break;
    const mine = seat === info.sides[0];
    const who = mine ? one : other;
    const state = await table(who, id, seat);
    // One's own turn is soon over.
    const on = mine
      ? state.actions.findIndex(({ text }) => /^(end|done|no|pass|finish|proposal)/.test(text ?? ""))
      : -1;
    const at = on >= 0 && random() < 0.7 ? on : Math.floor(random() * state.actions.length);
    await move(who, id, seat, state, state.actions[at]!);
    own += Number(mine);
    since = mine ? 0 : since + 1;
  }
  await one.open(`#/game/${id}`);
  await one.page.locator("section.away").waitFor();
  await look(one, "away", all, await printedBy(one, id, info.sides[0]!));
  expect(await faults(one.page)).toEqual([]);
  // On a phone the button at its foot is above the sheet, however much there is to tell.
  await one.page.route(/\/away\?/, async (route) => {
    const told = (await (await route.fetch()).json()) as Away;
    const line = {
      n: 1,
      rule: told.lines[0]?.rule ?? "",
      text: "留守のあいだに起きたことの、一行には収まらない長い知らせ",
    };
    await route.fulfill({ json: { ...told, lines: Array.from({ length: 12 }, () => line) } });
  });
  await one.page.setViewportSize({ width: 390, height: 640 });
  await one.page.reload();
  await one.page.locator("section.away").waitFor();
  expect(await one.page.locator("section.away li").count()).toBe(12);
  await expect
    .poll(() =>
      one.page.locator("section.away .btn").evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === button;
      }),
    )
    .toBe(true);
  expect(all).toEqual({});
  await one.leave();
  await other.leave();
});

it("are the pages that are not there, and what is refused", async () => {
  const visitor = await enter();
  const { page } = visitor;
  visitor.cut = true; // refusals are what is to be expected
  const all: Record<string, string[]> = {};
  for (const hash of ["#/game/none", "#/end/none", "#/analysis/none", "#/rules/none", "#/friend/none", "#/club/none"]) {
    await visitor.open(hash);
    await page.reload();
    await page.waitForTimeout(600);
    expect((await page.locator("main").textContent())?.trim(), hash).toBeTruthy();
    await look(visitor, hash, all, new Set());
  }
  // A wrong password, a name that is too short, a password that is too short.
  await visitor.open();
  await page.locator("[data-account]").click();
  await page.locator("button.item").first().click();
  const dialog = page.locator("dialog");
  await dialog.waitFor();
  const fill = async (name: string, password: string): Promise<void> => {
    await dialog.locator("input:not([type=password]):not([type=radio])").first().fill(name);
    await dialog.locator("input[type=password]").first().fill(password);
    await dialog.locator("button[type=submit], .btn.p").last().click();
    await dialog.locator("[role=alert]").first().waitFor();
    await look(visitor, `signing in as ${name}`, all, new Set());
  };
  await fill("誰でもない", "wrong password");
  await page.keyboard.press("Escape");
  expect(all).toEqual({});
  await visitor.leave();
});

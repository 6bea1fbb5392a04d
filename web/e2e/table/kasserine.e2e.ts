/** Kasserine by mouse: a declared attack, the question to the other side, the chain of coordination. */
import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { TableState } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { spots } from "../support/map";
import { table } from "../support/play";
import { launch, Visitor } from "../support/stage";

let browser: Browser;
let player: Visitor;
let page: Page;
let id = "";

const words = (): Promise<string> => page.locator("section.decision").innerText();
const title = (): Promise<string> => page.locator("section.decision h2").innerText();
const shot = (name: string): Promise<unknown> =>
  page.screenshot({ path: join(inject("shots"), `kasserine-${name}.png`) });
const now = (seat: string): Promise<TableState> => table(player, id, seat);

/** Presses what the panel offers under these words, and waits until it is done. */
async function press(label: RegExp): Promise<void> {
  await page.locator("section.decision button:enabled").filter({ hasText: label }).first().click();
  await idle(page);
}

async function point(hex: string): Promise<void> {
  await expect.poll(async () => (await spots(player, "kasserine")).has(hex)).toBe(true);
  const at = (await spots(player, "kasserine")).get(hex)!;
  await page.mouse.move(at.x - 4, at.y);
  await page.mouse.click(at.x, at.y);
  await idle(page);
}

/** Goes on, by what the panel weighs or offers under these words, until it asks what is wanted. */
async function until(wanted: RegExp, label: RegExp): Promise<void> {
  await expect
    .poll(
      async () => {
        const seen = await page.evaluate(() => {
          const decision = document.querySelector<HTMLElement>("section.decision");
          const ready = decision?.dataset["mine"] === "true" && decision.getAttribute("aria-busy") === "false";
          return ready ? decision.innerText : "";
        });
        const asked = seen ? await title() : "";
        if (!seen || (wanted.test(asked) && !/^before you commit/i.test(seen))) return asked;
        const weighed = /^before you commit/i.test(seen);
        const offered = weighed ? ".acts .main:enabled" : "button:enabled";
        await page.evaluate(
          ([where, source]) => {
            const all = [...document.querySelectorAll<HTMLElement>(`section.decision ${where}`)];
            all.find((one) => new RegExp(source!).test(one.innerText))?.click();
          },
          [offered, weighed ? "" : label.source],
        );
        return "";
      },
      { timeout: 60_000, interval: 60 },
    )
    .toMatch(wanted);
  await idle(page);
}

beforeAll(async () => {
  browser = await launch();
  player = await Visitor.enter(browser);
  await player.open();
  await player.ask("POST", "/api/account/guest", { name: "Erwin" });
  await player.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  const wish = { game: "kasserine", scenario: "s0_learning", seats: { axis: "me", allied: "me" } };
  ({ id } = await player.ask<{ id: string }>("POST", "/api/games", wish));
  await player.open(`#/game/${id}`);
  await player.page.reload();
  ({ page } = player);
  await seated(page);
});
afterAll(() => browser.close());

it("plays an attack with the other side's reaction and the chain of coordination", { timeout: 150_000 }, async () => {
  await until(/^Movement/, /^No more/);
  // A whole stack moves at two clicks, and every hex has its price.
  await point("5824");
  await expect.poll(() => page.locator("text.cost").count()).toBeGreaterThan(10);
  await point("5723");
  await until(/^Declaration of combat/, /^End movement/);
  // The attackers can be read: nobody is faded any longer for having moved.
  expect((await now("axis")).scene.counters!.flatMap(({ marks }) => marks ?? [])).not.toContain("moved");
  // The attack is weighed with all who can take part, and then declared with them.
  await point("5623");
  await expect.poll(title).toMatch(/^Attack on 5623/);
  expect(await words()).toMatch(/before you commit[\s\S]*The hex is cleared \d+%/i);
  expect(await words()).toContain("Change");
  await shot("declare");
  await until(/^(Avoid combat|Reaction movement)\?/, /^(The attack is declared|No more attacks)/);

  // The other side is asked: why, at what odds, with what chances; it may pass, or leave orders.
  await expect.poll(words).toMatch(/\d+ %\s*The hex is cleared/);
  const asked = await words();
  expect(asked).toMatch(/Attacked: 5623 at \d+:\d+/);
  expect(asked).toContain("The attacks that have been declared");
  expect(asked).toContain("Pass for this phase");
  expect(asked).toContain("Standing orders");
  await shot("reaction");
  await until(/^Reaction movement\?/, /^Avoid no more combats/);
  await press(/701 TD reacts/);
  await expect.poll(words).toMatch(/ER[\s\S]*Success\s*\d+%/); // its check, weighed with the attack
  await shot("check");
  await until(
    /^Choose the lead unit/,
    /spends its Command Points|^(Stay where it is|No more reactions|No more stands)/,
  );

  // Leads, table, guns: the chain of checks is shown before the first of them is rolled.
  await until(/^Choose the Combat Results Table/, /I\/69|81 Rcn/);
  await until(/^Artillery support/, /Use the Mobile CRT|^No more air units/);
  await expect.poll(words).toContain("if all checks succeed");
  expect(await words()).toMatch(/\d\. Axis ground units: two columns to the left if it fails/);
  await shot("chain");
  await press(/III\/90/);
  await until(/^(Retreat|Lose|Advance|Motorized)/, /No more artillery|Spend no Command Points/);
  const log = (): Promise<string> => page.locator("aside").last().innerText();
  await expect.poll(log).toMatch(/Ground coordination (succeeds|fails)/);
  await expect.poll(log).toMatch(/resolved at \d+:\d+ on the mobile table/);
  await shot("fought");
  player.calm();
});

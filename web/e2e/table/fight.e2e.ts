/** A fight by odds, as a player fights it: weighed, tried out, committed, and asked about no more than is needed. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idle, seated } from "../support/hands";
import { move, table } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";

const SEAT = "allied";
const TARGET = "2938"; // 155 Afrika outside the perimeter, in reach of the guns of Tobruk
const ONWARDS = /^(event|end-initial|end-moves|end-ports)$/;

describe("a fight", () => {
  let browser: Browser;
  let player: Visitor;
  let id = "";
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    player = await Visitor.enter(browser);
    page = player.page;
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    id = (
      await player.ask<{ id: string }>("POST", "/api/games", {
        game: "na41",
        scenario: "s3_crusader",
        seats: { axis: "me", allied: "me" },
      })
    ).id;
    // To the first Combat Phase, in which the garrison of Tobruk may attack at once.
    for (let state = await table(player, id, SEAT); state.prompt.phase !== "combat";) {
      const on = state.actions.find(({ text }) => ONWARDS.test(text)) ?? state.actions.at(-1)!;
      state = await move(player, id, SEAT, state, on);
    }
    await player.open(`#/game/${id}`);
    await seated(page);
  });
  afterAll(() => browser.close());

  const actions = async (): Promise<string[]> => (await table(player, id, SEAT)).actions.map(({ text }) => text);
  const attack = async (): Promise<void> => {
    const list = page.locator("details.sec");
    if ((await list.getAttribute("open")) === null) await list.locator("summary").click();
    await list.getByRole("button", { name: new RegExp(`^Attack.*${TARGET}`) }).click();
    await page.locator(".ladder .now").waitFor();
  };
  const main = async (): Promise<void> => {
    await page.locator(".acts .main").click();
    await idle(page);
  };

  it("begins with those who were weighed and is asked about with what was tried out", async () => {
    await attack();
    await page.getByText("How it is reckoned").click();
    expect(await page.locator(".odds details li").count()).toBeGreaterThan(3);
    // Each bar is as long as its chance, of the whole width: none is drawn out to the end because it is the largest.
    const bars = await page.locator(".results li").evaluateAll((rows) =>
      rows.map((row) => {
        const bar = row.querySelector(".bar")!;
        const filled = [...bar.children].reduce((sum, one) => sum + one.getBoundingClientRect().width, 0);
        const percent = Number.parseFloat(row.querySelector(".num")!.textContent ?? "");
        return { length: (100 * filled) / bar.getBoundingClientRect().width, percent };
      }),
    );
    expect(bars.length).toBeGreaterThan(1);
    for (const { length, percent } of bars) expect(Math.abs(length - percent)).toBeLessThan(4);
    const before = await page.locator(".ladder .now").innerText();
    await page.getByRole("switch", { name: /^Artillery support/ }).click();
    await expect.poll(() => page.locator(".ladder .now").innerText()).not.toBe(before);
    const tried = await page.locator(".ladder .now").innerText();
    expect(await faults(page)).toEqual([]);

    // Nobody is asked who takes part. The guns are the first question, and proposed beside what else there is; nothing
    // is sent before it is confirmed.
    await main();
    await expect.poll(actions).toContain("no-artillery");
    await expect
      .poll(() => page.locator("section.decision .opt.on").allInnerTexts())
      .toEqual([expect.stringMatching(/fires in support/)]);
    await page.locator(".ladder .now").waitFor();
    expect(await page.getByRole("switch", { name: /^Artillery support/ }).getAttribute("aria-checked")).toBe("true");
    expect(before).not.toBe(tried);
    expect(await page.locator("section.decision .opt", { hasText: "No artillery support" }).count()).toBe(1);
    expect(await actions()).toContain("no-artillery");
    expect(await faults(page)).toEqual([]);

    // What has to be paid for the attack is asked last.
    await main();
    await expect.poll(actions).toContain("no-supply");
    expect(await page.locator("section.decision .opt", { hasText: "Without attack supply" }).count()).toBe(1);
    await page.locator(".ladder .now").waitFor();
    expect(await faults(page)).toEqual([]);
  });

  it("can be begun with others", async () => {
    const state = await table(player, id, SEAT);
    expect(state.can_undo).toBe(true);
    for (let i = 0; i < 20 && !(await actions()).includes(`attack ${TARGET}`); i += 1) {
      await player.ask("POST", `/api/games/${id}/undo`, { seat: SEAT });
    }
    await player.open(`#/game/${id}`);
    await page.reload();
    await seated(page);
    await attack();
    await page.getByRole("button", { name: "Change attackers" }).click();
    await expect
      .poll(async () => (await actions()).filter((text) => text.startsWith("join ")).length)
      .toBeGreaterThan(1);
    await idle(page);
    const figures = page.locator("section.decision .fig:enabled");
    const many = await figures.count();
    await figures.first().click();
    await expect.poll(() => page.locator("section.decision .fig:enabled").count()).toBeLessThan(many);
    expect(await page.locator("section.decision").innerText()).toMatch(
      /against \d+, \d+:\d+ with shifts so far|From any adjacent hexes/,
    );
    await player.leave();
  });
});

/** A player's own ruler, arrows and notes on the map; sounds and the pace of animations. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seated } from "../support/hands";
import { SEATS } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";

/** Two points of the map, some hexes apart, that nothing covers. */
const ENDS = [
  [520, 420],
  [840, 420],
] as const;

describe("a drawing of one's own", () => {
  let browser: Browser;
  let player: Visitor;
  let page: Page;
  let id = "";

  beforeAll(async () => {
    browser = await launch();
    player = await Visitor.enter(browser);
    ({ page } = player);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    await page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
    const wish = { game: "rommel", scenario: "crusader", seats: SEATS };
    ({ id } = await player.ask<{ id: string }>("POST", "/api/games", wish));
    await player.open(`#/game/${id}`);
    await page.reload();
    await seated(page);
  });
  afterAll(() => browser.close());

  const bar = (): ReturnType<Page["getByRole"]> => page.getByRole("region", { name: "Drawing for yourself" });
  const log = (): Promise<number> =>
    player.ask<{ length: number }>("GET", `/api/games/${id}/table?seat=axis`).then(({ length }) => length);

  it("measures by mouse and by keys, and decides nothing meanwhile", async () => {
    const before = await log();
    await page.keyboard.press("r");
    await bar().waitFor();
    for (const [x, y] of ENDS) await page.mouse.click(x, y);
    await expect.poll(() => bar().innerText()).toMatch(/\d+ hexes from .+ to .+/);
    expect(await page.locator(".sketch .far").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => bar().innerText()).toMatch(/2 hexes from/);
    expect(await faults(page)).toEqual([]);
    expect(await log()).toBe(before);
  });

  it("keeps arrows and notes in this browser", async () => {
    await bar().getByRole("radio", { name: "Arrow" }).click();
    for (const [x, y] of ENDS) await page.mouse.click(x, y);
    await expect.poll(() => page.locator(".sketch .head:not(.faint)").count()).toBe(1);
    await bar().getByRole("radio", { name: "Note" }).click();
    await page.mouse.click(...ENDS[0]);
    await bar().getByRole("textbox").fill("hold the wire");
    await page.keyboard.press("Enter");
    await page.locator(".sketch .note").waitFor();
    await page.reload();
    await seated(page);
    await expect.poll(() => page.locator(".sketch .note text").textContent()).toBe("hold the wire");
    expect(await page.locator(".sketch .head").count()).toBe(1);
    await page.keyboard.press("p");
    // Nothing of the pens lies beyond the edge of a phone, and no offer over what they leave of its map.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(() =>
        bar().evaluate((one) =>
          Math.max(...[...one.querySelectorAll("button")].map((b) => b.getBoundingClientRect().right)),
        ),
      )
      .toBeLessThanOrEqual(390);
    await page.getByRole("region", { name: "Briefing" }).waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("region", { name: "Briefing" }).waitFor();
    await bar().getByRole("button", { name: "Rub out everything" }).click();
    expect(await page.locator(".sketch .note, .sketch .head").count()).toBe(0);
    await page.keyboard.press("Escape");
    await bar().waitFor({ state: "hidden" });
    player.calm();
  });

  it("has sounds off, and on if somebody wants them; and a pace", async () => {
    await page.evaluate(() => (location.hash = "#/settings"));
    const sounds = page.getByRole("group", { name: "Sounds" }).or(page.getByRole("radiogroup", { name: "Sounds" }));
    expect(await sounds.getByRole("radio", { name: /No sounds/ }).isChecked()).toBe(true);
    await sounds.getByText("Short sounds").click();
    await page.getByText("Fast", { exact: true }).click();
    expect(await page.evaluate(() => localStorage.getItem("sandtable.sounds"))).toBe("true");
    expect(await page.evaluate(() => localStorage.getItem("sandtable.pace"))).toBe('"fast"');
    expect(await faults(page)).toEqual([]);
    player.calm();
  });
});

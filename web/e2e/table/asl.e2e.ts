/** ASL by mouse: the set-up, Defensive First Fire and its panel, a standing order, a move. */
import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { TableState } from "../../src/lib/api/types";
import { english } from "../../src/lib/i18n/said";
import { idle, seated } from "../support/hands";
import { spots } from "../support/map";
import { table } from "../support/play";
import { launch, Visitor } from "../support/stage";

const SCENARIO = "s01_capuzzo_outpost";

async function sit(browser: Browser, options: Parameters<typeof Visitor.enter>[1] = {}): Promise<[Visitor, string]> {
  const player = await Visitor.enter(browser, options);
  await player.open();
  await player.ask("POST", "/api/account/guest", { name: "Jonas" });
  await player.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  const seats = { axis: "me", allied: "planner" };
  const { id } = await player.ask<{ id: string }>("POST", "/api/games", { game: "asl", scenario: SCENARIO, seats });
  await player.open(`#/game/${id}`);
  await player.page.reload();
  await seated(player.page);
  await player.page.waitForLoadState("networkidle");
  return [player, id];
}

/** Captions of the tray that lie over a picture, or over what hangs below it. */
const covered = (page: Page): Promise<string[]> =>
  page.locator("section.decision .fig").evaluateAll((figures) =>
    figures.flatMap((figure) => {
      const caption = figure.querySelector("span")!;
      const drawn = [...figure.querySelectorAll("svg rect")].map((one) => one.getBoundingClientRect().bottom);
      return caption.getBoundingClientRect().top < Math.max(...drawn) - 2.5 ? [caption.textContent ?? ""] : [];
    }),
  );

describe("ASL", () => {
  let browser: Browser;
  let player: Visitor;
  let page: Page;
  let id = "";

  const now = (): Promise<TableState> => table(player, id, "axis");
  const shot = (name: string): Promise<unknown> => page.screenshot({ path: join(inject("shots"), `${name}.png`) });
  const title = (): Promise<string> => page.locator("section.decision h2").innerText();
  const main = (): ReturnType<Page["locator"]> => page.locator("section.decision .acts .main");
  const step = (): Promise<string> => page.locator(".phases [aria-current=step]").innerText();
  /** Waits until it is for this player to decide, and nothing is under way. */
  const mine = (): Promise<void> =>
    expect
      .poll(() => page.locator("section.decision[data-mine=true][aria-busy=false]").count(), { timeout: 60_000 })
      .toBe(1);

  beforeAll(async () => {
    browser = await launch();
    [player, id] = await sit(browser);
    ({ page } = player);
  });
  afterAll(() => browser.close());

  it("is set up in a step of its own, each weapon above the caption of who holds it", async () => {
    expect(await step()).toBe("Set-up");
    expect(await page.locator("section.decision .fig .strip").count()).toBeGreaterThan(0);
    expect(await covered(page)).toEqual([]);
    const tones = await page
      .locator(".mini .tint")
      .evaluateAll((ground) => ground.map((one) => one.getAttribute("fill")));
    expect(tones).toEqual(expect.arrayContaining(["var(--asl-scrub)", "var(--asl-hammada)"]));
    await shot("asl-setup");
  });

  it.each([1440, 390])("speaks Japanese in the tray, %i pixels wide", async (width) => {
    const [guest] = await sit(browser, { language: "ja", width, height: 844 });
    await expect.poll(() => guest.page.locator("section.decision .fig span").allInnerTexts()).toContain("1-3-6");
    const words = await guest.page.locator("section.decision").innerText();
    const drawn = await guest.page.locator("section.decision .fig").allTextContents();
    expect(`${words} ${drawn.join(" ")}`).not.toMatch(/dummy|broken/i);
    if (width > 1000) expect(words).toContain("ダミー");
    expect(await covered(guest.page)).toEqual([]);
    await guest.page.screenshot({ path: join(inject("shots"), `asl-ja-${width}.png`) });
    guest.calm();
    await guest.leave();
  });

  it("asks about a mover, shows where he is, and the whole table before the dice", async () => {
    await main().click();
    await expect.poll(title, { timeout: 90_000 }).toMatch(/^(Rally Phase|Fire at )/);
    for (;;) {
      await mine();
      const asked = await title();
      if (/^Fire at /.test(asked)) break;
      await main().click();
      await expect.poll(title, { timeout: 90_000 }).not.toBe(asked);
      await expect.poll(title, { timeout: 90_000 }).toMatch(/^(Rally Phase|Fire at )/);
    }
    await mine();
    const hex = /in (\S+)\?/.exec(await title())![1]!;
    const target = (await now()).scene.markers!.find(({ kind }) => kind === "target")!;
    expect(target.hex).toBe(hex);
    await expect.poll(async () => (await spots(player, "asl")).has(hex)).toBe(true); // nothing lies over it
    await idle(page);
    await page.locator("section.decision .fig:enabled", { has: page.locator("span", { hasText: /^HMG/ }) }).click();
    await expect.poll(title).toMatch(/^Who fires at/);
    await idle(page);
    await main().click();
    const column = page.locator(".ladder [aria-current=true]");
    await column.waitFor();
    expect(await title()).toContain(`on the ${await column.innerText()} column`);
    expect(await page.locator(".vs .force").count()).toBe(2);
    expect(await page.locator("ul.terms").isVisible()).toBe(true); // every DRM with its rule
    const shares = await page.locator("section.decision .results b.num").allInnerTexts();
    expect(shares.length).toBeGreaterThan(1);
    expect(await page.locator("section.decision .results .means").allInnerTexts()).toContain("no effect");
    await shot("asl-fire");
    const { length } = await now();
    await main().click();
    await expect.poll(async () => (await now()).length).toBeGreaterThan(length);
    await idle(page);
  });

  it("is not asked again what a standing order answers", async () => {
    await expect.poll(title, { timeout: 90_000 }).toMatch(/^Fire at /);
    await mine();
    await page.getByRole("button", { name: /^Nothing until…/ }).click();
    const { length } = await now();
    await page.getByRole("button", { name: /Nothing until the next Movement Phase/ }).click();
    await expect.poll(async () => (await now()).length).toBeGreaterThan(length);
    await idle(page); // the question that the order was given at has gone from the page
    const asked: string[] = [];
    await expect
      .poll(
        async () => {
          if (
            /^Fire at /.test(await title()) &&
            (await step()) === "Movement Phase" &&
            (await page.locator("section.decision[data-mine=true][aria-busy=false]").count())
          )
            asked.push(await title());
          return (await now()).scene.phases!.find(({ state }) => state === "now")!.id;
        },
        { timeout: 120_000 },
      )
      .not.toBe("movement");
    expect(asked).toEqual([]);
  });

  it("moves by two clicks on the map: a unit, a hex", async () => {
    const state = async (): Promise<string> => {
      const { scene, prompt } = await now();
      return `${scene.active} ${english(prompt.title)}`;
    };
    for (let i = 0; i < 30 && !/^axis Movement Phase/.test(await state()); i += 1) {
      await mine();
      const before = (await now()).length;
      if (/^axis Movement Phase/.test(await state())) break;
      if (await main().count()) await main().click();
      else {
        const { actions } = await now(); // a rout: wherever it may go
        const to = actions.find(({ action }) => action["hex"])!.action["hex"]!;
        const at = (await spots(player, "asl")).get(to)!;
        await page.mouse.click(at.x, at.y);
        const ways = page.locator("section.decision .rows button.opt");
        if (await ways.count()) await ways.first().click();
      }
      await expect.poll(async () => (await now()).length, { timeout: 60_000 }).toBeGreaterThan(before);
      await idle(page);
    }
    await mine();
    const seen = await spots(player, "asl");
    const { actions, scene } = await now();
    const movable = new Set(actions.flatMap(({ action }) => (action.do === "move" ? [action["unit"]] : [])));
    const on = scene.counters!.filter((one) => one.hex && one.side === "axis" && !one.holder);
    const alone = on.find(
      (one) =>
        movable.has(one.unit) &&
        !one.marks?.includes("dug_in") &&
        seen.has(one.hex!) &&
        on.filter(({ hex }) => hex === one.hex).length === 1,
    )!;
    await page.mouse.click(seen.get(alone.hex!)!.x, seen.get(alone.hex!)!.y);
    await expect.poll(title).toMatch(/^The move from/);
    await idle(page);
    // Every hex that can be entered has its price.
    await expect.poll(() => page.locator("text.cost").count()).toBeGreaterThan(0);
    const places = await spots(player, "asl");
    const ways = (await now()).actions.filter(({ action }) => action.do === "to" && places.has(action["hex"]!));
    const free = ways.find(({ action }) => ways.filter((one) => one.action["hex"] === action["hex"]).length === 1)!;
    const to = free.action["hex"]!;
    await page.mouse.click(places.get(to)!.x, places.get(to)!.y);
    // It may be shot at there; that it went is in the log.
    await expect.poll(() => page.locator("aside").innerText()).toContain(`moves from ${alone.hex} to ${to}`);
    await shot("asl-move");
    player.calm();
  });
});

/** Played on the map itself: by pointer, by keys and by touch; looked back at, branched, covered. */
import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { fraction } from "../../src/lib/api/odds";
import type { About, GameRecord, TableState } from "../../src/lib/api/types";
import { idle, mine, seated } from "../support/hands";
import { hover, spots } from "../support/map";
import { table, until } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";
import { english, type Said } from "../../src/lib/i18n/said";

const moving = (state: TableState): boolean =>
  state.prompt.phase === "movement" && state.actions.some(({ action }) => action.do === "group");

describe("on the map", () => {
  let browser: Browser;
  let player: Visitor;
  let page: Page;
  let id = "";
  let seat = "";

  beforeAll(async () => {
    browser = await launch();
    player = await Visitor.enter(browser);
    ({ page } = player);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    await page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
    ({ id, seat } = await until(player, moving));
    await player.open(`#/game/${id}`);
    await page.reload();
    await seated(page);
    await page.waitForLoadState("networkidle");
  });
  afterAll(() => browser.close());

  const shot = (name: string): Promise<unknown> => page.screenshot({ path: join(inject("shots"), `${name}.png`) });
  const now = (): Promise<TableState> => table(player, id, seat);
  const reachable = (state: TableState): Map<string, TableState["actions"][number]> =>
    new Map(
      state.actions.flatMap((item) =>
        item.action["hex"] && item.action.do === "to" ? [[item.action["hex"], item] as const] : [],
      ),
    );

  it("a unit is picked, shows where it can go at which cost, and goes there by two clicks", async () => {
    const places = await spots(player, "rommel");
    const before = await now();
    // A group on the map, with more than one unit so that nothing is chosen by itself.
    const group = before.actions.find(({ action }) => {
      const here = (before.scene.counters ?? []).filter((item) => item.hex === action["hex"] && item.side === seat);
      return action.do === "group" && places.has(action["hex"] ?? "") && here.length >= 2 && here.length <= 4;
    })!;
    const from = group.action["hex"]!;
    await page.mouse.click(places.get(from)!.x, places.get(from)!.y);
    await expect.poll(async () => english((await now()).prompt.title)).toMatch(/Move units from/);
    await idle(page);

    const unit = (await now()).actions.find(({ action }) => action.do === "move")!.action["unit"]!;
    await page.locator(`.counters [data-unit="${unit}"]`).click();
    await expect.poll(async () => reachable(await now()).size).toBeGreaterThan(0);
    await idle(page);

    // Every reachable hex within sight carries its cost.
    const reach = reachable(await now());
    await expect.poll(() => page.locator("text.cost").count()).toBeGreaterThan(0);
    const seen = await spots(player, "rommel");
    const ways = await Promise.all(
      [...reach]
        .filter(([hex]) => seen.has(hex))
        .map(async ([hex, { text }]) => ({
          to: hex,
          about: await player.ask<About>(
            "GET",
            `/api/games/${id}/about?seat=${seat}&action=${encodeURIComponent(text)}`,
          ),
        })),
    );
    const { to, about } = ways.filter((one) => (one.about.hint?.path?.length ?? 0) >= 2).at(-1)!;
    await hover(page, seen.get(to)!);
    await expect.poll(() => page.locator("path.way").count()).toBe(2);
    await expect
      .poll(() => page.locator("section.decision div.hint").innerText())
      .toContain(english(about.hint?.cost ?? "?"));

    await shot("map-reach");
    await page.mouse.click(seen.get(to)!.x, seen.get(to)!.y);
    await expect.poll(async () => (await now()).scene.counters?.find((one) => one.unit === unit)?.hex).toBe(to);
    await idle(page);
    player.calm();
  });

  it("u takes it back, Escape goes one step back", async () => {
    const length = (await now()).length;
    await page.keyboard.press("u");
    await expect.poll(async () => (await now()).length).toBeGreaterThan(length);
    await expect.poll(async () => reachable(await now()).size).toBeGreaterThan(0);
    await idle(page);
    await page.keyboard.press("Escape");
    await expect.poll(async () => english((await now()).prompt.title)).toMatch(/Move units from/);
    await idle(page);
    player.calm();
  });

  it("the keys alone do it: n finds a unit, Enter picks it, arrows walk, Enter goes there", async () => {
    await expect.poll(() => mine(page)).toBe(true);
    await page.locator(".map").focus();
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await expect.poll(async () => reachable(await now()).size).toBeGreaterThan(0);
    await idle(page);
    await page.keyboard.press("n");
    const card = async (): Promise<string> => (await page.locator(".card .head b").first().innerText()).trim();
    const reach = [...reachable(await now()).keys()];
    await expect.poll(async () => reach.includes(await card())).toBe(true);
    const cursor = await card();
    await page.keyboard.press("ArrowRight");
    await expect.poll(card).not.toBe(cursor);
    await page.keyboard.press("n");
    await expect.poll(async () => reach.includes(await card())).toBe(true);
    const length = (await now()).length;
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await now()).length).toBeGreaterThan(length);
    await idle(page);
    player.calm();
  });

  it("what cannot be chosen says why, with the rule", async () => {
    const state = await now();
    const legal = new Set(state.actions.map(({ action }) => action["hex"] ?? action["unit"]));
    const places = await spots(player, "rommel");
    const counters = state.scene.counters ?? [];
    const illegal = counters.filter(
      (one) => one.side === seat && one.unit && !legal.has(one.unit) && one.hex && places.has(one.hex),
    );
    // One that lies alone, if there is one: a stack fans out under a pointer that rests, and another unit may lie there then.
    const alone = illegal.filter((one) => counters.filter(({ hex }) => hex === one.hex).length === 1);
    const unit = [...alone, ...illegal][0];
    await hover(page, places.get(unit!.hex!)!);
    const box = await page.locator(`.counters [data-unit="${unit!.unit}"]`).boundingBox();
    await hover(page, { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 });
    await page.locator(".tip .chip").waitFor();
    await expect.poll(() => page.locator(".tip[role=status]").innerText()).toMatch(/^Not .+\d/s);
    await shot("map-why-not");
  });

  it("overlays are laid over it by a key each, and off again", async () => {
    for (const [key, tone] of [
      ["s", "supply"],
      ["c", "control"],
      ["t", "threat"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`.over.${tone} .area`).first().waitFor({ state: "attached" });
      await expect
        .poll(async () => (await page.locator(`.over.${tone} .area`).first().getAttribute("d"))?.length, {
          message: tone,
        })
        .toBeGreaterThan(20);
      await shot(`map-${tone}`);
      await page.keyboard.press(key);
      await expect.poll(() => page.locator(`.over.${tone}`).count()).toBe(0);
    }
    // What has the same sign would be told apart by nothing.
    const signs = await page
      .locator(".rail button")
      .evaluateAll((all) => all.map((one) => one.innerHTML.replace(/<small.*?<\/small>/gs, "")));
    expect(signs.length).toBeGreaterThan(8);
    expect(signs.filter((sign, i) => signs.indexOf(sign) !== i)).toEqual([]);
    await page.keyboard.press("h");
    await expect.poll(() => page.locator("g.counters").count()).toBe(0);
    await page.keyboard.press("h");
    await expect.poll(() => page.locator("g.counters").count()).toBe(1);
    player.calm();
  });

  it("the timeline is scrubbed with pointer and keys, keeps bookmarks, and comes back to the present", async () => {
    const total = (await now()).length;
    const line = page.getByRole("slider", { name: "Step of the game" });
    const box = (await line.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.8, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 10, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => Number(await line.getAttribute("aria-valuenow"))).toBeLessThan(total * 0.5);
    await page.getByText("Looking back").waitFor();
    // The pointer is let go of before the last place it was at has been asked for: wait until line and address agree.
    let at = -1;
    await expect
      .poll(async () => {
        at = Number(await line.getAttribute("aria-valuenow"));
        return new RegExp(`/at/${at}(\\D|$)`).test(page.url());
      })
      .toBe(true);
    // What is shown is the table of that moment.
    const then = await player.ask<{ scene: TableState["scene"] }>("GET", `/api/games/${id}/at/${at}?seat=${seat}`);
    const shown = (): Promise<(string | null)[]> =>
      page.locator("g.counters [data-unit]").evaluateAll((nodes) =>
        nodes
          .map((node) => node.getAttribute("data-unit"))
          .filter(Boolean)
          .sort(),
      );
    await expect
      .poll(shown)
      .toEqual((then.scene.counters ?? []).flatMap((one) => (one.unit && one.hex ? [one.unit] : [])).sort());

    await shot("map-looking-back");
    await page.getByRole("button", { name: "Bookmark" }).click();
    await expect.poll(() => page.locator(".ticks u").count()).toBe(1);
    await line.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => line.getAttribute("aria-valuenow")).toBe("0");
    await page.keyboard.press("End");
    await expect.poll(() => line.getAttribute("aria-valuenow")).toBe(String(total));
    await expect.poll(() => mine(page)).toBe(true);
    player.calm();
  });

  it("a link leads to a moment, and from there a private analysis game branches off", async () => {
    await player.open(`#/game/${id}/at/3`);
    await page.getByText("Looking back").waitFor();
    await page.getByRole("button", { name: "Branch into an analysis game" }).click();
    await page.waitForURL((url) => url.hash.startsWith("#/game/") && !url.hash.includes(id));
    const branched = await player.gameId();
    await seated(page);
    const made = await player.ask<GameRecord>("GET", `/api/games/${branched}`);
    expect([made.analysis, made.parent, made.branched_at]).toEqual([true, id, 3]);
    expect(made.seats.every((one) => one.you)).toBe(true);
    player.calm();
  });

  it("covers the table between two who share a browser", { timeout: 240_000 }, async () => {
    const made = await until(
      player,
      ({ actions }) =>
        actions.length === 1 &&
        /^End movement|^Battles declared|^No more forced/.test(english(actions[0]!.label ?? "")),
    );
    await player.open(`#/game/${made.id}`);
    await seated(page);
    // On with this side's decisions until the other one is asked.
    const curtain = page.getByRole("dialog", { name: "Change of seats" });
    for (let i = 0; i < 400 && !(await curtain.isVisible()); i += 1) {
      // Looked at and pressed in one go: a moment later the same button may stand for something else, or be gone.
      if (await mine(page)) {
        await page.evaluate(() => {
          const main = document.querySelector<HTMLButtonElement>(".acts .main:enabled");
          const weighing = [...document.querySelectorAll(".acts button")].some((button) =>
            /^Back/.test(button.textContent ?? ""),
          );
          if (weighing && main) return main.click();
          const list = document.querySelector<HTMLDetailsElement>("details.sec");
          if (list && !list.open) return list.querySelector("summary")?.click();
          const buttons = [...(list?.querySelectorAll<HTMLButtonElement>("li button:enabled") ?? [])];
          const on = buttons.find(({ textContent }) =>
            /^(End|No more|Battles declared|Pass|Stand|Spend no more|Do not)/.test(textContent ?? ""),
          );
          (on ?? buttons[0])?.click();
        });
      }
      await page.waitForTimeout(120);
    }
    await curtain.waitFor();
    // Nothing of either side is to be seen: no counters, no log, no cards.
    await expect.poll(() => page.locator("g.counters").count()).toBe(0);
    await expect.poll(() => page.locator(".log").count()).toBe(0);
    await shot("map-curtain");
    expect(await faults(page)).toEqual([]);
    await curtain.getByRole("button").click();
    await page.locator("g.counters").waitFor({ state: "attached" });
    await expect.poll(() => mine(page)).toBe(true);
    player.calm();
  });

  it(
    "weighs a shot before it is fired, then shows the dice and what they did; a key skips the show",
    { timeout: 240_000 },
    async () => {
      const made = await until(player, ({ actions }) => actions.some(({ action }) => action.do === "fire"));
      const shooter = await Visitor.enter(browser, { motion: true });
      await shooter.context.addCookies(await player.context.cookies());
      await shooter.context.addInitScript(() => localStorage.setItem("sandtable.account", "true"));
      const { page: range } = shooter;
      await range.clock.install();
      await shooter.open(`#/game/${made.id}`);
      await seated(range);
      await expect.poll(() => mine(range)).toBe(true);
      const state = await table(shooter, made.id, made.seat);
      const fire = state.actions.find(({ action }) => action.do === "fire")!;
      await range.locator("details.sec summary").click();
      await range
        .locator("details.sec li button", {
          hasText: new RegExp(english(fire.label ?? "").replaceAll(/\{\w+\}/g, ".+")),
        })
        .first()
        .click();
      await range.getByText("Before you commit").waitFor();
      // Every number of hits has its chance, all of them together make one.
      const { odds } = await shooter.ask<{
        odds: { results: [string, string][]; terms: { text: Said }[] };
      }>("GET", `/api/games/${made.id}/about?seat=${made.seat}&action=${encodeURIComponent(fire.text)}`);
      expect(odds.results.reduce((sum, [, chance]) => sum + fraction(chance), 0)).toBeCloseTo(1);
      await expect.poll(() => range.locator(".results li").count()).toBe(Math.min(9, odds.results.length));
      for (const term of odds.terms)
        await expect
          .poll(() =>
            range
              .locator(".terms")
              .innerText()
              .then((text) => text.toLowerCase()),
          )
          .toContain(english(term.text).toLowerCase());
      await range.screenshot({ path: join(inject("shots"), "fire-odds.png") });
      // With the clock stopped the dice would roll for ever, were it not for the key.
      // The moment at which it stops has to lie ahead when the browser is told, however slow the way there is.
      await range.clock.pauseAt(new Date((await range.evaluate(() => Date.now())) + 60_000));
      await range.keyboard.press("Enter");
      await range.locator(".tray.rolling").waitFor();
      await range.locator(".map").focus();
      await range.keyboard.press("x");
      await range.locator(".tray:not(.rolling) .text").first().waitFor();
      const told = await shooter.ask<{ faces?: number[]; event: string }[]>(
        "GET",
        `/api/games/${made.id}/events?seat=${made.seat}&since=${state.length}`,
      );
      const fired = told.filter(({ event }) => event === "fired").map(({ faces }) => faces);
      const lying = await range
        .locator(".tray .roll")
        .evaluateAll((rolls) =>
          rolls.map((roll) =>
            [...roll.querySelectorAll("[role=img]")].map((die) => Number(die.getAttribute("aria-label"))),
          ),
        );
      expect(lying.length).toBeGreaterThan(0);
      for (const faces of lying) expect(fired).toContainEqual(faces);
      await range.screenshot({ path: join(inject("shots"), "fire-dice.png") });
      shooter.calm();
      await shooter.leave();
    },
  );
});

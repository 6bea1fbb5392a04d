/** A stack is taken whole by one click, in the games in which that is usual; a key or the panel narrows it. */
import type { Browser, Page } from "playwright-core";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { CounterItem, GameRecord, TableState } from "../../src/lib/api/types";
import { idle, seated } from "../support/hands";
import { spots } from "../support/map";
import { move, table } from "../support/play";
import { launch, Visitor } from "../support/stage";

const APART = ["hq", "asu_hq", "truck", "leader"];

describe.each(["na41", "caucasus", "kasserine"])("a stack of %s", (game) => {
  let browser: Browser;
  let player: Visitor;
  let page: Page;
  let id = "";
  let seat = "";
  let stack: CounterItem[] = [];

  const now = (): Promise<TableState> => table(player, id, seat);
  const shot = (name: string): Promise<unknown> => page.screenshot({ path: join(inject("shots"), `${name}.png`) });
  const places = async (): Promise<(string | undefined)[]> => {
    const { counters } = (await now()).scene;
    return stack.map(({ unit }) => counters?.find((one) => one.unit === unit)?.hex);
  };
  /** Those of the tray who are taken along. */
  const taken = (): Promise<number> => page.locator("section.decision .fig.chosen").count();
  const click = (unit: string, ...modifiers: "Shift"[]): Promise<void> =>
    page.locator(`.counters [data-unit="${unit}"]`).first().click({ modifiers, force: true });

  /** Fighting units of one hex that may all move. */
  function movable(state: TableState): CounterItem[] {
    const moves = new Set(state.actions.flatMap(({ action }) => (action.do === "move" ? [action["unit"]] : [])));
    const free = (state.scene.counters ?? []).filter(
      (one) => one.hex && moves.has(one.unit) && !APART.includes(one.symbol ?? ""),
    );
    return free.map(({ hex }) => free.filter((one) => one.hex === hex)).find(({ length }) => length > 1) ?? [];
  }

  beforeAll(async () => {
    browser = await launch();
    player = await Visitor.enter(browser);
    ({ page } = player);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    await page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
    const { sides, scenarios } = await player.ask<{ sides: string[]; scenarios: { id: string }[] }>(
      "GET",
      `/api/catalogue/${game}`,
    );
    const seats = Object.fromEntries(sides.map((side) => [side, "me"]));
    const scenario = scenarios[0]!.id;
    ({ id } = await player.ask<{ id: string }>("POST", "/api/games", { game, scenario, seats }));
    for (let i = 0; i < 200; i += 1) {
      seat = (await player.ask<GameRecord>("GET", `/api/games/${id}`)).to_act!;
      const state = await now();
      stack = movable(state);
      if (stack.length) break;
      const on = state.actions.find(({ action }) => action.do === "accept") ?? state.actions[0]!;
      await move(player, id, seat, state, on);
    }
    await player.open(`#/game/${id}?seat=${seat}`);
    await page.reload();
    await seated(page);
    await page.waitForLoadState("networkidle");
  });
  afterAll(() => browser.close());

  it("goes together where one of them is sent, and comes back together", async () => {
    // Both sides sit at this browser: the panel names the one that decides.
    expect(await page.locator("section.decision .caps").first().innerText()).toMatch(/^Axis decides$/i);
    const from = stack[0]!.hex!;
    await click(stack[0]!.unit!);
    await expect.poll(taken).toBe(stack.length);
    await idle(page);
    await shot(`stack-${game}`);
    const seen = await spots(player, game);
    const state = await now();
    const to = state.actions.find(({ action }) => action.do === "to" && seen.has(action["hex"] ?? ""))!.action["hex"]!;
    await page.mouse.click(seen.get(to)!.x, seen.get(to)!.y);
    await expect.poll(places).toEqual(stack.map(() => to));
    await idle(page);
    await page.keyboard.press("u");
    await expect.poll(places).toEqual(stack.map(() => from));
    await expect.poll(taken).toBe(stack.length);
    await idle(page);
    await page.keyboard.press("Escape");
    await expect.poll(async () => movable(await now()).length).toBe(stack.length);
    await idle(page);
    player.calm();
  });

  it("is narrowed: one is left by the panel, or taken alone with Shift", async () => {
    await click(stack[0]!.unit!);
    await expect.poll(taken).toBe(stack.length);
    await idle(page);
    await page.locator("section.decision .fig.chosen[aria-pressed=true]").last().click();
    await expect.poll(taken).toBe(stack.length - 1);
    await idle(page);
    await page.keyboard.press("Escape");
    await expect.poll(async () => movable(await now()).length).toBe(stack.length);
    await idle(page);
    await click(stack[0]!.unit!, "Shift");
    await expect.poll(taken).toBe(1);
    await idle(page);
    player.calm();
  });
});

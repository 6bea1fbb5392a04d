/** Printed counters, boxes, tracks and an odds table: what hex-and-counter games show, in every palette. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seated } from "../support/hands";
import { chance, move, table } from "../support/play";
import { ladderOdds, layPrinted, printedScene } from "../support/printed";
import { faults, launch, Visitor, type VisitorOptions } from "../support/stage";
import { english } from "../../src/lib/i18n/said";

const LOOKS: readonly (VisitorOptions & { name: string })[] = [
  { name: "desktop-light", theme: "light" },
  { name: "desktop-dark", theme: "dark" },
  { name: "desktop-cvd", palette: "cvd" },
  { name: "phone-light", width: 390, height: 844 },
];

interface Spot {
  id: string;
  x: number;
  y: number;
}

describe("printed counters", () => {
  let browser: Browser;
  let cookies: Awaited<ReturnType<Visitor["context"]["cookies"]>> = [];
  let id = "";
  let seat = "";

  beforeAll(async () => {
    browser = await launch();
    const player = await Visitor.enter(browser);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    const made = await player.ask<{ id: string }>("POST", "/api/games", {
      game: "rommel",
      scenario: "crusader",
      seats: { axis: "me", commonwealth: "me" },
    });
    id = made.id;
    const random = chance(2);
    for (let i = 0; i < 30; i += 1) {
      seat = (await player.ask<{ to_act: string }>("GET", `/api/games/${id}`)).to_act;
      const state = await table(player, id, seat);
      const on = state.actions.find(({ label }) =>
        /^(Spend no more|Do not challenge|Offensive$)/.test(english(label ?? "")),
      );
      if (state.prompt.phase === "movement") break;
      await move(player, id, seat, state, on ?? state.actions[Math.floor(random() * state.actions.length)]!);
    }
    cookies = await player.context.cookies();
    await player.leave();
  });
  afterAll(() => browser.close());

  async function enter(options: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.enter(browser, options);
    await visitor.context.addCookies(cookies);
    await visitor.context.addInitScript(() => localStorage.setItem("sandtable.account", "true"));
    await layPrinted(visitor);
    return visitor;
  }

  /** Answers the question for odds with a whole table: the hex of the first own stack is attacked by its neighbours. */
  async function weigh(visitor: Visitor): Promise<void> {
    const { scene } = await table(visitor, id, seat);
    const shown = printedScene(scene, [seat]);
    const { grid } = await visitor.ask<{ grid: { hexes: Spot[] } }>("GET", "/api/catalogue/rommel");
    const stand = (mine: boolean): Spot[] => {
      const hexes = new Set(
        (shown.counters ?? []).flatMap((item) => ((item.side === seat) === mine && item.hex ? [item.hex] : [])),
      );
      return grid.hexes.filter((hex) => hexes.has(hex.id));
    };
    const own = stand(true);
    const far = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);
    const target = stand(false).sort(
      (a, b) => Math.min(...own.map((o) => far(o, a))) - Math.min(...own.map((o) => far(o, b))),
    )[0]!;
    const theirs = target.id;
    const from = own
      .sort((a, b) => far(a, target) - far(b, target))
      .slice(0, 2)
      .map(({ id: hex }) => hex);
    await visitor.context.route(/\/about\?/, (route) =>
      route.fulfill({ json: { reason: null, hint: null, odds: ladderOdds(shown, seat, theirs, from) } }),
    );
  }

  const caption = (page: Page): Promise<string> => page.locator(".ladder .now").innerText();

  for (const look of LOOKS) {
    it(`lie on the map, ${look.name}`, async () => {
      const visitor = await enter(look);
      const { page } = visitor;
      await visitor.open(`#/game/${id}`);
      await seated(page);
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator(".ctr").count()).toBeGreaterThan(20);
      await page.screenshot({ path: join(inject("shots"), `printed-${look.name}.png`) });
      expect(await faults(page)).toEqual([]);

      await weigh(visitor);
      if ((look.width ?? 1440) < 500) await page.getByRole("tab", { name: "Decide" }).click();
      await page.locator("details.sec summary").click();
      await page.locator("details.sec li button").first().click();
      await page.locator(".ladder .now").waitFor();
      await expect.poll(() => caption(page)).toBe("5:1");
      // Without the artillery one column less; with the answer of the other side another one.
      await page.getByRole("switch", { name: /Artillery support/ }).click();
      await expect.poll(() => caption(page)).toBe("4:1");
      await page.getByRole("switch", { name: /They may answer/ }).click();
      await expect.poll(() => caption(page)).toBe("3:1");
      await page.getByRole("switch", { name: /Artillery support/ }).click();
      await page.getByRole("switch", { name: /They may answer/ }).click();
      await expect.poll(() => caption(page)).toBe("5:1");
      await expect.poll(() => page.locator(".acts .main").innerText()).toMatch(/at 5:1/);
      await page.screenshot({ path: join(inject("shots"), `combat-${look.name}.png`) });
      expect(await faults(page)).toEqual([]);

      // Enter commits, also right after a click on a switch: it does not press the switch again.
      let committed = 0;
      await page.route(/\/moves$/, () => void (committed += 1)); // and leave it unanswered: others look at this game too
      const support = page.getByRole("switch", { name: /Artillery support/ });
      await support.click();
      await page.keyboard.press("Enter");
      await expect.poll(() => committed).toBe(1);
      visitor.calm();
      await visitor.leave();
    });
  }
});

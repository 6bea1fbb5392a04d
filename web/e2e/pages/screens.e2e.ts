/** Pictures of the pages at desktop and phone width in every palette, to be looked at; and axe-core at the table. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seated } from "../support/hands";
import { chance, move, table } from "../support/play";
import { faults, launch, Visitor } from "../support/stage";
import { english } from "../../src/lib/i18n/said";

const SIZES = [
  { name: "desktop", width: 1440, height: 900 },
  { name: "small", width: 1024, height: 768 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "phone", width: 390, height: 844 },
] as const;
const LOOKS = [
  { name: "light", theme: "light", palette: "standard" },
  { name: "dark", theme: "dark", palette: "standard" },
  { name: "cvd", theme: "light", palette: "cvd" },
] as const;

/** What can be touched and is smaller than a finger needs; the number of a rule has room around it. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button:not(.chip), a, input, select, summary")].flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      return width && (width < 24 || height < 24) ? [`${one.outerHTML.slice(0, 80)} ${width} × ${height}`] : [];
    }),
  );

describe("pictures", () => {
  let browser: Browser;
  let cookies: Awaited<ReturnType<Visitor["context"]["cookies"]>> = [];
  let id = "";

  beforeAll(async () => {
    browser = await launch();
    const player = await Visitor.enter(browser);
    await player.open();
    await player.ask("POST", "/api/account/guest", { name: "Jonas" });
    const seats = { axis: "me", commonwealth: "me" };
    id = (await player.ask<{ id: string }>("POST", "/api/games", { game: "rommel", scenario: "crusader", seats })).id;
    // More than the lobby shows at once.
    for (let n = 0; n < 3; n += 1)
      await player.ask("POST", "/api/games", { game: "rommel", scenario: "battleaxe", seats });
    // On into the first turn, so that there is something to see.
    const random = chance(2);
    for (let i = 0; i < 30; i += 1) {
      const { to_act } = await player.ask<{ to_act: string }>("GET", `/api/games/${id}`);
      const state = await table(player, id, to_act);
      const on = state.actions.find(({ label }) =>
        /^(Spend no more|Do not challenge|Offensive$)/.test(english(label ?? "")),
      );
      if (state.prompt.phase === "movement") break;
      await move(player, id, to_act, state, on ?? state.actions[Math.floor(random() * state.actions.length)]!);
    }
    cookies = await player.context.cookies();
    await player.leave();
  });
  afterAll(() => browser.close());

  for (const size of SIZES) {
    // Between the largest and the smallest one look is enough.
    for (const look of size.name === "small" || size.name === "tablet" ? LOOKS.slice(0, 1) : LOOKS) {
      it(`${size.name}, ${look.name}`, async () => {
        const visitor = await Visitor.enter(browser, { ...size, ...look });
        const { page, context } = visitor;
        await context.addCookies(cookies);
        await context.addInitScript(() => localStorage.setItem("sandtable.account", "true"));
        const shot = (name: string): Promise<unknown> =>
          page.screenshot({ path: join(inject("shots"), `${name}-${size.name}-${look.name}.png`) });
        for (const [name, hash] of [
          ["lobby", ""],
          ["rules", "#/rules/rommel/4.2a"],
          ["settings", "#/settings"],
        ] as const) {
          await visitor.open(hash);
          await page.waitForLoadState("networkidle");
          await shot(name);
          // Nothing is wider than the window.
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
            name,
          ).toBeLessThanOrEqual(0);
          if (size.name === "phone" && name === "lobby") expect(await faults(page), name).toEqual([]);
          if (size.name === "phone" && name === "lobby") expect(await tooSmall(page), name).toEqual([]);
        }
        await visitor.open(`#/game/${id}`);
        await seated(page);
        await page.waitForLoadState("networkidle");
        await shot("table");
        // Nothing lies beyond the edge, or under something else.
        expect(
          await page.evaluate(() =>
            [...document.querySelectorAll(".side-p, .foot, .corner, .sheet, .bar > *")].flatMap((one) => {
              const { left, right, bottom, width } = one.getBoundingClientRect();
              const off = left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
              return width && off ? [one.className.toString()] : [];
            }),
          ),
          "cut",
        ).toEqual([]);
        // However long a line at the foot is, it stays clear of the panel beside it.
        if (size.name === "desktop" || size.name === "small")
          expect(
            await page.evaluate(() => {
              document.querySelector(".foot .tracks b")!.textContent = "Pass until an attack has odds of 4:1. ".repeat(
                9,
              );
              const { right } = document.querySelector(".foot .panel")!.getBoundingClientRect();
              return Math.round(right - document.querySelector(".side-p")!.getBoundingClientRect().left);
            }),
          ).toBeLessThanOrEqual(0);
        expect(await faults(page), "table").toEqual([]);
        if (size.name === "phone") expect(await tooSmall(page), "table").toEqual([]);
        visitor.calm();
        await visitor.leave();
      });
    }
  }
});

/** What the table tells from afar: whose turn it is, how long is left, what was said, and where the invite link is. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seated } from "../support/hands";
import { faults, launch, Visitor } from "../support/stage";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("says in the tab when it is one's turn, shows the clock and unread chat, and gives the invite link again", async () => {
  const host = await Visitor.enter(browser);
  await host.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await host.open();
  await host.ask("POST", "/api/account/guest", { name: "Jonas" });
  await host.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  const wish = { game: "rommel", scenario: "crusader", seats: { axis: "invite", commonwealth: "me" }, pace: 3 };
  const { id } = await host.ask<{ id: string }>("POST", "/api/games", wish);
  await host.open(`#/game/${id}`);
  await host.page.reload();
  await seated(host.page);

  await host.page.locator(".seat").getByRole("button", { name: "Copy link" }).click();
  const link = await host.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain("#/join/");

  const guest = await Visitor.enter(browser);
  await guest.open();
  await guest.ask("POST", "/api/account/guest", { name: "Mara" });
  await guest.page.evaluate(() => localStorage.setItem("sandtable.account", "true"));
  await guest.page.goto(link);
  await guest.page.reload();
  await guest.page
    .getByRole("button", { name: /seat|Sit|Join|Take/ })
    .first()
    .click();
  await guest.page.waitForURL(/#\/game\//);
  await seated(guest.page);

  await expect.poll(() => host.page.locator(".seat .clock").textContent()).toMatch(/left/);
  const titles = async (): Promise<boolean[]> =>
    Promise.all([host, guest].map(async ({ page }) => (await page.title()).startsWith("● Your turn")));
  await expect.poll(async () => (await titles()).filter(Boolean).length).toBe(1);

  await guest.ask("POST", `/api/games/${id}/chat`, { text: "Good luck" });
  await expect.poll(() => host.page.title()).toContain("(1)");
  expect(await host.page.locator(".tabs").getByLabel("1 unread").count()).toBe(1);
  expect(await faults(host.page)).toEqual([]);
  await host.page.getByRole("tab", { name: /Chat/ }).click();
  await expect.poll(() => host.page.title()).not.toContain("(1)");

  // An arrow for oneself is seen by the other side when it is shown, until that one has seen enough.
  await guest.page.keyboard.press("p");
  for (const x of [520, 840]) await guest.page.mouse.click(x, 420);
  await expect.poll(() => guest.page.locator(".sketch .head:not(.faint)").count()).toBe(1);
  expect(await host.page.locator(".sketch .head").count()).toBe(0);
  await guest.page.getByRole("button", { name: "Show the table" }).click();
  await host.page.getByText(/^Mara.*shown to you on the map/).waitFor();
  expect(await host.page.locator(".sketch .head").count()).toBe(1);
  await host.page.getByRole("button", { name: "Wipe it off" }).click();
  await expect.poll(() => host.page.locator(".sketch .head").count()).toBe(0);
  host.calm();
  guest.calm();
  await host.leave();
  await guest.leave();
});

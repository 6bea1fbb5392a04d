/** Playing without a mouse: Tab, Enter, Escape and the letters of the table. */
import type { Page } from "playwright-core";

const STOPS = 400;

/** Goes to something with Tab, as who has no mouse does. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < STOPS; i += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

/** Plays to the end by hints: asked for by a key, done by the same key. Gives how many were followed. */
export async function playByHints(page: Page, most: number): Promise<number> {
  let followed = 0;
  let idle = 0;
  while (followed < most && idle < 600) {
    const seen = await page.evaluate(() => {
      const decision = document.querySelector("section.decision");
      if (document.querySelector('.end a[href^="#/end/"]')) return "over";
      if (document.querySelector("dialog[open]")) return "dialog";
      if (decision?.getAttribute("aria-busy") === "true") return "busy";
      // What leads to dice is weighed before it is done.
      const back = [...document.querySelectorAll(".acts button")].some((one) => /^Back/.test(one.textContent ?? ""));
      if (back && document.querySelector(".acts .main:enabled")) return "weighed";
      const follow = document.querySelector<HTMLButtonElement>(".decision [data-follow]");
      if (follow) return follow.disabled ? "busy" : "follow";
      if (document.querySelector('.decision .ask [role="alert"]')) return "refused";
      const ask = document.querySelector<HTMLButtonElement>(".decision [data-hint]");
      return ask && !ask.disabled ? "ask" : "wait";
    });
    if (seen === "over") return followed;
    if (seen === "refused") throw new Error("no hint was given");
    if (seen === "dialog") await page.keyboard.press("Escape");
    if (seen === "weighed") await page.keyboard.press("Enter");
    if (seen === "ask" || seen === "follow") {
      await page.keyboard.press("i");
      followed += Number(seen === "follow");
      idle = 0;
    } else idle += 1;
    await page.waitForTimeout(120);
  }
  throw new Error(`the game does not come to its end: ${followed} hints were followed`);
}

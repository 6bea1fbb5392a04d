/** A learner who knows nothing but what the page says: he reads, looks where it points, and presses what it marks. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface Seen {
  step: string;
  done: boolean;
  busy: boolean;
  read: boolean;
  buttons: number;
  rings: { x: number; y: number }[];
  /** The counter that is meant, where a stack lies open. */
  unit: { x: number; y: number } | null;
  answer: string;
}

const MARKED = "section.decision [data-coached]:not(:disabled)";

const see = (page: Page): Promise<Seen> =>
  page.evaluate((marked) => {
    const coach = document.querySelector(".coach");
    const middle = (one: Element): { x: number; y: number } => {
      const box = one.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    // What lies under the sheet of a phone, or is still on its way, cannot be pressed.
    const open = (at: { x: number; y: number }): boolean => !!document.elementFromPoint(at.x, at.y)?.closest(".map");
    const unit = document.querySelector("[data-coached-unit] .meant");
    const step = coach?.querySelector(".count")?.textContent ?? "";
    return {
      step,
      done: coach !== null && !step,
      busy: document.querySelector("section.decision")?.getAttribute("aria-busy") === "true",
      read: document.querySelector("[data-read]") !== null,
      buttons: [...document.querySelectorAll(marked)].filter((one) => one.getClientRects().length).length,
      rings: [...document.querySelectorAll("[data-coached-hex] circle:first-child")].map(middle).filter(open),
      unit: unit ? middle(unit) : null,
      answer: coach?.querySelector(".answer")?.textContent ?? "",
    };
  }, MARKED);

/** Follows a lesson to its end; gives the steps that it went through. `at` is called at each of them. */
export async function follow(page: Page, at: (step: string) => Promise<void> = async () => {}): Promise<string[]> {
  await page.locator(".coach h2").waitFor();
  const touch = (page.viewportSize()?.width ?? 1440) < 500;
  const steps: string[] = [];
  let idle = 0;
  while (idle < 200) {
    const seen = await see(page);
    expect(seen.answer, "who follows the page is not corrected").toBe("");
    if (seen.done) return steps;
    if (seen.step && seen.step !== steps.at(-1)) {
      steps.push(seen.step);
      await at(seen.step);
      continue;
    }
    // A map that is still on its way is waited for: a finger would land where the ring has been.
    const settled = await see(page);
    const [ring] = JSON.stringify(settled.rings) === JSON.stringify(seen.rings) ? seen.rings : [];
    idle += 1;
    if (seen.busy) {
      await page.waitForTimeout(40);
      continue;
    }
    if (seen.read) {
      if (ring) {
        if (touch) await page.touchscreen.tap(ring.x, ring.y);
        else {
          await page.mouse.move(ring.x - 40, ring.y);
          await page.mouse.move(ring.x, ring.y);
        }
        await expect.poll(() => page.locator("[data-coached-hex]").count()).toBe(0);
      }
      await page.locator("[data-read]").click();
      await expect.poll(async () => (await see(page)).step).not.toBe(seen.step);
      idle = 0;
    } else if (seen.buttons) {
      await page.evaluate((marked) => {
        const shown = [...document.querySelectorAll<HTMLElement>(marked)].find((one) => one.getClientRects().length);
        shown?.click();
      }, MARKED);
      idle = 0;
    } else if (seen.unit ?? ring) {
      const at = seen.unit ?? ring!;
      if (touch) await page.touchscreen.tap(at.x, at.y);
      else {
        await page.mouse.move(at.x - 40, at.y);
        await page.mouse.click(at.x, at.y);
      }
      idle = 0;
    }
    await page.waitForTimeout(120);
  }
  throw new Error(`the page does not say what to do: ${JSON.stringify(await see(page))}`);
}

/** Pointing at the map as a person does. */
import type { Page } from "playwright-core";
import type { Visitor } from "./stage";

export interface Spot {
  x: number;
  y: number;
}

/** Where hexes are on the screen, by id; only those that nothing lies over. */
export async function spots(visitor: Visitor, game: string): Promise<Map<string, Spot>> {
  const { grid } = await visitor.ask<{ grid: { hexes: { id: string; x: number; y: number }[] } }>(
    "GET",
    `/api/catalogue/${game}`,
  );
  const found = await visitor.page.evaluate((hexes) => {
    const world = document.querySelector<HTMLElement>(".world");
    const at = /translate3d\((-?[\d.]+)px, ?(-?[\d.]+)px, ?0(?:px)?\) scale\(([\d.]+)\)/.exec(
      world?.style.transform ?? "",
    );
    if (!at) throw new Error(`no map: ${world?.style.transform}`);
    const [x, y, k] = at.slice(1).map(Number) as [number, number, number];
    return hexes.flatMap((hex) => {
      const spot = { x: hex.x * k + x, y: hex.y * k + y };
      return document.elementFromPoint(spot.x, spot.y)?.closest(".map") ? [[hex.id, spot] as const] : [];
    });
  }, grid.hexes);
  return new Map(found);
}

/** Moves the pointer there and waits until the map has taken notice. */
export async function hover(page: Page, spot: Spot): Promise<void> {
  await page.mouse.move(spot.x - 3, spot.y - 3);
  await page.mouse.move(spot.x, spot.y);
  await page.waitForTimeout(60);
}

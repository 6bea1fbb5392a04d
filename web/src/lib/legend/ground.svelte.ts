/** The drawn map as a picture of its own, of which parts can be shown: the same drawing, in the colours of the page. */

import { unlettered } from "../i18n/waters";
import { look } from "../theme.svelte";

let kept: { map: string; colours: string; url: string } | null = null;

/** Where the picture of a map is; made once for each map and palette. */
export function pictureOf(map: string): string {
  const colours = `${look.dark ? "dark" : "light"} ${look.palette}`;
  if (kept?.map === map && kept.colours === colours) return kept.url;
  if (kept) URL.revokeObjectURL(kept.url);
  const style = getComputedStyle(document.documentElement);
  const tokens = new Set([...map.matchAll(/var\((--[\w-]+)\)/g)].map((found) => found[1] ?? ""));
  // A token may be made of others.
  const values = [...tokens].map((token) => `${token}:${style.getPropertyValue(token).trim()};`).join("");
  const [head, ...rest] = unlettered(map).split("</title>");
  const svg = `${head}</title><style>:root{${values}}</style>${rest.join("</title>")}`;
  kept = { map, colours, url: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) };
  return kept.url;
}

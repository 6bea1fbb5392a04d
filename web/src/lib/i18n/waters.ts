/** Seas, rivers and regions that are lettered on the maps, in Japanese. */

import { transport } from "../api/transport";

const LETTERED = /(<g\b[^>]*\bdata-place="([^"]+)"[^>]*>)(<text\b[^>]*>)[\s\S]*?<\/g>/g;

/** A map with its seas and regions in Japanese, upright; `called` knows their names. */
export function japaneseMap(svg: string, called: (name: string) => string | undefined): string {
  return svg.replace(LETTERED, (all, group: string, name: string, text: string) => {
    const said = called(name);
    return said ? `${group.replace("<g", '<g font-style="normal"')}${text}${said}</text></g>` : all;
  });
}

/** A map without them: of a small part of it they are letters that say nothing. */
export const unlettered = (svg: string): string => svg.replace(LETTERED, "");

/** The address of a map's picture in Japanese: a copy of our own, on which what nobody can name has no name. */
export async function japanesePicture(path: string, called: (name: string) => string | undefined): Promise<string> {
  const answer = await transport().ask(path, {});
  const svg = japaneseMap(await answer.text(), called).replace(LETTERED, (all, _group, name: string) =>
    called(name) ? all : "",
  );
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** Seas, rivers and regions that are lettered on the maps, in Japanese. */

const LETTERED = /(<g\b[^>]*\bdata-place="([^"]+)"[^>]*>)(<text\b[^>]*>)[\s\S]*?<\/g>/g;

/** A map with its seas and regions in Japanese, upright; `called` knows their names. */
export function japaneseMap(svg: string, called: (name: string) => string | undefined): string {
  return svg.replace(LETTERED, (all, group: string, name: string, text: string) => {
    const said = called(name);
    return said ? `${group.replace("<g", '<g font-style="normal"')}${text}${said}</text></g>` : all;
  });
}

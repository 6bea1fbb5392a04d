/** Catalogues of translations (gettext `.po`) as modules: English to the other language. */
import type { Plugin } from "vite";

/** Reads what translators' tools write; an entry without a translation is left out. */
export function readPo(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  let parts: Record<string, string> = {};
  let current = "";
  const keep = (): void => {
    const { msgid, msgstr } = parts;
    if (msgid && msgstr) found[msgid] = msgstr;
    parts = {};
  };
  for (const raw of source.split("\n")) {
    const line = raw.trim();
    if (!line || line.startsWith("#")) continue;
    const [, word, text = ""] = /^(msgid|msgstr|)\s*(".*")$/.exec(line) ?? [];
    if (word === undefined) throw new Error(`not a line of a .po file: ${line}`);
    if (word === "msgid") keep();
    if (word) current = word;
    parts[current] = (parts[current] ?? "") + (JSON.parse(text) as string);
  }
  keep();
  return found;
}

export function po(): Plugin {
  return {
    name: "po",
    transform(source, id) {
      if (!id.endsWith(".po")) return null;
      return { code: `export default ${JSON.stringify(readPo(source))};`, map: null, moduleType: "js" };
    },
  };
}

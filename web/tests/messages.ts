/** The texts of the interface, as they stand in the source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.(svelte|ts)$/.test(entry.name) && !/\.(ja|d)\.ts$|\/ja\.ts$/.test(path) ? [path] : [];
  });
}

const CALL = /(?<![\w.])t\(\s*"((?:[^"\\]|\\.)*)"/g;

/** Every text that is given to `t` as it is, with the file in which it first stands. */
export function messages(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files(folder)) {
    for (const match of readFileSync(file, "utf8").matchAll(CALL)) {
      const text = JSON.parse(`"${match[1] ?? ""}"`) as string;
      if (!found.has(text)) found.set(text, file);
    }
  }
  return found;
}

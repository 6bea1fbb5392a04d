/** Lays a compressed copy beside every text file of the built client: the server sends those to whoever takes them. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|html|svg|json|txt)$/;
/** Below this nothing is gained. */
const LEAST = 600;

export function pack(): Plugin {
  let folder = "";
  return {
    name: "pack",
    apply: "build",
    configResolved: (config) => void (folder = join(config.root, config.build.outDir)),
    writeBundle: (options) => {
      const made = options.dir ?? folder;
      for (const name of readdirSync(made, { recursive: true, encoding: "utf8" })) {
        const path = join(made, name);
        if (!TEXT.test(name) || statSync(path).size < LEAST) continue;
        const body = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
        writeFileSync(
          `${path}.br`,
          brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
        );
      }
    },
  };
}

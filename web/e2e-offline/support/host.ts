/** A host of static files, which serves the page that needs no server. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import type { Page } from "playwright-core";

const FOLDER = resolve(process.env["SANDTABLE_OFFLINE"] ?? join(import.meta.dirname, "../../../dist/offline"));
const KINDS: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};
/** Under a folder, as a host of many pages would have it. */
const HOME = "/some/folder/";
export const MINUTE = 60_000;

export interface Host {
  address: string;
  /** How often it was asked for something. */
  readonly asked: number;
  shut: () => Promise<void>;
}

export async function hosted(): Promise<Host> {
  if (!existsSync(join(FOLDER, "index.html"))) throw new Error(`${FOLDER} is not built: make offline`);
  let asked = 0;
  const host = createServer((request, answer) => {
    asked += 1;
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const file = join(FOLDER, path.startsWith(HOME) ? path.slice(HOME.length) || "index.html" : "nowhere");
    if (!file.startsWith(FOLDER) || !existsSync(file) || !statSync(file).isFile()) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${(host.address() as AddressInfo).port}${HOME}`,
    get asked() {
      return asked;
    },
    shut: async () => {
      host.closeAllConnections();
      await new Promise((done) => host.close(done));
    },
  };
}

/** Waits until the application is there; says why where it is not. `saying`: how its notice begins until then. */
export async function setUp(page: Page, saying: string): Promise<void> {
  const notice = page.locator("#setting-up");
  for (const end = Date.now() + 8 * MINUTE; Date.now() < end;) {
    const text = (await notice.count()) ? ((await notice.textContent()) ?? "") : null;
    if (text === null) return;
    if (!text.startsWith(saying)) throw new Error(text);
    await page.waitForTimeout(200);
  }
  throw new Error("the table was not set up in time");
}

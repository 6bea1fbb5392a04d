/** Builds the client, starts a server with a database of its own, and stops it at the end. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "vite";

declare module "vitest" {
  interface ProvidedContext {
    address: string;
    shots: string;
  }
}

const web = resolve(import.meta.dirname, "../..");
const root = resolve(web, "..");

function python(): string {
  const own = join(root, ".venv/bin/python");
  return process.env["SANDTABLE_PYTHON"] ?? (existsSync(own) ? own : "python3");
}

/** Starts `sandtable serve`, with known dice, on a free port; resolves with its address when it has printed it. */
export function serve(folder: string, client: string): Promise<{ process: ChildProcess; address: string }> {
  const child = spawn(
    python(),
    [join(import.meta.dirname, "server.py"), "serve", "--port", "0", "--database-url", `sqlite:///${folder}/e2e.db`],
    {
      env: {
        ...process.env,
        SANDTABLE_STATIC: client,
        SANDTABLE_LIMITS: "0",
        SANDTABLE_LOG_LEVEL: "warning",
        SANDTABLE_HASH_COST: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  return new Promise((done, fail) => {
    let said = "";
    const heard = (chunk: Buffer): void => {
      said += chunk.toString();
      const found = /http:\/\/[^\s/]+:\d+/.exec(said);
      if (found) done({ process: child, address: found[0] });
    };
    child.stdout.on("data", heard);
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      process.stderr.write(chunk);
    });
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
}

function newest(path: string): number {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** The folder of the client: what `npm run build` has made of the source as it is now, or else made here. */
async function builtClient(folder: string): Promise<string> {
  const made = join(web, "dist");
  const source = ["src", "public", "plugins", "text", "index.html", "vite.config.ts", "package-lock.json"];
  if (newest(join(made, "index.html")) > Math.max(...source.map((name) => newest(join(web, name))))) return made;
  const client = join(folder, "client");
  await build({
    root: web,
    configFile: join(web, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: client, emptyOutDir: true },
  });
  return client;
}

async function healthy(address: string): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const answer = await fetch(`${address}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((wait) => setTimeout(wait, 100));
  }
  throw new Error("the server does not become healthy");
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "sandtable-e2e-"));
  const shots = process.env["SANDTABLE_SHOTS"] ?? join(folder, "shots");
  mkdirSync(shots, { recursive: true });
  const running = process.env["SANDTABLE_ADDRESS"];
  if (running) {
    // A server that runs already, with the client as it was last built: for working on the tests.
    project.provide("address", running);
    project.provide("shots", shots);
    return async () => undefined;
  }
  const server = await serve(folder, await builtClient(folder));
  await healthy(server.address);
  project.provide("address", server.address);
  project.provide("shots", shots);
  return async () => {
    server.process.removeAllListeners("exit");
    const ended = new Promise((done) => server.process.once("exit", done));
    server.process.kill("SIGTERM");
    await Promise.race([ended, new Promise((wait) => setTimeout(wait, 8000))]);
    server.process.kill("SIGKILL");
    if (!process.env["SANDTABLE_KEEP"]) rmSync(folder, { recursive: true, force: true });
  };
}

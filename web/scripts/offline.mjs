/**
 * Lays beside the built client all that it needs to be its own server: Pyodide, the packages of the application, compiled for
 * it, and a service worker that keeps the page for when there is no network. Called by `make offline`.
 *
 *   node scripts/offline.mjs SITE OUT      SITE: a folder of installed packages; OUT: the folder of the built client
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, out] = process.argv.slice(2).map((path) => resolve(path));
if (!site || !out) throw new Error("usage: node scripts/offline.mjs SITE OUT");

const home = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
const python = join(out, "python");
mkdirSync(python, { recursive: true });
for (const name of FILES) copyFileSync(join(home, name), join(python, name));

// Python compiles a module whenever it finds none compiled, which in a browser would be every time.
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")).href);
const py = await loadPyodide({ indexURL: `${home}/` });
for (const [name, root] of [
    ["/site", site],
    ["/out", python],
]) {
    py.FS.mkdirTree(name);
    py.FS.mount(py.FS.filesystems.NODEFS, { root }, name);
}
py.runPython(`
import compileall, os, zipfile
from py_compile import PycInvalidationMode

if not compileall.compile_dir("/site", quiet=2, legacy=False, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH):
    print("some modules were not compiled")
with zipfile.ZipFile("/out/packages.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
    for folder, folders, names in os.walk("/site"):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            entry = zipfile.ZipInfo(os.path.relpath(path, "/site"))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with open(path, "rb") as file:
                packed.writestr(entry, file.read())
`);

// ------------------------------------------------------------------------------------------ kept for when there is no network

const all = readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((name) => join(out, name))
    .filter((path) => statSync(path).isFile() && relative(out, path) !== "kept.js")
    .sort();
const digest = createHash("sha256");
for (const path of all) digest.update(relative(out, path)).update(readFileSync(path));
const names = ["./", ...all.map((path) => `./${relative(out, path).replaceAll("\\", "/")}`)];
writeFileSync(
    join(out, "kept.js"),
    `/* Keeps the page and all that it loads, so that it opens without a network. A new build is another file. */
const NAME = "sandtable-${digest.digest("hex").slice(0, 16)}";
const FILES = ${JSON.stringify(names)};

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name.startsWith("sandtable-") && name !== NAME).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(NAME).then(async (kept) => (await kept.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)));
});
`,
);
const size = all.reduce((sum, path) => sum + statSync(path).size, 0);
console.log(`${out}: ${all.length} files, ${(size / 1e6).toFixed(1)} MB`);

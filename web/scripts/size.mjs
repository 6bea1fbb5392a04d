// What a first visit downloads, compressed: index.html, the files it names, and the chunks of a page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT = 500_000;
const folder = join(import.meta.dirname, "..", "dist");
const packed = (path) =>
    path.endsWith(".woff2") ? readFileSync(path).length : gzipSync(readFileSync(path), { level: 9 }).length;
const files = [
    join(folder, "index.html"),
    ...readdirSync(join(folder, "assets")).map((name) => join(folder, "assets", name)),
].filter((path) => !/\.(gz|br)$/.test(path));
const sizes = files
    .map((path) => ({ name: path.slice(folder.length + 1), size: packed(path) }))
    .sort((a, b) => b.size - a.size);
for (const { name, size } of sizes) console.log(String(size).padStart(8), name);
const total = sizes.reduce((sum, { size }) => sum + size, 0);
console.log(String(total).padStart(8), "everything, compressed");
if (total > LIMIT) {
    console.error(`over ${LIMIT}`);
    process.exitCode = 1;
}

/**
 * A Chromium to test and measure with: the one that the variable CHROMIUM names, else one that is installed, else the one that
 * the package @sparticuz/chromium carries, unpacked once into node_modules. It needs nothing of the machine but its C library.
 *
 *   node scripts/browser.mjs      says which, or what to install
 */
import { execFileSync } from "node:child_process";
import {
    createReadStream,
    createWriteStream,
    existsSync,
    mkdtempSync,
    readFileSync,
    renameSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";

/** What every Chromium here is started with. */
export const ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

export const MISSING =
    "no Chromium that runs here was found: install one (on Debian and Ubuntu `apt-get install chromium`), or name one in the variable CHROMIUM";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const APPLICATIONS = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** What playwright-core's `launch` takes: the program, its surroundings and its arguments. */
export async function chromium() {
    const named = process.env.CHROMIUM;
    if (named) {
        if (!runs(named)) throw new Error(`the Chromium that the variable CHROMIUM names does not run: ${named}`);
        return { executablePath: named, args: ARGUMENTS };
    }
    const folders = (process.env.PATH ?? "").split(delimiter);
    const installed = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...APPLICATIONS];
    const found = installed.find((path) => existsSync(path) && runs(path));
    if (found) return { executablePath: found, args: ARGUMENTS };
    const packed = process.platform === "linux" && process.arch === "x64" ? await unpacked() : null;
    if (packed && runs(packed.executablePath, packed.env)) return { ...packed, args: ARGUMENTS };
    throw new Error(MISSING);
}

function runs(path, env = process.env) {
    try {
        execFileSync(path, ["--version"], { env, stdio: "ignore", timeout: 60_000 });
        return true;
    } catch {
        return false;
    }
}

/** The package's Chromium with the libraries and the font that it brings, beside it. */
async function unpacked() {
    const home = resolve(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../..");
    const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    const folder = resolve(import.meta.dirname, `../node_modules/.chromium-${version}`);
    if (!existsSync(folder)) {
        // Unpacked aside and moved: whoever comes at the same time sees all of it or nothing.
        const { extract } = await import("tar-fs");
        const aside = mkdtempSync(`${folder}-`);
        const bin = join(home, "bin");
        await pipeline(
            createReadStream(join(bin, "chromium.br")),
            createBrotliDecompress(),
            createWriteStream(join(aside, "chromium"), { mode: 0o755 }),
        );
        for (const [packed, into] of [
            ["al2023", "."],
            ["fonts", "fonts"],
            ["swiftshader", "."],
        ]) {
            await pipeline(
                createReadStream(join(bin, `${packed}.tar.br`)),
                createBrotliDecompress(),
                extract(join(aside, into)),
            );
        }
        writeFileSync(join(aside, "fonts", "fonts.conf"), fontsOf(folder));
        try {
            renameSync(aside, folder);
        } catch (error) {
            rmSync(aside, { recursive: true, force: true });
            if (!existsSync(folder)) throw error;
        }
    }
    const libraries = [join(folder, "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
    const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") };
    return { executablePath: join(folder, "chromium"), env: { ...process.env, ...fonts, LD_LIBRARY_PATH: libraries } };
}

/** The package's own list of font folders names places of the cloud that it was made for. */
const fontsOf = (folder) =>
    `<?xml version="1.0"?>\n<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    try {
        console.log((await chromium()).executablePath);
    } catch (error) {
        console.error(error.message);
        process.exit(1);
    }
}

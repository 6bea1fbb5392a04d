import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { pack } from "./plugins/pack.ts";
import { po } from "./plugins/po.ts";
import { symbols } from "./plugins/symbols.ts";

/** Where `sandtable serve` listens while the client is being developed. */
const server = process.env["SANDTABLE_SERVER"] ?? "http://127.0.0.1:8000";

/** `vite build --mode offline`: a page that is its own server (`src/offline`), in any folder of any host. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), symbols(), po(), ...(mode === "offline" ? [] : [pack()])],
  base: mode === "offline" ? "./" : "/",
  worker: { format: "es" },
  server: {
    port: 5173,
    proxy: { "/api": { target: server, ws: true }, "/health": server },
  },
  build: {
    outDir: mode === "offline" ? "dist-offline" : "dist",
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
  },
}));

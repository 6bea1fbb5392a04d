import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { pack } from "./plugins/pack.ts";
import { po } from "./plugins/po.ts";
import { symbols } from "./plugins/symbols.ts";

/** Where `sandtable serve` listens while the client is being developed. */
const server = process.env["SANDTABLE_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), symbols(), po(), pack()],
  base: "/",
  server: {
    port: 5173,
    proxy: { "/api": { target: server, ws: true }, "/health": server },
  },
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", sourcemap: false, assetsInlineLimit: 0 },
});

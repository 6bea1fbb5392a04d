import { defineConfig } from "vitest/config";

/** Playwright in a real Chromium against a real server: `npm run e2e`. */
export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    setupFiles: ["e2e/support/failed.ts"],
    globalSetup: ["e2e/support/setup.ts"],
    // One file after the other: they share two cores with the server and the browser.
    fileParallelism: false,
    // The time that a loaded machine needs, not the time that it should take.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
    bail: process.env["CI"] ? 0 : 3,
    reporters: ["verbose"],
  },
});

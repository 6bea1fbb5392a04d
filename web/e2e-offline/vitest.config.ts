import { defineConfig } from "vitest/config";

/** The page without a server, in a real Chromium: `make offline`, then `npm run e2e:offline`. */
export default defineConfig({
  test: {
    include: ["e2e-offline/**/*.e2e.ts"],
    // Python in a browser, on a machine that may be busy: the time that it needs, not the time that it should take.
    testTimeout: 1_500_000,
    hookTimeout: 600_000,
    reporters: ["verbose"],
  },
});

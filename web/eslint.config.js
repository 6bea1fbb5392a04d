import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** What the compiler and the formatter leave open: unused and floating things, and Svelte's own traps. */
export default ts.config(
    { ignores: ["dist/", "dist-offline/", "src/lib/api/schema.d.ts", "test-results/"] },
    ...ts.configs.recommended,
    ...svelte.configs.recommended,
    {
        languageOptions: { globals: { ...globals.browser, ...globals.node } },
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            "no-console": ["error", { allow: ["warn", "error"] }],
            "prefer-const": "off",
            // Sets and maps are replaced as wholes ($state.raw, $derived), never changed in place.
            "svelte/prefer-svelte-reactivity": "off",
            // The reason for an ignored warning stands behind its name; svelte-check tells of those that are not needed.
            "svelte/no-unused-svelte-ignore": "off",
            // A space that must be seen is written {" "}.
            "svelte/no-useless-mustaches": "off",
            "svelte/prefer-const": ["error", { destructuring: "all" }],
            "@typescript-eslint/consistent-type-imports": "error",
            "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
        },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig } },
    },
    { files: ["scripts/*.mjs", "e2e/**", "e2e-offline/**", "plugins/**"], rules: { "no-console": "off" } },
);

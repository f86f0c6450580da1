import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Writes `.br` and `.gz` beside every asset, so that the server never compresses a file. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    closeBundle() {
      const folder = join(import.meta.dirname, "dist", "assets");
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * What the first screens need is in few files, so that it is one piece of text for the compressor and few requests. Each takes what it
 * imports with it, except what is in one above.
 */
const firstScreens = [
  { name: "start", tags: ["$initial" as const] },
  { name: "fields", test: /ui.(search-field|native-select)\.tsx$|core.*(Checkbox|Stack)\.mjs$/ }, // of both that follow, and of the selects
  { name: "dashboard", test: /pages.node-dashboard-page\.tsx$/ },
  { name: "sign-in", test: /pages.login-page\.tsx$/ },
];

export default defineConfig({
  base: "./",
  plugins: [react({ compiler: true }), precompress()],
  // light-dark() must stay as it is: older targets would have it replaced by variables that nothing sets.
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: { output: { codeSplitting: { groups: firstScreens } } },
  },
});

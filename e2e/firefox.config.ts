import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";
import "./firefox-over-bidi.ts";

/** The jobs once more, in a Firefox as people have it: no browser of Playwright's own. */
export default defineConfig({
  ...base,
  testMatch: "jobs/*.e2e.ts",
  // Browsers differ in what the keys do; the mouse does the same in all of them.
  grep: /by keyboard/,
  use: {
    ...base.use,
    browserName: "firefox",
    channel: "moz-firefox",
    launchOptions: { executablePath: process.env["FIREFOX_PATH"] ?? "firefox" },
    trace: "off",
  },
});

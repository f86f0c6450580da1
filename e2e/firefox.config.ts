import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";
import "./firefox-over-bidi.ts";

/** The jobs once more, in a Firefox as people have it: no browser of Playwright's own. */
export default defineConfig({
  ...base,
  testMatch: "jobs/*.e2e.ts",
  // Browsers differ in what the keys do; the mouse does the same in all of them.
  grep: /by keyboard/,
  // Its sheet for the installer opens in a tab of Firefox's own, under which the driver keeps the page hidden.
  grepInvert: /Job 2 /,
  use: {
    ...base.use,
    browserName: "firefox",
    channel: "moz-firefox",
    launchOptions: { executablePath: process.env["FIREFOX_PATH"] ?? "firefox" },
    trace: "off",
  },
});

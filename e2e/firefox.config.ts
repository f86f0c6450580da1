import { defineConfig } from "@playwright/test";
import base from "./playwright.config.ts";
import "./firefox-over-bidi.ts";

/** The jobs once more, in a Firefox as people have it: no browser of Playwright's own. */
export default defineConfig({
  ...base,
  testMatch: "jobs/*.e2e.ts",
  // Over BiDi its Enter on Add user, right after the location's dialog has closed, is lost; alone it arrives.
  grepInvert: /Job 8 .* by keyboard/,
  use: {
    ...base.use,
    browserName: "firefox",
    channel: "moz-firefox",
    launchOptions: { executablePath: process.env["FIREFOX_PATH"] ?? "firefox" },
    trace: "off",
  },
});

import { defineConfig } from "@playwright/test";
import { quickFolder } from "@busbar/server/testing/quick-folder.ts";
import { chromiumFlags } from "../scripts/chromium.mjs";
import { testLimitMs, waitLimitMs } from "../scripts/patience.ts";

// Worlds, profiles and downloads.
process.env["TMPDIR"] = await quickFolder();

export default defineConfig({
  testDir: ".",
  testMatch: "*.e2e.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  workers: 3,
  timeout: testLimitMs,
  expect: { timeout: waitLimitMs },
  forbidOnly: true,
  reporter: [["list"]],
  globalSetup: "./global-setup.ts",
  use: {
    // A context of its own costs each test a sixth of its processor time. What it kept is cleared.
    reuseContext: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "America/Chicago",
    // What moves only for the eye costs processor time and proves nothing.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath: process.env["CHROME_PATH"] ?? "chromium", args: chromiumFlags },
    screenshot: "only-on-failure",
  },
});

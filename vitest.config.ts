import { join } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { testWorkers } from "./apps/server/src/testing/test-workers.ts";
import { chromiumFlags } from "./scripts/chromium.mjs";
import { testLimitMs, waitLimitMs } from "./scripts/patience.ts";

const limits = { testTimeout: testLimitMs, hookTimeout: testLimitMs, expect: { poll: { timeout: waitLimitMs } } };
const patientWaits = join(import.meta.dirname, "scripts/patient-waits.ts");
const node = { ...limits, environment: "node" as const, setupFiles: [patientWaits] };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: "unit",
          // Its files share what they import, which took a quarter of the time, and none leaves a mock to the next.
          isolate: false,
          restoreMocks: true,
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/{simulator,console}/src/**/*.test.ts",
            "tools/**/*.test.ts",
            "bench/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          ...node,
          name: "server",
          // Its files share what they import, which took a third of the time: no test changes a module for another.
          isolate: false,
          include: ["apps/{server,dev-env}/src/**/*.test.ts"],
          globalSetup: ["apps/server/src/testing/global-postgres.ts"],
          setupFiles: [patientWaits, "apps/server/src/testing/expect-kept-contract.ts", "apps/server/src/testing/cheap-hashes.ts"],
          maxWorkers: testWorkers,
        },
      },
      {
        root: "apps/console",
        plugins: [react({ compiler: true })],
        // All of them before the first test: one that is found later reloads the page under a running test.
        optimizeDeps: {
          include: [
            "@hookform/resolvers/zod",
            "@mantine/core",
            "@mantine/hooks",
            "@tabler/icons-react",
            "@tanstack/react-query",
            "@tanstack/react-router",
            "@tanstack/react-virtual",
            "cmdk",
            "react",
            "react-dom",
            "react-dom/client",
            "react-hook-form",
            "react/compiler-runtime",
            "react/jsx-dev-runtime",
            "react/jsx-runtime",
            "uplot",
            "vitest-browser-react",
            "zod/mini",
          ],
        },
        test: {
          ...limits,
          name: "browser",
          // Its files share one page with what they import, which took two fifths of the time.
          isolate: false,
          setupFiles: [
            patientWaits,
            join(import.meta.dirname, "apps/console/src/testing/timers.ts"),
            join(import.meta.dirname, "apps/console/src/testing/drawn-renders.ts"),
            join(import.meta.dirname, "apps/console/src/testing/always-in-front.ts"),
            join(import.meta.dirname, "apps/console/src/testing/clean-page.ts"),
          ],
          include: ["src/**/*.browser.test.tsx"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env["CHROME_PATH"] ?? "chromium",
                args: chromiumFlags,
                // The reader is in the same place on every machine.
                env: { ...process.env, TZ: "America/Chicago" },
              },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});

import { join } from "node:path";
import { defineConfig } from "vitest/config";
import root from "../../vitest.config.ts";

const project = process.env["MUTATE_PROJECT"];
const tests = (process.env["MUTATE_TESTS"] ?? "").split(",");
const chosen = (root as { test: { projects: { test: { name: string } }[] } }).test.projects.find(({ test }) => test.name === project);

/** One project of the tests, narrowed to the folders whose tests must notice. */
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: { ...chosen?.test, include: tests.map((path) => (/\.test\.tsx?$/.test(path) ? path : `${path}/**/*.test.ts`)), maxWorkers: 1 },
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choosePlaces, listSources, projectOf, readArguments } from "./options.ts";

const root = join(import.meta.dirname, "..", "..");

/** Puts deliberate faults into a copy of the code, one at a time, and prints those that no test noticed. */
async function mutate(args: readonly string[]): Promise<number> {
  const { paths, tests, sample } = readArguments(args);
  const projects = new Set(tests.map(projectOf));
  if (projects.size !== 1) throw new Error("Server code and other code have tests of different kinds: run mutate for each of them.");
  const places = choosePlaces(root, await listSources(root, paths), sample);
  if (places.length === 0) throw new Error(`There is no product code in ${paths.join(", ")}.`);
  const folder = await mkdtemp(join(tmpdir(), "busbar-mutate-"));
  try {
    const options = join(folder, "stryker.json");
    await writeFile(
      options,
      JSON.stringify({
        testRunner: "vitest",
        plugins: ["@stryker-mutator/vitest-runner"],
        vitest: { configFile: "tools/mutate/vitest.config.ts", related: false },
        coverageAnalysis: "perTest",
        mutate: places,
        mutator: { excludedMutations: ["StringLiteral"] },
        // Stryker would read it with TypeScript's own functions, of which version 7 has none; it needs nothing from it.
        ignorePatterns: [".toolchain", "dist", "test-results", "docs/images", "/tsconfig.json"],
        tempDirName: join(folder, "copy"),
        // A test that waits for what a fault holds back ends by its own limit.
        timeoutMS: 30_000,
        concurrency: 1,
        allowEmpty: true,
        reporters: ["clear-text"],
        clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false, skipFull: true },
      }),
    );
    const child = spawn(process.execPath, [join(root, "node_modules/@stryker-mutator/core/bin/stryker.js"), "run", options], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, MUTATE_PROJECT: [...projects][0], MUTATE_TESTS: tests.join(",") },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await mutate(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

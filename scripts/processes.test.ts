import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { exitCodeOf } from "./launcher/processes.mjs";
import { takeProcessorSeconds } from "./launcher/processor-time.mjs";

const launcher = fileURLToPath(new URL("./launcher/processes.mjs", import.meta.url));

/** A launcher process that runs `code` in the foreground; resolves with the pids that `code` printed first, with none when it ended before. */
async function launch(code: string, how = {}) {
  const script = `import { runForeground } from ${JSON.stringify(launcher)};
    process.exitCode = await runForeground(process.execPath, ["-e", ${JSON.stringify(code)}], ${JSON.stringify(how)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const { value: line = "" } = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()) as { value?: string };
  return { child, ended, pids: line.split(" ").filter(Boolean).map(Number) };
}

// It has a child of its own, as a program that starts others.
const withGrandchild = `const { spawn } = require("node:child_process");
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  setInterval(() => {}, 1000);`;
const sayPids = `console.log(process.pid + " " + other.pid);`;
const allGone = (pids: number[]) => vi.waitUntil(() => pids.every((pid) => !existsSync(`/proc/${pid}/fd/0`)));

test("a signal is passed on, the exit code comes back, and nothing of the program stays behind", async () => {
  const { child, ended, pids } = await launch(`${withGrandchild} process.on("SIGINT", () => process.exit(7)); ${sayPids}`);
  child.kill("SIGINT");
  expect(await ended).toEqual([7, null]);
  await allGone(pids);
  expect(pids).toHaveLength(2);
});

test("two signals at once are one request; a later one ends a program that does not listen", async () => {
  const { child, ended, pids } = await launch(`${withGrandchild} process.on("SIGINT", () => console.error("not yet")); ${sayPids}`, {
    killAfterMs: 60_000,
  });
  child.kill("SIGINT");
  child.kill("SIGINT");
  let isOver = false;
  void ended.then(() => (isOver = true));
  await vi.waitUntil(() => (child.kill("SIGINT"), isOver), { interval: 200 });
  expect(await ended).toEqual([137, null]);
  await allGone(pids);
});

test("a program that does not stop in time is ended", async () => {
  const { child, ended, pids } = await launch(`${withGrandchild} process.on("SIGTERM", () => {}); ${sayPids}`, { killAfterMs: 300 });
  child.kill("SIGTERM");
  expect(await ended).toEqual([137, null]);
  await allGone(pids);
});

test("a program that takes longer than it may is ended, and has failed whatever it says", async () => {
  const program = `${withGrandchild} process.on("SIGTERM", () => process.exit(0)); ${sayPids}`;
  let limitMs = 300;
  let launched = await launch(program, { limitMs });
  // Longer than a start takes here.
  while (launched.pids.length === 0) launched = await launch(program, { limitMs: (limitMs *= 2) });
  const { ended, pids } = launched;
  expect(await ended).toEqual([1, null]);
  await allGone(pids);
});

test("A-26 databases that the program leaves behind end in order, however the program ended", async () => {
  const folders = ["busbar-left-", "busbar-left-too-"].map((name) => realpathSync(mkdtempSync(join(tmpdir(), name))));
  const areRunning = folders.map((folder) => join(folder, "postmaster.pid"));
  // As PostgreSQL does: in a group of its own, its number in its folder, and SIGINT ends it in order.
  const database = `process.on("SIGINT", () => (require("node:fs").rmSync("postmaster.pid"), process.exit()));
    process.on("SIGTERM", () => undefined); require("node:fs").writeFileSync("postmaster.pid", process.pid + "\\n"); setInterval(() => {}, 1000);`;
  const program = `const { spawn } = require("node:child_process");
    const [other] = ${JSON.stringify(folders)}.map((cwd) => {
      process.send({ postgres: cwd });
      return spawn(process.execPath, ["-e", ${JSON.stringify(database)}], { cwd, detached: true, stdio: "ignore" });
    });
    process.on("SIGTERM", () => undefined);
    const timer = setInterval(() => {
      if (!${JSON.stringify(areRunning)}.every((path) => require("node:fs").existsSync(path))) return;
      clearInterval(timer); ${sayPids} setInterval(() => {}, 1000);
    }, 20);`;
  for (const end of [
    (child: ChildProcess) => child.kill("SIGTERM"),
    (_child: ChildProcess, pids: number[]) => process.kill(pids[0]!, "SIGKILL"),
  ]) {
    const { child, ended, pids } = await launch(program, { killAfterMs: 300 });
    end(child, pids);
    expect(await ended).toEqual([137, null]);
    await allGone(pids);
    expect(areRunning.filter((path) => existsSync(path))).toEqual([]);
  }
  for (const folder of folders) rmSync(folder, { recursive: true });
});

test("a program learns that its launcher was killed", async () => {
  const { child, pids } = await launch(
    `process.on("disconnect", () => process.exit()); setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  child.kill("SIGKILL");
  await allGone(pids);
  expect(pids).toHaveLength(1);
});

test.runIf(process.platform === "linux")("processor seconds are those of what has ended since, with what it waited for", () => {
  takeProcessorSeconds();
  const busy = "while (process.cpuUsage().user < 300_000);";
  const program = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]); ${busy}`;
  spawnSync(process.execPath, ["-e", program]);
  const seconds = takeProcessorSeconds();
  expect(seconds).toBeGreaterThan(0.5);
  expect(takeProcessorSeconds()).toBeLessThan(seconds);
});

test("exit codes of signals are the shell's", () => {
  expect([exitCodeOf("SIGINT"), exitCodeOf("SIGKILL"), exitCodeOf(null)]).toEqual([130, 137, 1]);
});

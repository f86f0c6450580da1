import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { root } from "./launcher/root.mjs";

// To make a database for each would double their processor time: one is there for all, one after the other.
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "busbar-npm-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parentOf = (pid: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1];
  } catch {
    return undefined;
  }
};

/** A process and all that it and those have started, the database too. */
function familyOf(pid: number): string[] {
  const family = [String(pid)];
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  for (const parent of family) family.push(...all.filter((other) => parentOf(other) === parent));
  return family;
}
// One that no one has taken leave of yet is over all the same.
const isAlive = (pid: string): boolean => existsSync(`/proc/${pid}/fd/0`);

const programs = {
  start: { args: [], ready: /http:\/\/127\.0\.0\.1:\d+/ },
  serve: { args: [], ready: /"msg":"ready"/ },
  sim: { args: ["--", "--nodes", "2", "--url", "mqtt://127.0.0.1:9"], ready: /2 nodes, / },
};

async function run(name: keyof typeof programs, wrap = (command: string[]) => command) {
  const { args, ready } = programs[name];
  const truth = name === "sim" ? ["--truth", join(folder, "truth.jsonl")] : [];
  const [command = "", ...rest] = wrap(["npm", "run", name, ...args, ...truth]);
  const env = { ...process.env, DATA_DIR: join(folder, "data"), PORT: "0", V2_PORT: "0", MQTT_PORT: "0", SIM_NODES: "2" };
  const child = spawn(command, rest, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(said);
      return ready.test(said);
    },
    { interval: 50 },
  );
  return { child, family: familyOf(child.pid!), database: join(folder, "data", "postgres") };
}

/** What is left of a program that was to stop: processes, and what a database leaves that did not end in order. */
async function leftOf({ family, database }: { family: string[]; database: string }): Promise<string[]> {
  await vi.waitUntil(() => !family.some(isAlive), { interval: 100 });
  return [join(database, "postmaster.pid"), `${database}.lock`].filter((path) => existsSync(path));
}

const stops: [string, keyof typeof programs, (child: ChildProcess) => void][] = [
  ["SIGTERM to npm", "start", (child) => child.kill("SIGTERM")],
  ["SIGINT to npm", "serve", (child) => child.kill("SIGINT")],
  ["SIGTERM to npm", "sim", (child) => child.kill("SIGTERM")],
  ["the death of npm", "sim", (child) => child.kill("SIGKILL")],
  ["Ctrl-C in the terminal", "serve", ({ pid }) => process.kill(-pid!, "SIGINT")],
];

test.runIf(process.platform === "linux").each(stops)(
  "A-26 %s stops `npm run %s` with all that belongs to it, in order",
  async (_what, name, stop) => {
    const started = await run(name);
    expect(started.family.length).toBeGreaterThan(name === "sim" ? 2 : 4);
    stop(started.child);
    expect(await leftOf(started)).toEqual([]);
  },
);

const terminal = "/usr/bin/script";
test.runIf(existsSync(terminal)).each(["start", "sim"] as const)(
  "A-26 a terminal that is closed stops `npm run %s` with all that belongs to it, in order (left out where there is no script(1))",
  async (name) => {
    const started = await run(name, (command) => [terminal, "-qefc", command.join(" "), "/dev/null"]);
    started.child.kill("SIGKILL");
    expect(await leftOf(started)).toEqual([]);
  },
);

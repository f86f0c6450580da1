import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endAllWithin } from "./end-all-within.ts";

async function startProgram(env: Record<string, string>, script = "") {
  const child = spawn(process.execPath, ["-e", `${script}; setInterval(() => {}, 60_000); console.log("up")`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await once(child.stdout, "data");
  return { child, ended: once(child, "exit") as Promise<[number | null, string | null]> };
}

test.skipIf(!existsSync("/proc/self/environ"))(
  "what a fault started ends with it, deaf and frozen programs too, and nothing else",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "busbar-faults-"));
    const other = await startProgram({});
    const ordinary = await startProgram({ TMPDIR: folder });
    const deaf = await startProgram({ TMPDIR: folder }, `for (const signal of ["SIGTERM", "SIGQUIT"]) process.on(signal, () => {})`);
    const frozen = await startProgram({ TMPDIR: folder });
    frozen.child.kill("SIGSTOP");
    endAllWithin(folder);
    expect(await Promise.all([ordinary.ended, deaf.ended, frozen.ended])).toEqual([
      [null, "SIGTERM"],
      [null, "SIGKILL"],
      [null, "SIGKILL"],
    ]);
    expect(existsSync(folder)).toBe(false);
    expect(other.child.exitCode ?? other.child.signalCode).toBe(null);
    other.child.kill("SIGKILL");
    await other.ended;
  },
);

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { symbols, type destination } from "pino";
import { expect, test, vi } from "vitest";
import { feedOf } from "./log-feed.ts";
import { createLog, silentLog } from "./log.ts";

test("warnings and errors reach the log's feed whatever is written elsewhere, without what must never be logged", () => {
  const log = createLog("silent");
  log.info("not this");
  log.warn({ service: "Sweeper" }, "slow");
  log.error({ err: new Error("broken"), password: "CANARY" }, "failed");
  const { entries, dropped } = feedOf(log)!.take();
  expect(entries.map(({ kind, message }) => [kind, message])).toEqual([
    ["warning", "service Sweeper: slow"],
    ["error", "failed: broken"],
  ]);
  expect(entries[0]!.at).toBeCloseTo(Date.now() / 1000, -1);
  expect(dropped).toEqual({ error: 0, warning: 0 });
  expect(JSON.stringify(entries)).not.toContain("CANARY");
  expect(feedOf(log)!.take().entries).toEqual([]);
  expect(feedOf(silentLog)).toBeUndefined();
});

test("A-63 what is left is written out at the end while lines can be written, also where they could not for a while", () => {
  type Output = ReturnType<typeof destination> & { fd: number };
  const { streams } = (createLog("info") as unknown as Record<symbol, { streams: { stream: Output }[] }>)[symbols.streamSym]!;
  const output = streams.find(({ stream }) => "reopen" in stream)!.stream;
  // A flush that reaches the output says so.
  output.fd = -1;
  const isFlushed = () => {
    try {
      output.flushSync();
      return false;
    } catch {
      return true;
    }
  };
  const flushed = [isFlushed()];
  for (const happens of ["error", "write", "write", "error"]) {
    output.emit(happens, new Error("away"));
    flushed.push(isFlushed());
  }
  output.fd = 1;
  expect(flushed).toEqual([true, false, true, true, false]);
});

const script = "/usr/bin/script";

/** A program with a terminal of its own, which it does not leave when the terminal goes: it logs, then ends by itself. */
const program = (end: string) => `
  import { createLog } from ${JSON.stringify(fileURLToPath(new URL("log.ts", import.meta.url)))};
  const log = createLog("info");
  const stays = setInterval(() => undefined, 1_000);
  process.on("SIGHUP", () => {
    log.error("first");
    setTimeout(() => {
      log.error("second");
      clearInterval(stays);
      ${end}
    }, 50);
  });
  process.stdout.write("pid " + process.pid + "\\n");
`;

test.runIf(existsSync(script)).each(["", "process.exit();"])(
  "A-26 a closed terminal does not keep a program that has lines to write (%s)",
  async (end) => {
    const node = `'${process.execPath}' --input-type=module -e '${program(end)}'`;
    const terminal = spawn(script, ["-qefc", node, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = (await once(createInterface(terminal.stdout), "line")) as [string];
    const pid = Number(/^pid (\d+)/.exec(line)?.[1]);
    expect(pid).toBeGreaterThan(0);
    try {
      terminal.kill("SIGKILL");
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { interval: 50 });
    } finally {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended, as it should.
      }
    }
  },
);

import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { endDatabase } from "./end-database.mjs";
import { takeProcessorSeconds } from "./processor-time.mjs";
import { whenNpmEnds } from "./when-npm-ends.mjs";
import { root } from "./root.mjs";

/**
 * The environment in which `node` means the one we found. Node keeps there what it compiled, TypeScript too: a start takes half as long, and
 * neither the program nor its threads need the compiler's memory. On machines with much memory V8 gives each thread eight times as much for what
 * is new, which makes nothing faster that could be measured and keeps more memory under overload.
 * @param {string} node
 */
export function environment(node) {
  return {
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
    ...process.env,
    NODE_OPTIONS: `--max-semi-space-size=4 ${process.env["NODE_OPTIONS"] ?? ""}`.trim(),
    PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`,
  };
}

// A terminal and npm both pass on one Ctrl-C: what comes this soon after is the same request.
const sameRequestMs = 3_000;

/**
 * Runs a program in the foreground until it ends, in a process group of its own so that nothing of it stays behind.
 * The first SIGINT, SIGTERM or SIGHUP is passed on, and so is the end of the npm that started us; a second signal, or `killAfterMs`, ends the
 * whole group hard. So does `limitMs`, which says so. Databases that the program ran then end in order all the same.
 * @param {string} node
 * @param {string[]} args
 * @param {{ ownsTerminal?: boolean, killAfterMs?: number, limitMs?: number, env?: Record<string, string>, output?: number, onEnd?: (processorSeconds: number) => void }} [how]
 *   `ownsTerminal`: it asks questions; `output`: the descriptor of a file for what it says; `onEnd`: takes what it and all that it waited for used
 * @returns {Promise<number>} its exit code
 */
export function runForeground(node, args, { ownsTerminal = false, killAfterMs = 10_000, limitMs, env = {}, output, onEnd } = {}) {
  const child = spawn(node, args, {
    cwd: root,
    detached: !ownsTerminal,
    // The channel shows when we are gone, however we ended.
    stdio: output === undefined ? ["inherit", "inherit", "inherit", "ipc"] : ["ignore", output, output, "ipc"],
    env: { ...environment(node), ...env },
  });
  /** @type {number | undefined} */
  let requestedAt;
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    const now = performance.now();
    if (requestedAt === undefined) {
      requestedAt = now;
      // In one group with us, the terminal has notified it already.
      if (!ownsTerminal || signal !== "SIGINT") child.kill(signal);
      setTimeout(() => endGroup(child.pid, ownsTerminal), killAfterMs).unref();
    } else if (now - requestedAt > sameRequestMs) {
      endGroup(child.pid, ownsTerminal);
    }
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, pass);
  let isOverLimit = false;
  const endAtLimit = () => {
    isOverLimit = true;
    writeSync(output ?? process.stderr.fd, `Did not end within ${(limitMs ?? 0) / 1000} s, and is ended now.\n`);
    pass("SIGTERM");
  };
  const limit = limitMs === undefined ? undefined : setTimeout(endAtLimit, limitMs).unref();
  const forgetNpm = whenNpmEnds(() => {
    if (requestedAt === undefined) pass("SIGTERM");
  });
  /** @type {Set<string>} */
  const databaseFolders = new Set();
  child.on("message", (message) => {
    const folder = /** @type {{ postgres?: unknown }} */ (message).postgres;
    if (typeof folder === "string") databaseFolders.add(folder);
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      // Before another one ends: the system keeps one sum for all.
      onEnd?.(takeProcessorSeconds());
      forgetNpm();
      clearTimeout(limit);
      if (!ownsTerminal) endGroup(child.pid, false);
      const rest = Promise.all([...databaseFolders].map(endDatabase)).finally(() => {
        for (const name of signals) process.off(name, pass);
      });
      done(rest.then(() => (isOverLimit ? 1 : (code ?? exitCodeOf(signal)))));
    });
  });
}

/**
 * What a shell reports for a program that a signal ended.
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(signal) {
  return signal === null ? 1 : 128 + constants.signals[signal];
}

/**
 * @param {number | undefined} pid
 * @param {boolean} onlyItself
 */
function endGroup(pid, onlyItself) {
  if (pid === undefined) return;
  try {
    process.kill(onlyItself ? pid : -pid, "SIGKILL");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const programs = ["/usr/sbin/mosquitto", "mosquitto"];
const found = programs.find((program) => spawnSync(program, ["-h"]).error === undefined);

/** Why nothing can be run against Mosquitto on this machine; undefined when it can. */
export const whyNoMosquitto = (): string | undefined =>
  found === undefined ? "Mosquitto is not installed (on Debian: apt-get install mosquitto)" : undefined;

/** The broker of others, as a process of its own. */
export interface Mosquitto {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After a kill: on the same port, with what it had written. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startMosquitto(folder: string, port: number, settings: readonly string[] = []): Promise<Mosquitto> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "mosquitto.conf");
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    "set_tcp_nodelay true",
    "log_type error",
    ...(process.getuid?.() === 0 ? ["user root"] : []),
    ...settings,
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  let child: ChildProcess | undefined;

  const start = async () => {
    child = spawn(found ?? "mosquitto", ["-c", config], { stdio: "ignore" });
    for (;;) {
      if (child.exitCode !== null) throw new Error(`Mosquitto ended with code ${child.exitCode}`);
      if (await answers(port)) return;
      await pause(20);
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    child = undefined;
    if (!ending) return;
    const ended = once(ending, "exit");
    ending.kill(signal);
    // One that is frozen ends when it goes on.
    ending.kill("SIGCONT");
    await ended;
  };

  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0;
    },
    kill: () => end("SIGKILL"),
    restart: start,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    stop: () => end("SIGTERM"),
  };
}

/** What `docs/operations.md` says of a broker that is to keep what it has taken. */
export const keeping = (folder: string): string[] => [
  "persistence true",
  `persistence_location ${folder}/`,
  "autosave_interval 1",
  "max_queued_messages 100000",
];

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

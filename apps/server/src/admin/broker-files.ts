import { randomUUID } from "node:crypto";
import { chown, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { counted } from "@busbar/contract/values/counted.ts";
import { deviceTopic, groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { Pool } from "pg";
import { createNodeCredentialsStore } from "#features/directory/node-credentials/node-credentials.store.ts";
import { mosquittoHash } from "#lib/mosquitto-hash.ts";
import { hostStateTopic } from "#mqtt/host-state.ts";

export interface BrokerFilesOptions {
  pool: Pool;
  folder: string;
  /** With the platform's own user and password. */
  mqttUrl: string | undefined;
  /** Of the broker, which is asked to read its files again (SIGHUP) when they changed. */
  pidFile: string | undefined;
  /** Goes on until this is aborted; undefined: once. */
  watch: AbortSignal | undefined;
  print: (line: string) => void;
}

const watchMs = 1_000;

/** Writes Mosquitto's password and ACL file of all nodes and of the platform, and keeps them as the credentials are. */
export async function writeBrokerFiles({ pool, folder, mqttUrl, pidFile, watch, print }: BrokerFilesOptions): Promise<void> {
  const store = createNodeCredentialsStore(pool);
  const platform = platformUser(mqttUrl);
  let lastLine = "";
  const say = (line: string) => {
    if (line !== lastLine) print(line);
    lastLine = line;
  };
  let hashless = "";
  // Whether the broker has read what is written is known only when we asked it to.
  let isUnread = pidFile !== undefined;

  const round = async () => {
    const nodes = await store.listActive();
    const known = nodes.filter(({ mosquittoHash: hash }) => hash !== null);
    const lacking = nodes.filter(({ mosquittoHash: hash }) => hash === null).map(({ serial }) => serial);
    const passwords = [
      `${platform.username}:${mosquittoHash(platform.username, platform.password)}`,
      ...known.map(({ serial, mosquittoHash: hash }) => `${serial}:${hash}`),
    ];
    const acl = [platformAcl(platform.username), ...known.map(({ serial }) => nodeAcl(serial))];
    const changed = [
      await writeIfChanged(join(folder, "passwords"), `${passwords.join("\n")}\n`),
      await writeIfChanged(join(folder, "acl"), `# Made by npm run admin -- broker-files.\n${acl.join("\n")}`),
    ].some(Boolean);
    if (changed || isUnread) {
      const refusal = await reload(pidFile);
      isUnread = pidFile !== undefined && refusal !== "";
      const written = changed ? `Wrote passwords and acl of ${counted(known.length, "node")} to ${folder}.` : "";
      const read = pidFile === undefined ? "The broker reads them at its next SIGHUP." : refusal || "The broker reads them now.";
      if (changed || refusal !== "") say(`${written} ${read}`.trim());
    }
    if (lacking.length > 0 && hashless !== lacking.join()) {
      hashless = lacking.join();
      const some = lacking.slice(0, 10).join(", ");
      print(
        `Left out: ${counted(lacking.length, "node")} with a secret of an earlier version (${some}${lacking.length > 10 ? ", …" : ""}). node-credentials makes a new one.`,
      );
    }
  };

  for (;;) {
    try {
      await round();
    } catch (error) {
      // Revoked nodes would stay in the files of a watch that ended.
      if (!watch) throw error;
      say(`The files could not be brought up to date, which is tried again: ${(error as Error).message}`);
    }
    if (!watch) return;
    await wait(watchMs, undefined, { signal: watch }).catch(() => undefined);
    if (watch.aborted) return;
  }
}

function platformUser(mqttUrl: string | undefined): { username: string; password: string } {
  const url = mqttUrl === undefined ? undefined : new URL(mqttUrl);
  const [username, password] = [decodeURIComponent(url?.username ?? ""), decodeURIComponent(url?.password ?? "")];
  if (username === "" || password === "" || /[:\s]/.test(username)) {
    throw new Error("MQTT_URL has no user name and password: it is how the platform itself connects, and belongs into the files.");
  }
  return { username, password };
}

function platformAcl(username: string): string {
  const topics = [
    "read spBv1.0/#",
    `write ${hostStateTopic}`,
    `write ${nodeTopic("NCMD", "+", "+")}`,
    `write ${deviceTopic("DCMD", "+", "+", "+")}`,
  ];
  return `user ${username}\n${topics.map((topic) => `topic ${topic}\n`).join("")}`;
}

function nodeAcl(serial: number): string {
  const [group, edge] = [groupOf(serial), String(serial)];
  const topics = [
    ...(["NBIRTH", "NDATA", "NDEATH"] as const).map((kind) => `write ${nodeTopic(kind, group, edge)}`),
    ...(["DBIRTH", "DDATA", "DDEATH"] as const).map((kind) => `write ${deviceTopic(kind, group, edge, "+")}`),
    `read ${nodeTopic("NCMD", group, edge)}`,
    `read ${deviceTopic("DCMD", group, edge, "+")}`,
    `read ${hostStateTopic}`,
  ];
  return `user ${edge}\n${topics.map((topic) => `topic ${topic}\n`).join("")}`;
}

/** Whole or not at all, for its folder's owner only. @returns whether it changed */
async function writeIfChanged(path: string, content: string): Promise<boolean> {
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before === content) return false;
  const folder = await stat(join(path, ".."));
  const next = `${path}.${randomUUID()}`;
  try {
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // The broker reads it, often under a user of its own; where we may not give it away, it is that user who runs us.
    await chown(next, folder.uid, folder.gid).catch(() => undefined);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  return true;
}

/** @returns why the broker could not be asked to read them; empty when it was */
async function reload(pidFile: string | undefined): Promise<string> {
  if (pidFile === undefined) return "";
  try {
    const pid = (await readFile(pidFile, "utf8")).trim();
    // 0 and negative numbers would reach whole groups of processes.
    if (!/^[1-9]\d*$/.test(pid)) throw new Error(`${pidFile} holds no process id`);
    process.kill(Number(pid), "SIGHUP");
    return "";
  } catch (error) {
    return `The broker could not be asked to read them: ${(error as Error).message}.`;
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { replaceNodeCredentials } from "#features/directory/node-credentials/issued-credentials.store.ts";
import { mosquittoHash } from "#lib/mosquitto-hash.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode } from "#testing/test-world.ts";
import { writeBrokerFiles } from "./broker-files.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "busbar-broker-files-"));
  await addNode(database.pool, 10_235);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.stop();
});

/** Writes the files once, after a change of the node's secret. */
async function write(pidFile: string | undefined): Promise<string[]> {
  const said: string[] = [];
  await replaceNodeCredentials(database.pool, [{ serial: 10_235, secret: `secret-${Math.random()}` }]);
  const mqttUrl = "mqtt://busbar:platform@127.0.0.1";
  await writeBrokerFiles({ pool: database.pool, folder, mqttUrl, pidFile, watch: undefined, print: (line) => void said.push(line) });
  return said;
}
const wrote = () => `Wrote passwords and acl of 1 node to ${folder}.`;

test("A-63 the broker is asked by its process id to read the files, and what keeps it from being asked is said", async () => {
  const pidFile = join(folder, "pid");
  expect(await write(undefined)).toEqual([`${wrote()} The broker reads them at its next SIGHUP.`]);
  expect(await write(pidFile)).toEqual([
    `${wrote()} The broker could not be asked to read them: ENOENT: no such file or directory, open '${pidFile}'.`,
  ]);
  for (const pid of ["0", "-7", "7x", ""]) {
    await writeFile(pidFile, pid);
    expect(await write(pidFile)).toEqual([`${wrote()} The broker could not be asked to read them: ${pidFile} holds no process id.`]);
  }
  const broker = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"], { stdio: "ignore" });
  onTestFinished(() => void broker.kill());
  await once(broker, "spawn");
  const ended = once(broker, "exit");
  await writeFile(pidFile, `${broker.pid}\n`);
  expect(await write(pidFile)).toEqual([`${wrote()} The broker reads them now.`]);
  expect(await ended).toEqual([null, "SIGHUP"]);
});

test("A-63 the passwords are those of the platform and of each node, and what is as it was is neither written nor said again", async () => {
  const secrets = { 10_235: "secret of one", 10_236: "secret of another" };
  await addNode(database.pool, 10_236);
  await replaceNodeCredentials(
    database.pool,
    Object.entries(secrets).map(([serial, secret]) => ({ serial: Number(serial), secret })),
  );
  const said: string[] = [];
  const files = { pool: database.pool, folder, pidFile: undefined, watch: undefined, print: (line: string) => void said.push(line) };
  const again = async () => {
    await writeBrokerFiles({ ...files, mqttUrl: "mqtt://bus%20bar:pass%3Aword@127.0.0.1" }).catch((error: Error) =>
      said.push(error.message),
    );
    await writeBrokerFiles({ ...files, mqttUrl: "mqtt://busbar:pass%3Aword@127.0.0.1" });
    return said.splice(0);
  };
  const refusal = "MQTT_URL has no user name and password: it is how the platform itself connects, and belongs into the files.";
  const wroteOf = (nodes: string) => `Wrote passwords and acl of ${nodes} to ${folder}. The broker reads them at its next SIGHUP.`;
  expect(await again()).toEqual([refusal, wroteOf("2 nodes")]);
  const lines = async () => (await readFile(join(folder, "passwords"), "utf8")).split("\n");
  const line = (name: string, password: string) => `${name}:${mosquittoHash(name, password)}`;
  const platform = line("busbar", "pass:word");
  expect(await lines()).toEqual([platform, line("10235", secrets[10_235]), line("10236", secrets[10_236]), ""]);
  expect(await again()).toEqual([refusal]);

  await database.pool.query("update node_credential set mosquitto_hash = null where serial_number = 10235");
  const leftOut = "Left out: 1 node with a secret of an earlier version (10235). node-credentials makes a new one.";
  expect(await again()).toEqual([refusal, wroteOf("1 node"), leftOut]);
  await database.pool.query("update node_credential set revoked_at = now() where serial_number in (10235, 10236)");
  expect(await again()).toEqual([refusal, wroteOf("0 nodes")]);
  expect(await lines()).toEqual([platform, ""]);
  expect((await stat(join(folder, "passwords"))).mode & 0o777).toBe(0o600);
  await database.pool.query("delete from node_credential where serial_number = 10236");
});

test("A-63 a watch goes on after a failure, says it once, and ends when it is stopped", async () => {
  const stopping = new AbortController();
  const said: string[] = [];
  const heard = Promise.withResolvers<void>();
  const asked: string[] = [];
  const watching = writeBrokerFiles({
    pool: { query: (statement: { name: string }) => (asked.push(statement.name), Promise.reject(new Error("away"))) } as unknown as Pool,
    folder,
    mqttUrl: "mqtt://busbar:platform@127.0.0.1",
    pidFile: undefined,
    watch: stopping.signal,
    print: (line) => (said.push(line), heard.resolve()),
  });
  await heard.promise;
  stopping.abort();
  await watching;
  expect([said, asked]).toEqual([["The files could not be brought up to date, which is tried again: away"], ["list-active-credentials"]]);
});

test("A-63 a node may write what is its own and read what is for it, the platform what is every node's", async () => {
  await write(undefined);
  const acl = (await readFile(join(folder, "acl"), "utf8")).split("\n");
  expect(acl).toEqual([
    "# Made by npm run admin -- broker-files.",
    "user busbar",
    "topic read spBv1.0/#",
    "topic write spBv1.0/STATE/pq-ingest",
    "topic write spBv1.0/+/NCMD/+",
    "topic write spBv1.0/+/DCMD/+/+",
    "",
    "user 10235",
    ...["NBIRTH", "NDATA", "NDEATH"].map((kind) => expect.stringMatching(`^topic write spBv1.0/n\\d\\d/${kind}/10235$`)),
    ...["DBIRTH", "DDATA", "DDEATH"].map((kind) => expect.stringMatching(`^topic write spBv1.0/n\\d\\d/${kind}/10235/\\+$`)),
    expect.stringMatching(/^topic read spBv1.0\/n\d\d\/NCMD\/10235$/),
    expect.stringMatching(/^topic read spBv1.0\/n\d\d\/DCMD\/10235\/\+$/),
    "topic read spBv1.0/STATE/pq-ingest",
    "",
  ]);
});

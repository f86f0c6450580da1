import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { replaceNodeCredentials } from "#features/directory/node-credentials/issued-credentials.store.ts";
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

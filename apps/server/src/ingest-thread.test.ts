import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { createIngestThread } from "./ingest-thread.ts";
import type { IngestThread } from "./ingest-thread.ts";
import { silentLog as log } from "#lib/log.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";

let database: TestDatabase;
let folder: string;
let thread: IngestThread;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "busbar-ingest-"));
  const config = readConfig({ DATA_DIR: folder, MQTT_PORT: "0", LOG_LEVEL: "silent" });
  thread = createIngestThread({ config, log, drainMs: 1_000 });
});
afterEach(async () => {
  await thread.stop();
  await thread.end();
  await database.stop();
  await rm(folder, { recursive: true });
});

test("it listens once it is started, and no longer when it is stopped", async () => {
  expect(await thread.problem()).toBe("ingest has not been started yet");
  const { hostname, port } = new URL(await thread.start(database.url));
  expect(await thread.problem()).toBeUndefined();
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.destroy();
  await thread.stop();
  const [refused] = (await once(connect(Number(port), hostname), "error")) as [NodeJS.ErrnoException];
  expect(refused.code).toBe("ECONNREFUSED");
});

test("a database that cannot be reached is the reason why it does not start", async () => {
  await expect(thread.start("postgres://postgres@127.0.0.1:1/none")).rejects.toThrow("ECONNREFUSED");
});

import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FileContents } from "@busbar/contract/files/node-files.ts";
import type { DownloadJob } from "@busbar/contract/files/downloads.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dataPoint, lastQuarter, nameOf } from "#testing/sample-files.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createTestS3Server, type TestS3Server } from "#testing/test-s3-server.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { zipEntries } from "#testing/zip-entries.ts";
import { readConfig } from "./config.ts";
import { createServiceTasks } from "./service-tasks.ts";

const serial = 33_501;
const signal = new AbortController().signal;
const keys = { accessKeyId: "the-key", secretAccessKey: "the secret" };
let storage: TestS3Server;
let server: TestApp;
let token: string;
let at: number;

beforeAll(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey });
  storage = await createTestS3Server(keys);
  server = await createTestApp({ FILES_URL: storage.filesUrl });
  server.clock.advance(Date.now() / 1000 - server.clock.now() / 1000);
  at = lastQuarter();
  token = await server.login(await server.addAdministrator("keeper"));
  await addNode(server.database.pool, serial, await addPlace(server.database.pool));
});
afterAll(async () => {
  await server.stop();
  await storage.stop();
});
beforeEach(() => {
  storage.fault = undefined;
});

const upload = (name: string, payload: string | Buffer) =>
  server.call({
    method: "POST",
    url: `/api/nodes/${serial}/files/${name}`,
    payload,
    token,
    headers: { "content-type": "application/octet-stream" },
  });
const get = (path: string) => server.call({ method: "GET", url: `/api${path}`, token });
const contents = async (name: string) => (await get(`/node-dashboard/files/${name}`)).json["data"] as FileContents;
function task(name: string) {
  const config = readConfig({ DATA_DIR: server.dataDir, FILES_URL: storage.filesUrl });
  const { pool } = server.database;
  const tasks = createServiceTasks({ pool, config, log: server.context.log, clock: server.clock, context: server.context });
  return tasks.find((each) => each.name === name)!;
}

test("files go into the bucket, and from there to their page, to whoever fetches them, to extraction and into packages", async () => {
  const name = nameOf(serial, at, "D");
  const text = dataPoint(serial, at);
  expect((await upload(name, text)).status).toBe(200);
  expect([...storage.objects.keys()]).toEqual([expect.stringMatching(/^nodes\/[0-9a-f]{3}\/[0-9a-f]{64}\.\d{5}$/)]);
  await task("FileExtraction").run(signal);
  expect(await contents(name)).toMatchObject({ fileContents: text, processed: true, failedReason: null });
  expect((await get(`/node-dashboard/files/${name}/raw`)).text).toBe(text);
  await get(`/node-dashboard/nodes/${serial}/files/download`);
  await task("HarmonicsPackager").run(signal);
  const [job] = (await get("/downloads")).json["data"] as DownloadJob[];
  const zip = await server.app.inject({ method: "POST", url: `/api/downloads/${job!.id}/zip`, headers: { token } });
  expect([...(await zipEntries(zip.rawPayload))].map(([entry, bytes]) => [entry, String(bytes)])).toEqual([[name, text]]);
});

test("while the storage is away nothing is taken and no file is given up; it goes on by itself", async () => {
  const [stored, refused] = [nameOf(serial, at - 900, "D"), nameOf(serial, at - 1800, "D")];
  await upload(stored, dataPoint(serial, at - 900));
  storage.fault = () => ({ status: 503, code: "ServiceUnavailable" });
  const answers = [
    await upload(refused, "x"),
    await get(`/node-dashboard/files/${stored}`),
    await get(`/node-dashboard/files/${stored}/raw`),
  ];
  for (const { status, json, headers } of answers) {
    expect([status, json["errorMessage"], headers["retry-after"]]).toEqual([
      503,
      "The storage of files cannot be used at the moment. Please try again",
      "10",
    ]);
  }
  await expect(task("FileExtraction").run(signal)).rejects.toThrow(
    /^The storage of files answers 503 \(ServiceUnavailable\): the bucket files/,
  );
  const { rows } = await server.database.pool.query("select file_name from data_file where file_name = any ($1)", [[stored, refused]]);
  expect(rows).toEqual([{ file_name: stored }]);
  expect((await server.database.pool.query("select from service_set_aside")).rowCount).toBe(0);
  storage.fault = undefined;
  expect(await task("FileExtraction").run(signal)).toBe(1);
  expect(await contents(stored)).toMatchObject({ processed: true, failedReason: null });
});

test("what the storage breaks off in the middle is taken for no whole file, nor packed", async () => {
  const name = nameOf(serial, at, "E", "txt", 2);
  const text = randomBytes(300_000).toString("hex");
  await upload(name, text);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/api/node-dashboard/files/${name}/raw`;
  const fetchWhole = async () => (await fetch(url, { headers: { token } })).text();
  expect(await fetchWhole()).toBe(text);
  storage.fault = (right, key) => (right === "get" && storage.objects.has(key) ? { status: 200, code: "", isCut: true } : undefined);
  await expect(fetchWhole()).rejects.toThrow("terminated");
  expect((await get(`/node-dashboard/files/${name}`)).status).toBe(503);
  await get(`/node-dashboard/nodes/${serial}/files/download`);
  // Only the first of the reads that a package takes.
  let cuts = 0;
  storage.fault = (right, key) =>
    right === "get" && (storage.objects.get(key)?.length ?? 0) > 100_000 && cuts++ === 0
      ? { status: 200, code: "", isCut: true }
      : undefined;
  await expect(task("HarmonicsPackager").run(signal)).rejects.toThrow("The storage of files cannot be reached");
});

test("readiness says what is wrong with the storage", async () => {
  const ready = async () => (await server.call({ method: "GET", url: "/readyz" })).json;
  storage.fault = (right) => (right === "put" ? { status: 403, code: "AccessDenied" } : undefined);
  expect(await ready()).toEqual({
    status: "not ready",
    problems: { files: `The keys have no right to put objects: the bucket files at ${storage.endpoint} (FILES_URL)` },
  });
});

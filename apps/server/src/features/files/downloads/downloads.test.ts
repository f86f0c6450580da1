import { consoleLink } from "@busbar/contract/values/console-links.ts";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { DownloadJob } from "@busbar/contract/files/downloads.ts";
import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import type { Task } from "#services/service.ts";
import { nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { zipEntries } from "#testing/zip-entries.ts";
import { createDownloadCleaner } from "./download-cleaner.task.ts";
import { createDownloadPacker } from "./download-packer.task.ts";
import { createDownloadsStore, type DownloadsStore } from "./downloads.store.ts";
import { createPackageFolder } from "./package-folder.ts";

const serial = 34_001;
const at = 1_790_000_100;
const signal = new AbortController().signal;
let server: TestApp;
let token: string;
let packer: Task;
let cleaner: Task;

beforeEach(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("asker"));
  const { pool } = server.database;
  await addNode(pool, serial);
  for (let index = 0; index < 5; index++) await addFile(at + 900 * index, "D", `data ${index}\n`);
  const store = createDownloadsStore(pool);
  const packages = createPackageFolder(join(server.dataDir, "downloads"));
  packer = createPacker(store);
  cleaner = createDownloadCleaner(server.database.pool, store, packages, server.clock);
});
afterEach(() => server.stop());

const fileStoreOf = () => createFolderFileStore(join(server.dataDir, "files"));
const createPacker = (store: DownloadsStore, fileStore = fileStoreOf()) =>
  createDownloadPacker({
    pool: server.database.pool,
    store,
    packages: createPackageFolder(join(server.dataDir, "downloads")),
    fileStore,
    mail: server.context.mail,
    clock: server.clock,
    log: server.context.log,
  });

const addFile = (timestamp: number, kind: DataFileKind, text: string) => storeFile(server, nameOf(serial, timestamp, kind), text);

const get = (path: string, as = token) => server.call({ method: "GET", url: `/api${path}`, token: as });
const ask = (query = "", as = token) => get(`/node-dashboard/nodes/${serial}/files/download${query}`, as);
const harmonics = (query: string) => get(`/nodes/${serial}/harmonics?${query}`);
const jobs = async (as = token) => (await get("/downloads", as)).json["data"] as DownloadJob[];
const fetchZip = (id: string, as = token) => server.app.inject({ method: "POST", url: `/api/downloads/${id}/zip`, headers: { token: as } });
const mails = async () =>
  (
    await server.database.pool.query<{ subject: string; recipients_to: string[]; body: string }>(
      "select subject, recipients_to, body from notification",
    )
  ).rows;

/** Names and texts of a zip. */
const entriesOf = async (zip: Buffer) => Object.fromEntries([...(await zipEntries(zip))].map(([name, bytes]) => [name, bytes.toString()]));

describe("FIL-05 packages of files", () => {
  test("need a session, a node and times that are some", async () => {
    expect((await server.call({ method: "GET", url: `/api/node-dashboard/nodes/${serial}/files/download` })).status).toBe(401);
    expect((await get("/node-dashboard/nodes/39999/files/download")).json["errorMessage"]).toBe("Node 39999 was not found");
    expect((await ask("?since=yesterday")).json["errorMessage"]).toBe("since: is one time in epoch seconds");
    expect((await harmonics("startTimestamp=5")).json["errorMessage"]).toBe("endTimestamp: is one time in epoch seconds");
    expect((await harmonics("startTimestamp=5&endTimestamp=5")).json["errorMessage"]).toBe("endTimestamp: The end must be after the start");
    await server.database.pool.query("update app_user set email = ''");
    expect((await ask()).json["errorMessage"]).toBe("email: your account has no e-mail address to send the link to");
    expect(await jobs()).toEqual([]);
  });

  test("all files: requested, packed, announced by mail to the account's address, fetched as often as needed", async () => {
    expect((await ask()).json).toEqual({ success: true, data: "asker@busbar.example" });
    expect(await jobs()).toMatchObject([{ status: "Waiting", kind: "files", serialNumber: String(serial), fromTimestamp: null }]);
    const early = await fetchZip((await jobs())[0]!.id);
    expect([early.statusCode, early.json().errorMessage]).toEqual([409, "This download is not ready: it is Waiting"]);
    await packer.run(signal);
    const [job] = await jobs();
    expect(job).toMatchObject({ status: "Ready", fileCount: 5, packedCount: 5 });
    const [mail] = await mails();
    expect(mail).toMatchObject({ recipients_to: ["asker@busbar.example"], subject: `Busbar: files of node ${serial} are ready` });
    // The link names no file and no secret: whoever opens it has to sign in.
    expect(mail!.body).toContain(`\n${consoleLink("http://127.0.0.1:8080", "downloads")}\n`);
    expect(mail!.body).toMatch(/The package is kept for 2[34] hours more\.\n/);
    for (let times = 0; times < 2; times++) {
      const answer = await fetchZip(job!.id);
      expect(answer.headers).toMatchObject({ "content-type": "application/zip", "content-length": String(job!.size) });
      expect(await entriesOf(answer.rawPayload)).toEqual(
        Object.fromEntries(Array.from({ length: 5 }, (_, index) => [nameOf(serial, at + 900 * index, "D"), `data ${index}\n`])),
      );
    }
    const { rows } = await server.database.pool.query("select action, object, description from activity where action = 'DOWNLOAD_FILES'");
    expect(rows).toEqual([
      {
        action: "DOWNLOAD_FILES",
        object: `node/${serial}`,
        description: expect.stringMatching(`^\\w+ asked for files of node ${serial}$`),
      },
    ]);
  });

  test("since a time: that one and later ones", async () => {
    await ask(`?since=${at + 2_700}`);
    await packer.run(signal);
    const [job] = await jobs();
    expect(Object.keys(await entriesOf((await fetchZip(job!.id)).rawPayload))).toEqual(
      [3, 4].map((index) => nameOf(serial, at + 900 * index, "D")),
    );
  });

  test("word of progress that comes late does not open a finished package again", async () => {
    await ask();
    await packer.run(signal);
    const [ready] = await jobs();
    const store = createDownloadsStore(server.database.pool);
    const late = { status: "Packing", fileCount: 5, packedCount: 4 } as const;
    expect(await store.update(server.database.pool, ready!.id, late)).toBe(false);
    expect(await jobs()).toEqual([ready]);
  });

  test("no one else sees it, neither by list nor by id; looking at it takes nothing away", async () => {
    await ask();
    await packer.run(signal);
    const [job] = await jobs();
    const other = await server.login(await server.addAdministrator("other"));
    expect(await jobs(other)).toEqual([]);
    expect((await fetchZip(job!.id, other)).statusCode).toBe(404);
    expect((await server.call({ method: "GET", url: `/api/downloads/${job!.id}/zip`, token })).status).toBe(405);
    expect((await server.app.inject({ method: "POST", url: `/api/downloads/${job!.id}/zip` })).statusCode).toBe(401);
    expect((await server.call({ method: "DELETE", url: `/api/downloads/${job!.id}`, token: other })).status).toBe(404);
    expect((await fetchZip(job!.id)).statusCode).toBe(200);
    for (const id of ["x", "..%2f..%2fetc", "a".repeat(36), "-".repeat(36), "00000000-0000-4000-8000-000000000000"]) {
      expect([400, 404]).toContain((await fetchZip(id)).statusCode);
      expect([400, 404]).toContain((await server.call({ method: "DELETE", url: `/api/downloads/${id}`, token })).status);
    }
  });

  test("three at a time for one person, also when fifty are requested at once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(47);
    const [job] = await jobs();
    expect((await server.call({ method: "DELETE", url: `/api/downloads/${job!.id}`, token })).status).toBe(200);
    expect((await ask()).status).toBe(200);
    // Those that are ready count, too.
    await packer.run(signal);
    expect((await jobs()).map(({ status }) => status)).toContain("Ready");
    expect((await ask()).status).toBe(429);
    // What has expired makes room at once, not when it is cleared away.
    server.clock.advance(86_401);
    token = await server.login("asker");
    expect((await ask()).status).toBe(200);
  });

  test("expires after 24 hours: no longer fetched, its package removed", async () => {
    await ask();
    await packer.run(signal);
    const [job] = await jobs();
    await writeFile(join(server.dataDir, "downloads", "stray.zip.part"), "x");
    server.clock.advance(86_399);
    token = await server.login("asker");
    expect((await fetchZip(job!.id)).statusCode).toBe(200);
    server.clock.advance(2);
    expect((await fetchZip(job!.id)).json()).toMatchObject({ errorMessage: "This download has expired; it was not found" });
    expect(await jobs()).toMatchObject([{ status: "Expired" }]);
    await cleaner.run(signal);
    expect(await readdir(join(server.dataDir, "downloads"))).toEqual([]);
    // It is remembered for thirty days more.
    const remembered = async (days: number) => {
      server.clock.advance(days * 86_400);
      await cleaner.run(signal);
      return (await server.database.pool.query("select from download_job")).rows.length;
    };
    expect([await remembered(29), await remembered(1)]).toEqual([1, 0]);
  });

  test("A-63 packed in its last hour it is kept for an hour more", async () => {
    await ask();
    server.clock.advance(86_000);
    await packer.run(signal);
    expect((await mails())[0]?.body).toContain("The package is kept for 1 hour more.\n");
  });

  test("a node without files fails with a reason, and one that dies while packing is begun again", async () => {
    await ask(`?since=${at + 86_400}`);
    await packer.run(signal);
    expect(await jobs()).toMatchObject([{ status: "Failed", failedReason: `Node ${serial} has no files of that time` }]);
    // The newest is listed first.
    server.clock.advance(1);
    await ask();
    await server.database.pool.query("update download_job set status = 'Packing' where status = 'Waiting'");
    await mkdir(join(server.dataDir, "downloads"), { recursive: true });
    await packer.run(signal);
    expect((await jobs())[0]).toMatchObject({ status: "Ready" });
    expect(await mails()).toHaveLength(1);
  });
});

test("a package of more files than are read at once holds each; one that is given up meanwhile ends without a word", async () => {
  for (let index = 5; index < 502; index++) await addFile(at + 900 * index, "D", "more\n");
  await ask();
  await packer.run(signal);
  const [job] = await jobs();
  expect(Object.keys(await entriesOf((await fetchZip(job!.id)).rawPayload))).toEqual(
    Array.from({ length: 502 }, (_, index) => nameOf(serial, at + 900 * index, "D")),
  );

  await ask();
  const store = createDownloadsStore(server.database.pool);
  const isGivenUp = Promise.withResolvers<void>();
  const stopped = await createPacker({
    ...store,
    async nextFiles(next, last, limit) {
      if (last) await isGivenUp.promise;
      else expect((await server.call({ method: "DELETE", url: `/api/downloads/${next.id}`, token })).status).toBe(200);
      return store.nextFiles(next, last, limit);
    },
    async update(db, id, change) {
      const isNeeded = await store.update(db, id, change);
      if (!isNeeded) setImmediate(isGivenUp.resolve);
      return isNeeded;
    },
  }).run(signal);
  expect(stopped).toBe(0);
  expect((await jobs()).map(({ id }) => id)).toEqual([job!.id]);
  expect(await readdir(join(server.dataDir, "downloads"))).toEqual([`${job!.id}.zip`]);

  // A service that is stopped leaves its package to the next run.
  await ask();
  const stopping = new AbortController();
  const ending = createPacker({
    ...store,
    async nextFiles(next, last, limit) {
      if (last) stopping.abort(new Error("the service stops"));
      return store.nextFiles(next, last, limit);
    },
  }).run(stopping.signal);
  await expect(ending).rejects.toThrow("the service stops");
  expect(await readdir(join(server.dataDir, "downloads"))).toEqual([`${job!.id}.zip`]);
  expect((await jobs()).map(({ status }) => status).toSorted()).toEqual(["Packing", "Ready"]);
  expect(await packer.run(signal)).toBe(1);
  expect((await jobs()).map(({ status }) => status)).toEqual(["Ready", "Ready"]);
});

test("A-63 a package that is being made is no stray one, one that no one may fetch is", async () => {
  const folder = join(server.dataDir, "downloads");
  const packages = createPackageFolder(folder);
  await packages.prepare();
  for (const name of ["a.zip", "a.zip.part", "b.zip", "b.zip.part"]) await writeFile(join(folder, name), "x");
  expect((await packages.findOthers(new Set(["a"]))).toSorted()).toEqual(["b.zip", "b.zip.part"]);
});

test("A-62 a package that cannot be made is tried again for half an hour and then fails, the others are made", async () => {
  const hash = (await addFile(at + 86_400, "D", "odd")).toString("hex");
  const path = join(server.dataDir, "files", hash.slice(0, 3), hash);
  await rm(path);
  await mkdir(path);
  await ask(`?since=${at + 86_400}`);
  await harmonics(`startTimestamp=1&endTimestamp=${at}`);
  const stateOfOdd = async () => (await jobs()).find(({ kind }) => kind === "files");
  for (const minutes of [0, 1, 2, 4, 8]) {
    server.clock.advance(minutes * 60 + 1);
    expect(await packer.run(signal)).toMatchObject({ logEntry: expect.stringMatching(/^1 set aside: download .*EISDIR/) });
    expect(await stateOfOdd()).toMatchObject({ status: "Waiting", packedCount: 0 });
  }
  expect((await jobs()).map(({ status }) => status).toSorted()).toEqual(["Failed", "Waiting"]);
  server.clock.advance(16 * 60 + 1);
  expect(await packer.run(signal)).toBe(0);
  expect(await stateOfOdd()).toMatchObject({ status: "Failed", failedReason: "It could not be packed; the log of the server says why" });

  // What the disk does not give is no package's fault, however long it takes.
  await server.database.pool.query("delete from download_job");
  await ask();
  server.clock.advance(3_600);
  const read = () => Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }));
  const sick = createPacker(createDownloadsStore(server.database.pool), { ...fileStoreOf(), read });
  expect(await sick.run(signal)).toMatchObject({ hasFailed: true, logEntry: expect.stringContaining("EIO") });
  expect((await server.database.pool.query("select status from download_job")).rows).toEqual([{ status: "Packing" }]);
});

describe("FIL-05 harmonics", () => {
  test("are asked of the node, waited for while they come, and packed once it is quiet", async () => {
    await setLive(server.database.pool, serial, { is_connected: true });
    const answer = await harmonics(`startTimestamp=1577872200&endTimestamp=${at + 86_400}`);
    expect(answer.json).toEqual({ success: true, data: "asker@busbar.example" });
    const { rows } = await server.database.pool.query("select serial_number as serial, request from file_request");
    expect(rows).toEqual([{ serial, request: { kind: "H", from: 1_577_872_200, to: at + 86_400 } }]);
    await packer.run(signal);
    server.clock.advance(50);
    await addFile(at, "H", "h1");
    await packer.run(signal);
    expect(await jobs()).toMatchObject([{ status: "Waiting", fileCount: 1 }]);
    server.clock.advance(50);
    await addFile(at + 900, "H", "h2");
    await packer.run(signal);
    expect(await jobs()).toMatchObject([{ status: "Waiting", fileCount: 2 }]);
    server.clock.advance(61);
    await packer.run(signal);
    const [job] = await jobs();
    expect(job).toMatchObject({ status: "Ready", fileCount: 2 });
    expect(Object.values(await entriesOf((await fetchZip(job!.id)).rawPayload))).toEqual(["h1", "h2"]);
  });

  test("of a node that is away are those that are stored, or a reason", async () => {
    for (const quarter of [0, 1, 2, 3]) await addFile(at + 900 * quarter, "H", `h${quarter}`);
    await harmonics(`startTimestamp=${at + 900}&endTimestamp=${at + 1_800}`);
    await packer.run(signal);
    const [job] = await jobs();
    expect(Object.values(await entriesOf((await fetchZip(job!.id)).rawPayload))).toEqual(["h1", "h2"]);
    server.clock.advance(1);
    await harmonics(`startTimestamp=1&endTimestamp=${at - 1}`);
    await packer.run(signal);
    expect((await jobs())[0]).toMatchObject({
      status: "Failed",
      failedReason: `Node ${serial} is not connected, and no harmonics files of that time are stored`,
    });
  });
});

test("what the store finds is of the asker, of the node and of the time", async () => {
  const { pool } = server.database;
  const store = createDownloadsStore(pool);
  const inOne = <T>(work: (client: PoolClient) => Promise<T>) => inTransaction(pool, work);
  await server.addAdministrator("other");
  const users = (await pool.query<{ id: number }>("select id from app_user order by username = 'other'")).rows.map(({ id }) => id);
  const [own, other] = users as [number, number];
  const end = at + 86_400;
  const add = async (number: number, userId: number, status: string, expiresAt: number, createdAt = at - number) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    await pool.query(
      "insert into download_job (id, user_id, kind, serial_number, status, address, created_at, expires_at) values ($1, $2, 'files', $3, $4, '', to_timestamp($5), to_timestamp($6))",
      [id, userId, serial, status, createdAt, expiresAt],
    );
    return id;
  };
  const [waiting, packing, ready] = [
    await add(1, own, "Waiting", end + 1),
    await add(2, own, "Packing", end + 1),
    await add(3, own, "Ready", end + 1),
  ];
  const failed = await add(4, own, "Failed", end + 1);
  const over = await add(5, own, "Packing", end);
  const expired = await add(6, own, "Expired", end - 1);
  const foreign = await add(7, other, "Waiting", end + 1);
  expect([await inOne((client) => store.countLive(client, own, end)), await inOne((client) => store.lockUser(client, other))]).toEqual([
    3,
    "other@busbar.example",
  ]);
  const stated = (await store.ofUser(own, end)).map(({ id, status }) => [id, status]);
  expect(stated).toEqual([
    [waiting, "Waiting"],
    [packing, "Packing"],
    [ready, "Ready"],
    [failed, "Failed"],
    [over, "Expired"],
    [expired, "Expired"],
  ]);
  expect([(await store.find(over, own, end))?.status, await store.find(foreign, own, end)]).toEqual(["Expired", undefined]);
  const open = async (limit: number, ids: string[] | null = null) => (await store.findOpen(end, limit, ids)).map(({ id }) => id);
  expect([await open(9), await open(1)]).toEqual([[foreign, packing, waiting], [foreign]]);
  const setAside = (service: string, kind: string, item: string) =>
    pool.query("insert into service_set_aside values ($1, $2, $3, '', 1, now(), now(), now())", [service, kind, item]);
  await setAside("HarmonicsPackager", "download", packing);
  await setAside("HarmonicsPackager", "other", waiting);
  await setAside("Other", "download", foreign);
  expect([await open(9), await open(9, [packing])]).toEqual([[foreign, waiting], [packing]]);
  expect([...(await store.keptIds(end))].toSorted()).toEqual([waiting, packing, ready, failed, foreign]);
  expect([await store.findForgotten(end), await store.findExpired(end)]).toEqual([[expired], [over]]);
  expect([await store.expire([over]), (await store.ofUser(own, 0)).map(({ status }) => status)]).toEqual([
    1,
    ["Waiting", "Packing", "Ready", "Failed", "Expired", "Expired"],
  ]);
  await addNode(pool, serial + 1);
  await storeFile(server, nameOf(serial + 1, at + 900, "D"), "of another node");
  await addFile(at + 900, "H", "harmonics");
  const job = { id: "", userId: own, serial, address: "", createdAt: 0, expiresAt: 0 };
  const measured = async (kind: "files" | "harmonics") => {
    const range = { ...job, kind, from: at + 900, to: at + 1_800 };
    return [
      (await store.measure(range)).count,
      (await store.nextFiles(range, undefined, 9)).map((file) => [file.timestamp - at, file.kind]),
    ];
  };
  expect([await measured("files"), await measured("harmonics")]).toEqual([
    [
      3,
      [
        [900, "D"],
        [900, "H"],
        [1_800, "D"],
      ],
    ],
    [1, [[900, "H"]]],
  ]);
});

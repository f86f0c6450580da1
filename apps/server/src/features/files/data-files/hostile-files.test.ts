import { readdir } from "node:fs/promises";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { FileContents } from "@busbar/contract/files/node-files.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createDownloadsStore } from "#features/files/downloads/downloads.store.ts";
import { zipFiles } from "#features/files/downloads/zip-files.ts";
import { createZipWriter } from "#features/files/downloads/zip-writer.ts";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { gzipOfSame, overlappingZip } from "#testing/bombs.ts";
import { lastQuarter, nameOf } from "#testing/sample-files.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode } from "#testing/test-world.ts";

const megabyte = 1024 * 1024;
const signal = new AbortController().signal;
let server: TestApp;
let token: string;
let port: number;
let serial = 37_000;
let at: number;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("sender"));
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.stop());
beforeEach(async () => {
  await addNode(server.database.pool, ++serial, undefined, { type: "Recorder" });
  at = lastQuarter(2);
});

const stored = async () =>
  (await server.database.pool.query<{ name: string }>("select file_name as name from data_file where serial_number = $1", [serial])).rows;

/** Sends the head of an upload and then whatever `body` gives, until the server closes; what it answered. */
function exchange(head: readonly string[], body: () => Buffer | undefined): Promise<{ status: number; text: string; sent: number }> {
  return new Promise((resolve) => {
    let received = "";
    let sent = 0;
    const socket = connect(port, "127.0.0.1");
    const pump = () => {
      while (!socket.destroyed) {
        const piece = body();
        if (piece === undefined) return;
        sent += piece.length;
        if (!socket.write(piece)) return void socket.once("drain", pump);
      }
    };
    socket.on("connect", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      pump();
    });
    socket.on("data", (chunk) => (received += chunk.toString()));
    // Reset by the server while we write: what it said before counts.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0), text: received, sent });
    });
  });
}
const headOf = (name: string, ...headers: string[]) => [
  `POST /api/nodes/${serial}/files/${name} HTTP/1.1`,
  "host: x",
  "connection: close",
  `token: ${token}`,
  "content-type: application/octet-stream",
  ...headers,
];

/** What the most of memory was while `work` went on, above what it was before. */
async function memoryOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  await work();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage().rss) - before;
}

describe("R16 a request that is not what it says", () => {
  test.each(["..%2f..%2fx", "%2fetc%2fpasswd", "..", "a%00b.txt", "%2e%2e%5cx", `${"9".repeat(300)}.txt`])(
    "the name %s is refused, and nothing is written anywhere",
    async (name) => {
      const files = async () => (await readdir(server.dataDir, { recursive: true })).toSorted();
      const before = await files();
      const answer = await server.call({
        method: "POST",
        url: `/api/nodes/${serial}/files/${name}`,
        payload: Buffer.from("x"),
        headers: { token, "content-type": "application/octet-stream" },
      });
      expect([400, 404, 405, 414]).toContain(answer.status);
      expect([await stored(), await files()]).toEqual([[], before]);
    },
  );

  test("a length of 1 GB is refused before a byte of it is read", async () => {
    const { status, sent } = await exchange(headOf(nameOf(serial, at, "X", "csv"), "content-length: 1073741824"), () => undefined);
    expect([status, sent, await stored()]).toEqual([413, 0, []]);
  });

  test("two lengths, and a length beside chunks, are no HTTP", async () => {
    const name = nameOf(serial, at, "X", "csv");
    for (const lies of [
      ["content-length: 4", "content-length: 5"],
      ["content-length: 4", "transfer-encoding: chunked"],
    ]) {
      const once = [Buffer.from("4\r\nabcd\r\n0\r\n\r\n")];
      expect((await exchange(headOf(name, ...lies), () => once.pop())).status).toBe(400);
    }
    expect(await stored()).toEqual([]);
  });

  test("fewer bytes than were declared: the connection ends, nothing is stored", async () => {
    const name = nameOf(serial, at, "X", "csv");
    const socket = connect(port, "127.0.0.1");
    await new Promise((done) => socket.once("connect", done));
    socket.write(`${headOf(name, "content-length: 1000").join("\r\n")}\r\n\r\nabc`);
    await new Promise<void>((done) => socket.end(() => done()));
    await new Promise((done) => (socket.resume().once("close", done), socket.once("end", () => socket.destroy())));
    expect(await stored()).toEqual([]);
  });

  test("chunks without an end are cut off at 20 MB, in bounded memory", async () => {
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "x"), Buffer.from("\r\n")]);
    let outcome = { status: 0 };
    const more = await memoryOf(async () => {
      outcome = await exchange(headOf(nameOf(serial, at, "X", "csv"), "transfer-encoding: chunked"), () => chunk);
    });
    // Whoever goes on writing may be cut off before the answer has been read.
    expect([413, 0]).toContain(outcome.status);
    expect(await stored()).toEqual([]);
    expect(more).toBeLessThan(256 * megabyte);
  });

  test("no more than three bodies of one person are held at a time, and who goes away makes room", async () => {
    const name = nameOf(serial, at, "X", "csv");
    const begin = () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(`${headOf(name, "content-length: 1000").join("\r\n")}\r\n\r\nabc`);
          resolve(socket);
        });
        socket.on("error", () => undefined);
      });
    const whole = () => {
      const once = [Buffer.from("abcd")];
      return exchange(headOf(name, "content-length: 4"), () => once.pop());
    };
    const sockets = await Promise.all(Array.from({ length: 3 }, begin));
    const refused = await vi.waitUntil(async () => {
      const answer = await whole();
      return answer.status === 429 && answer;
    });
    expect(refused.text).toContain("Too many files are being uploaded at the moment. Please try again");
    expect(refused.text.toLowerCase()).toContain("retry-after: 5");
    for (const socket of sockets) socket.destroy();
    await vi.waitUntil(async () => (await whole()).status === 200);
  });

  test("an unknown caller is turned away before the body is read", async () => {
    const name = nameOf(serial, at, "X", "csv");
    const head = headOf(name, "transfer-encoding: chunked").filter((line) => !line.startsWith("token"));
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "x"), Buffer.from("\r\n")]);
    const { status, text } = await exchange(head, () => chunk);
    // After the body it would have been 413.
    expect(status).toBe(401);
    expect(text.toLowerCase()).toContain("connection: close");
  });

  test("a body that is to be unpacked on the way is refused; so is one whose digest is another", async () => {
    const name = nameOf(serial, at, "X", "csv");
    const send = (payload: Buffer, headers: Record<string, string>) =>
      server.call({
        method: "POST",
        url: `/api/nodes/${serial}/files/${name}`,
        payload,
        headers: { token, "content-type": "application/octet-stream", ...headers },
      });
    const bomb = gzipOfSame(1_024 * megabyte, "\0");
    expect(bomb.length).toBeLessThan(2 * megabyte);
    const refused = await send(bomb, { "content-encoding": "gzip" });
    expect([refused.status, refused.json["errorMessage"]]).toEqual([
      415,
      "content-encoding: send packed bytes as content-type application/gzip",
    ]);
    for (const type of [
      "application/json",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "Application/JSON; charset=utf-8",
    ]) {
      const wrapped = await send(Buffer.from("{}"), { "content-type": type });
      expect([type, wrapped.status, wrapped.json["errorMessage"]]).toEqual([
        type,
        415,
        "content-type: this call takes a file's bytes as they are, such as application/octet-stream, and no form or JSON around them",
      ]);
    }
    expect((await send(Buffer.from("abc"), { "x-content-md5": "0".repeat(32) })).status).toBe(400);
    expect(await stored()).toEqual([]);
    // A type of its own for packed bytes, or none, is no reason to lose a file.
    for (const headers of [{ "content-type": "application/x-gzip" }, { "content-type": "image/png" }, {}]) {
      const url = `/api/nodes/${serial}/files/${name}`;
      const taken = await server.call({
        method: "POST",
        url,
        payload: Buffer.from(JSON.stringify(headers)),
        headers: { token, ...headers },
      });
      expect([headers, taken.status]).toEqual([headers, 200]);
    }
  });
});

async function nestedZip(depth: number): Promise<Buffer> {
  let zip = overlappingZip(10);
  for (let level = 0; level < depth; level++) {
    const pieces: Uint8Array[] = [];
    const writer = createZipWriter((piece) => Promise.resolve(void pieces.push(Buffer.from(piece))));
    for (const name of ["a.zip", "b.zip"]) {
      await writer.addDeflated(name, deflateRawSync(zip), { crc: crc32(zip), size: zip.length }, new Date());
    }
    await writer.end();
    zip = Buffer.concat(pieces);
  }
  return zip;
}

describe("R16 a file that is not what it says", () => {
  const upload = async (name: string, payload: Buffer, contentType = "application/gzip") => {
    const answer = await server.call({
      method: "POST",
      url: `/api/nodes/${serial}/files/${name}`,
      payload,
      headers: { token, "content-type": contentType },
    });
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  };
  const fileStore = () => createFolderFileStore(join(server.dataDir, "files"));
  const extract = async (name: string) => {
    const { pool } = server.database;
    await createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore: fileStore(), clock: server.clock }).run(signal);
    const { rows } = await pool.query<{ processed: boolean; reason: string | null }>(
      "select processed, failed_reason as reason from data_file where file_name = $1",
      [name],
    );
    return rows[0]!;
  };
  const contentsOf = async (name: string) =>
    (await server.call({ method: "GET", url: `/api/node-dashboard/files/${name}`, token })).json["data"] as FileContents;

  test.each([
    ["1 GB of zeros", "\0"],
    ["one line of 1 GB", "1"],
  ])("%s in a gzip of 1 MB fails by its size; its page, its download and a package of it stay small", async (_what, byte) => {
    const name = nameOf(serial, at, "S");
    const bomb = gzipOfSame(1_024 * megabyte, byte);
    await upload(name, bomb);
    const more = await memoryOf(async () => {
      expect(await extract(name)).toEqual({ processed: false, reason: `File too large (${1_024 * megabyte} bytes)` });
      const contents = await contentsOf(name);
      expect([contents.isTruncated, contents.contentsLength, contents.fileContents?.length]).toEqual([true, null, megabyte]);
      const raw = await server.app.inject({ method: "GET", url: `/api/node-dashboard/files/${name}/raw`, headers: { token } });
      expect([raw.statusCode, raw.rawPayload.length]).toEqual([200, 2 * megabyte]);
      const store = createDownloadsStore(server.database.pool);
      const job = { id: "", userId: 0, kind: "files", serial, from: null, to: null, address: "", createdAt: 0, expiresAt: 0 } as const;
      const files = async function* () {
        yield* await store.nextFiles(job, undefined, 10);
      };
      const made = await zipFiles({
        path: join(server.dataDir, "bomb.zip"),
        fileStore: fileStore(),
        files: files(),
        onPacked: () => undefined,
        signal,
      });
      expect([made.count, made.size < 2 * megabyte]).toEqual([1, true]);
    });
    // When a busy machine collects is its own affair; whoever held the whole would hold four times as much.
    expect(more).toBeLessThan(256 * megabyte);
  });

  test("one line that just fits is judged like any other", async () => {
    const name = nameOf(serial, at, "S");
    await upload(name, gzipSync(Buffer.alloc(2 * megabyte, "1,")));
    expect(await extract(name)).toEqual({ processed: false, reason: expect.stringMatching(/^Unknown format version/) });
  });

  test.each([
    ["a hundred thousand entries that overlap", () => overlappingZip(100_000)],
    ["ten zips, each within the next,", () => nestedZip(10)],
  ])("%s stay packed: no one opens them", async (_what, make) => {
    const name = nameOf(serial, at, "X", "zip");
    const zip = await make();
    await upload(name, zip, "application/octet-stream");
    const more = await memoryOf(async () => {
      expect(await extract(name)).toEqual({ processed: true, reason: null });
      const contents = await contentsOf(name);
      expect(contents.contentsLength).toBe(zip.length);
      expect((contents.fileContents ?? "").length).toBeLessThanOrEqual(megabyte);
    });
    // Unpacked they would be gigabytes.
    expect(more).toBeLessThan(256 * megabyte);
    const raw = await server.app.inject({ method: "GET", url: `/api/node-dashboard/files/${name}/raw`, headers: { token } });
    expect(raw.rawPayload.equals(zip)).toBe(true);
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { folderOf, idleBefore, listed, longAgoMs, testFileStore } from "#testing/file-store-conformance.ts";
import { createTestS3Server, type TestS3Server } from "#testing/test-s3-server.ts";
import { parseFilesAddress } from "./files-address.ts";
import { openFileStore } from "./open-file-store.ts";
import { createS3FileStore, type S3FileStore } from "./s3-file-store.ts";
import { StorageFailure } from "./storage-failure.ts";

// Of a real storage, such as a Swift with s3api: FILES_TEST_URL, with its keys in the environment.
const realUrl = process.env["FILES_TEST_URL"];
const keys = {
  accessKeyId: (process.env["AWS_ACCESS_KEY_ID"] ??= "the-key"),
  secretAccessKey: (process.env["AWS_SECRET_ACCESS_KEY"] ??= "the secret/+="),
};
const dayMs = 86_400_000;

let server: TestS3Server;
let store: S3FileStore;
let ageMs = 0;
beforeAll(async () => {
  server = await createTestS3Server(keys);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.fault = undefined;
  server.isListingLate = false;
  store = newStore(realUrl ?? server.filesUrl);
});

/** A store under a prefix of its own. */
function newStore(filesUrl: string): S3FileStore {
  const address = { ...parseFilesAddress(filesUrl)!, prefix: `test prefix/${randomUUID()}` };
  return createS3FileStore({ address, now: () => Date.now() - ageMs });
}
async function putAt(age: number, content: Buffer): Promise<Buffer> {
  ageMs = age;
  try {
    return (await store.putAll([content]))[0]!;
  } finally {
    ageMs = 0;
  }
}
const keyOf = (hash: Buffer) => [...server.objects.keys()].find((key) => key.includes(hash.toString("hex")))!;

describe(`on ${realUrl ?? "the test server"}`, () => {
  testFileStore(() => ({ store, putLongAgo: (content) => putAt(longAgoMs, content) }), { races: 60 });

  test("of copies of several days only the newest stays", async () => {
    const content = Buffer.from("again and again");
    for (const age of [longAgoMs, longAgoMs - dayMs, longAgoMs - 2 * dayMs]) await putAt(age, content);
    const hash = await putAt(0, content);
    expect(await store.tidy(folderOf(hash), idleBefore)).toBe(3);
    expect([await store.tidy(folderOf(hash), idleBefore), String(await store.read(hash))]).toEqual([0, "again and again"]);
  });

  test("what was put yesterday stays for a day after that day", async () => {
    const hash = await putAt(dayMs, Buffer.from("yesterday"));
    expect(await store.removeIdle(hash, Date.now() - dayMs)).toBe(false);
    expect(String(await store.read(hash))).toBe("yesterday");
  });
});

describe("bytes", () => {
  test("that the storage spoiled are never handed out", async () => {
    store = newStore(server.filesUrl);
    const hash = await putAt(0, Buffer.from("as it was put"));
    expect(keyOf(hash)).toMatch(/^test prefix\/[0-9a-f-]{36}\/[0-9a-f]{3}\/[0-9a-f]{64}\.\d{5}$/);
    server.objects.set(keyOf(hash), Buffer.from("rotten"));
    await expect(store.read(hash)).rejects.toThrow("gave other bytes than were put");
    const read = async () => {
      for await (const piece of await store.open(hash)) expect(String(piece)).toBe("rotten");
    };
    await expect(read()).rejects.toThrow("gave other bytes than were put");
  });

  test("that end in the middle of an answer are a failure of the storage", async () => {
    store = newStore(server.filesUrl);
    const hash = await putAt(0, Buffer.from("longer than what comes"));
    server.fault = (right) => (right === "get" ? { status: 200, code: "", isCut: true } : undefined);
    await expect(store.read(hash)).rejects.toThrow(StorageFailure);
  });

  test("of a content in parts that failed do not stay", async () => {
    store = newStore(server.filesUrl);
    let puts = 0;
    server.fault = (right) => (right === "put" && ++puts > 2 ? { status: 403, code: "AccessDenied" } : undefined);
    const content = Buffer.alloc(17 * 1024 * 1024, "in parts");
    await expect(store.putAll([content])).rejects.toThrow("The keys have no right to put objects");
    expect(server.uploads.size).toBe(0);
    // Those of a process that was killed go with the sweep, once they are old.
    server.fault = (right) =>
      right === "put" && ++puts > 5
        ? { status: 403, code: "AccessDenied" }
        : right === "delete"
          ? { status: 403, code: "AccessDenied" }
          : undefined;
    await expect(store.putAll([content])).rejects.toThrow("The keys have no right to put objects");
    server.fault = undefined;
    const [left] = [...server.uploads.values()];
    const folder = Number.parseInt(left!.key.split("/").at(-2)!, 16);
    expect(await store.tidy(folder, idleBefore)).toBe(0);
    left!.startedAt = new Date(Date.now() - longAgoMs);
    expect([await store.tidy(folder, idleBefore), server.uploads.size, await listed(store, folder)]).toEqual([1, 0, []]);
  });
});

describe("a storage that lists an object late", () => {
  test("hands it out all the same, on the day it was put and on the next", async () => {
    store = newStore(server.filesUrl);
    const hashes = [await putAt(0, Buffer.from("today")), await putAt(dayMs, Buffer.from("yesterday"))];
    server.isListingLate = true;
    expect(await Promise.all(hashes.map(async (hash) => String(await store.read(hash))))).toEqual(["today", "yesterday"]);
  });
});

describe("what is wrong with a storage is one sentence that names it", () => {
  const open = (bucket: string, endpoint = server.endpoint) =>
    openFileStore({ filesUrl: `s3://${bucket}/nodes?endpoint=${endpoint}`, dataDir: "unused" });

  test("nothing is wrong with one that works, nor with a folder", async () => {
    expect(await open("files").problem()).toBeUndefined();
    expect(await openFileStore({ dataDir: "unused" }).problem()).toBeUndefined();
    expect([...server.objects.keys()].filter((key) => key.includes("probe"))).toEqual([]);
  });

  test("a bucket that is missing, and one that cannot be reached", async () => {
    expect(await open("absent").problem()).toBe(
      `The storage of files has no such bucket: the bucket absent at ${server.endpoint} (FILES_URL)`,
    );
    expect(await open("files", "http://127.0.0.1:1").problem()).toBe(
      "The storage of files cannot be reached (connect ECONNREFUSED 127.0.0.1:1): the bucket files at http://127.0.0.1:1 (FILES_URL)",
    );
  });

  test.each(["list", "put", "get", "delete"] as const)("keys without the right to %s", async (lacking) => {
    server.fault = (right) => (right === lacking ? { status: 403, code: "AccessDenied" } : undefined);
    expect(await open("files").problem()).toBe(
      `The keys have no right to ${lacking} objects: the bucket files at ${server.endpoint} (FILES_URL)`,
    );
  });

  test("keys that it does not know, and none", async () => {
    const [before, problems] = [{ ...process.env }, [] as (string | undefined)[]];
    for (const [id, secret] of [
      ["another", keys.secretAccessKey],
      [keys.accessKeyId, "another"],
    ] as const) {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret });
      problems.push(await open("files").problem());
    }
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, {
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_CONFIG_FILE: "/dev/null",
      AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    });
    problems.push(await open("files").problem());
    process.env = before;
    expect(problems).toEqual([
      expect.stringMatching(/^The storage of files refuses the keys \(InvalidAccessKeyId\): the bucket files at /),
      expect.stringMatching(/^The storage of files refuses the keys \(SignatureDoesNotMatch\): the bucket files at /),
      expect.stringMatching(/^There are no keys \(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY\) for the bucket files at /),
    ]);
  });

  test("one that answers nonsense", async () => {
    server.fault = () => ({ status: 501, code: "NotImplemented" });
    expect(await open("files").problem()).toMatch(/^The storage of files answers 501 \(NotImplemented\): the bucket files/);
  });

  test("it is asked at most once in a while, however often someone wants to know", async () => {
    let asked = 0;
    server.fault = () => (asked++, undefined);
    const { problem } = open("files");
    await Promise.all([problem(), problem(), problem()]);
    const since = performance.now();
    const time = vi.spyOn(performance, "now");
    onTestFinished(() => time.mockRestore());
    await problem();
    expect(asked).toBe(4);
    // What was found counts for ten seconds.
    server.fault = () => ({ status: 503, code: "SlowDown" });
    time.mockReturnValue(since + 10_001);
    expect(await problem()).toMatch("answers 503");
    server.fault = undefined;
    time.mockReturnValue(since + 20_002);
    expect(await problem()).toBeUndefined();
  });
});

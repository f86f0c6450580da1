import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { chooseEncoding, compress } from "./compression.ts";
import { answerPrepared } from "./prepared-body.ts";

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["*", "identity"],
  ["deflate", "identity"],
  ["gzip;q=0", "identity"],
  ["gzip, deflate", "gzip"],
  ["gzip, deflate, br", "br"],
  ["gzip,br , zstd", "zstd"],
])("who accepts %j gets %s", (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding));

const content = Buffer.from("busbar ".repeat(1_000));
test("each encoding is read back", async () => {
  const [zstd, br, gzip, identity] = await Promise.all(
    (["zstd", "br", "gzip", "identity"] as const).map((each) => compress(content, each)),
  );
  expect([zstdDecompressSync(zstd!), brotliDecompressSync(br!), gunzipSync(gzip!), identity].map(String)).toEqual(
    Array.from({ length: 4 }, () => String(content)),
  );
  for (const packed of [zstd, br, gzip]) expect(packed!.length).toBeLessThan(content.length / 10);
});

test("large bodies are compressed one after another, and small ones beside them", async () => {
  const large = Buffer.from(Array.from({ length: 500_000 }, (_, index) => `${index * 7_919} `).join(""));
  const ready: string[] = [];
  const note = (name: string, made: Promise<unknown>) => made.then(() => ready.push(name));
  await Promise.all([
    note("slow", compress(large, "gzip")),
    note("fast", compress(large, "zstd")),
    note("whole", compress(large, "identity")),
    note("small", compress(content, "gzip")),
  ]);
  expect(ready.filter((name) => name !== "small")).toEqual(["whole", "slow", "fast"]);
  expect(ready.indexOf("small")).toBeLessThan(ready.indexOf("fast"));
});

test("a body that was made ready is compressed once for each encoding, and not sent to who has it", async () => {
  const prepared = { hash: "h1", body: content, encoded: new Map() };
  const headers = (encoding: string) => ({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "private, no-cache",
    vary: "accept-encoding, origin",
    etag: `"h1-${encoding}"`,
  });
  expect(await answerPrepared(prepared, "identity", undefined)).toEqual({ status: 200, headers: headers("identity"), body: content });
  const [first, second] = [await answerPrepared(prepared, "gzip", '"h1-br"'), await answerPrepared(prepared, "gzip", undefined)];
  expect(first).toEqual({ status: 200, headers: { ...headers("gzip"), "content-encoding": "gzip" }, body: expect.any(Uint8Array) });
  expect(gunzipSync(first.body as Uint8Array)).toEqual(content);
  expect(second.body).toBe(first.body);
  expect(await answerPrepared(prepared, "gzip", '"h1-gzip"')).toEqual({ status: 304, headers: headers("gzip"), body: "" });
});

import type { DashboardFile } from "@busbar/contract/files/node-files.ts";
import { describe, expect, test } from "vitest";
import {
  appendOlder,
  emptyWindow,
  newestOf,
  oldestOf,
  prependNewer,
  refreshNewest,
  startBefore,
  missingAt,
  type FileWindow,
} from "./file-window.ts";

const file = (timestamp: number, kind: "D" | "S" = "D"): DashboardFile => ({
  timestamp,
  kind,
  fileName: `${kind}${timestamp}`,
  processed: true,
  location: "",
  failedReason: null,
  sourceFileContents: null,
  fileContents: null,
  serialNumber: "10001",
  interval: 900,
  size: 1,
  receivedTimestamp: timestamp,
});
/** From the newer to the older, both inclusive. */
const files = (newest: number, oldest: number) => Array.from({ length: newest - oldest + 1 }, (_, index) => file(newest - index));
const window = (newest: number, oldest: number, ends: Partial<FileWindow> = {}): FileWindow => ({
  rows: files(newest, oldest),
  hasOlder: true,
  hasNewer: false,
  ...ends,
});
const edges = ({ rows }: FileWindow) => [rows[0]?.timestamp, rows.at(-1)?.timestamp, rows.length];

describe("FIL-03 the window of files", () => {
  test("keeps 500 rows: what is added at one end drops the other end's, and that end has more again", () => {
    const full = window(1_000, 501);
    const down = appendOlder(full, files(500, 401));
    expect(edges(down)).toEqual([900, 401, 500]);
    expect(down).toMatchObject({ hasOlder: true, hasNewer: true });
    const up = prependNewer(down, files(1_000, 901));
    expect(edges(up)).toEqual([1_000, 501, 500]);
    expect(up).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  test("with exactly 500 rows drops none", () => {
    expect(edges(appendOlder(window(900, 501), files(500, 401)))).toEqual([900, 401, 500]);
    expect(edges(prependNewer(window(800, 401), files(900, 801)))).toEqual([900, 401, 500]);
  });

  test("knows its newest and its oldest file", () => {
    expect([newestOf(window(200, 101)), oldestOf(window(200, 101))]).toEqual([200, 101]);
    expect([newestOf(emptyWindow), oldestOf(emptyWindow)]).toEqual([undefined, undefined]);
  });

  test("begins empty, at neither end of anything", () => {
    expect(appendOlder(emptyWindow, files(100, 1))).toEqual({ rows: files(100, 1), hasOlder: true, hasNewer: false });
    expect(prependNewer(emptyWindow, files(100, 1))).toEqual({ rows: files(100, 1), hasOlder: false, hasNewer: true });
  });

  test("a page that is not full is the end", () => {
    expect(appendOlder(window(200, 101), files(100, 98)).hasOlder).toBe(false);
    expect(prependNewer(window(200, 101, { hasNewer: true }), []).hasNewer).toBe(false);
  });

  test("files of one time are dropped together", () => {
    const pairs = Array.from({ length: 251 }, (_, index) => [file(1_000 - index, "D"), file(1_000 - index, "S")]).flat();
    const kept = appendOlder({ rows: pairs.slice(0, 401), hasOlder: true, hasNewer: false }, pairs.slice(401)).rows;
    expect(kept).toHaveLength(500);
    expect(kept[0]!.timestamp).toBe(999);
    const odd = appendOlder({ rows: pairs.slice(0, 402), hasOlder: true, hasNewer: false }, [...pairs.slice(402), file(1)]).rows;
    expect([odd.length, odd[0]!.kind, odd[0]!.timestamp]).toEqual([499, "D", 998]);
  });

  test("requests older files past 70 % of the scroll, newer ones under 30 %, and none between or beyond an end", () => {
    const both = window(200, 101, { hasNewer: true });
    expect([0.29, 0.3, 0.5, 0.7, 0.71].map((share) => missingAt(share, both))).toEqual(["newer", undefined, undefined, undefined, "older"]);
    expect(missingAt(0.9, { ...both, hasOlder: false })).toBeUndefined();
    expect(missingAt(0.1, { ...both, hasNewer: false })).toBeUndefined();
  });

  test("new files appear on top and states change where they are; elsewhere nothing moves", () => {
    const shown = window(200, 101);
    const failed = { ...file(200), processed: false };
    const fresh = refreshNewest(shown, [file(201), failed, ...files(199, 150)]);
    expect(edges(fresh)).toEqual([201, 101, 101]);
    expect(fresh.rows[1]!.processed).toBe(false);
    const elsewhere = window(200, 101, { hasNewer: true });
    expect(refreshNewest(elsewhere, files(300, 201))).toBe(elsewhere);
    expect(refreshNewest(shown, [])).toBe(shown);
    expect(edges(refreshNewest(shown, files(400, 301)))).toEqual([400, 301, 100]);
    expect([edges(refreshNewest(shown, files(299, 200))), edges(refreshNewest(shown, files(300, 201)))]).toEqual([
      [299, 101, 199],
      [300, 201, 100],
    ]);
  });
});

test("FIL-04 a start-from load begins 0.7 intervals times rows before its target", () => {
  expect(startBefore(1_790_000_000, 900, 100)).toBe(1_790_000_000 - 63_000);
  expect(startBefore(1_790_000_000, 60)).toBe(1_790_000_000 - 4_200);
  expect(startBefore(10, 900)).toBe(0);
});

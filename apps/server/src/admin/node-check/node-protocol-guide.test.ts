import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configCatalogue } from "@busbar/contract/telemetry/config-catalogue.ts";
import { metricAliases, metricTypes, scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { DecodeReason } from "@busbar/sparkplug/decode-error.ts";
import type { SessionProblem } from "@busbar/sparkplug/session-types.ts";
import type { FileProblem } from "#features/files/data-files/file-part.ts";
import type { NodeTopic } from "#features/telemetry/scalars/node-topic.ts";
import type { TelemetryProblem } from "#features/telemetry/scalars/telemetry.ts";
import { workedExample } from "#testing/worked-example.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../../../docs/node-protocol.md"), "utf8");

/** Cells of the guide's table rows. */
const rows = guide
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const rowOf = (name: string) => rows.find((cells) => cells.includes(`\`${name}\``));

test("the guide has every metric with its alias and type, and every parameter of the configuration", () => {
  for (const [name, type] of Object.entries(metricTypes)) {
    const alias = String(metricAliases[name as keyof typeof metricAliases] ?? "–");
    expect.soft(rowOf(name)?.slice(0, 3)).toEqual([alias, `\`${name}\``, type]);
  }
  for (const [index, { key, rule }] of configCatalogue.entries()) {
    expect.soft(rowOf(`Config/${key}`)?.slice(0, 3)).toEqual([String(100 + index), `\`Config/${key}\``, rule.wireType]);
    expect.soft(rowOf(`Config/${key}`)?.[3]).toContain(rule.allowed.replaceAll("|", "\\|"));
  }
  for (const bit of Object.values(scalarFlagBits)) expect.soft(guide).toContain(`| ${bit} `);
});

type Reason =
  | SessionProblem
  | TelemetryProblem
  | FileProblem
  | `decode ${DecodeReason}`
  | Extract<NodeTopic, { kind: "refused" }>["reason"]
  | "refused-by-database";

// Typed, so that none can be forgotten.
const reasons: Record<Reason, true> = {
  "alias-never-born": true,
  "bad-device-id": true,
  "bad-event": true,
  "bad-seq": true,
  "birth-without-bdseq": true,
  "death-without-bdseq": true,
  "decode alias-too-large": true,
  "decode compressed-twice": true,
  "decode compression-algorithm": true,
  "decode compression-broken": true,
  "decode compression-too-large": true,
  "decode dataset-shape": true,
  "decode invalid-field": true,
  "decode invalid-utf8": true,
  "decode length-beyond-buffer": true,
  "decode properties-shape": true,
  "decode string-too-long": true,
  "decode too-deep": true,
  "decode too-many-elements": true,
  "decode too-many-metrics": true,
  "decode truncated": true,
  "decode value-outside-type": true,
  "decode varint-too-long": true,
  "decode wrong-wire-type": true,
  "device-without-birth": true,
  "duplicate-alias": true,
  "file-manifest": true,
  "file-metadata": true,
  "file-name": true,
  "file-of-other-node": true,
  "file-part-size": true,
  "file-too-large": true,
  "foreign-device": true,
  "metric-without-datatype": true,
  "metric-without-name": true,
  "not-finite": true,
  "not-sparkplug": true,
  "older-than-retention": true,
  "out-of-range": true,
  "refused-by-database": true,
  "timestamp-in-future": true,
  "timestamp-too-old": true,
  "too-many-devices": true,
  "unknown-node": true,
  "unsupported-datatype": true,
  "value-outside-type": true,
  "wrong-group": true,
};

test("the guide explains every reason of the quarantine", () => {
  expect(Object.keys(reasons).filter((reason) => !rowOf(reason))).toEqual([]);
});

test("the bytes of the worked example are those that the platform's own codec makes", () => {
  expect(guide.slice(guide.indexOf("### The last will, in CONNECT"))).toBe(workedExample());
});

test("the guide's numbers of fields and datatypes are those of its worked example", () => {
  const numbers = (message: string) =>
    new Map(
      [...(rows.find(([name, fields]) => name === message && fields?.startsWith("1 `"))?.[1] ?? "").matchAll(/(\d+) `(\w+)`/g)].map(
        ([, number, name]) => [name!, Number(number)],
      ),
    );
  // By how far a line is indented.
  const messages = ["payload", "metric", "properties", "value"].map(numbers);
  const lines = [...guide.slice(guide.indexOf("## Worked example")).matchAll(/^( *)([0-9a-f]{2}) .*# (\w+)/gm)];
  expect(lines.length).toBeGreaterThan(100);
  for (const [line, indent = "", key = "", name = ""] of lines) {
    expect.soft([line, messages[indent.length / 2]?.get(name)]).toEqual([line, Number.parseInt(key, 16) >> 3]);
  }
  const types = [...(/^Datatypes: (.*)\.$/m.exec(guide)?.[1] ?? "").matchAll(/(\w+) (\d+)/g)].map(([, name, number]) => [
    name,
    Number(number),
  ]);
  expect(types).toEqual(types.map(([name]) => [name, DataType[name as keyof typeof DataType]]));
  expect(types.length).toBeGreaterThan(5);
});

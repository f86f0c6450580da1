import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { firstConfigAlias, metricAliases, metricNames, metricTypes, nodeConfigKeys } from "./sparkplug-namespace.ts";

test("A-63 each metric has the alias, the name and the type that docs/node-protocol.md lists", async () => {
  const guide = await readFile(join(import.meta.dirname, "../../../../docs/node-protocol.md"), "utf8");
  const listed = [...guide.matchAll(/^\| (–|\d+) +\| `([^`]+)` +\| (\w+) +\|/gm)].map(([, alias, name, type]) => [name, type, alias]);
  const known = Object.values(metricNames).map((name) => [name, metricTypes[name], String(metricAliases[name] ?? "–")]);
  const isOfConfig = ([, , alias]: readonly unknown[]) =>
    Number(alias) >= firstConfigAlias && Number(alias) < metricAliases["Config/Refresh"]!;
  expect(known).toEqual(listed.filter((each) => !isOfConfig(each)));
  const keys = nodeConfigKeys.map((key, index) => [`Config/${key}`, String(firstConfigAlias + index)]);
  expect(keys).toEqual(listed.filter(isOfConfig).map(([name, , alias]) => [name, alias]));
});

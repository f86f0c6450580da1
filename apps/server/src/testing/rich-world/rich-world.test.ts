import { api, type EndpointName } from "@busbar/contract/api.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { poisons } from "#testing/poison-cases.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { makeRichWorld } from "./rich-world.ts";
import type { WorldSteps } from "./world-steps.ts";

let mail: TestMailServer;
let world: WorldSteps;
beforeAll(async () => {
  mail = await startTestMailServer();
  world = await makeRichWorld({ SMTP_URL: mail.url });
});
afterAll(async () => {
  await world.stop();
  await mail.stop();
});

const fileOf = (name: string) => `kept/${name}.txt`;
const textOf = (lines: readonly string[]) => `${lines.join("\n")}\n`;

describe("A-63 every call answers and writes what is kept of it, in a world where everything is there twice", () => {
  test.each(Object.keys(api) as EndpointName[])("A-63 %s", async (name) => {
    const lines = world.steps.get(name) ?? [];
    if (lines.length === 0) throw new Error(`No step of the world makes the call ${name}, and nothing is read with it`);
    await expect(textOf(lines)).toMatchFileSnapshot(fileOf(name));
  });
});

describe("A-63 every service says and writes what is kept of it", () => {
  test.each(Object.keys(poisons))("A-63 %s", async (name) => {
    const task = world.tasks.find((each) => each.name === name)!;
    const head = `every ${task.intervalSeconds} s, offset ${task.offsetSeconds ?? 0}: ${task.did(1)}; ${task.did(2)}`;
    await expect(textOf([head, "", ...world.steps.get(name)!])).toMatchFileSnapshot(fileOf(`services/${name}`));
  });
});

test("A-63 no answer hangs on the order in which rows lie", () => {
  expect(world.unsteady).toEqual([]);
});

test("A-63 nothing is answered before what it writes is committed, and no service goes on after it ended", () => {
  expect(world.early).toEqual([]);
});

test("A-63 nothing is kept of what is gone", async () => {
  const keptNames = async (folder: string) => (await readdir(join(import.meta.dirname, folder))).filter((name) => name.endsWith(".txt"));
  expect(await keptNames("kept")).toEqual(
    Object.keys(api)
      .map((name) => `${name}.txt`)
      .toSorted(),
  );
  expect(await keptNames("kept/services")).toEqual(
    Object.keys(poisons)
      .map((name) => `${name}.txt`)
      .toSorted(),
  );
});

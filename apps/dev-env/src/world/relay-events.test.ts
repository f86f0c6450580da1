import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createDemoWorld } from "./demo-world.ts";
import { makeRelayFiles } from "./relay-events.ts";

test("the log of a relay that uploads an event ends with that event, after the last three before it", () => {
  const { nodes } = createDemoWorld();
  const relay = nodes.find(({ type, place }) => type === "GERelay" && place)!;
  const logs = makeRelayFiles(nodes, 1, 1_800_000_000).filter(({ serial, name }) => serial === relay.serial && name.endsWith("txt"));
  const events = logs.map(({ bytes }) => [
    ...new Set(
      [
        ...gunzipSync(bytes)
          .toString()
          .matchAll(/^(\d+)\d, /gm),
      ].map(([, number]) => Number(number)),
    ),
  ]);
  expect(events.length).toBeGreaterThan(5);
  expect(events).toEqual(events.map((_, index) => [index - 2, index - 1, index, index + 1].filter((number) => number > 0)));
});

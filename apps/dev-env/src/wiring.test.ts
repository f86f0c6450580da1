import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startConfigFleet, type ConfigFleet } from "./config-fleet.fixture.ts";

const serial = 10_234;
let world: ConfigFleet;
let token: string;
beforeAll(async () => {
  world = await startConfigFleet([
    { serial, location: "Feed Pump 1", quirks: { wiring: { cts: [1, -2, 3] } } },
    { serial: 10_235, quirks: { neverConnects: true } },
  ]);
  token = await world.server.login(await world.server.addAdministrator("pat"));
});
afterAll(() => world.stop());

async function wiringOf(node: number): Promise<NodeWiring> {
  const { status, json } = await world.server.call({ method: "GET", url: `/api/nodes/${node}/wiring`, token });
  expect(status).toBe(200);
  return json["data"] as NodeWiring;
}
async function locationOf(): Promise<number> {
  const [row] = await world.ingest.rows<{ id: number }>("select location_id as id from node_assignment where serial_number = $1", [serial]);
  return row!.id;
}

/** Who watches has a value each second. */
async function untilOutcome(outcome: NodeWiring["outcome"]): Promise<NodeWiring> {
  const url = `/api/locations/${await locationOf()}/metering`;
  return await vi.waitUntil(
    async () => {
      await world.server.call({ method: "GET", url, token });
      const wiring = await wiringOf(serial);
      return wiring.outcome === outcome ? wiring : undefined;
    },
    { interval: 50 },
  );
}

test("a node with a CT turned round is named with what to do, and is right once it is rewired", async () => {
  const wrong = await untilOutcome("wrong");
  expect(wrong).toMatchObject({
    sentence: "The CT of phase 2 is turned round.",
    actions: ["Turn the CT of phase 2 round, or exchange its two leads."],
    values: { kw: [expect.any(Number), expect.any(Number), expect.any(Number)] },
  });
  expect(wrong.values!.kw.map(Math.sign)).toEqual([1, -1, 1]);
  const turn = (angle: number) => ((Math.round(angle) % 360) + 360) % 360;
  const [is, ought] = [wrong.is!.currents[1]!, wrong.ought!.currents[1]!];
  expect(Math.abs(turn(is.angle - ought.angle) - 180)).toBeLessThan(10);
  world.fleet.plant.inject({
    kind: "miswired",
    start: Date.now() / 1000 - 3_600,
    durationSeconds: 86_400,
    facilityKey: undefined,
    serial,
    params: { wiring: {} },
    source: "script",
  });
  expect(await untilOutcome("right")).toMatchObject({ actions: [], candidates: [] });
});

test("a node without values, without a location or with old values has no verdict, and says why", async () => {
  expect(await wiringOf(10_235)).toMatchObject({
    outcome: "none",
    sentence: "This node is at no location, so it is not known what it measures.",
    is: null,
  });
  await untilOutcome("right");
  await world.fleet.stop();
  world.server.clock.advance(600);
  expect(await wiringOf(serial)).toMatchObject({
    outcome: "old",
    sentence: expect.stringMatching(/^The values are too old to tell: the last ones are of \d{4}-/),
    is: null,
  });
});

test("the wiring is for who is signed in, of a node that there is", async () => {
  expect((await world.server.call({ method: "GET", url: `/api/nodes/${serial}/wiring` })).status).toBe(401);
  expect((await world.server.call({ method: "GET", url: "/api/nodes/99998/wiring", token })).json["errorMessage"]).toBe(
    "Node 99998 was not found",
  );
});

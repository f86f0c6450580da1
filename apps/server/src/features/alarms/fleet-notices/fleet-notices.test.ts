import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import type { Task } from "#services/service.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";
import { createConnectivityMonitor } from "./connectivity-monitor.task.ts";
import { createMissedDataMonitor } from "./missed-data-monitor.task.ts";
import { createNodeClockMonitor } from "./node-clock-monitor.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let place: TestPlace;
let serial = 32_000;
let tasks: { connectivity: Task; missedData: Task; clock: Task };

beforeAll(async () => {
  server = await createTestApp();
  const { clock, context, database } = server;
  const dependencies = {
    pool: database.pool,
    clock,
    mail: context.mail,
    digests: context.fleetNotices.digests,
    internalRecipients: () => Promise.resolve(["desk@busbar.example"]),
    environment: "Development",
  };
  tasks = {
    connectivity: createConnectivityMonitor(dependencies),
    missedData: createMissedDataMonitor(dependencies, 0),
    clock: createNodeClockMonitor(dependencies),
  };
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query(
    "delete from notification; delete from notice_told; delete from app_user; delete from node; delete from connection_loss",
  );
  place = await addPlace(server.database.pool);
  await addDeployed();
  await server.database.pool.query(
    `insert into app_user (username, email, customer_id, auto_subscribe_all_facilities) values ('ann', 'ann@mail.example', $1, true)`,
    [place.customerId],
  );
});

const now = () => server.clock.now() / 1000;
const epoch = (seconds: number) => new Date(seconds * 1000);

/** At a location of its own in the place's facility. */
async function addDeployed(columns: Record<string, unknown> = {}): Promise<number> {
  serial++;
  const { rows } = await server.database.pool.query<{ id: number }>(
    "insert into location (facility_id, name, timezone) values ($1, 'Pump ' || $2::int, 'America/Denver') returning id",
    [place.facilityId, serial],
  );
  await addNode(
    server.database.pool,
    serial,
    { ...place, locationId: rows[0]!.id },
    {
      current_deployment_status: "Deployed",
      current_deployment_status_updated_at: epoch(now() - 30 * 86_400),
      ...columns,
    },
  );
  await connect(true, serial);
  return serial;
}

const connect = (isConnected: boolean, number: number) =>
  setLive(server.database.pool, number, { is_connected: isConnected, connection_changed_at: epoch(now()) });

interface Message {
  kind: string;
  subject: string;
  to: string[];
  body: string;
  reason: string | null;
}
const outbox = async () =>
  (
    await server.database.pool.query<Message>(
      `select kind, subject, recipients_to as "to", body, sent_failed_reason as reason from notification order by id`,
    )
  ).rows;

async function pass(seconds: number) {
  server.clock.advance(seconds);
  return await tasks.connectivity.run(signal);
}

describe("connections", () => {
  test("of a node that was silent and did not answer are reported with that reason", async () => {
    await connect(false, serial);
    await setLive(server.database.pool, serial, { disconnect_reason: "no-answer" });
    await pass(610);
    expect((await outbox()).map(({ body }) => body)).toEqual([
      expect.stringMatching(/since .+, silent and without an answer when it was asked\n/),
    ]);
  });

  test("lost for ten minutes are reported once, and once more when they are back for ten", async () => {
    await connect(false, serial);
    await pass(590);
    expect(await outbox()).toEqual([]);
    await pass(20);
    await pass(3_600);
    expect(await outbox()).toMatchObject([
      {
        kind: "CONNECTIVITY_LOST",
        subject: `[Development] Connectivity lost: Pump ${serial}, North Works (${serial})`,
        to: ["ann@mail.example"],
      },
    ]);
    await connect(true, serial);
    await pass(590);
    expect(await outbox()).toHaveLength(1);
    await pass(20);
    await pass(3_600);
    expect((await outbox()).map(({ kind }) => kind)).toEqual(["CONNECTIVITY_LOST", "CONNECTIVITY_RESTORED"]);
  });

  test("that come and go within ten minutes are not worth a message", async () => {
    for (let turn = 0; turn < 5; turn++) {
      await connect(false, serial);
      await pass(500);
      await connect(true, serial);
      await pass(60);
    }
    expect(await outbox()).toEqual([]);
  });

  test("of a whole facility are one message, also when they did not go at the same moment", async () => {
    const serials = [serial];
    for (let count = 1; count < 200; count++) serials.push(await addDeployed());
    for (const each of serials) await connect(false, each);
    server.clock.advance(60);
    await connect(false, serials[7]!);
    await pass(545);
    await pass(600);
    const messages = await outbox();
    expect(messages.map(({ subject }) => subject)).toEqual(["[Development] Connectivity lost: 200 nodes, North Works"]);
    expect(messages[0]?.body).toContain("and 150 more");
  });

  test("of paused nodes are written down with the reason, of nodes no one watches not at all", async () => {
    await server.database.pool.query(
      "update node set pause_connectivity_notifications = true, pause_connectivity_notifications_reason = 'Works on the switch'",
    );
    const unwatched = await addDeployed({ disable_monitoring: true });
    await connect(false, unwatched);
    await connect(false, serial - 1);
    await pass(700);
    expect(await outbox()).toMatchObject([{ kind: "CONNECTIVITY_LOST", reason: "Paused: Works on the switch" }]);
    expect((await outbox())[0]?.body).not.toContain(String(unwatched));
  });

  const pauseAll = (isPaused: boolean) => server.database.pool.query("update node set pause_connectivity_notifications = $1", [isPaused]);

  test("that were lost while the node was paused are reported when the pause ends first, and then their end too", async () => {
    await pauseAll(true);
    await connect(false, serial);
    await pass(700);
    expect(await pass(60)).toBe(0);
    expect(await outbox()).toMatchObject([{ kind: "CONNECTIVITY_LOST", reason: "Paused: no reason given" }]);
    await pauseAll(false);
    await pass(30);
    await pass(30);
    await connect(true, serial);
    await pass(700);
    expect((await outbox()).slice(1)).toMatchObject([
      { kind: "CONNECTIVITY_LOST", reason: null, to: ["ann@mail.example"] },
      { kind: "CONNECTIVITY_RESTORED", reason: null, to: ["ann@mail.example"] },
    ]);
    expect(await outbox()).toHaveLength(3);
  });

  test("whose loss no one heard of are not reported as restored", async () => {
    await pauseAll(true);
    await connect(false, serial);
    await pass(700);
    await connect(true, serial);
    await pauseAll(false);
    await pass(700);
    await pass(60);
    expect((await outbox()).map(({ kind, reason }) => [kind, reason])).toEqual([["CONNECTIVITY_LOST", "Paused: no reason given"]]);
    await connect(false, serial);
    await pass(700);
    expect((await outbox()).map(({ reason }) => reason)).toEqual(["Paused: no reason given", null]);
  });
});

test("a node that someone waits for is reported once: when it connects, and when its current rises above the noise", async () => {
  const { pool } = server.database;
  await pool.query("update node set notify_on_connect = true, notify_on_current_above_noise = true");
  await connect(false, serial);
  await pass(30);
  expect(await outbox()).toEqual([]);
  await connect(true, serial);
  await pass(30);
  await pass(30);
  expect((await outbox()).map(({ kind, to }) => [kind, to])).toEqual([["NODE_CONNECTED", ["desk@busbar.example"]]]);
  const at = epoch(now());
  await ensureScalarPartitions(pool, now() - 86_400, now() + 86_400);
  await pool.query("insert into scalar (serial_number, ts, current1, current2, current3) values ($1, $2, 40, 41, 42)", [serial, at]);
  await setLive(pool, serial, { last_scalar_at: at });
  await pool.query(`insert into node_config values ($1, now(), '{"i_noise":"50"}')`, [serial]);
  await pass(30);
  expect(await outbox()).toHaveLength(1);
  await pool.query(`update node_config set config_values = '{"i_noise":"0.5"}'`);
  await pass(30);
  await pass(30);
  expect((await outbox()).map(({ kind }) => kind)).toEqual(["NODE_CONNECTED", "CURRENT_ABOVE_NOISE"]);
});

describe("SYS-07 missed data", () => {
  const lastFileAt = (seconds: number) => setLive(server.database.pool, serial, { last_datafile_at: epoch(seconds) });
  const run = () => tasks.missedData.run(signal);

  test("is reported inside after more than four hours, once for each time", async () => {
    await lastFileAt(now() - 4 * 3_600 + 10);
    await run();
    expect(await outbox()).toEqual([]);
    server.clock.advance(20);
    await run();
    server.clock.advance(7_200);
    await run();
    expect(await outbox()).toMatchObject([
      { kind: "MISSED_DATA", subject: `[Development] Missed data: Pump ${serial}, North Works (${serial})`, to: ["desk@busbar.example"] },
    ]);
    await lastFileAt(now());
    server.clock.advance(4 * 3_600 + 60);
    await run();
    expect(await outbox()).toHaveLength(2);
  });

  test("of a whole facility is one message", async () => {
    const serials = [serial];
    for (let count = 1; count < 60; count++) serials.push(await addDeployed());
    for (const each of serials) await setLive(server.database.pool, each, { last_datafile_at: epoch(now() - 5 * 3_600) });
    await run();
    await setLive(server.database.pool, await addDeployed(), { last_datafile_at: epoch(now() - 5 * 3_600) });
    await run();
    await run();
    const messages = await outbox();
    expect(messages.map(({ subject }) => subject)).toEqual([
      "[Development] Missed data: 60 nodes, North Works",
      `[Development] Missed data: Pump ${serial}, North Works (${serial})`,
    ]);
    expect(messages[0]?.body).toContain("and 10 more");
  });

  test("of many facilities at once is one message", async () => {
    const { pool } = server.database;
    await lastFileAt(now());
    for (let count = 0; count < 11; count++) {
      place = await addPlace(pool, "America/Denver", `Mill ${count}`);
      await setLive(pool, await addDeployed(), { last_datafile_at: epoch(now() - 5 * 3_600) });
    }
    await run();
    await run();
    const [message, ...others] = await outbox();
    expect([message?.subject, others]).toEqual(["[Development] Missed data: 11 nodes, 11 facilities", []]);
    expect(message?.body).toContain("No data files of 11 nodes at 11 facilities have arrived for more than four hours.");
    expect(message?.body).toContain("North Works, Mill 3: 1 node\n");
  });

  test("counts elapsed time across the change of the clocks", async () => {
    // The night of 2026-03-08 in Denver has no hour from 2 to 3: 00:30 and 05:00 are three and a half hours apart.
    const before = Date.parse("2026-03-08T07:30:00Z") / 1000;
    await server.database.pool.query("update node set current_deployment_status_updated_at = to_timestamp(0)");
    await lastFileAt(before);
    const at = (text: string) =>
      createMissedDataMonitor(
        {
          pool: server.database.pool,
          clock: { now: () => Date.parse(text), monotonic: () => 0 },
          mail: server.context.mail,
          digests: server.context.fleetNotices.digests,
          internalRecipients: () => Promise.resolve(["desk@busbar.example"]),
          environment: "Development",
        },
        0,
      ).run(signal);
    expect(await at("2026-03-08T11:00:00Z")).toBe(0);
    expect(await at("2026-03-08T11:31:00Z")).toBe(1);
  });

  test("is not reported right after a start, when nodes still send what they kept", async () => {
    await lastFileAt(now() - 86_400);
    const { clock, context, database } = server;
    const started = createMissedDataMonitor({
      pool: database.pool,
      clock,
      mail: context.mail,
      digests: context.fleetNotices.digests,
      internalRecipients: () => Promise.resolve([]),
      environment: "Development",
    });
    expect(await started.run(signal)).toBe(0);
    server.clock.advance(1_801);
    expect(await started.run(signal)).toBe(1);
  });

  test("is reported only where the location wants it, of deployed nodes that are watched", async () => {
    await lastFileAt(now() - 86_400);
    for (const change of [
      "update location set notify_missed_data = false",
      "update location set notify_missed_data = true; update node set monitor_missing_data = false",
      "update node set monitor_missing_data = true, disable_monitoring = true",
      "update node set disable_monitoring = false, current_deployment_status = 'Pre-Deployment'",
    ]) {
      await server.database.pool.query(change);
      expect([change, await run()]).toEqual([change, 0]);
    }
    await server.database.pool.query("update node set current_deployment_status = 'Deployed'");
    expect(await run()).toBe(1);
  });
});

test("clocks of a facility that are off together are one message a day", async () => {
  const second = await addDeployed();
  for (const each of [serial - 1, second]) await setLive(server.database.pool, each, { clock_skew_ms: 4_000 });
  await tasks.clock.run(signal);
  await tasks.clock.run(signal);
  server.clock.advance(86_400);
  await tasks.clock.run(signal);
  expect((await outbox()).map(({ subject }) => subject)).toEqual([
    "[Development] Clock drift: 2 nodes, North Works",
    "[Development] Clock drift: 2 nodes, North Works",
  ]);
});

test("a clock that is off is reported inside, once a day", async () => {
  await setLive(server.database.pool, serial, { clock_skew_ms: 1_900 });
  expect(await tasks.clock.run(signal)).toBe(0);
  await setLive(server.database.pool, serial, { clock_skew_ms: -3_500 });
  await tasks.clock.run(signal);
  await tasks.clock.run(signal);
  expect((await outbox()).map(({ kind, body }) => [kind, body])).toEqual([
    ["CLOCK_DRIFT", `The clock of node ${serial} is 3.5 s behind.\n`],
  ]);
});

describe("among nodes of which each differs in one respect", () => {
  type Muted = "serial_number" | "location_id" | "facility_id";
  const mute = (column: Muted, id: number, from: number, until: number, reason = "") =>
    server.database.pool.query(
      `insert into mute (${column}, from_at, until_at, reason, username) values ($1, to_timestamp($2), to_timestamp($3), $4, 'ann')`,
      [id, from, until, reason],
    );
  const serialsIn = (messages: readonly Message[]) =>
    [...new Set(messages.flatMap(({ body }) => body.match(/\b32\d{3}\b/g) ?? []))].map(Number);
  const locationOf = async (number: number) =>
    (await server.database.pool.query<{ id: number }>("select location_id as id from node_assignment where serial_number = $1", [number]))
      .rows[0]!.id;

  /** Mutes that count from now on until `end`, and some that do not. */
  async function addNodes(end: number) {
    const first = serial;
    const over = await addDeployed();
    const early = await addDeployed();
    const unwatched = [
      await addDeployed({ current_deployment_status: "Decommissioned" }),
      await addDeployed({ disable_monitoring: true }),
      await addDeployed({ type: "SEL" }),
    ];
    const mutedNode = await addDeployed();
    const atMutedLocation = await addDeployed();
    const start = now();
    await mute("serial_number", over, start - 60, start);
    await mute("serial_number", early, start + 5_000, start + 9_000);
    await mute("serial_number", mutedNode, start, end, "Rewinding");
    await mute("location_id", await locationOf(atMutedLocation), start, end, "Moving it");
    place = await addPlace(server.database.pool);
    const atMutedFacility = await addDeployed();
    await mute("facility_id", place.facilityId, start - 60, end - 1, "Sooner over");
    await mute("facility_id", place.facilityId, start, end, "Inspection");
    await mute("facility_id", place.facilityId, start - 60, end - 2, "Soonest over");
    await addNode(server.database.pool, ++serial, undefined, { current_deployment_status: "Deployed" });
    await connect(true, serial);
    const muted = [mutedNode, atMutedLocation, atMutedFacility];
    return { open: [first, over, early], muted, unwatched: [...unwatched, serial] };
  }

  test("clocks and files are reported of those that are watched and not muted at that moment", async () => {
    const { open, muted, unwatched } = await addNodes(now() + 1_000);
    const all = [...open, ...muted, ...unwatched];
    for (const each of all) await setLive(server.database.pool, each, { clock_skew_ms: 2_001 });
    await setLive(server.database.pool, await addDeployed(), { clock_skew_ms: 2_000 });
    await tasks.clock.run(signal);
    expect(serialsIn(await outbox())).toEqual(open);
    await server.database.pool.query("delete from notification");
    // What was reported of something else, or at another time, was not reported of this.
    await server.database.pool.query(
      "insert into notice_told (kind, object_id, period, told_at) values ('MISSED_DATA', $1, to_timestamp(5), now()), ('OTHER', $1, to_timestamp($2), now())",
      [open[0], now() - 5 * 3_600],
    );
    for (const each of all) await setLive(server.database.pool, each, { last_datafile_at: epoch(now() - 5 * 3_600) });
    await setLive(server.database.pool, serial, { last_datafile_at: epoch(now() - 4 * 3_600) });
    await tasks.missedData.run(signal);
    expect(serialsIn(await outbox())).toEqual(open);
    server.clock.advance(1_000);
    await server.database.pool.query("delete from notification");
    await tasks.missedData.run(signal);
    // The last of them has its files late by now.
    expect(serialsIn(await outbox())).toEqual([...muted, serial]);
  });

  test("losses are held back of those that are muted, and forgotten of those that no one watches", async () => {
    const { pool } = server.database;
    const { open, muted, unwatched } = await addNodes(now() + 600);
    const all = [...open, ...muted, ...unwatched];
    for (const each of all) await connect(false, each);
    await addDeployed();
    await setLive(pool, serial, { is_connected: false, connection_changed_at: null });
    await pool.query(
      "insert into connection_loss (serial_number, lost_at, told_at, is_held) select s, now(), now(), false from unnest($1::int4[]) s",
      [unwatched],
    );
    server.clock.advance(-1);
    await pass(600);
    const losses = async () =>
      (
        await pool.query<{ serial: number; held: boolean }>(
          "select serial_number as serial, is_held as held from connection_loss order by 1",
        )
      ).rows;
    expect(await losses()).toEqual([]);
    await pool.query("update mute set until_at = until_at + interval '1 second' where until_at > to_timestamp($1)", [now() - 1]);
    await pass(1);
    expect(await losses()).toEqual([
      ...open.map((each) => ({ serial: each, held: false })),
      ...muted.map((each) => ({ serial: each, held: true })),
    ]);
    expect((await outbox()).map(({ subject, reason }) => [subject.split(": ")[1], reason])).toEqual([
      ["3 nodes, North Works", null],
      [`Pump ${muted[2]}, North Works (${muted[2]})`, "Muted: Inspection"],
    ]);
    expect(serialsIn((await outbox()).slice(0, 1))).toEqual(open);
    await pool.query("delete from notification");
    for (const each of all) await connect(true, each);
    await pass(599);
    expect(await outbox()).toEqual([]);
    await pass(1);
    expect([serialsIn(await outbox()), await losses()]).toEqual([open, []]);
  });

  test("someone waits for a node at a place or at none, and hears of it while it is connected", async () => {
    const { pool } = server.database;
    await pool.query("update node set notify_on_connect = true");
    const away = await addDeployed({ notify_on_connect: true });
    await connect(false, away);
    await addDeployed();
    await addNode(pool, ++serial, undefined, { notify_on_connect: true });
    await connect(true, serial);
    await pass(30);
    expect((await outbox()).map(({ subject }) => subject)).toEqual([
      `[Development] Node connected: Pump ${away - 1}, North Works (${away - 1})`,
      `[Development] Node connected: no location (${serial})`,
    ]);
    const { rows } = await pool.query("select serial_number from node where notify_on_connect");
    expect(rows).toEqual([{ serial_number: away }]);
  });

  test("the mean of the newest currents is above the noise of its own node, or above one ampere", async () => {
    const { pool } = server.database;
    const at = now();
    await ensureScalarPartitions(pool, at - 86_400, at + 86_400);
    const add = async (amperes: readonly number[], iNoise?: string, columns: Record<string, unknown> = {}, ago = 0) => {
      const node = await addDeployed({ notify_on_current_above_noise: true, ...columns });
      await pool.query(
        "insert into scalar (serial_number, ts, current1, current2, current3) values ($1, $2, $3, $4, $5), ($1, $6, 0, 0, 0), ($1, $7, 90, 90, 90)",
        [node, epoch(at - ago), ...amperes, epoch(at - ago - 0.5), epoch(at - ago - 2)],
      );
      await setLive(pool, node, { last_scalar_at: epoch(at) });
      if (iNoise !== undefined) await pool.query("insert into node_config values ($1, now(), $2)", [node, { i_noise: iNoise }]);
      return node;
    };
    await add([2, 4, 6], "4");
    const justAbove = await add([2, 4, 6], "3.99");
    const noNumber = await add([1, 1, 1.5], "much");
    await add([1, 1, 1]);
    await connect(false, await add([9, 9, 9]));
    await add([9, 9, 9], undefined, { notify_on_current_above_noise: false, notify_on_connect: false });
    const aSecondAgo = await add([3, 3, 3], undefined, {}, 1);
    await add([3, 3, 3], undefined, {}, 1.001);
    await pass(30);
    expect((await outbox()).map(({ kind, subject }) => [kind, Number(/\((\d+)\)/.exec(subject)?.[1])])).toEqual(
      [justAbove, noNumber, aSecondAgo].map((each) => ["CURRENT_ABOVE_NOISE", each]),
    );
  });
});

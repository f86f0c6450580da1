import type { ErrorSummary, MutedMessage, SystemMessage } from "@busbar/contract/system/system-messages.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogFeed } from "#lib/log-feed.ts";
import { createLog } from "#lib/log.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { createLogCollector } from "./log-collector.ts";
import { createSystemMessagesStore } from "./system-messages.store.ts";

let server: TestApp;
let mail: TestMailServer;
let person: string;
let token: string;
beforeAll(async () => {
  mail = await startTestMailServer();
  server = await createTestApp({ SMTP_URL: mail.url });
  person = await server.addAdministrator("sys", ["systemAdministrator"]);
  token = await server.login(person);
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});
beforeEach(async () => {
  server.clock.advance(61);
  await server.database.pool.query("delete from system_message");
  await server.database.pool.query("update system_message_count set lifetime = 0, since_notice = 0, overflow = 0, last_at = null");
});

const get = async (path: string) =>
  (await server.call({ method: "GET", url: `/api/system/${path}`, token })).json["data"] as Record<string, unknown>;
const post = (path: string, message?: unknown, by = token) =>
  server.call({ method: "POST", url: `/api/system/${path}`, token: by, payload: message === undefined ? {} : { message } });
const messagesOf = (summary: Record<string, unknown>, name: string) =>
  Object.values(summary[name] as Record<string, { message: string; source: string }>).map(({ message }) => message);

test("SEC-02 only a systemAdministrator reads, posts and sends", async () => {
  for (const roles of [[], ["accountsAdministrator"]]) {
    const by = await server.login(await server.addAdministrator(`p${roles.length}`, roles));
    for (const path of ["errors", "warnings", "debug"]) {
      expect((await server.call({ method: "GET", url: `/api/system/${path}` })).status).toBe(401);
      expect((await server.call({ method: "GET", url: `/api/system/${path}`, token: by })).status).toBe(403);
      expect((await post(path, "x", by)).status).toBe(403);
    }
    expect((await post("debug/send", undefined, by)).status).toBe(403);
  }
});

test("SYS-04 memory and disk are this machine's, and the counts begin at nothing", async () => {
  const summary = (await get("errors")) as unknown as ErrorSummary;
  expect(summary.memoryAvailableMb).toBeGreaterThan(100);
  expect(summary.memoryUsedMb + summary.memoryFreeMb).toBeCloseTo(summary.memoryAvailableMb, -1);
  expect(summary.diskUsedGb + summary.diskFreeGb).toBeCloseTo(summary.diskAvailableGb, 0);
  expect(summary.minDiskFreePercent).toBeLessThanOrEqual(summary.avgDiskFreePercent + 0.01);
  expect(summary.avgDiskFreePercent).toBeLessThanOrEqual(summary.maxDiskFreePercent + 0.01);
  expect(summary.maxDiskFreePercent).toBeLessThanOrEqual(100);
  expect(summary).toMatchObject({
    errorCountLifetime: 0,
    errorLastTimestamp: null,
    errorCountSinceNotice: 0,
    errorCountOverflow: 0,
    errorLastDisplayTimestamp: null,
    errors: {},
  });
});

describe("SYS-04 a posted message", () => {
  test.each([
    ["errors", "error", "errors"],
    ["warnings", "warning", "warnings"],
    ["debug", "debug", "debugs"],
  ])("to %s is listed there and nowhere else, and counts", async (path, prefix, name) => {
    const { status, json } = await post(path, "Fan is stopped");
    const id = String((json["data"] as { id: number }).id);
    const summary = await get(path);
    expect([status, summary[`${prefix}CountLifetime`], summary[`${prefix}CountSinceNotice`]]).toEqual([200, 1, 1]);
    expect(summary[name]).toEqual({
      [id]: {
        timestamp: Math.floor(server.clock.now() / 1000),
        displayTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
        source: "sys",
        message: "Fan is stopped",
        count: 1,
        firstTimestamp: Math.floor(server.clock.now() / 1000),
        subject: null,
        mutedUntilTimestamp: null,
        mutedBy: null,
      },
    });
    expect(summary[`${prefix}LastDisplayTimestamp`]).toBe(
      (summary[name] as Record<string, { displayTimestamp: string }>)[id]?.displayTimestamp,
    );
    for (const other of ["errors", "warnings", "debug"].filter((each) => each !== path))
      expect(messagesOf(await get(other), other === "debug" ? "debugs" : other)).toEqual([]);
  });

  test("is from 1 to 4096 bytes", async () => {
    for (const [message, words] of [
      [undefined, "message: message is a text"],
      [7, "message: message is a text"],
      [" \n", "message: message is required"],
      ["x".repeat(4_097), "message: message has at most 4096 bytes"],
      ["é".repeat(2_049), "message: message has at most 4096 bytes"],
    ]) {
      const { status, json } = await post("errors", message);
      expect([status, json["errorMessage"]]).toEqual([400, words]);
    }
    expect((await post("errors", "x".repeat(4_096))).status).toBe(200);
    expect((await post("errors", "é".repeat(2_048))).status).toBe(200);
  });

  test("cannot forge a line of the log or of the list", async () => {
    const canary = 'ok\r\n{"level":60,"msg":"CANARY-91"}\u001b[2J\u202etxt\u0000';
    expect((await post("errors", canary)).status).toBe(200);
    expect(messagesOf(await get("errors"), "errors")).toEqual(['ok␍␊{"level":60,"msg":"CANARY-91"}␛[2J\\u202etxt␀']);
    expect(server.logText()).not.toContain("CANARY-91");
  });

  test("is one of ten a minute", async () => {
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await post("debug", `message ${count}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    server.clock.advance(61);
    expect((await post("debug", "again")).status).toBe(200);
  });

  test("is recorded without its text", async () => {
    await post("errors", "CANARY-92");
    const { rows } = await server.database.pool.query(
      "select * from activity where action = 'POST_SYSTEM_MESSAGE' order by id desc limit 1",
    );
    expect(rows[0]).toMatchObject({ actor: "sys", object: "error", description: "Added to the error messages" });
    expect(JSON.stringify(rows)).not.toContain("CANARY-92");
  });
});

describe("A-03 a failure of the console", () => {
  const failure = { id: "4F7A91C2", message: "TypeError: x is undefined", screen: "/customers", trace: "at Tree (assets/tree-B1.js:1:9)" };
  const report = (fields: object, by?: string) =>
    server.call({ method: "POST", url: "/api/console-errors", ...(by ? { token: by } : {}), payload: { ...failure, ...fields } });

  test("is in the errors under the id that the person reads, without secrets and forged lines", async () => {
    const by = await server.login(await server.addAdministrator("viewer", []));
    expect((await report({})).status).toBe(401);
    const message = "TypeError: no robin@works.example\npassword=CANARY-93 \u001b[2J";
    expect((await report({ message }, by)).status).toBe(200);
    const summary = await get("errors");
    expect(Object.values(summary["errors"] as object)).toMatchObject([
      {
        source: "viewer",
        message: "Console error 4F7A91C2 at /customers: TypeError: no [address]␊password=[left out] ␛[2J at Tree (assets/tree-B1.js:1:9)",
      },
    ]);
    expect(summary["errorCountLifetime"]).toBe(1);
  });

  test("has an id, a message and bounds", async () => {
    for (const [fields, words] of [
      [{ id: "4f7a91c2" }, "id: id is 8 hexadecimal digits"],
      [{ id: "<b>" }, "id: id is 8 hexadecimal digits"],
      [{ message: "" }, "message: message is required"],
      [{ message: "x".repeat(501) }, "message: message has at most 500 characters"],
      [{ screen: "x".repeat(201) }, "screen: screen has at most 200 characters"],
      [{ trace: "x".repeat(1_501) }, "trace: trace has at most 1500 characters"],
    ] as const) {
      const { status, json } = await report(fields, token);
      expect([status, json["errorMessage"]]).toEqual([400, words]);
    }
  });

  test("is one of five a minute of a person, and of twenty of all", async () => {
    const people = await Promise.all(
      Array.from({ length: 5 }, async (_, index) => server.login(await server.addAdministrator(`flood${index}`, []))),
    );
    const statuses: number[][] = [];
    for (const by of people) {
      statuses.push([]);
      for (let count = 0; count < 6; count++) statuses.at(-1)?.push((await report({}, by)).status);
    }
    const five = [200, 200, 200, 200, 200, 429];
    expect(statuses).toEqual([five, five, five, five, [429, 429, 429, 429, 429, 429]]);
    server.clock.advance(61);
    expect((await report({}, people[4])).status).toBe(200);
  });
});

test("SYS-04 10,000 errors stay 1,000, the newest; the others count as overflow", async () => {
  const store = createSystemMessagesStore(server.database.pool);
  for (let batch = 0; batch < 10; batch++) {
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      at: 1_790_000_000 + index,
      source: "log",
      message: `error ${batch * 1_000 + index}`,
    }));
    await store.addAlone("error", entries, 0);
  }
  const summary = await get("errors");
  expect([summary["errorCountLifetime"], summary["errorCountOverflow"]]).toEqual([10_000, 9_000]);
  const kept = messagesOf(summary, "errors");
  expect([kept.length, kept.includes("error 9999"), kept.includes("error 9000"), kept.includes("error 8999")]).toEqual([
    1_000,
    true,
    true,
    false,
  ]);
});

test("the time of the last error is that of the newest, in whatever order they are written", async () => {
  const store = createSystemMessagesStore(server.database.pool);
  await store.addAlone("error", [{ at: 1_790_000_900, source: "log", message: "newer" }], 0);
  await store.addAlone("error", [{ at: 1_790_000_100, source: "log", message: "older, written later" }], 0);
  expect((await get("errors"))["errorLastTimestamp"]).toBe(1_790_000_900);
});

test("20 writers at once lose nothing and keep no more than 1,000", async () => {
  const store = createSystemMessagesStore(server.database.pool);
  const entriesOf = (writer: number) =>
    Array.from({ length: 100 }, (_, index) => ({ at: 1_790_000_000, source: "log", message: `x ${writer} ${index}` }));
  await Promise.all(Array.from({ length: 20 }, (_, writer) => store.addAlone("warning", entriesOf(writer), 0)));
  const summary = await get("warnings");
  expect([summary["warningCountLifetime"], summary["warningCountOverflow"], messagesOf(summary, "warnings").length]).toEqual([
    2_000, 1_000, 1_000,
  ]);
});

describe("SYS-04 the log's warnings and errors", () => {
  const line = (level: number, more: object) => JSON.stringify({ level, time: 1_790_000_000_500, ...more });

  test("reach the pages, what is less does not", async () => {
    const feed = createLogFeed();
    const collector = createLogCollector(feed, createSystemMessagesStore(server.database.pool));
    feed.write(line(30, { msg: "info" }));
    feed.write(line(40, { msg: "the broker is slow" }));
    feed.write(line(50, { msg: "service failed", service: "Sweeper", err: { message: "no\npaper", stack: "CANARY-STACK" } }));
    feed.write(line(60, { err: { message: "fatal" } }));
    await collector.tick();
    expect(messagesOf(await get("warnings"), "warnings")).toEqual(["the broker is slow"]);
    const errors = await get("errors");
    expect(messagesOf(errors, "errors").sort()).toEqual(["fatal", "service Sweeper: service failed: no␊paper"]);
    expect(errors["errorLastTimestamp"]).toBe(1_790_000_000);
    expect(JSON.stringify(errors)).not.toContain("CANARY-STACK");
  });

  test("A-63 reach them by themselves once a process collects", async () => {
    const log = createLog("silent");
    const process = await createTestApp({ DATA_DIR: server.dataDir }, { log, database: server.database });
    log.warn("too early");
    expect(messagesOf(await get("warnings"), "warnings")).toEqual([]);
    process.context.startCollecting();
    await vi.waitFor(async () => expect(messagesOf(await get("warnings"), "warnings")).toEqual(["too early"]));
    log.error({ file: "a.txt" }, "too late");
    await process.stop();
    expect(messagesOf(await get("errors"), "errors")).toEqual(["file a.txt: too late"]);
  });

  test("wait while the database is away, and those there is no room for are counted", async () => {
    const feed = createLogFeed();
    const real = createSystemMessagesStore(server.database.pool);
    let isAway = true;
    const collector = createLogCollector(feed, {
      ...real,
      addAlone: (...given) => (isAway ? Promise.reject(new Error("away")) : real.addAlone(...given)),
    });
    feed.write(line(50, { msg: "first" }));
    await collector.tick();
    for (let count = 0; count < 1_200; count++) feed.write(line(50, { msg: `later ${count}` }));
    await collector.tick();
    isAway = false;
    await collector.tick();
    await collector.tick();
    const summary = await get("errors");
    expect([summary["errorCountLifetime"], messagesOf(summary, "errors").length]).toEqual([1_201, 1_000]);
  });

  test("A-63 those that came while the others were reported are still to be reported", async () => {
    const store = createSystemMessagesStore(server.database.pool);
    await store.addAlone(
      "error",
      [1, 2, 3].map((at) => ({ at, source: "log", message: `error ${at}` })),
      0,
    );
    const since = async () => (await store.counts("error")).sinceNotice;
    await store.noteNotice({ error: 2, warning: 0, debug: 0 });
    expect(await since()).toBe(1);
    await store.noteNotice({ error: 9, warning: 0, debug: 0 });
    expect(await since()).toBe(0);
  });

  test("A-63 that were stored before a failure are not stored again", async () => {
    const feed = createLogFeed();
    const real = createSystemMessagesStore(server.database.pool);
    let isAway = true;
    const collector = createLogCollector(feed, {
      ...real,
      addAlone: (kind, ...given) => (isAway && kind === "warning" ? Promise.reject(new Error("away")) : real.addAlone(kind, ...given)),
    });
    for (let count = 0; count < 1_200; count++) feed.write(line(50, { msg: `error ${count}` }));
    feed.write(line(40, { msg: "the only one" }));
    await collector.tick();
    isAway = false;
    await collector.tick();
    await collector.tick();
    const [errors, warnings] = [await get("errors"), await get("warnings")];
    expect([errors["errorCountLifetime"], errors["errorCountOverflow"], warnings["warningCountLifetime"]]).toEqual([1_200, 200, 1]);
  });
});

describe("A-08 messages of the system", () => {
  const line = (level: number, seconds: number, more: object) =>
    JSON.stringify({ level, time: (1_790_000_000 + seconds) * 1_000, ...more });
  const collect = async (...lines: string[]) => {
    const feed = createLogFeed();
    for (const one of lines) feed.write(one);
    await createLogCollector(feed, createSystemMessagesStore(server.database.pool)).tick();
  };
  const listed = async (path = "warnings") => Object.entries((await get(path))[path] as Record<string, SystemMessage>).toReversed();
  const mute = (id: string, hours: unknown, by = token) =>
    server.call({ method: "POST", url: `/api/system/messages/${id}/mute`, token: by, payload: { hours } });

  test("A-08 equal ones are one row with a count, the first and the last time, and the newest figure", async () => {
    const drift = (seconds: number, serial: number, skewMs: number) =>
      line(40, seconds, { serial, skewMs, msg: "CLOCK_DRIFT: its clock is away from ours" });
    await collect(drift(0, 18_003, 9_000), drift(5, 18_004, 3_000), drift(9, 18_003, 9_400));
    await collect(drift(60, 18_003, -9_700));
    expect(
      (await listed()).map(([, { message, count, firstTimestamp, timestamp, subject }]) => [
        message,
        count,
        firstTimestamp,
        timestamp,
        subject,
      ]),
    ).toEqual([
      [
        "node 18003: CLOCK_DRIFT: its clock is away from ours (skew -9.7 s)",
        3,
        1_790_000_000,
        1_790_000_060,
        { kind: "node", id: "18003" },
      ],
      ["node 18004: CLOCK_DRIFT: its clock is away from ours (skew 3.0 s)", 1, 1_790_000_005, 1_790_000_005, { kind: "node", id: "18004" }],
    ]);
    expect(await get("warnings")).toMatchObject({ warningCountLifetime: 4, warningCountOverflow: 0 });
  });

  test.each([
    [
      { serial: 18_003, topic: "spBv1.0/x", reason: "bad-seq", msg: "its message is quarantined" },
      "node 18003: its message is quarantined (topic spBv1.0/x, reason bad-seq)",
      "node",
    ],
    [
      { file: "a.cfg", failure: "broken", msg: "an event file could not be read" },
      "file a.cfg: an event file could not be read (failure broken)",
      "file",
    ],
    [
      { notification: 7, recipient: "a@b.example", attempts: 9, msg: "mail given up" },
      "recipient a@b.example: mail given up (notification 7, attempts 9)",
      "recipient",
    ],
    [
      { service: "DataAnalysis", node: "18003", tries: 2, reason: "no", msg: "set aside" },
      "node 18003: set aside: DataAnalysis (tries 2, reason no)",
      "node",
    ],
    [{ service: "Sweeper", seconds: 700, msg: "service takes too long" }, "service Sweeper: service takes too long (for 700 s)", "service"],
    [
      { serial: 0, reason: "unknown-node", msg: "its message is quarantined" },
      "its message is quarantined (reason unknown-node)",
      undefined,
    ],
    [{ msg: "the broker is slow", suppressed: 4 }, "the broker is slow (4 more like it were not written)", undefined],
    [{ msg: "the broker is slow", suppressed: 1 }, "the broker is slow (1 more like it was not written)", undefined],
  ])("A-08 %j names what it is about and its figures", async (fields, words, kind) => {
    await collect(line(40, 0, fields));
    const [[, message] = []] = await listed();
    expect([message?.message, message?.subject?.kind]).toEqual([words, kind]);
  });

  test("A-08 one is muted for a time with all its equals, and unmuted", async () => {
    const noise = () => collect(line(40, 0, { serial: 18_003, msg: "noise" }));
    await noise();
    const [id = ""] = (await listed())[0] ?? [];
    const until = Math.floor(server.clock.now() / 1000) + 86_400;
    expect((await mute(id, 24)).json["data"]).toEqual({ mutedUntilTimestamp: until });
    await noise();
    const [[next, message] = []] = await listed();
    expect([message?.count, message?.mutedUntilTimestamp]).toEqual([2, until]);
    expect((await mute(next ?? "", 0)).json["data"]).toEqual({ mutedUntilTimestamp: null });
    expect((await mute(id, 1)).status).toBe(404);
    expect((await mute(next ?? "", 721)).json["errorMessage"]).toBe("hours: hours is 0 to 720");
    expect((await mute(next ?? "", 1, await server.login(await server.addAdministrator("plain")))).status).toBe(403);
    const { rows } = await server.database.pool.query(
      "select object, description from activity where action = 'MUTE_SYSTEM_MESSAGE' order by id",
    );
    expect(rows.map(({ description }: { description: string }) => description)).toEqual([
      "Muted a message for 24 hours",
      "Ended the mute of a message",
    ]);
  });
});

test("A-08 what is muted is listed with who muted it and until when, until it ends by itself", async () => {
  const muted = async () => (await get("messages/muted")) as unknown as MutedMessage[];
  await post("errors", "noise of pump 7");
  await post("warnings", "noise of pump 8");
  const mute = async (kind: "errors" | "warnings", hours: number) => {
    const [id = ""] = Object.keys((await get(kind))[kind] as object);
    await server.call({ method: "POST", url: `/api/system/messages/${id}/mute`, token, payload: { hours } });
  };
  await mute("errors", 24);
  await mute("warnings", 1);
  await post("errors", "noise of pump 7");
  expect((await muted()).map(({ kind, message, mutedBy, count }) => [kind, message, mutedBy, count])).toEqual([
    ["warning", "noise of pump 8", "sys", 1],
    ["error", "noise of pump 7", "sys", 2],
  ]);
  server.clock.advance(3_600);
  token = await server.login(person);
  expect((await muted()).map(({ kind }) => kind)).toEqual(["error"]);
  await mute("errors", 0);
  expect(await muted()).toEqual([]);
});

describe("A-08 what is new since a person looked", () => {
  const see = async (kind: string, id: number, by = token) =>
    (await server.call({ method: "POST", url: "/api/system/messages/seen", token: by, payload: { kind, id } })).json;
  const seenThrough = async (by = token) =>
    ((await server.call({ method: "GET", url: "/api/system/errors", token: by })).json["data"] as ErrorSummary).seenThrough;
  const posted = async (text: string) => ((await post("errors", text)).json["data"] as { id: number }).id;

  test("is kept for the person, of each kind, and never goes back", async () => {
    const other = await server.login(await server.addAdministrator("looker", ["systemAdministrator"]));
    expect(await seenThrough()).toBeNull();
    const [first, second] = [await posted("one"), await posted("two")];
    expect((await see("error", second))["data"]).toEqual({ seenThrough: second });
    expect((await see("error", first))["data"]).toEqual({ seenThrough: second });
    expect([await seenThrough(), await seenThrough(other), (await get("warnings"))["seenThrough"]]).toEqual([second, null, null]);
  });

  test("is an equal one too that came again, and what was not there yet", async () => {
    const id = await posted("again");
    expect((await see("error", 2_147_483_647))["data"]).toEqual({ seenThrough: id });
    expect(await posted("again")).toBeGreaterThan((await seenThrough())!);
    expect((await see("notice", 1))["errorMessage"]).toBe("kind: kind is one of error, warning, debug");
  });

  test("is what came of its kind, even where another kind has newer ones", async () => {
    const { id } = (await post("warnings", "a warning")).json["data"] as { id: number };
    expect(await posted("a newer error")).toBeGreaterThan(id);
    expect((await see("warning", 2_147_483_647))["data"]).toEqual({ seenThrough: id });
  });
});

describe("SYS-04 the debug mail", () => {
  const send = () => server.call({ method: "POST", url: "/api/system/debug/send", token });

  test("really goes to the caller, with what came since the last one", async () => {
    await post("errors", "pump 7 stopped\r\nBcc: evil@example.com");
    await post("debug", "noted");
    expect((await send()).json["data"]).toEqual({ recipients: ["sys@busbar.example"], isSent: true, reason: null });
    const message = mail.messages.at(-1)!;
    expect(message.recipients).toEqual(["sys@busbar.example"]);
    expect(message.email.subject).toMatch(/^Busbar debug report \d{4}-/);
    expect(message.email.text).toContain("[sys] pump 7 stopped␍␊Bcc: evil@example.com");
    expect(message.email.text).toMatch(/Memory: \d+ of \d+ MB used/);
    expect((await get("errors"))["errorCountSinceNotice"]).toBe(0);
    await send();
    expect(mail.messages.at(-1)!.email.text).not.toContain("pump 7");
    const { rows } = await server.database.pool.query("select kind, sent_success from notification where kind = 'DEBUG_REPORT'");
    expect(rows).toEqual([
      { kind: "DEBUG_REPORT", sent_success: true },
      { kind: "DEBUG_REPORT", sent_success: true },
    ]);
  });

  test("goes to whom the setting says; what the mail server refuses is reported, and nothing counts as reported", async () => {
    await server.database.pool.query(
      "insert into system_config (key, value) values ('System_debugRecipients', '\"ops@busbar.example, night@busbar.example\"')",
    );
    await post("warnings", "low oil");
    for (const behaviour of ["refuse", "busy"] as const) {
      mail.behaviour = behaviour;
      const { recipients, isSent, reason } = (await send()).json["data"] as { recipients: string[]; isSent: boolean; reason: string };
      mail.behaviour = "take";
      expect([recipients, isSent]).toEqual([["ops@busbar.example", "night@busbar.example"], false]);
      expect(reason).toMatch(/^SMTP: /);
      expect((await get("warnings"))["warningCountSinceNotice"]).toBe(1);
    }
    await server.database.pool.query("delete from system_config");
  });
});

import type { Activity, ActivityPage, LiveActivity, LoginEvent, NotificationPage } from "@busbar/contract/system/feeds.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { createActivityFeed } from "./activity-feed.read-model.ts";
import { createActivityTally } from "./activity-tally.task.ts";
import { feedsHandlers, type FeedsDependencies } from "./feeds.handlers.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query("truncate activity, activity_tally restart identity");
  await server.database.pool.query("update activity_tally_state set settled_block = 0, seen_block = 0, seen_xid = '0'");
});

const get = async <T>(path: string): Promise<T> => {
  const { status, json, text } = await server.call({ method: "GET", url: `/api${path}`, token });
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as T;
};
/** Every third is an event of node 10001 or 10002, each described by its number; the newest has the highest. */
const addActivities = (count: number, offset = 0) =>
  server.database.pool.query(
    `insert into activity (ts, actor_type, actor, action, description)
     select to_timestamp(1790000000 + n), case when n % 3 = 0 then 'ApiKey' else 'User' end,
       case when n % 3 = 0 then (10001 + n / 3 % 2)::text else 'kim' end, case when n % 3 = 0 then 'POST_CUSTOMER_GP_EVENT' else 'LOGIN' end, n::text
     from generate_series($2::int + 1, $2::int + $1::int) n`,
    [count, offset],
  );
const numbers = ({ activities }: ActivityPage) => activities.map(({ description }) => Number(description));
const range = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, index) => from - index * step);

test("SEC-01 feeds need a session, and no role", async () => {
  for (const path of ["/activities", "/notifications", "/sessions/history/recent", "/system/activities"])
    expect((await server.call({ method: "GET", url: `/api${path}` })).status).toBe(401);
});

describe("API-03 from and count", () => {
  test.each(["from=0", "from=-1", "from=1.5", "from=x", "from=1000000000", "count=0", "count=101", "count="])(
    "%s is refused",
    async (query) => {
      for (const path of ["/activities", "/notifications"])
        expect((await server.call({ method: "GET", url: `/api${path}?${query}`, token })).status).toBe(400);
    },
  );
  test.each([`actor=${"x".repeat(65)}`, "actor=", "action=login", "action=A-B"])("%s is refused", async (query) => {
    expect((await server.call({ method: "GET", url: `/api/activities?${query}`, token })).status).toBe(400);
  });
});

test("A-63 who reads other names finds by them, however many people did something", async () => {
  const { pool } = server.database;
  await pool.query(
    "insert into activity (actor_type, actor, action, description) select 'User', 'a' || n, 'LOGIN', n::text from generate_series(1001, 3002) n",
  );
  const handlers = feedsHandlers({ activities: createActivityFeed(pool) } as FeedsDependencies);
  const asShown = ({ actor }: { actor: string }) => ({ actor: `Person ${actor.slice(1)}` });
  const found = (actor: string) =>
    handlers.getActivities({ query: { from: 1, count: 10, actor } }, { asShown } as never) as Promise<ActivityPage>;
  expect(
    await Promise.all(["Person 1001", "Person 2001", "Person 3002", "a1001"].map(async (actor) => numbers(await found(actor)))),
  ).toEqual([[1001], [2001], [3002], []]);
});

test("FEE-02 activities, newest first, ten unless asked otherwise", async () => {
  await addActivities(25);
  const first = await get<ActivityPage>("/activities");
  expect([first.from, first.count, first.total, numbers(first)]).toEqual([1, 10, 25, range(25, 10)]);
  expect(first.activities[0]).toEqual({
    timestamp: 1_790_000_025,
    description: "25",
    actorType: "User",
    actor: "kim",
    action: "LOGIN",
    object: "",
  } satisfies Activity);
  expect(numbers(await get<ActivityPage>("/activities?from=21&count=20"))).toEqual(range(5, 5));
  expect(numbers(await get<ActivityPage>("/activities?from=26&count=20"))).toEqual([]);
});

test("FEE-02 GP node events of one node, or of all", async () => {
  await addActivities(60);
  const all = await get<ActivityPage>("/activities?action=POST_CUSTOMER_GP_EVENT&from=1&count=20");
  expect([all.total, numbers(all)]).toEqual([20, range(60, 20, 3)]);
  const one = await get<ActivityPage>("/activities?actor=10001&action=POST_CUSTOMER_GP_EVENT&from=1&count=20");
  expect([one.total, numbers(one)]).toEqual([10, range(60, 10, 6)]);
  const none = await get<ActivityPage>("/activities?action=POST_CUSTOMER_GP_WAVEFORM");
  expect([none.total, none.activities]).toEqual([0, []]);
});

/** Blocks that a round counted; transactions of other tests' databases may hold it back. */
const countBlocks = async () => {
  const result = await createActivityTally(server.database.pool, server.clock).run(new AbortController().signal);
  return typeof result === "number" ? result : result.processedCount;
};

test("FEE-02 FEE-03 pages are the same before and after the blocks are counted, at every depth, with gaps in the ids", async () => {
  await addActivities(20_000);
  await server.database.pool.query("delete from activity where id % 7 = 0 or id between 9000 and 9500");
  const { rows } = await server.database.pool.query<{ n: number; action: string }>(
    "select description::int as n, action from activity order by id desc",
  );
  const check = async () => {
    for (const action of ["", "LOGIN", "POST_CUSTOMER_GP_EVENT"]) {
      const expected = rows.filter((row) => action === "" || row.action === action).map(({ n }) => n);
      for (const from of [1, 2, 3_500, 4_096, 4_097, 9_999, expected.length - 9, expected.length, expected.length + 1]) {
        const page = await get<ActivityPage>(`/activities?from=${from}&count=10${action && `&action=${action}`}`);
        expect([action, from, page.total, numbers(page)]).toEqual([action, from, expected.length, expected.slice(from - 1, from + 9)]);
      }
    }
  };
  await check();
  await expect.poll(countBlocks).toBe(4);
  await check();
});

test("a block is not counted while a transaction that may still write into it is open", async () => {
  await addActivities(4_000);
  const client = await server.database.pool.connect();
  await client.query("begin");
  await client.query("insert into activity (actor_type, actor, action, description) values ('User', 'slow', 'LOGIN', '0')");
  await addActivities(1_000, 4_000);
  await countBlocks();
  expect(await countBlocks()).toBe(0);
  expect((await get<ActivityPage>("/activities")).total).toBe(5_000);
  await client.query("commit");
  client.release();
  await expect.poll(countBlocks).toBe(1);
  expect((await get<ActivityPage>("/activities")).total).toBe(5_001);
});

test("FEE-01 notifications with recipients, body, and why one was not sent", async () => {
  await server.database.pool.query(
    `insert into notification (kind, subject, recipients_to, recipients_cc, recipients_bcc, body, created_at, sent_at, sent_success, sent_failed_reason, message_id)
     select 'TEST', 'Subject ' || n, '{a@x.example,b@x.example}', '{c@x.example}', '{d@x.example}', 'Body ' || n, to_timestamp(1790000000), to_timestamp(1790000000 + n),
       n % 2 = 0, case when n % 2 = 1 then 'No recipients' end, '<' || n || '@x>' from generate_series(1, 12) n`,
  );
  const page = await get<NotificationPage>("/notifications?from=1&count=10");
  expect([page.from, page.count, page.total, page.notifications.length]).toEqual([1, 10, 12, 10]);
  expect(page.notifications[1]).toEqual({
    id: expect.any(Number),
    timestamp: 1_790_000_011,
    kind: "TEST",
    subject: "Subject 11",
    recipientsTo: ["a@x.example", "b@x.example"],
    recipientsCc: ["c@x.example"],
    recipientsBcc: ["d@x.example"],
    body: "Body 11",
    sentSuccess: false,
    sentFailedReason: "No recipients",
  });
  expect((await get<NotificationPage>("/notifications?from=11")).notifications.map(({ subject }) => subject)).toEqual([
    "Subject 2",
    "Subject 1",
  ]);
});

test("FEE-02 recent logins with refused ones, the person's customer and whether it is an administrator", async () => {
  await server.login("watcher");
  await server.call({
    method: "POST",
    url: "/api/sessions/administrator",
    payload: { email: "Watcher@busbar.example", password: "wrong" },
  });
  await server.call({ method: "POST", url: "/api/sessions/administrator", payload: { username: "unknown", password: "wrong" } });
  await server.database.pool.query("insert into customer (code, name) values ('rowan', 'Rowan')");
  await server.addUser("customerperson", (await server.database.pool.query<{ id: number }>("select id from customer")).rows[0]!.id);
  await server.database.pool.query(
    "insert into activity (actor_type, actor, action, description) values ('User', 'customerperson', 'LOGIN', 'Signed in'), ('User', 'watcher', 'LOGOUT', 'Signed out')",
  );
  const events = await get<LoginEvent[]>("/sessions/history/recent");
  expect(events.map(({ customerCode, administrator, username, success }) => ({ customerCode, administrator, username, success }))).toEqual([
    { customerCode: "rowan", administrator: false, username: "customerperson", success: true },
    { customerCode: null, administrator: false, username: "unknown", success: false },
    { customerCode: null, administrator: true, username: "watcher", success: false },
    { customerCode: null, administrator: true, username: "watcher", success: true },
  ]);
  expect(await get<LoginEvent[]>("/sessions/history/recent?count=1")).toHaveLength(1);
  await addActivities(60);
  expect(await get<LoginEvent[]>("/sessions/history/recent")).toHaveLength(20);
});

test("FEE-02 one sign-in is one line, also when one person's e-mail is another one's username", async () => {
  // As such names may be in a database from before they were one space.
  await server.database.pool.query("alter table app_user disable trigger claim_login_names");
  await server.addAdministrator("watcher@busbar.example");
  await server.database.pool.query("alter table app_user enable trigger claim_login_names");
  await server.database.pool.query(
    "insert into activity (actor_type, actor, action, description) values ('User', 'watcher@busbar.example', 'LOGIN', 'Signed in')",
  );
  const events = await get<LoginEvent[]>("/sessions/history/recent");
  expect(events.map(({ username }) => username)).toEqual(["watcher@busbar.example"]);
});

test("SYS-06 live activity shows the latest and who and what is connected", async () => {
  await addNode(server.database.pool, 20001);
  await addNode(server.database.pool, 20002);
  await setLive(server.database.pool, 20001, { is_connected: true });
  await server.context.fleet.runTick();
  await addActivities(60);
  const live = await get<LiveActivity>("/system/activities");
  expect([live.nodeCount, live.connectedNodeCount, live.activeSessionCount]).toEqual([2, 1, 1]);
  expect(live.activities.map(({ description }) => Number(description))).toEqual(range(60, 50));
  // Someone who has done nothing for half an hour is not there.
  await server.login(await server.addAdministrator("idle"));
  const people = async () => (await get<LiveActivity>("/system/activities")).activeSessionCount;
  expect(await people()).toBe(2);
  server.clock.advance(1_200);
  expect(await people()).toBe(2);
  server.clock.advance(700);
  expect(await people()).toBe(1);
});

describe("A-22 feeds are in the order of the time that they show", () => {
  const pool = () => server.database.pool;
  /** Each number is shown at `seconds(n)`, whatever its id; `n` is written in a shuffled order. */
  const addShuffled = (count: number, seconds: string) =>
    pool().query(
      `insert into activity (ts, actor_type, actor, action, description)
       select to_timestamp(${seconds}), 'User', 'kim', case when n % 3 = 0 then 'POST_CUSTOMER_GP_EVENT' else 'LOGIN' end, n::text
       from generate_series(1, $1::int) n order by md5(n::text)`,
      [count],
    );
  const order = async () =>
    (await pool().query<{ n: number; action: string }>("select description::int as n, action from activity order by ts desc, id desc"))
      .rows;

  test("A-22 pages of all, of an action and of an actor at every depth, counted and not yet counted, over days, with equal times", async () => {
    // 20,000 in two weeks, always five at the same second.
    await addShuffled(20_000, "1790000000 + n / 5 * 300");
    const rows = await order();
    const check = async () => {
      for (const [filter, matches] of [
        ["", () => true],
        ["&action=LOGIN", ({ action }) => action === "LOGIN"],
        ["&actor=kim&action=LOGIN", ({ action }) => action === "LOGIN"],
        ["&actor=kim", () => true],
      ] as [string, (row: { action: string }) => boolean][]) {
        const expected = rows.filter(matches).map(({ n }) => n);
        for (const from of [1, 8, 61, 4_097, 9_999, expected.length - 9, expected.length + 1]) {
          const page = await get<ActivityPage>(`/activities?from=${from}&count=10${filter}`);
          expect([filter, from, page.total, numbers(page)]).toEqual([filter, from, expected.length, expected.slice(from - 1, from + 9)]);
        }
      }
    };
    await check();
    await expect.poll(countBlocks).toBe(4);
    await check();
    // One that is written late, with a time long counted.
    await pool().query(
      "insert into activity (ts, actor_type, actor, action, description) values (to_timestamp(1790300001), 'User', 'kim', 'LOGIN', '0')",
    );
    rows.splice(0, rows.length, ...(await order()));
    await check();
  });

  test("A-22 whoever pages sees each row once while others are written, also such with older times", async () => {
    await addShuffled(95, "1790000000 + n / 4");
    const expected = (await order()).map(({ n }) => n);
    for (const filter of ["", "&actor=kim"]) {
      const seen: number[] = [];
      let newest: number | undefined;
      for (let from = 1; from <= 95; from += 10) {
        const page = await get<ActivityPage>(`/activities?from=${from}&count=10${filter}${newest === undefined ? "" : `&upTo=${newest}`}`);
        newest ??= page.newest;
        seen.push(...numbers(page));
        expect([page.total, page.newest]).toEqual([95, newest]);
        await pool().query(
          `insert into activity (ts, actor_type, actor, action, description)
           select to_timestamp(t), 'User', 'kim', 'LOGIN', '-1' from unnest($1::float8[]) t`,
          [[1_790_000_000 + from / 4, 1_790_009_999 + from]],
        );
      }
      expect(seen).toEqual(expected);
      await pool().query("delete from activity where description = '-1'");
    }
  });

  test("A-22 Live Activity and the logins, equal times by what was written last", async () => {
    await addShuffled(60, "1790000000 + n / 7");
    const rows = await order();
    const live = await get<LiveActivity>("/system/activities");
    expect(live.activities.map(({ description }) => Number(description))).toEqual(rows.slice(0, 50).map(({ n }) => n));
    const logins = await get<LoginEvent[]>("/sessions/history/recent?count=30");
    expect(logins.map(({ description }) => Number(description))).toEqual(
      rows
        .filter(({ action }) => action === "LOGIN")
        .slice(0, 30)
        .map(({ n }) => n),
    );
  });

  test("A-22 notifications by when they were sent, else written; a page does not move while others are written", async () => {
    await pool().query("truncate notification restart identity cascade");
    const add = (subject: string, created: number, sent: number | null) =>
      pool().query(
        `insert into notification (kind, subject, body, created_at, sent_at, message_id)
         values ('TEST', $1, '', to_timestamp($2), to_timestamp($3), $1)`,
        [subject, created, sent],
      );
    await add("written first, sent last", 1_790_000_001, 1_790_000_090);
    await add("waits", 1_790_000_050, null);
    await add("tie 1", 1_790_000_010, 1_790_000_020);
    await add("tie 2", 1_790_000_011, 1_790_000_020);
    const subjects = ({ notifications }: NotificationPage) => notifications.map(({ subject }) => subject);
    const first = await get<NotificationPage>("/notifications?count=2");
    expect(subjects(first)).toEqual(["written first, sent last", "waits"]);
    expect(first.notifications.map(({ timestamp }) => timestamp)).toEqual([1_790_000_090, 1_790_000_050]);
    await add("new", 1_790_000_100, 1_790_000_101);
    const second = await get<NotificationPage>(`/notifications?count=2&from=3&upTo=${first.newest}`);
    expect([subjects(second), second.total]).toEqual([["tie 2", "tie 1"], 4]);
    expect(subjects(await get<NotificationPage>("/notifications?count=1"))).toEqual(["new"]);
  });
});

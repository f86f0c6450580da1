import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { silentLog } from "#lib/log.ts";
import { smtpStages, startFaultyMailServer, type FaultyMailServer, type SmtpFault, type SmtpStage } from "#testing/faulty-mail-server.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { startTestMailServer } from "#testing/test-mail-server.ts";
import { createMailTransport } from "./mail-transport.ts";
import { createMail } from "./mail.service.ts";
import { createNotificationSender } from "./notification-sender.task.ts";
import { createMailStore } from "./mail.store.ts";

let database: TestDatabase;
let smtp: FaultyMailServer;
const clock = createManualClock();
const never = new AbortController().signal;
const from = "no-reply@busbar.example";

beforeAll(async () => {
  database = await createTestDatabase();
  smtp = await startFaultyMailServer();
});
afterAll(async () => {
  await smtp.stop();
  await database.stop();
});
beforeEach(async () => {
  await database.pool.query("delete from notification");
  smtp.fault = undefined;
  smtp.received.length = 0;
});

const patient = { silenceMs: 30_000, handoverMs: 60_000 };
/** For a server that says nothing, or never enough. */
const impatient = { silenceMs: 150, handoverMs: 600 };

function mailTo(url = smtp.url, times = patient) {
  const transport = createMailTransport(url, from, times);
  return createMail({
    store: createMailStore(database.pool),
    transport,
    clock,
    log: silentLog,
    domain: "busbar.example",
    consoleUrl: () => "https://busbar.example",
  });
}
const enqueue = (to: string[] = ["one@customer.example"]) =>
  inTransaction(database.pool, (client) => mailTo().enqueue(client, { kind: "TEST", to, subject: "A subject", body: "A body\n" }));
async function rows() {
  const result = await database.pool.query<{ isSent: boolean; reason: string | null; isOpen: boolean; to: string[]; attempts: number }>(
    `select sent_success as "isSent", sent_failed_reason as reason, next_attempt_at is not null as "isOpen", recipients_to as "to", attempts
     from notification order by id`,
  );
  return result.rows;
}
const openSockets = () => vi.waitFor(() => expect(smtp.connections()).toBe(0));

const temporary: readonly SmtpFault[] = ["hang", "close", "reset", "busy", "babble", "drip"];
const cases = smtpStages.flatMap((stage) => temporary.map((does) => [does, stage] as const));

describe("a mail server that fails for now", () => {
  test.each(cases)("and does %s at %s: the message is tried again and arrives, the connection is given back", async (does, stage) => {
    await enqueue();
    smtp.fault = { stage, does };
    const isSlow = does === "hang" || does === "drip";
    expect(await mailTo(smtp.url, isSlow ? impatient : patient).deliverDue(never)).toBe(1);
    const [row] = await rows();
    expect(row).toMatchObject({ isSent: false, isOpen: true, reason: expect.stringMatching(/^SMTP: \S/) });
    // oxlint-disable-next-line no-control-regex -- nothing of the kind may be in it
    expect(row?.reason).not.toMatch(/[\u0000-\u001f]/);
    await openSockets();
    smtp.fault = undefined;
    const had = smtp.received.length;
    // On a busy machine the silence can begin before the stage.
    expect(stage !== "body" ? [0] : isSlow ? [0, 1] : [1]).toContain(had);
    clock.advance(30);
    await mailTo().deliverDue(never);
    expect(await rows()).toMatchObject([{ isSent: true, isOpen: false, reason: null, attempts: 2 }]);
    // A server that had taken it before it failed has it twice, under one Message-ID.
    expect([smtp.received.length, new Set(smtp.received).size]).toEqual([had + 1, 1]);
  });
});

describe("a mail server that refuses for good", () => {
  test.each<[SmtpStage, boolean]>([
    ["greeting", true],
    ["EHLO", true],
    ["MAIL", false],
    ["RCPT", false],
    ["DATA", false],
    ["body", false],
  ])("at %s: tried again %s", async (stage, isOpen) => {
    await enqueue();
    smtp.fault = { stage, does: "refuse" };
    await mailTo().deliverDue(never);
    expect(await rows()).toMatchObject([{ isSent: false, isOpen, reason: expect.stringContaining("554") }]);
  });
});

test("while the server is away one message is tried at a time, and none is forgotten", async () => {
  for (let count = 0; count < 20; count++) await enqueue();
  smtp.fault = { stage: "greeting", does: "hang" };
  expect(await mailTo(smtp.url, impatient).deliverDue(never)).toBe(1);
  expect((await rows()).filter(({ attempts }) => attempts > 0)).toHaveLength(1);
  smtp.fault = undefined;
  clock.advance(30);
  expect(await mailTo().deliverDue(never)).toBe(20);
  expect(new Set(smtp.received).size).toBe(20);
});

test("SYS-03 while the server is away the service that sends fails and says why, also between two tries; refused messages are no failure of it", async () => {
  const sender = createNotificationSender(database.pool, mailTo(), clock);
  await enqueue();
  smtp.fault = { stage: "RCPT", does: "refuse" };
  expect(await sender.run(never)).toBe(1);
  for (let count = 0; count < 3; count++) await enqueue();
  smtp.fault = { stage: "greeting", does: "close" };
  const failed = { logEntry: expect.stringMatching(/^3 messages wait for the mail server\. SMTP: \S/), hasFailed: true };
  expect(await sender.run(never)).toEqual({ processedCount: 1, ...failed });
  await database.pool.query(
    "update notification set next_attempt_at = next_attempt_at + interval '1 hour' where next_attempt_at is not null",
  );
  expect(await sender.run(never)).toEqual({ processedCount: 0, ...failed });
  smtp.fault = undefined;
  clock.advance(3_700);
  expect(await sender.run(never)).toBe(3);
});

test("a message that is refused does not hold up those behind it", async () => {
  for (let count = 0; count < 3; count++) await enqueue();
  smtp.fault = { stage: "RCPT", does: "busy" };
  expect(await mailTo().deliverDue(never)).toBe(3);
  // One that a person sends at once counts as a try too.
  const { rows: found } = await database.pool.query<{ id: number }>("select id::int4 from notification order by id limit 1");
  expect(await mailTo().deliver(found[0]!.id)).toMatchObject({ outcome: "retried later", isServerAway: false });
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
});

test("a server that is away for a day is given up with its last word", async () => {
  await enqueue();
  smtp.fault = { stage: "greeting", does: "close" };
  let tries = 0;
  for (let hour = 0; hour < 30; hour++) {
    tries += await mailTo().deliverDue(never);
    clock.advance(3_600);
  }
  expect(tries).toBeLessThan(40);
  expect(await rows()).toMatchObject([{ isSent: false, isOpen: false, attempts: tries, reason: expect.stringMatching(/^SMTP: /) }]);
});

test("recipients that are refused for now get the message later, those that are refused for good never, the others once", async () => {
  const real = await startTestMailServer();
  real.unknown.add("gone@customer.example");
  real.busy.add("slow@customer.example");
  await enqueue(["one@customer.example", "gone@customer.example", "slow@customer.example"]);
  const mail = mailTo(real.url);
  await mail.deliverDue(never);
  expect(await rows()).toMatchObject([
    { isSent: true, reason: "SMTP: not taken for gone@customer.example; tried again later for slow@customer.example" },
    { isSent: false, isOpen: true, to: ["slow@customer.example"] },
  ]);
  clock.advance(30);
  await mail.deliverDue(never);
  real.busy.clear();
  clock.advance(3_600);
  await mail.deliverDue(never);
  expect(await rows()).toMatchObject([{ isSent: true }, { isSent: true, attempts: 3 }]);
  expect(real.messages.map(({ recipients }) => recipients)).toEqual([["one@customer.example"], ["slow@customer.example"]]);
  await real.stop();
});

test("a recipient that is refused for now for a whole day is given up", async () => {
  const real = await startTestMailServer();
  real.busy.add("slow@customer.example");
  await enqueue(["one@customer.example", "slow@customer.example"]);
  const mail = mailTo(real.url);
  await mail.deliverDue(never);
  clock.advance(86_400);
  await mail.deliverDue(never);
  expect(await rows()).toMatchObject([{ isSent: true }, { isSent: false, isOpen: false, reason: expect.stringContaining("450") }]);
  await database.pool.query("delete from notification");
  await enqueue(["one@customer.example", "slow@customer.example"]);
  clock.advance(86_400);
  await mail.deliverDue(never);
  expect(await rows()).toMatchObject([{ isSent: true, reason: "SMTP: not taken for slow@customer.example" }]);
  await real.stop();
});

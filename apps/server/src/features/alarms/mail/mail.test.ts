import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { startTestMailServer, type TestMailServer } from "#testing/test-mail-server.ts";
import { createMailTransport, type MailTransport } from "./mail-transport.ts";
import { createMail, type NewNotification } from "./mail.service.ts";
import { createMailStore } from "./mail.store.ts";
import { createNotificationSender } from "./notification-sender.task.ts";

let database: TestDatabase;
let smtp: TestMailServer;
const clock = createManualClock();
const from = "Busbar <no-reply@busbar.example>";
const never = new AbortController().signal;

beforeAll(async () => {
  database = await createTestDatabase();
  smtp = await startTestMailServer();
});
afterAll(async () => {
  await smtp.stop();
  await database.stop();
});
beforeEach(async () => {
  await database.pool.query("delete from notification");
  smtp.messages.length = 0;
  smtp.behaviour = "take";
});

function mailThrough(transport: MailTransport = createMailTransport(smtp.url, from)) {
  const mail = createMail({
    store: createMailStore(database.pool),
    transport,
    clock,
    log: silentLog,
    domain: "busbar.example",
    consoleUrl: () => "https://busbar.example",
  });
  const enqueue = (change: Partial<Extract<NewNotification, { screen?: never }>> = {}) =>
    inTransaction(database.pool, (client) =>
      mail.enqueue(client, { kind: "TEST", to: ["one@customer.example"], subject: "A subject", body: "A body\n", ...change }),
    );
  return {
    ...mail,
    enqueueNow: enqueue,
    run: async () => {
      const result = await createNotificationSender(database.pool, mail, clock).run(never);
      return typeof result === "number" ? result : result.processedCount;
    },
  };
}

async function rows() {
  const result = await database.pool.query<{
    sent_success: boolean;
    sent_failed_reason: string | null;
    attempts: number;
    is_open: boolean;
    wait: number;
  }>(
    `select sent_success, sent_failed_reason, attempts, next_attempt_at is not null as is_open,
       round(extract(epoch from next_attempt_at) - $1)::integer as wait from notification order by id`,
    [clock.now() / 1000],
  );
  return result.rows;
}

describe("the outbox", () => {
  test("sends to To, Cc and Bcc; no one reads who is on Bcc", async () => {
    const { enqueueNow, run } = mailThrough();
    await enqueueNow({
      cc: ["two@customer.example"],
      bcc: ["inner@busbar.example"],
      subject: "Pümpe läuft",
      body: "Zeile 1\n.\nZeile 3 €\n",
    });
    // It is of the time at which it was written, not of the time at which it goes out.
    const writtenAt = Math.floor(clock.now() / 1_000) * 1_000;
    clock.advance(100);
    expect(await run()).toBe(1);
    const [message] = smtp.messages;
    expect(message?.recipients).toEqual(["one@customer.example", "two@customer.example", "inner@busbar.example"]);
    expect(message?.raw).not.toContain("inner@busbar.example");
    expect(Date.parse(message?.email.date ?? "")).toBe(writtenAt);
    expect(message?.email).toMatchObject({ subject: "Pümpe läuft", from: { address: "no-reply@busbar.example", name: "Busbar" } });
    expect(message?.email.text?.trim()).toBe("Zeile 1\n.\nZeile 3 €");
    expect(await rows()).toEqual([{ sent_success: true, sent_failed_reason: null, attempts: 1, is_open: false, wait: null }]);
    expect(await run()).toBe(0);
  });

  test("of several that wait for one address the youngest is found, and none of another kind, another address or that was sent", async () => {
    const { enqueueNow, run, findOpen } = mailThrough();
    await enqueueNow();
    await run();
    const found = () => inTransaction(database.pool, (client) => findOpen(client, "TEST", "one@customer.example"));
    expect(await found()).toBeUndefined();
    await enqueueNow();
    const second = await enqueueNow();
    await enqueueNow({ kind: "OTHER" });
    await enqueueNow({ to: ["two@customer.example"] });
    await enqueueNow({ to: ["one@customer.example", "two@customer.example"] });
    expect(await found()).toBe(second);
  });

  test("a row of a transaction that failed was never there", async () => {
    const { enqueue, run } = mailThrough();
    const failing = inTransaction(database.pool, async (client) => {
      await enqueue(client, { kind: "TEST", to: ["one@customer.example"], subject: "x", body: "x" });
      throw new Error("the work failed");
    });
    await expect(failing).rejects.toThrow("the work failed");
    expect([await run(), smtp.messages.length]).toEqual([0, 0]);
  });

  test("one event makes one message, also when twenty report it at once", async () => {
    const { enqueueNow, run } = mailThrough();
    const ids = await Promise.all(Array.from({ length: 20 }, () => enqueueNow({ dedupeKey: "NODE_CONNECTED:10001:7" })));
    expect(ids.filter((id) => id !== undefined)).toHaveLength(1);
    await run();
    expect(await enqueueNow({ dedupeKey: "NODE_CONNECTED:10001:7" })).toBeUndefined();
    expect([await run(), smtp.messages.length]).toEqual([0, 1]);
  });

  test("a message goes out once though several processes send", async () => {
    const { enqueueNow, run } = mailThrough();
    for (let count = 0; count < 12; count++) await enqueueNow();
    const counts = await Promise.all([run(), mailThrough().run(), mailThrough().run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(12);
    expect(new Set(smtp.messages.map(({ email }) => email.messageId)).size).toBe(12);
    expect(smtp.messages).toHaveLength(12);
  });

  test("a process that dies between sending and marking sends again later, under the same Message-ID", async () => {
    const transport = createMailTransport(smtp.url, from);
    const dying = mailThrough({
      async send(message) {
        await transport.send(message);
        throw new Error("the process died");
      },
    });
    const id = await dying.enqueueNow();
    await expect(dying.deliverDue(never)).rejects.toThrow("the process died");
    const next = mailThrough();
    expect(await next.run()).toBe(0);
    clock.advance(121);
    expect(await next.run()).toBe(1);
    const ids = smtp.messages.map(({ email }) => email.messageId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect(await rows()).toMatchObject([{ sent_success: true, attempts: 2 }]);
    // A failure of the one that is late opens it no more.
    await createMailStore(database.pool).markFailed(id!, "too late", clock.now() / 1_000);
    expect(await rows()).toMatchObject([{ sent_success: true, sent_failed_reason: null, is_open: false }]);
  });
});

describe("a mail server", () => {
  test("that refuses the message for good is not asked again; its words are kept", async () => {
    smtp.behaviour = "refuse";
    const { enqueueNow, run } = mailThrough();
    await enqueueNow();
    await run();
    clock.advance(86_400);
    expect(await run()).toBe(0);
    expect(await rows()).toEqual([
      {
        sent_success: false,
        sent_failed_reason: expect.stringMatching(/^SMTP: .*550 No such mailbox here/),
        attempts: 1,
        is_open: false,
        wait: null,
      },
    ]);
  });

  test("that is busy is asked again, ever later, for a day", async () => {
    smtp.behaviour = "busy";
    const { enqueueNow, run } = mailThrough();
    await enqueueNow();
    const waits: number[] = [];
    for (let count = 0; count < 9; count++) {
      await run();
      const [row] = await rows();
      waits.push(row?.wait ?? 0);
      clock.advance(row?.wait ?? 0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    clock.advance(86_400);
    await run();
    expect(await rows()).toMatchObject([{ is_open: false, sent_failed_reason: expect.stringContaining("451") }]);
  });

  test("that takes some recipients and not others has sent, with a remark", async () => {
    smtp.unknown.add("gone@customer.example");
    const { enqueueNow, run } = mailThrough();
    await enqueueNow({ to: ["one@customer.example", "gone@customer.example"] });
    await run();
    expect(smtp.messages.map(({ recipients }) => recipients)).toEqual([["one@customer.example"]]);
    expect(await rows()).toMatchObject([{ sent_success: true, sent_failed_reason: "SMTP: not taken for gone@customer.example" }]);
  });

  test("that is not there, and none at all, are named as the reason", async () => {
    const gone = await startTestMailServer();
    await gone.stop();
    const absent = mailThrough(createMailTransport(gone.url, from));
    await absent.enqueueNow();
    await absent.run();
    expect(await rows()).toMatchObject([{ is_open: true, sent_failed_reason: expect.stringMatching(/^SMTP: .*ECONNREFUSED/) }]);
    await database.pool.query("delete from notification");
    const none = mailThrough(createMailTransport(undefined, from));
    await none.enqueueNow();
    await none.run();
    expect(await rows()).toMatchObject([{ is_open: true, sent_failed_reason: "SMTP: no mail server is configured (SMTP_URL)" }]);
  });

  test("that is away is a problem as long as a message waits for it, and none of one that comes later", async () => {
    const mail = mailThrough(createMailTransport("smtp://127.0.0.1:1", from));
    expect(await mail.problem()).toBeUndefined();
    await mail.enqueueNow();
    await mail.run();
    expect(await mail.problem()).toEqual({ reason: expect.stringContaining("ECONNREFUSED"), waiting: 1 });
    await database.pool.query("delete from notification");
    expect(await mail.problem()).toBeUndefined();
    await mail.enqueueNow();
    expect(await mail.problem()).toBeUndefined();
  });

  test("improper addresses are left out and named", async () => {
    const { enqueueNow, run } = mailThrough();
    await enqueueNow({ to: ["one@customer.example", "two@customer.example, three@customer.example"] });
    await run();
    expect(smtp.messages.map(({ recipients }) => recipients)).toEqual([["one@customer.example"]]);
    expect(await rows()).toMatchObject([{ sent_failed_reason: "SMTP: not taken for two@customer.example, three@customer.example" }]);
  });

  test("no one to send to is no message", async () => {
    const { enqueueNow, run } = mailThrough();
    await enqueueNow({ to: [] });
    await run();
    expect(await rows()).toMatchObject([{ is_open: false, sent_success: false, sent_failed_reason: "No recipients" }]);
  });

  test("that answers nothing any more is left after a while", async () => {
    smtp.behaviour = "hang";
    const { enqueueNow, run } = mailThrough(createMailTransport(smtp.url, from, { silenceMs: 200 }));
    await enqueueNow();
    await run();
    expect(await rows()).toMatchObject([{ is_open: true, sent_failed_reason: expect.stringMatching(/^SMTP: .*[Tt]imeout/) }]);
  });
});

test.each([
  ["subject", { subject: "Hi\r\nBcc: evil@evil.example\r\n\r\nbody" }],
  ["recipient", { to: ["a@customer.example\r\nBcc: evil@evil.example"] }],
  ["recipient's name", { to: ['"x\r\nBcc: evil@evil.example" <a@customer.example>'] }],
  ["several in one", { to: ["a@customer.example, evil@evil.example"] }],
  ["group", { to: ["friends: evil@evil.example;"] }],
  ["file", { body: "x", subject: "x", to: ["a@customer.example"], cc: ["</etc/passwd>"] }],
])("nothing in a %s adds a recipient or a header", async (_what, change) => {
  const { enqueueNow, run } = mailThrough();
  await enqueueNow(change);
  await run();
  for (const { recipients, email } of smtp.messages) {
    expect(recipients).not.toContain("evil@evil.example");
    expect(email.bcc ?? []).toEqual([]);
    expect(email.headers.filter(({ key }) => key === "bcc")).toEqual([]);
  }
});

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secretsKeyOf } from "#db/secrets-key.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { verifyPassword } from "#lib/passwords.ts";
import { hashRecoveryCode } from "#lib/recovery-codes.ts";
import { totpStep } from "#lib/totp.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { commands } from "./commands.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "busbar-admin-"));
});
afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

async function admin(name: string, subject: string, options: Record<string, string | boolean> = {}, secret = ""): Promise<string> {
  const lines: string[] = [];
  await commands.get(name)!.run({
    pool: database.pool,
    config: { mqttUrl: "mqtt://busbar:platform@127.0.0.1", nodeMqttUrl: "mqtts://nodes.example:8883" },
    secretsKey: secretsKeyOf(folder),
    subject,
    options,
    askSecret: () => Promise.resolve(secret),
    print: (line) => void lines.push(line),
  });
  return lines.join("\n");
}

const storedHash = async (username: string) =>
  (await database.pool.query<{ password_hash: string }>("select password_hash from app_user where username = $1", [username])).rows[0]
    ?.password_hash;

describe("administrators", () => {
  test("one is created with roles, password and 2FA", async () => {
    const said = await admin("create", "first", { email: "first@busbar.example", roles: "systemAdministrator" }, "Correct-horse-1");
    const { rows } = await database.pool.query("select is_administrator, roles, active_status from app_user where username = 'first'");
    expect(rows).toEqual([{ is_administrator: true, roles: ["systemAdministrator"], active_status: "ACTIVE" }]);
    expect(await storedHash("first")).toMatch(/^\$argon2id\$/);
    const secret = /secret=([A-Z2-7]+)/.exec(said)?.[1] ?? "";
    expect(totpStep(secret, await admin("totp", "first"), Date.now())).toBeDefined();
  });

  test("a changed password ends the sessions and lifts the limit", async () => {
    await admin("create", "second", { email: "second@busbar.example" }, "Correct-horse-2");
    await database.pool.query(
      `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
       select gen_random_uuid(), id, '{}', true, now(), now(), now() + interval '1 day', now() from app_user where username = 'second'`,
    );
    await database.pool.query("insert into sign_in_tries select 'account/' || id, 10, 50, now() from app_user where username = 'second'");
    await admin("password", "second", {}, "Correct-horse-3");
    expect(await verifyPassword(await storedHash("second"), "Correct-horse-3")).toBe(true);
    const { rows } = await database.pool.query(
      "select ends_at <= now() as ended from session s join app_user u on u.id = s.user_id where username = 'second'",
    );
    expect(rows).toEqual([{ ended: true }]);
    expect((await database.pool.query("select 1 from sign_in_tries")).rowCount).toBe(0);
  });

  test("a new 2FA secret replaces the old one", async () => {
    await admin("create", "third", { email: "third@busbar.example" }, "Correct-horse-4");
    const secret = /secret=([A-Z2-7]+)/.exec(await admin("totp", "third", { new: true }))?.[1] ?? "";
    expect(totpStep(secret, await admin("totp", "third"), Date.now())).toBeDefined();
  });

  test("SEC-03 one comes with ten recovery codes", async () => {
    const said = await admin("create", "fourth", { email: "fourth@busbar.example", roles: "accountsAdministrator" }, "Correct-horse-5");
    const codes = said
      .split("\n")
      .filter((line) => line.startsWith("  "))
      .map((line) => line.trim());
    const { rows: stored } = await database.pool.query<{ code_hash: Buffer }>(
      "select code_hash from recovery_code c join app_user u on u.id = c.user_id where username = 'fourth'",
    );
    expect(codes).toHaveLength(10);
    expect(new Set(stored.map(({ code_hash }) => code_hash.toString("hex")))).toEqual(
      new Set(codes.map((code) => hashRecoveryCode(code).toString("hex"))),
    );
  });

  test.each([
    ["create", "Upper", { email: "a@b.example" }, "Correct-horse-1", "A username begins with a lowercase letter"],
    ["create", "nomail", {}, "Correct-horse-1", "--email is an e-mail address."],
    ["create", "short", { email: "a@b.example" }, "Short-1", "at least 12 characters"],
    ["create", "space", { email: "a@b.example" }, "Correct horse 1", "made of letters, digits and"],
    ["create", "myself", { email: "a@b.example" }, "Myself-myself-1", "too easy to guess"],
    [
      "create",
      "role",
      { email: "a@b.example", roles: "king" },
      "Correct-horse-1",
      '"king" is no role. There are: systemAdministrator, accountsAdministrator.',
    ],
    ["create", "first", { email: "other@busbar.example" }, "Correct-horse-1", "There is a user with this username or e-mail already."],
    ["password", "absent", {}, "Correct-horse-1", "There is no user absent."],
    ["totp", "absent", {}, "", "There is no user absent with 2FA."],
    ["totp", "absent", { new: true }, "", "There is no user absent."],
    ["node-credentials", "99999", {}, "", "There is no node 99999."],
    ["node-credentials", "0123", {}, "", "The serial number is 5 digits, the first not 0."],
    ["provision-nodes", "0", { first: "30001", file: "x" }, "", "The count is a whole number from 1 to 69999."],
  ])("%s %s %j is refused in a sentence", async (name, subject, options, secret, sentence) => {
    await expect(admin(name, subject, options as Record<string, string>, secret)).rejects.toThrow(sentence);
  });
});

test("nodes are provisioned with a private file of secrets that their hashes match", async () => {
  const file = join(folder, "credentials.json");
  expect(await admin("provision-nodes", "3", { first: "30001", file })).toContain("New credentials of 3 nodes from 30001, 3 of them new");
  const secrets = JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { rows } = await database.pool.query<{ serial_number: number; secret_hash: Buffer }>(
    "select serial_number, secret_hash from node_credential order by 1",
  );
  expect(rows.map((row) => [String(row.serial_number), row.secret_hash])).toEqual(
    Object.entries(secrets).map(([serial, secret]) => [serial, hashNodeSecret(secret)]),
  );
  await expect(admin("provision-nodes", "3", { first: "30001", file })).rejects.toThrow(
    "it exists already and may hold other secrets. Nothing was changed.",
  );
});

test("a node's new credential voids the old one", async () => {
  const said = await admin("node-credentials", "30002");
  const secret = /^ +password +(\S+)/m.exec(said)?.[1] ?? "";
  const { rows } = await database.pool.query<{ secret_hash: Buffer }>(
    "select secret_hash from node_credential where serial_number = 30002",
  );
  expect(rows[0]?.secret_hash).toEqual(hashNodeSecret(secret));
});

describe("billing organisations", () => {
  const payers = async () =>
    (
      await database.pool.query(
        `select c.code, o.name from customer c left join billing_organization_customer b on b.customer_id = c.id
         left join billing_organization o on o.id = b.organization_id where c.code like 'pay%' order by c.code`,
      )
    ).rows.map((row: { code: string; name: string | null }) => [row.code, row.name]);

  test("one pays for exactly the customers that are named; a customer has one payer", async () => {
    await database.pool.query("insert into customer (code, name) values ('paya', 'A'), ('payb', 'B'), ('payc', 'C')");
    await admin("billing-organization", "First Payer", { customers: "paya, payb" });
    await admin("billing-organization", "Second Payer", { customers: "payb,payc" });
    expect(await payers()).toEqual([
      ["paya", "First Payer"],
      ["payb", "Second Payer"],
      ["payc", "Second Payer"],
    ]);
    await expect(admin("billing-organization", "First Payer", { customers: "payc,absent" })).rejects.toThrow(
      "There is no customer absent.",
    );
    await admin("billing-organization", "Second Payer", { customers: "" });
    expect(await payers()).toEqual([
      ["paya", "First Payer"],
      ["payb", null],
      ["payc", null],
    ]);
    await expect(admin("billing-organization", "", { customers: "paya" })).rejects.toThrow("The name");
    await expect(admin("billing-organization", "x".repeat(121), { customers: "" })).rejects.toThrow("at most 120 characters");
    await admin("billing-organization", "x".repeat(120), { customers: "" });
    await expect(admin("billing-organization", "x")).rejects.toThrow("--customers");
  });
});

test("A-63 what a command prints is what it has done, of this person and these nodes alone", async () => {
  const rows = async (text: string) =>
    (await database.pool.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row).join(" "));
  const addSessions = () =>
    database.pool.query(
      `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
       select gen_random_uuid(), id, '{}', true, now(), now(), now() + interval '1 day', now() from app_user where username in ('said', 'unsaid')`,
    );
  const ended = () =>
    rows(`select username, string_agg(coalesce(end_reason, 'lives'), ', ' order by end_reason nulls last) from session s join app_user u on u.id = s.user_id
      where username in ('said', 'unsaid') group by username order by username`);
  const factors = () =>
    rows(`select username, count(distinct t.secret) as secrets, count(c.code_hash) as codes from app_user u left join user_totp t on t.user_id = u.id
      left join recovery_code c on c.user_id = u.id where username in ('said', 'unsaid') group by username order by username`);
  /** With what is shown once as its kind. */
  const masked = async (...given: Parameters<typeof admin>) => {
    const said = await admin(...given);
    return said
      .replaceAll(/^ {2}[a-z2-9]{16}$/gm, "  CODE")
      .replaceAll(/[A-Z2-7]{32}/g, "TOTP")
      .replaceAll(/ [\w-]{43}$/gm, " SECRET");
  };
  const codes = ["Recovery codes, one use each, shown once:", ...Array.from({ length: 10 }, () => "  CODE")];
  const address = "otpauth://totp/Busbar:said?issuer=Busbar&secret=TOTP&algorithm=SHA1&digits=6&period=30";
  const options = {
    email: "said@busbar.example",
    "first-name": "Sam",
    "last-name": "Aid",
    roles: " accountsAdministrator ,systemAdministrator",
  };
  expect((await masked("create", "said", options, "Correct-horse-8")).split("\n")).toEqual([
    "Created said. 2FA secret, shown once: TOTP",
    address,
    ...codes,
  ]);
  await admin("create", "unsaid", { email: "unsaid@busbar.example" }, "Correct-horse-9");
  expect(await rows("select email, first_name, last_name, roles::text from app_user where username = 'said'")).toEqual([
    "said@busbar.example Sam Aid {accountsAdministrator,systemAdministrator}",
  ]);

  await addSessions();
  expect((await masked("totp", "said", { new: true })).split("\n")).toEqual([
    "New 2FA secret of said, shown once: TOTP",
    address,
    ...codes,
  ]);
  expect([await ended(), await factors()]).toEqual([
    ["said second factor changed", "unsaid lives"],
    ["said 1 10", "unsaid 1 10"],
  ]);
  await addSessions();
  expect(await masked("totp", "said", { reset: true })).toBe("said has no 2FA any more; all sessions have ended.");
  expect(await masked("totp", "said", { reset: true })).toBe("said had no 2FA.");
  expect([await ended(), await factors()]).toEqual([
    ["said second factor changed, second factor reset", "unsaid lives, lives"],
    ["said 0 0", "unsaid 1 10"],
  ]);
  await expect(admin("totp", "said", { new: true, reset: true })).rejects.toThrow("Either --new or --reset, not both.");
  expect(await masked("password", "said", {}, "Correct-horse-0")).toBe("The password of said is changed; all sessions have ended.");
  const roles = { before: { roles: ["accountsAdministrator", "systemAdministrator"] }, after: { roles: [] } };
  await admin("roles", "said", { roles: "none" });
  const { rows: changes } = await database.pool.query("select before, after from activity order by id desc limit 1");
  expect(changes).toEqual([roles]);

  const provision = (count: string, first: string, file: string) => masked("provision-nodes", count, { first, file: join(folder, file) });
  await provision("2", "42001", "a.json");
  expect(await provision("3", "42000", "b.json")).toBe(
    `New credentials of 3 nodes from 42000, 1 of them new. The secrets are in ${join(folder, "b.json")}.`,
  );
  const secrets = JSON.parse(await readFile(join(folder, "b.json"), "utf8")) as Record<string, string>;
  const { rows: credentials } = await database.pool.query<{ serial: number; hash: Buffer }>(
    "select serial_number as serial, secret_hash as hash from node_credential where serial_number between 42000 and 42009 order by 1",
  );
  expect(credentials).toEqual(
    Object.entries(secrets).map(([serial, secret]) => ({ serial: Number(serial), hash: hashNodeSecret(secret) })),
  );
  expect(
    await rows("select distinct current_deployment_status, new_deployment_status from node where serial_number between 42000 and 42009"),
  ).toEqual(["Unassigned Unassigned"]);
  await expect(provision("58001", "42000", "c.json")).rejects.toThrow("The count is a whole number from 1 to 58000.");

  expect((await masked("node-credentials", "42000")).split("\n")).toEqual([
    "All that node 42000 needs. The password is shown once; an earlier one is void.",
    "  broker      mqtts://nodes.example:8883",
    "  client id   42000",
    "  user name   42000",
    "  password    SECRET",
    "  group       n16",
    "  last will   spBv1.0/n16/NDEATH/42000",
    "  publish     spBv1.0/n16/NBIRTH/42000 spBv1.0/n16/NDATA/42000",
    "  subscribe   spBv1.0/n16/NCMD/42000 spBv1.0/STATE/pq-ingest",
    "  sub nodes   spBv1.0/n16/DBIRTH/42000/+ spBv1.0/n16/DCMD/42000/+",
    "What it sends there: docs/node-protocol.md. Whether it does: npm run admin -- check-node 42000",
  ]);
  await expect(admin("check-node", "42000", { seconds: "0" })).rejects.toThrow("--seconds is a whole number from 1 to 3600.");
  await expect(admin("check-node", "42000", { seconds: "3601" })).rejects.toThrow("--seconds is a whole number from 1 to 3600.");

  expect(await masked("broker-files", folder, { "pid-file": join(folder, "no.pid") })).toContain(
    `to ${folder}. The broker could not be asked to read them: ENOENT: no such file or directory, open '${join(folder, "no.pid")}'.`,
  );
  expect(await readFile(join(folder, "passwords"), "utf8")).toMatch(/^busbar:\$7\$/);

  await database.pool.query("insert into customer (code, name) values ('bill', 'Bill')");
  expect(await masked("billing-organization", "Payer", { customers: "bill, bill" })).toBe("Payer pays for bill.");
  expect(await masked("billing-organization", "Payer", { customers: "" })).toBe("Payer pays for no customer and is deleted.");
  expect(await rows("select name from billing_organization where name = 'Payer'")).toEqual([]);
});

test("A-63 a file of secrets that open nothing does not stay", async () => {
  await database.pool.query(`alter table node add constraint no_more check (serial_number <> 43001) not valid`);
  const file = join(folder, "void.json");
  await expect(admin("provision-nodes", "2", { first: "43000", file })).rejects.toThrow("no_more");
  await database.pool.query("alter table node drop constraint no_more");
  await expect(stat(file)).rejects.toThrow("ENOENT");
  expect((await database.pool.query("select from node where serial_number between 43000 and 43001")).rowCount).toBe(0);
});

test("every command that changes something leaves one activity, without a secret", async () => {
  await database.pool.query("delete from activity");
  const activities = async () =>
    (
      await database.pool.query<{ actorType: string; actor: string; action: string; object: string; text: string }>(
        `select actor_type as "actorType", actor, action, object, activity::text as text from activity order by id`,
      )
    ).rows;
  const said = [
    await admin("create", "audited", { email: "audited@busbar.example" }, "Correct-horse-5"),
    await admin("roles", "audited", { roles: "accountsAdministrator" }),
    await admin("password", "audited", {}, "Correct-horse-6"),
    await admin("totp", "audited", { new: true }),
    await admin("totp", "audited", { reset: true }),
    await admin("provision-nodes", "2", { first: "40001", file: join(folder, "audited.json") }),
    await admin("node-credentials", "40001"),
    await admin("billing-organization", "Audited Ltd", { customers: "" }),
  ];
  const rows = await activities();
  const { rows: users } = await database.pool.query<{ id: number }>("select id from app_user where username = 'audited'");
  const audited = `user/${users[0]!.id}`;
  expect(rows.map(({ action, object }) => `${action} ${object}`)).toEqual([
    `POST_USER ${audited}`,
    `PATCH_USER ${audited}`,
    `PATCH_USER_PASSWORD ${audited}`,
    `ENROL_TWO_FACTOR ${audited}`,
    `RESET_TWO_FACTOR ${audited}`,
    "POST_NODE node/40001",
    "POST_NODE_CREDENTIALS node/40001",
    "PATCH_BILLING_ORGANIZATION Audited Ltd",
  ]);
  expect(new Set(rows.map(({ actorType, actor }) => `${actorType} ${actor}`))).toEqual(new Set(["System command line"]));
  const secrets = said.join("\n").match(/[A-Z2-7]{16,}|[\w-]{24,}/g) ?? [];
  expect(secrets.length).toBeGreaterThan(2);
  for (const secret of [...secrets, "Correct-horse"]) expect(JSON.stringify(rows)).not.toContain(secret);

  await database.pool.query("delete from activity");
  await expect(admin("password", "absent", {}, "Correct-horse-6")).rejects.toThrow("There is no user absent.");
  await expect(admin("node-credentials", "40009")).rejects.toThrow("There is no node 40009.");
  expect(await activities()).toEqual([]);
});

test("roles are given and taken, and the sessions that had them end", async () => {
  await admin("create", "promoted", { email: "promoted@busbar.example" }, "Correct-horse-7");
  await database.pool.query(
    `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
     select gen_random_uuid(), id, roles, true, now(), now(), now() + interval '1 day', now() from app_user where username = 'promoted'`,
  );
  const state = async () =>
    (
      await database.pool.query(
        "select u.roles, s.ends_at <= now() as ended from app_user u join session s on s.user_id = u.id where username = 'promoted'",
      )
    ).rows;
  expect(await admin("roles", "promoted", { roles: "systemAdministrator" })).toBe(
    "promoted has systemAdministrator; all sessions have ended.",
  );
  expect(await state()).toEqual([{ roles: ["systemAdministrator"], ended: true }]);
  expect(await admin("roles", "promoted", { roles: "none" })).toBe("promoted has no special privileges; all sessions have ended.");
  expect(await state()).toEqual([{ roles: [], ended: true }]);
  await expect(admin("roles", "promoted", { roles: "cook" })).rejects.toThrow("cook");
  await expect(admin("roles", "promoted")).rejects.toThrow("--roles lists systemAdministrator and accountsAdministrator");
  await expect(admin("roles", "absent", { roles: "none" })).rejects.toThrow("There is no administrator absent.");
});

test("a file of secrets that cannot be written changes nothing", async () => {
  const provision = (file: string) => admin("provision-nodes", "1", { first: "41001", file });
  await expect(provision(join(folder, "absent", "x.json"))).rejects.toThrow("Nothing was changed.");
  const { rowCount } = await database.pool.query("select from node where serial_number = 41001");
  expect(rowCount).toBe(0);
});

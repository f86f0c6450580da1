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
    config: { mqttUrl: undefined, nodeMqttUrl: "mqtts://nodes.example:8883" },
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
    await expect(admin("billing-organization", "x")).rejects.toThrow("--customers");
  });
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

import { userImportColumns } from "@busbar/contract/access/user-import.ts";
import { csvText } from "@busbar/contract/values/csv.ts";
import type { ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importAlone } from "#shared/file-import.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("ann"));
  await addPlace(server.database.pool, "UTC", "Alder Pumping");
  await rows("update customer set code = 'alder'");
});
afterAll(() => server.stop());
beforeEach(() => rows("delete from activity; delete from app_user where username <> 'ann'"));

const rows = async (text: string) => (await server.database.pool.query<Record<string, unknown>>(text)).rows;
const send = (path: string, payload: string) =>
  server.call({
    method: "POST",
    url: `/api/user-import/${path}`,
    token,
    payload,
    headers: { "content-type": "application/octet-stream" },
  });
const planOf = async (file: string) =>
  (JSON.parse((await send("plan", file)).text.trim().split("\n").at(-1)!) as { plan: ImportPlan }).plan;
const countsOf = (added: number, changed: number, left: number) => [{ noun: "user", added, changed, left }];
/** The last line of the answer. */
const run = async (digest: string, file: string) => JSON.parse((await send(digest, file)).text.trim().split("\n").at(-1)!) as object;
const errorsOf = ({ errors }: ImportPlan) => errors.map(({ line, column, message }) => `${line} ${column}: ${message}`);

type Line = Partial<Record<keyof typeof userImportColumns, string>>;
const fileOf = (...lines: Line[]) => {
  const columns = Object.keys(userImportColumns) as (keyof Line)[];
  return csvText([columns.map((column) => userImportColumns[column]), ...lines.map((line) => columns.map((column) => line[column] ?? ""))]);
};
const pat: Line = {
  username: "Pat",
  email: "pat@alder.example",
  customerCode: "alder",
  firstName: "Pat",
  lastName: "Alder",
  receiveDailyReport: "Yes",
};

test("USR-03 a file adds users without a password, each with the activity of the single call; read again it changes nothing", async () => {
  const text = fileOf(pat);
  const plan = await planOf(text);
  expect(plan).toMatchObject({ counts: countsOf(1, 0, 0), errors: [] });
  expect(await rows("select from app_user where username = 'pat'")).toEqual([]);
  expect(await run(plan.digest, text)).toEqual({ imported: countsOf(1, 0, 0) });
  expect(
    await rows(
      "select email, receive_daily_report, receive_fault_library_notifications as faults, password_hash from app_user where username = 'pat'",
    ),
  ).toEqual([{ email: "pat@alder.example", receive_daily_report: true, faults: true, password_hash: null }]);
  expect(await rows("select actor, action, description from activity")).toEqual([
    { actor: "ann", action: "POST_USER", description: "Added user pat of alder" },
  ]);
  expect(await planOf(text)).toMatchObject({ counts: countsOf(0, 0, 1), records: [] });
  const { json } = await server.call({ method: "GET", url: "/api/users", token });
  expect(
    (json["data"] as { username: string; hasPassword: boolean }[]).map(({ username, hasPassword }) => [username, hasPassword]),
  ).toEqual([
    ["ann", true],
    ["pat", false],
  ]);
});

test("USR-02 who is suspended by a file is signed out at once; both values are shown before", async () => {
  const first = fileOf(pat);
  await run((await planOf(first)).digest, first);
  await rows(
    `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
     select gen_random_uuid(), id, '{}', false, now(), now(), now() + interval '1 day', now() from app_user where username = 'pat'`,
  );
  const second = fileOf({ username: "pat", activeStatus: "SUSPENDED", email: "pat@birch.example" });
  const plan = await planOf(second);
  expect(plan.records).toEqual([
    {
      line: 2,
      noun: "user",
      name: "pat",
      isNew: false,
      changes: [
        { column: "Email", before: "pat@alder.example", after: "pat@birch.example" },
        { column: "Status", before: "ACTIVE", after: "SUSPENDED" },
      ],
    },
  ]);
  expect(await run(plan.digest, second)).toEqual({ imported: countsOf(0, 1, 0) });
  expect(await rows("select s.end_reason from session s join app_user u on u.id = s.user_id where u.username = 'pat'")).toEqual([
    { end_reason: "suspended" },
  ]);

  // Also who was let in a moment ago, and is known to this process.
  const kim = await server.login(await server.addAdministrator("kim"));
  const account = async () => (await server.call({ method: "GET", url: "/api/account", token: kim })).status;
  expect(await account()).toBe(200);
  await rows("update app_user set is_administrator = false where username = 'kim'");
  const third = fileOf({ username: "kim", activeStatus: "SUSPENDED" });
  expect(await run((await planOf(third)).digest, third)).toEqual({ imported: countsOf(0, 1, 0) });
  expect(await account()).toBe(401);
});

test("SEC-01 a file gives no one a right that the importer lacks: no special privileges, no administrator is changed", async () => {
  await server.addAdministrator("root", ["systemAdministrator"]);
  const text = fileOf(
    { ...pat, roles: "systemAdministrator" },
    { username: "root", roles: "systemAdministrator", firstName: "Robin", lastName: "Root" },
    { username: "ann", roles: "systemAdministrator" },
    { ...pat, username: "sam", email: "PAT@alder.example", customerCode: "birch" },
    { ...pat, username: "kim", email: "ann@staff.example" },
    { ...pat, username: "lee", email: "lee", activeStatus: "SUSPENDED" },
    { username: "new" },
    { ...pat, username: "ann@staff.example", email: "other@alder.example" },
    { ...pat, username: "LEE", email: "lee@alder.example" },
    { ...pat, username: "Lee", email: "leigh@alder.example" },
  );
  const plan = await planOf(text);
  expect(errorsOf(plan)).toEqual([
    "2 Special Privileges: Special privileges are not given or taken by an import",
    expect.stringMatching(/^3 : root is an administrator; changing that account needs the role systemAdministrator$/),
    "4 Special Privileges: Special privileges are not given or taken by an import",
    "5 Customer code: there is no customer with the code birch",
    "7 Email: This is not an e-mail address such as name@company.example",
    "8 First name: First name is required",
    "9 : This username is the e-mail of another user",
    "10 Username: The same user is on line 7",
    "11 Username: The same user is on line 7",
  ]);
  const before = await rows("select username, roles, first_name from app_user order by 1");
  expect(await run(plan.digest, text)).toMatchObject({ failure: expect.stringContaining("file: line 2") });
  expect(await rows("select username, roles, first_name from app_user order by 1")).toEqual(before);
  // As the list exports it nothing of an administrator changes.
  expect(errorsOf(await planOf(fileOf({ username: "root", roles: "systemAdministrator", activeStatus: "ACTIVE" })))).toEqual([]);
});

test("while one import is under way another one of the same kind says so at once", async () => {
  const holder = await server.database.pool.connect();
  await holder.query("begin");
  await importAlone(holder, "user");
  const text = fileOf(pat);
  const why = "Another import of users is being read or carried out: try again when it has ended";
  for (const path of ["plan", "0".repeat(64)]) {
    const { text: answer } = await send(path, text);
    expect(answer).toContain(why);
  }
  expect(server.logText()).not.toContain("canceling statement");
  await holder.query("rollback");
  holder.release();
  expect(await planOf(text)).toMatchObject({ counts: countsOf(1, 0, 0), errors: [] });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { planned } from "#db/statement.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createSessionStore, type SessionStore } from "./session.store.ts";

let server: TestApp;
let store: SessionStore;
beforeAll(async () => {
  server = await createTestApp();
  store = createSessionStore(server.database.pool);
});
afterAll(() => server.stop());

/** What another process, or someone at the database, may do of user `$1`. */
const changes: Record<string, string> = {
  "a session is ended": "update session set ends_at = now(), end_reason = 'logout' where user_id = $1",
  "a session is refreshed": "update session set replaced_by = gen_random_uuid() where user_id = $1",
  "a session gets other roles": "update session set roles = '{}' where user_id = $1",
  "a session expires sooner": "update session set expires_at = now() where user_id = $1",
  "a session is deleted": "delete from session where user_id = $1",
  "the person is suspended": "update app_user set active_status = 'SUSPENDED' where id = $1",
  "the person gets other roles": "update app_user set roles = '{systemAdministrator}' where id = $1",
  "the person must choose a password": "update app_user set must_change_password = true where id = $1",
  "the person becomes a demo user": "update app_user set demo_user = true where id = $1",
  "a second factor is set up": "insert into user_totp (user_id, secret) values ($1, '')",
  "a second factor is taken away": "delete from user_totp where user_id = $1",
  "the person is deleted": "delete from app_user where id = $1",
};

async function newPerson(name: string): Promise<number> {
  await server.addAdministrator(name);
  await server.login(name);
  const [user] = await planned<{ id: number }>(server.database.pool, "test-user", [name])`select id from app_user where username = $1`;
  return user!.id;
}

test.each(Object.entries(changes))("SEC-01 other processes notice that %s", async (name, change) => {
  const id = await newPerson(`person-${Object.keys(changes).indexOf(name)}`);
  const other = await newPerson(`other-${Object.keys(changes).indexOf(name)}`);
  if (name.includes("taken away")) await server.database.pool.query(changes["a second factor is set up"]!, [id]);
  const { xid } = await store.findChanges(undefined);
  await server.database.pool.query(change, [id]);
  const { userIds } = await store.findChanges(xid);
  expect(userIds).toContain(id);
  expect(userIds).not.toContain(other);
});

test("what a transaction changes is found after its commit, however long it ran beside others", async () => {
  const id = await newPerson("slow");
  const before = await store.findChanges(undefined);
  expect(before.userIds).toEqual([]);
  const client = await server.database.pool.connect();
  await client.query("begin");
  await client.query("update app_user set first_name = 'Slower' where id = $1", [id]);
  const meanwhile = await store.findChanges(before.xid);
  expect(meanwhile.userIds).not.toContain(id);
  await newPerson("quick");
  const later = await store.findChanges(meanwhile.xid);
  await client.query("commit");
  client.release();
  expect((await store.findChanges(later.xid)).userIds).toContain(id);
});

test("that a session is opened or used is no change", async () => {
  const { xid } = await store.findChanges(undefined);
  const id = await newPerson("busy");
  const [session] = await planned<{ id: string }>(server.database.pool, "test-session", [id])`select id from session where user_id = $1`;
  const opened = await store.findChanges(xid);
  await store.touchSession(session!.id, 1_000);
  const used = await store.findChanges(opened.xid);
  expect(used.userIds).not.toContain(id);
});

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSealedText } from "#lib/sealed-text.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createSecretsKey, secretsKeyOf } from "./secrets-key.ts";
import type { Db } from "./statement.ts";
import { systemSecret } from "./system-secret.store.ts";
import { readTotpKey, writeTotpSecret } from "#shared/totp-secret.store.ts";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "busbar-secrets-"));
});
afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

const keptValues = async () =>
  (await database.pool.query<{ value: Buffer }>("select value from system_secret")).rows.map(({ value }) => value);

test("SEC-03 nothing in the database opens a TOTP secret: the key is in a private file outside of it", async () => {
  const key = secretsKeyOf(folder);
  const { rows } = await database.pool.query<{ id: number }>(
    "insert into app_user (username, email) values ('wren', 'wren@busbar.example') returning id",
  );
  const userId = rows[0]?.id ?? 0;
  await writeTotpSecret(database.pool, await readTotpKey(database.pool, key), { userId, secret: "JBSWY3DPEHPK3PXP", enrolledAt: 0 });
  const { rows: stored } = await database.pool.query<{ secret: string }>("select secret from user_totp");
  const opens = (with_: Uint8Array) => {
    try {
      return openSealedText(stored[0]?.secret ?? "", with_, `totp of user ${userId}`);
    } catch {
      return undefined;
    }
  };
  expect(opens(await readTotpKey(database.pool, key))).toBe("JBSWY3DPEHPK3PXP");
  expect((await keptValues()).map(opens)).toEqual([undefined]);
  expect((await stat(key.file)).mode & 0o777).toBe(0o600);
});

test("a secret is one for all who ask at the same moment, and one of an older version is kept and sealed", async () => {
  const key = secretsKeyOf(folder);
  const clear = Buffer.alloc(32, 7);
  await database.pool.query("insert into system_secret values ('old', $1)", [clear]);
  const old = await Promise.all(Array.from({ length: 5 }, () => systemSecret(database.pool, "old", key)));
  expect(old).toEqual(Array.from({ length: 5 }, () => new Uint8Array(clear)));
  expect((await keptValues()).some((value) => value.includes(clear))).toBe(false);
  const fresh = await Promise.all(Array.from({ length: 5 }, () => systemSecret(database.pool, "fresh", key)));
  expect(new Set(fresh.map((value) => Buffer.from(value).toString("hex"))).size).toBe(1);
  expect(fresh[0]).toHaveLength(32);
});

test("A-63 a secret that someone else makes in between is theirs for all", async () => {
  const key = secretsKeyOf(folder);
  let theirs: Uint8Array | undefined;
  const query = async (...statement: unknown[]) => {
    const answer = await (database.pool.query as (...given: unknown[]) => Promise<unknown>).apply(database.pool, statement);
    theirs ??= await systemSecret(database.pool, "between", key);
    return answer;
  };
  const ours = await systemSecret({ query } as unknown as Db, "between", key);
  expect([ours, await systemSecret(database.pool, "between", key)]).toEqual([theirs, theirs]);
});

test("another key, a file that holds none and a file that is not there are refused in a sentence, and no file is overwritten", async () => {
  await systemSecret(database.pool, "mine", secretsKeyOf(folder));
  const other = createSecretsKey(join(folder, "other", "secrets.key"));
  other.forSealing();
  await expect(systemSecret(database.pool, "mine", other)).rejects.toThrow(
    `The secrets of this database were sealed with another key than that of ${other.file}.`,
  );
  const odd = createSecretsKey(join(folder, "odd.key"));
  await writeFile(odd.file, "no key\n");
  await expect(systemSecret(database.pool, "mine", odd)).rejects.toThrow(`SECRETS_KEY_FILE ${odd.file} holds no key of ours.`);
  await expect(systemSecret(database.pool, "another", odd)).rejects.toThrow("holds no key of ours.");
  expect(await readFile(odd.file, "utf8")).toBe("no key\n");
  await expect(systemSecret(database.pool, "mine", secretsKeyOf(join(folder, "nowhere")))).rejects.toThrow(
    "The key of this database's secrets cannot be read (SECRETS_KEY_FILE): ENOENT",
  );
});

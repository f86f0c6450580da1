import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import type { Call } from "#http/endpoints.ts";
import { unauthorized, unavailable } from "#lib/errors.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { downloadAdminHandlers } from "./download-admin.handlers.ts";
import { createDownloadService, type DownloadService } from "./download-admin.service.ts";
import { createDownloadStore } from "./download-admin.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("a file is for its person, once, within two minutes; of one person twenty are kept, the newest", async () => {
  const { pool } = database;
  const clock = createManualClock();
  const service = createDownloadService(createDownloadStore(pool), clock);
  const { rows } = await pool.query<{ id: number }>(
    `insert into app_user (username, first_name, last_name, email, password_hash)
     select n, '', '', n || '@busbar.example', '' from unnest(array['ann', 'ben']) n returning id`,
  );
  const [ann, ben] = rows.map(({ id }) => id) as [number, number];
  const keep = (userId: number, fileName: string) =>
    inTransaction(pool, (client) =>
      service.keep(client, { userId, fileName, contentType: `text/${fileName}`, content: Buffer.from(`of ${fileName}`) }),
    );
  const take = (token: string, userId: number) =>
    service.take(token, userId).then(
      ({ fileName, contentType, content }) => [fileName, contentType, content.toString()],
      ({ status }: { status: number }) => status,
    );

  const token = await keep(ann, "bill");
  expect(await take(`${token}x`, ann)).toBe(404);
  expect(await take(token, ben)).toBe(404);
  expect(await take(token, ann)).toEqual(["bill", "text/bill", "of bill"]);
  expect(await take(token, ann)).toBe(404);

  const [late, over] = [await keep(ann, "late"), await keep(ann, "over")];
  clock.advance(119);
  expect(await take(late, ann)).toEqual(["late", "text/late", "of late"]);
  clock.advance(1);
  expect(await take(over, ann)).toBe(404);

  const bens = await keep(ben, "bens");
  const anns: string[] = [];
  for (let count = 0; count < 21; count++) {
    clock.advance(1);
    anns.push(await keep(ann, `file ${count}`));
  }
  // What has expired went with the first of these.
  expect((await pool.query("select from download_token")).rowCount).toBe(21);
  expect([await take(anns[0]!, ann), (await take(anns[1]!, ann)) !== 404, (await take(bens, ben)) !== 404]).toEqual([404, true, true]);
});

test("A-63 who is not signed in finds no file; of whom it cannot be known at the moment reads so", async () => {
  const ask = (refusal: Error) => {
    const handlers = downloadAdminHandlers({} as DownloadService, () => Promise.reject(refusal));
    return handlers.downloadAdmin({ params: { token: "x" } }, { headers: { authorization: "Bearer x" } } as Partial<Call> as Call);
  };
  await expect(ask(unauthorized())).rejects.toMatchObject({ status: 404 });
  await expect(ask(unavailable("The database is away"))).rejects.toMatchObject({ status: 503 });
});

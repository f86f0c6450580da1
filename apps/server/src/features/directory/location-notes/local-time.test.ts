import { readLocalDateTime, wallClock } from "@busbar/contract/values/local-time.ts";
import { timezones } from "@busbar/contract/values/option-lists.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

// Node and PostgreSQL each have their own time zone data; an old one on either side would show here.
test("COM-08 for 10,000 instants in each zone the database's clocks and ours show the same, and what is entered is read back", async () => {
  const from = Date.parse("2010-01-02T00:00:00Z") / 1000;
  const to = Date.parse("2059-12-30T00:00:00Z") / 1000;
  const instants = Array.from({ length: 10_000 }, () => Math.floor(from + Math.random() * (to - from)));
  for (const timezone of timezones) {
    const { rows } = await database.pool.query<{ text: string; wall: number }>(
      `select to_char(t at time zone $2, 'YYYY-FMMM-FMDD FMHH24:MI:SS') as text, extract(epoch from t at time zone $2)::float8 as wall
       from unnest($1::float8[]) with ordinality as u(s, n), to_timestamp(s) t order by n`,
      [instants, timezone],
    );
    const wrong = instants.filter((instant, index) => {
      const read = readLocalDateTime(rows[index]!.text, timezone);
      // The second of two equal times is read as the first, an hour earlier.
      const isRead = "timestamp" in read && (read.timestamp === instant || read.timestamp === instant - 3_600);
      return wallClock(instant, timezone) !== rows[index]!.wall || !isRead;
    });
    expect([timezone, wrong]).toEqual([timezone, []]);
  }
});

import type { PresencePeriod } from "#lib/platform-outages.ts";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared, type Db } from "#db/statement.ts";

export type IngestPresenceStore = ReturnType<typeof createIngestPresenceStore>;

export function createIngestPresenceStore(pool: Db) {
  return {
    /** A new period. As much is known of earlier ones as the coverage of nodes shows. */
    async begin(atMs: number): Promise<string> {
      await planned(pool, "forget-ingest-presence")`
        delete from ingest_presence where alive_at < (select max(alive_at) from ingest_presence) - interval '400 days'`;
      const rows = await planned<{ id: string }>(pool, "begin-ingest-presence", [atMs])`
        insert into ingest_presence (started_at, alive_at) values (to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0)) returning id`;
      return rows[0]!.id;
    },

    async beat(id: string, atMs: number): Promise<void> {
      await planned(pool, "beat-ingest-presence", [id, atMs])`
        update ingest_presence set alive_at = greatest(alive_at, to_timestamp($2 / 1000.0)) where id = $1`;
    },

    /** Those of a week, and of the two days in which a node's own clock may be off; or of more. */
    async periods(days = 9): Promise<PresencePeriod[]> {
      return await prepared<PresencePeriod>(pool, "ingest-presence", [days])`
        select ${exactEpoch("started_at")} as "startedAt", ${exactEpoch("alive_at")} as "aliveAt"
        from ingest_presence where alive_at >= (select max(alive_at) from ingest_presence) - $1 * interval '1 day' order by started_at`;
    },
  };
}

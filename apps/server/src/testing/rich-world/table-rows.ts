import type { Pool } from "pg";

export type Row = Record<string, unknown>;
/** Of every table its rows as JSON, each by its key. */
export type TableRows = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What nodes send all the time, and what differs in every run. */
const leftOut = ["kysely_migration", "scalar", "trend_minute", "trend_quarter"];

/** Reads all tables, in one statement. */
export async function createTableReader(pool: Pool): Promise<() => Promise<TableRows>> {
  const { rows: tables } = await pool.query<{ name: string; key: string[] | null }>(
    `select c.relname as name, (select array_agg(a.attname::text order by a.attnum) from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary) as key
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1) order by 1`,
    [leftOut],
  );
  const text = tables
    .map(({ name, key }) => {
      // Written beside the call, a moment later.
      const row = name === "session" ? `to_jsonb(t) || '{"last_used_at": ""}'` : "to_jsonb(t)";
      return `select '${name}' as name, ${key ? `jsonb_build_array(${key.map((column) => `"${column}"`).join(", ")})::text` : "null"} as key, (${row})::text as row from "${name}" t`;
    })
    .join(" union all ");
  return async () => {
    const all = new Map<string, Map<string, string>>(tables.map(({ name }) => [name, new Map()]));
    const { rows } = await pool.query<{ name: string; key: string | null; row: string }>({ name: "read-tables", text });
    for (const { name, key, row } of rows) {
      const inTable = all.get(name)!;
      inTable.set(key ?? `${row} ${inTable.size}`, row);
    }
    return all;
  };
}

export interface RowChange {
  table: string;
  what: "added" | "changed" | "removed";
  key: string;
  /** Of a changed row what is other than before. */
  row: Row;
}

/** By table and key; rows that are named by chance by what is in them. */
export function rowChanges(before: TableRows, after: TableRows): RowChange[] {
  const changes: RowChange[] = [];
  for (const [table, rows] of after) {
    const were = before.get(table)!;
    const ofTable: RowChange[] = [];
    for (const [key, row] of were) if (!rows.has(key)) ofTable.push({ table, what: "removed", key, row: parse(row) });
    for (const [key, row] of rows) {
      const was = were.get(key);
      if (was === undefined) ofTable.push({ table, what: "added", key, row: parse(row) });
      else if (was !== row) {
        const other = whatIsOther(parse(was), parse(row));
        if (Object.keys(other).length > 0) ofTable.push({ table, what: "changed", key: JSON.stringify(JSON.parse(key)), row: other });
      }
    }
    const orderOf = ({ key, row }: RowChange) => `${key} ${JSON.stringify(row)}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "");
    changes.push(...ofTable.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b), "en", { numeric: true })));
  }
  return changes;
}

const parse = (row: string) => JSON.parse(row) as Row;
const whatIsOther = (was: Row, row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => JSON.stringify(value) !== JSON.stringify(was[column])));

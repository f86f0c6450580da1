export const statements = [
  // When ingest was listening, a row for each time without a break: between them the platform itself was away.
  `create table ingest_presence (
    id bigint generated always as identity primary key,
    started_at timestamptz not null,
    alive_at timestamptz not null
  )`,
  // What came last before this version tells since when it was stopped.
  `insert into ingest_presence (started_at, alive_at) select max(last_seen_at), max(last_seen_at) from node_live having max(last_seen_at) is not null`,
  // Scalars of missing_scalar_day that could not come because the platform was away; missing_scalar_count is what the node skipped.
  `alter table node_live add column platform_missed_scalar_count integer not null default 0`,
];

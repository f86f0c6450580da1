// Power that is summed up and not yet written to `node_demand_block`: ingest that ends at once loses none of it.
export const statements = [
  `alter table node_live add demand_at timestamptz, add demand_kw_seconds double precision, add demand_covered_seconds double precision`,
];

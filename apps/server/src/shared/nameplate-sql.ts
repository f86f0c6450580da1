/**
 * A rating as the node was configured, else as its newest data point says, else as the place's form says, which is of the machine and not of its field.
 * The aliases: c node_config, k node_nameplate, a node_assignment, l location.
 */
export const nameplateOf = (column: string): string =>
  `coalesce(case when c.config_values ->> '${column}' ~ '^\\d{1,6}(\\.\\d{1,6})?$' then (c.config_values ->> '${column}')::float8 end,
    k.${column}, case when a.slot = 1 then l.${column} end)`;

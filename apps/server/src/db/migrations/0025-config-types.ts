export const statements = [
  // Sparkplug's number of the datatype in which a node reported each value.
  `alter table node_config add column config_types jsonb not null default '{}'`,
];

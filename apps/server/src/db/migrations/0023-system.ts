export const statements = [
  // Two people may have the page of all settings open: what one changed the other must not change back unknowingly.
  `create sequence system_config_revision`,
  `alter table system_config add column revision bigint not null default nextval('system_config_revision')`,

  // Written down and sent to nobody, since the node was paused: it is told when the pause ends before the loss does.
  `alter table connection_loss add column is_held boolean not null default false`,
];

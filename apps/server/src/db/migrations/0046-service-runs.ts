export const statements = [
  // How long its last runs took and whether they failed, the newest last: what the services page draws.
  `alter table service add column run_seconds real[] not null default '{}'`,
  `alter table service add column run_failures boolean[] not null default '{}'`,
  // What it did last, in words; runs that had nothing to do are passed over.
  `alter table service add column last_did text not null default ''`,
  `alter table service add column last_did_at timestamptz`,
];

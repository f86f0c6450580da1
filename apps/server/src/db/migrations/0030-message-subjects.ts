export const statements = [
  `alter table system_message add column count integer not null default 1`,
  `alter table system_message add column first_at timestamptz`,
  `alter table system_message add column muted_until timestamptz`,
  // What it is about: node, file, service …, and which one.
  `alter table system_message add column subject_kind text not null default ''`,
  `alter table system_message add column subject_id text not null default ''`,
  // What equal messages have in common: not the figures of each.
  `alter table system_message add column same text`,
  `update system_message set same = md5(source || ' ' || message), first_at = ts`,
  `with equal as (select kind, same, max(id) as last, count(*)::int4 as count, min(ts) as first_at from system_message group by kind, same)
   update system_message m set count = e.count, first_at = e.first_at from equal e where m.id = e.last`,
  `delete from system_message m using system_message n where n.kind = m.kind and n.same = m.same and n.id > m.id`,
  `alter table system_message alter column same set not null`,
  `alter table system_message alter column first_at set not null`,
  `create unique index system_message_same on system_message (kind, same)`,
];

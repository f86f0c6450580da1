export const statements = [
  // Whether an item failed by itself, with the platform (a sick disk), or waits for somebody else and has not failed at all.
  `alter table service_set_aside add column fault text not null default 'item' check (fault in ('item', 'platform', 'none'))`,
  // What is due comes first, however much is set aside.
  `create index service_set_aside_due on service_set_aside (next_try_at)`,
];

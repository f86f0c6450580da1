// Feeds are read in the order of the time that they show. Ids break ties; they follow the time of writing only roughly.
export const statements = [
  `drop index activity_action`,
  `drop index activity_actor`,
  `create index activity_by_time on activity (ts desc, id desc)`,
  `create index activity_action on activity (action, ts desc, id desc)`,
  `create index activity_actor on activity (actor, action, ts desc, id desc)`,
  `create index notification_by_time on notification (coalesce(sent_at, created_at) desc, id desc)`,

  // Counts by hours of the time shown, of the rows in blocks of ids that are complete. They are counted anew.
  `delete from activity_tally`,
  `alter table activity_tally rename column block to hour`,
  `update activity_tally_state set settled_block = 0, seen_block = 0, seen_xid = '0'`,
];

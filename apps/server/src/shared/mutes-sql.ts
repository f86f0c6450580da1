/**
 * SQL: why node `n` at location `l` is muted at a moment, by itself, with its location or its facility: the reason of the mute that lasts longest;
 * null where it is not. Without a place, `l` is a row of nulls.
 */
export const muteReasonSql = (now: string): string =>
  `(select m.reason from mute m where m.from_at <= ${now} and m.until_at > ${now}
     and (m.serial_number = n.serial_number or m.location_id = l.id or m.facility_id = l.facility_id) order by m.until_at desc limit 1)`;

/** The history that the database is in, as SQL: another one after a failover or a restore, null on a read-only replica. */
export const timelineSql = "case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end";

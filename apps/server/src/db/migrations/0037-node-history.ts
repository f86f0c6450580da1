// The page of a node reads the last changes of its configuration; the log is kept for ever.
export const statements = [`create index audit_log_node on audit_log (serial_number, id desc)`];

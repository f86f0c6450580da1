export const statements = [
  // Event files have a parser of their own.
  `drop index data_file_pending`,
  `create index data_file_pending on data_file (received_at) where processed is null and extracted_at is null and kind <> 'E'`,
  `create index data_file_event_pending on data_file (received_at) where processed is null and kind = 'E'`,
];

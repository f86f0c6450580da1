/** Which files failed lately, of all nodes. */
export const statements = [`create index data_file_failed_at on data_file (extracted_at desc) where processed = false`];

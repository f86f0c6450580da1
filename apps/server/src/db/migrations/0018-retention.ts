export const statements = [
  // Whether any row still has these bytes. Four bytes an entry, where a tree would keep the whole hash.
  `create index data_file_content on data_file using hash (content_hash)`,
];

/** By what a service sets a file aside: other bytes under the same name are another item, which is tried at once. */
export const fileItem = ({ fileName, hash }: { fileName: string; hash: Buffer }): string =>
  `${fileName} ${hash.toString("hex").slice(0, 12)}`;

/** The same of a row of `data_file`. */
export const fileItemSql = `file_name || ' ' || left(encode(content_hash, 'hex'), 12)`;

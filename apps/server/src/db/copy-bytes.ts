import { to as copyTo } from "pg-copy-streams";
import type { Db } from "./statement.ts";

/** Signature, flags and the length of an extension, which there is none of. */
const headBytes = 19;

/**
 * The values of a select's only column, which is `bytea` and never null. An ordinary answer writes each byte as two letters, which take longer
 * to read than the values. COPY takes no parameters: only numbers may be put into the text.
 */
export async function copyBytes(db: Db, select: string): Promise<Buffer[]> {
  if (!("release" in db)) {
    const client = await db.connect();
    let failure: Error | undefined;
    try {
      return await copyBytes(client, select);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
  const chunks: Buffer[] = await db.query(copyTo(`copy (${select}) to stdout (format binary)`)).toArray();
  const copied = Buffer.concat(chunks);
  const values: Buffer[] = [];
  // Each row: how many columns it has (2 bytes), the value's length (4) and the value; -1 columns are the end.
  for (let at = headBytes; copied.readInt16BE(at) !== -1;) {
    const start = at + 6;
    const end = start + copied.readInt32BE(at + 2);
    values.push(copied.subarray(start, end));
    at = end;
  }
  return values;
}

import type { Pool } from "pg";
import { preparedCount } from "./statement.ts";

export async function nodeExists(pool: Pool, serialNumber: number): Promise<boolean> {
  const rowCount = await preparedCount(pool, "node-exists", [serialNumber])`select from node where serial_number = $1`;
  return rowCount === 1;
}

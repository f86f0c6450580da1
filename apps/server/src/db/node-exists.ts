import type { Pool } from "pg";

export async function nodeExists(pool: Pool, serialNumber: number): Promise<boolean> {
  const { rowCount } = await pool.query({ name: "node-exists", text: "select from node where serial_number = $1", values: [serialNumber] });
  return rowCount === 1;
}

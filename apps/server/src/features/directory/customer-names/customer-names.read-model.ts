import type { CustomerName } from "@busbar/contract/directory/customer-names.ts";
import type { Pool } from "pg";

export function createCustomerNamesReadModel(pool: Pool) {
  return {
    async findAll(): Promise<CustomerName[]> {
      return (await pool.query<CustomerName>("/* customer-names */ select id, code, name from customer order by name, code")).rows;
    },
  };
}
export type CustomerNamesReadModel = ReturnType<typeof createCustomerNamesReadModel>;

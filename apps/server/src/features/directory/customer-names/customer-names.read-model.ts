import type { CustomerName } from "@busbar/contract/directory/customer-names.ts";
import type { Pool } from "pg";
import { planned } from "#db/statement.ts";

export function createCustomerNamesReadModel(pool: Pool) {
  return {
    async findAll(): Promise<CustomerName[]> {
      return await planned<CustomerName>(pool, "customer-names")`select id, code, name from customer order by name, code`;
    },
  };
}
export type CustomerNamesReadModel = ReturnType<typeof createCustomerNamesReadModel>;

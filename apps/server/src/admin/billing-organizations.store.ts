import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";

/** Makes an organisation the payer of exactly these customers, or deletes it when there are none; returns codes that are no customer's, and then changes nothing. */
export async function saveBillingOrganization(client: PoolClient, name: string, codes: readonly string[]): Promise<string[]> {
  const known = await planned<{ code: string }>(client, "known-customers", [codes])`
    select code from customer where code = any($1)`;
  const unknown = codes.filter((code) => !known.some((row) => row.code === code));
  if (unknown.length > 0) return unknown;
  await planned(client, "forget-billed-customers", [name])`
    delete from billing_organization_customer where organization_id = (select id from billing_organization where name = $1)`;
  if (codes.length === 0) {
    await planned(client, "delete-billing-organization", [name])`delete from billing_organization where name = $1`;
    return [];
  }
  await planned(client, "save-billing-organization", [name, codes])`with organization as (
      insert into billing_organization (name) values ($1) on conflict (name) do update set name = excluded.name returning id)
    insert into billing_organization_customer (customer_id, organization_id) select c.id, o.id from customer c, organization o where c.code = any($2)
    on conflict (customer_id) do update set organization_id = excluded.organization_id`;
  return [];
}

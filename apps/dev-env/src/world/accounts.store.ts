import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";
import { billingOddities, defaultOrganization, demoOrganizations, demoSubscribers, internalRecipients } from "./accounts.ts";

/** Who pays for which customers, odd billing dates, and who is subscribed to what. Customers and locations must be there. */
export async function insertAccounts(client: PoolClient, year: number): Promise<void> {
  await planned(client, "demo-organizations", [JSON.stringify(demoOrganizations)])`
    insert into billing_organization (name) select name from jsonb_to_recordset($1) as r(name text)`;
  await planned(client, "demo-organization-customers", [JSON.stringify(demoOrganizations)])`
    insert into billing_organization_customer (customer_id, organization_id)
    select c.id, o.id from jsonb_to_recordset($1) as r(name text, "customerCodes" jsonb) join billing_organization o on o.name = r.name
    join customer c on r."customerCodes" ? c.code`;
  await planned(client, "demo-settings", [JSON.stringify(defaultOrganization), JSON.stringify(internalRecipients)])`
    insert into system_config (key, value) values ('Billing_defaultOrganization', $1), ('Notices_internalRecipients', $2)`;
  const dates = billingOddities.map(({ location, billingStart, billingEnd, paidThru }) => {
    const date = (at: readonly [number, string] | undefined) => (at ? `${year + at[0]}-${at[1]}` : null);
    return { location, start: date(billingStart), end: date(billingEnd), paid: date(paidThru) };
  });
  await planned(client, "demo-billing-dates", [JSON.stringify(dates)])`
    update location l set billing_start_date = r.start, billing_end_date = r."end", paid_thru_date = r.paid
    from jsonb_to_recordset($1) as r(location text, start date, "end" date, paid date) where l.name = r.location`;
  const people = JSON.stringify(demoSubscribers);
  await planned(client, "demo-subscribers", [people])`
    insert into app_user (username, email, first_name, last_name, customer_id, auto_subscribe_all_facilities)
    select r.username, r.username || '@' || c.email_domains[1], r."firstName", r."lastName", c.id, coalesce(r."isAll", false)
    from jsonb_to_recordset($1) as r(username text, "firstName" text, "lastName" text, "customerCode" text, "isAll" boolean)
    join customer c on c.code = r."customerCode" on conflict (username) do nothing`;
  await planned(client, "demo-subscriptions", [people])`insert into facility_subscription (user_id, facility_id, frequency)
    select u.id, f.id, s ->> 1 from jsonb_to_recordset($1) as r(username text, subscriptions jsonb)
    cross join lateral jsonb_array_elements(coalesce(r.subscriptions, '[]')) s
    join app_user u on u.username = r.username join facility f on f.customer_id = u.customer_id and f.name = s ->> 0`;
}

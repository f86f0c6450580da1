import type { Pool } from "@busbar/server/db/pool.ts";

const firstNames = "Alys,Bisi,Corin,Dorka,Ewan,Freya,Gwil,Hedda,Ivo,Juno,Kaja,Linden";
const lastNames = "Ashdown,Blackwood,Castellane,Driscoll,Ekundayo,Fenwick,Greyling,Holm,Ironside,Juniper";
const pick = (names: string) => `('{${names}}'::text[])[1 + i % ${names.split(",").length}]`;

/** Users of the customers that are there, the same at every run: a twentieth suspended, a fiftieth internal. */
export async function seedUsers(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into app_user (username, email, first_name, last_name, customer_id, active_status, internal_user)
     select lower(${pick(lastNames)}) || '.' || i, lower(${pick(firstNames)}) || i || '@invented-works.example', ${pick(firstNames)}, ${pick(lastNames)},
       c.id, case when i % 20 = 0 then 'SUSPENDED' else 'ACTIVE' end, i % 50 = 0
     from generate_series(1, $1::integer) i
       join (select id, row_number() over (order by id) - 1 as n, count(*) over () as customers from customer) c on c.n = i % c.customers`,
    [count],
  );
}

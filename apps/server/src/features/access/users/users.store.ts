import { User } from "@busbar/contract/access/users.ts";
import type { Pool, PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList, snakeCase, without } from "#db/select-list.ts";
import { planned, prepared } from "#db/statement.ts";

/** A user as the contract has it, and what the server knows beside. */
export interface UserRow extends User {
  customerId: number | null;
  customerName: string;
  mustChangePassword: boolean;
}

const written = without(User, "id", "customerCode", "roles", "administrator", "twoFactorEnrolled", "hasPassword", "revision");
/** What a form may write. */
export type UserFields = Pick<UserRow, keyof typeof written.shape | "customerId">;
const writable = [...Object.keys(written.shape), "customerId"] as (keyof UserFields)[];
export const isWritable = (name: string): name is keyof UserFields => writable.includes(name as keyof UserFields);

const columns = `${selectList(User, "u", {
  customerCode: "coalesce(c.code, '')",
  administrator: "u.is_administrator",
  hasPassword: "u.password_hash is not null",
  twoFactorEnrolled: "exists (select from user_totp t where t.user_id = u.id)",
})}, u.customer_id as "customerId", coalesce(c.name, '') as "customerName", u.must_change_password as "mustChangePassword"`;
const from = "from app_user u left join customer c on c.id = u.customer_id";

export function createUsersStore(pool: Pool) {
  return {
    async findAll(): Promise<UserRow[]> {
      return await prepared<UserRow>(pool, "find-users")`select ${columns} ${from} order by u.username`;
    },

    async find(id: number): Promise<UserRow | undefined> {
      return (await planned<UserRow>(pool, "find-user", [id])`select ${columns} ${from} where u.id = $1`)[0];
    },

    /** The user, whom no one else can change until the transaction ends. */
    async lock(client: PoolClient, id: number): Promise<UserRow | undefined> {
      return (await planned<UserRow>(client, "lock-user", [id])`select ${columns} ${from} where u.id = $1 for update of u`)[0];
    },

    /** Ids of the users who can steer the system; no one can stop being one until the transaction ends. */
    async lockSystemAdministrators(client: PoolClient): Promise<number[]> {
      const rows = await planned<{ id: number }>(client, "lock-system-administrators")`select id from app_user
        where is_administrator and active_status = 'ACTIVE' and not demo_user and 'systemAdministrator' = any(roles) order by id for update`;
      return rows.map(({ id }) => id);
    },

    /** The user of this name, and whether another one has the e-mail. */
    async findNamed(client: PoolClient, username: string, email: string): Promise<{ before: UserRow | undefined; isEmailTaken: boolean }> {
      const rows = await planned<UserRow>(client, "find-named-users", [username, email])`
        select ${columns} ${from} where u.username = $1 or lower(u.email) = lower($2)`;
      return { before: rows.find((user) => user.username === username), isEmailTaken: rows.some((user) => user.username !== username) };
    },

    async findCustomerId(client: PoolClient, code: string): Promise<number | undefined> {
      // Shared lock: the customer cannot be deleted meanwhile.
      const rows = await planned<{ id: number }>(client, "find-customer-id", [code])`
        select id from customer where code = $1 for key share`;
      return rows[0]?.id;
    },

    async insert(client: PoolClient, fields: UserFields, passwordHash: string | null): Promise<number> {
      const rows = await planned<{ id: number }>(client, "insert-user", [passwordHash, ...writable.map((name) => fields[name])])`
        insert into app_user (password_hash, ${writable.map(snakeCase).join(", ")})
        values ($1, ${writable.map((_, index) => `$${index + 2}`).join(", ")}) returning id`;
      return rows[0]?.id ?? 0;
    },

    async update(client: PoolClient, id: number, fields: Partial<UserFields>): Promise<void> {
      const names = writable.filter((name) => fields[name] !== undefined);
      await planned(client, "update-user", [id, ...names.map((name) => fields[name])])`
        update app_user set ${[...names.map((name, index) => `${snakeCase(name)} = $${index + 2}`), "revision = revision + 1"].join(", ")}
        where id = $1`;
    },

    async updatePassword(client: PoolClient, id: number, passwordHash: string, mustChange: boolean): Promise<void> {
      await planned(client, "update-password", [id, passwordHash, mustChange])`
        update app_user set password_hash = $2, must_change_password = $3 where id = $1`;
    },

    async delete(client: PoolClient, id: number): Promise<void> {
      // Those that are shared stay.
      await planned(client, "delete-views-of-user", [id])`delete from saved_view where owner_id = $1 and not is_shared`;
      await planned(client, "delete-user", [id])`delete from app_user where id = $1`;
    },

    /** Sign-ins, newest first; a session that was refreshed counts once. */
    async findSignIns(id: number, limit: number): Promise<{ timestamp: number; administrator: boolean }[]> {
      return await planned<{ timestamp: number; administrator: boolean }>(pool, "find-sign-ins", [id, limit])`
        select ${epochSeconds("signed_in_at")} as timestamp, bool_or(is_administrator) as administrator
        from session where user_id = $1 group by signed_in_at order by signed_in_at desc limit $2`;
    },
  };
}
export type UsersStore = ReturnType<typeof createUsersStore>;

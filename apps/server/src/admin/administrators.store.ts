import type { Pool, PoolClient } from "pg";

export interface NewAdministrator {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  passwordHash: string;
  totpSecret: string;
}

export async function createAdministrator(client: PoolClient, administrator: NewAdministrator): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `/* create-administrator */ insert into app_user (username, email, first_name, last_name, password_hash, is_administrator, roles)
     values ($1, $2, $3, $4, $5, true, $6) returning id`,
    [
      administrator.username,
      administrator.email,
      administrator.firstName,
      administrator.lastName,
      administrator.passwordHash,
      administrator.roles,
    ],
  );
  await client.query("/* enrol-totp */ insert into user_totp (user_id, secret) values ($1, $2)", [rows[0]?.id, administrator.totpSecret]);
}

/** TOTP secrets by username; accounts without one are absent. */
export async function findTotpSecrets(pool: Pool, usernames: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ username: string; secret: string }>(
    "/* find-totp-secrets */ select u.username, t.secret from user_totp t join app_user u on u.id = t.user_id where u.username = any($1)",
    [usernames],
  );
  return new Map(rows.map((row) => [row.username, row.secret]));
}

/** A new secret replaces the old one at once and lifts a lock. Returns whether the user exists. */
export async function replaceTotpSecret(pool: Pool, username: string, secret: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `/* replace-totp-secret */ insert into user_totp (user_id, secret) select id, $2 from app_user where username = $1
     on conflict (user_id) do update set secret = excluded.secret, enrolled_at = now(), last_used_step = 0, failed_count = 0, locked_until = null`,
    [username, secret],
  );
  return rowCount === 1;
}

/** Sets the password, ends every session and forgets failed sign-ins. Returns whether the user exists. */
export async function replacePassword(client: PoolClient, username: string, passwordHash: string): Promise<boolean> {
  const { rows } = await client.query<{ id: number; email: string }>(
    "/* replace-password */ update app_user set password_hash = $2 where username = $1 returning id, lower(email) as email",
    [username, passwordHash],
  );
  const user = rows[0];
  if (!user) return false;
  await client.query(
    `/* end-sessions-of-user */ update session set ends_at = now(), end_reason = 'password changed' where user_id = $1 and (ends_at is null or ends_at > now())`,
    [user.id],
  );
  await client.query("/* forget-failed-logins */ delete from login_attempt where account = any($1)", [
    [username, user.email, `user:${user.id}`],
  ]);
  return true;
}

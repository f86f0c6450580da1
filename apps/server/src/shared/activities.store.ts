import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import { prepared, type Db } from "#db/statement.ts";

export interface NewActivity {
  actorType: "User" | "Node" | "System" | "ApiKey";
  actor: string;
  action: ActivityAction;
  object?: string;
  description: string;
  before?: unknown;
  after?: unknown;
}

/** What an activity is about: its history is found by it. */
export const nodeObject = (serial: string | number): string => `node/${serial}`;
export const batchObject = (id: number): string => `batch/${id}`;
export const bulkObject = (id: number): string => `bulk/${id}`;
export const userObject = (id: number): string => `user/${id}`;

/** One row of what happened; inside the writer's transaction when `db` is its connection. */
export async function recordActivity(db: Db, activity: NewActivity): Promise<void> {
  await recordActivities(db, [activity]);
}

/** Their numbers are in their order. */
export async function recordActivities(db: Db, activities: readonly NewActivity[]): Promise<void> {
  const column = (read: (activity: NewActivity) => unknown) => activities.map(read);
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await prepared(db, "record-activity", [
    column(({ actorType }) => actorType),
    column(({ actor }) => actor),
    column(({ action }) => action),
    column(({ object = "" }) => object),
    column(({ description }) => description),
    column(({ before }) => json(before)),
    column(({ after }) => json(after)),
  ])`
    insert into activity (actor_type, actor, action, object, description, before, after)
    select actor_type, actor, action, object, description, before::jsonb, after::jsonb
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
      as a(actor_type, actor, action, object, description, before, after, nth) order by nth`;
}

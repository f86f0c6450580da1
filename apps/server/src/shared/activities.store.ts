import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import type { Db } from "#db/pool.ts";

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
export const userObject = (id: number): string => `user/${id}`;

/** One row of what happened; inside the writer's transaction when `db` is its connection. */
export async function recordActivity(db: Db, activity: NewActivity): Promise<void> {
  await db.query({
    name: "record-activity",
    text: `insert into activity (actor_type, actor, action, object, description, before, after)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      activity.actorType,
      activity.actor,
      activity.action,
      activity.object ?? "",
      activity.description,
      activity.before === undefined ? null : JSON.stringify(activity.before),
      activity.after === undefined ? null : JSON.stringify(activity.after),
    ],
  });
}

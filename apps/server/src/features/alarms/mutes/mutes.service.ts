import { longestMuteDays, type Mute, type NewMute, type Pause } from "@busbar/contract/alarms/mutes.ts";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, gone, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { findMuteOf, findMutes, findPauses, insertMute, lockMute, lockMuted, writeMuteEnd } from "./mutes.store.ts";

const daySeconds = 86_400;
const objectOf = ({ kind, objectId }: Pick<Mute, "kind" | "objectId">): string => `${kind}/${objectId}`;

/** What no one is notified of for a time; each ends by itself. */
export function createMutes({ pool, clock }: { pool: Pool; clock: Clock }) {
  const nowSeconds = () => clock.now() / 1000;
  return {
    list: (): Promise<Mute[]> => findMutes(pool, nowSeconds()),
    pauses: (): Promise<{ total: number; nodes: Pause[] }> => findPauses(pool),

    async create(caller: Caller, values: NewMute): Promise<Mute> {
      const { kind, objectId, untilTimestamp } = values;
      const now = nowSeconds();
      if (untilTimestamp <= now) throw invalid("untilTimestamp", "is a moment that is still to come");
      if (untilTimestamp > now + longestMuteDays * daySeconds) throw invalid("untilTimestamp", `is at most ${longestMuteDays} days ahead`);
      return await inTransaction(pool, async (client) => {
        const title = await lockMuted(client, kind, objectId);
        if (title === undefined)
          throw notFound({ node: say`Node ${objectId}`, location: say`Location ${objectId}`, facility: say`Facility ${objectId}` }[kind]);
        const known = await findMuteOf(client, kind, objectId, now);
        if (known) {
          const until = formatLocalTime(known.untilTimestamp, known.timezone ?? "UTC");
          throw conflict(
            say`It is muted already, by ${{ username: known.username }} until ${{ displayTimestamp: until }}. End that mute first`,
          );
        }
        await insertMute(client, values, { userId: caller.userId, username: caller.username, now });
        const mute = await findMuteOf(client, kind, objectId, now);
        if (!mute) throw new Error("a mute was inserted and is not there");
        const { reason, fromTimestamp } = mute;
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_MUTE",
          object: objectOf(mute),
          description: `The ${kind} ${title} was muted until ${formatLocalTime(untilTimestamp, mute.timezone ?? "UTC")}`,
          after: { reason, fromTimestamp, untilTimestamp },
        });
        return mute;
      });
    },

    /** Ends one before its time. */
    async end(caller: Caller, id: number): Promise<{ id: number }> {
      return await inTransaction(pool, async (client) => {
        const now = nowSeconds();
        const mute = await lockMute(client, id, now);
        if (!mute) throw gone(say`This mute`, "it has ended");
        await writeMuteEnd(client, id, now);
        const { kind, objectId, facilityName, locationName, reason, untilTimestamp } = mute;
        const title = { node: objectId, location: locationName, facility: facilityName }[kind];
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_MUTE",
          object: objectOf(mute),
          description: `The mute of ${kind} ${title} was ended before its time`,
          before: { reason, untilTimestamp },
        });
        return { id };
      });
    },
  };
}
export type Mutes = ReturnType<typeof createMutes>;

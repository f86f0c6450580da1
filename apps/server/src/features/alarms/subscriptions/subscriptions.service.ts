import type { FacilitySubscriptions, UserSubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, forbidden, gone } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import {
  lockSubscriptions,
  readFacilitySubscriptions,
  readUserSubscriptions,
  writeSubscriptions,
  type SubscriptionPair,
} from "./subscriptions.store.ts";

interface Change {
  userId: number;
  facilityId: number;
  frequency: SubscriptionFrequency | null;
  previous: SubscriptionFrequency | null;
}

interface Wanted extends Pick<Change, "facilityId"> {
  /** Undefined: as it is. */
  frequency: Change["frequency"] | undefined;
}

/** The object of the activity, and what its values go by. */
interface About {
  object: string;
  title: (pair: SubscriptionPair) => string;
  nameOf: (pair: SubscriptionPair) => string;
}
const ofOneUser = (id: number): About => ({
  object: userObject(id),
  title: ({ username }) => `of ${username}`,
  nameOf: ({ facilityName }) => facilityName,
});
const ofOneFacility = (id: number): About => ({
  object: `facility/${id}`,
  title: ({ facilityName }) => `to ${facilityName}`,
  nameOf: ({ username }) => username,
});

/** Who is notified of which facility, and how often: one row of the table, edited from either side. */
export function createSubscriptions(pool: Pool) {
  const ofUser = async (id: number): Promise<UserSubscriptions> => {
    const found = await readUserSubscriptions(pool, id);
    if (!found) throw gone(say`This user`);
    return found;
  };
  const ofFacility = async (id: number): Promise<FacilitySubscriptions> => {
    const found = await readFacilitySubscriptions(pool, id);
    if (!found) throw gone(say`This facility`);
    return found;
  };

  /** All of them or none. */
  async function change(client: PoolClient, caller: Caller, changes: readonly Change[], about: About): Promise<void> {
    const pairs = await lockSubscriptions(
      client,
      unique(changes.map(({ userId }) => userId)),
      unique(changes.map((each) => each.facilityId)),
    );
    const before: Record<string, string> = {};
    const after: Record<string, string> = {};
    let title = "";
    for (const { userId, facilityId, frequency, previous } of changes) {
      const pair = pairs.find((each) => each.userId === userId && each.facilityId === facilityId);
      if (!pair) throw gone(say`A user or facility of these subscriptions`);
      refuse(caller, pair, { frequency, previous });
      before[about.nameOf(pair)] = pair.frequency ?? "none";
      after[about.nameOf(pair)] = frequency ?? "none";
      title = about.title(pair);
    }
    await writeSubscriptions(client, changes);
    await recordActivity(client, {
      actorType: "User",
      actor: caller.username,
      action: "PATCH_SUBSCRIPTIONS",
      object: about.object,
      description: `Subscriptions ${title} changed`,
      before,
      after,
    });
  }

  return {
    ofUser,
    ofFacility,

    async changeOfUser(caller: Caller, userId: number, changes: readonly Omit<Change, "userId">[]): Promise<UserSubscriptions> {
      const all = changes.map((each) => ({ ...each, userId }));
      await inTransaction(pool, (client) => change(client, caller, all, ofOneUser(userId)));
      return await ofUser(userId);
    },

    /** The same within a transaction of someone else, whatever it was before; what stays is not written. Says what was, by facility. */
    async setOfUser(client: PoolClient, caller: Caller, userId: number, wanted: readonly Wanted[]): Promise<SubscriptionPair[]> {
      const pairs = await lockSubscriptions(
        client,
        [userId],
        wanted.map(({ facilityId }) => facilityId),
      );
      if (pairs.length < wanted.length) throw gone(say`A user or facility of these subscriptions`);
      const present = new Map(pairs.map(({ facilityId, frequency }) => [facilityId, frequency]));
      const changes = wanted
        .map(({ facilityId, frequency }) => ({ userId, facilityId, frequency, previous: present.get(facilityId) ?? null }))
        .filter((request): request is Change => request.frequency !== undefined && request.frequency !== request.previous);
      if (changes.length > 0) await change(client, caller, changes, ofOneUser(userId));
      return pairs;
    },

    async changeOfFacility(
      caller: Caller,
      facilityId: number,
      changes: readonly Omit<Change, "facilityId">[],
    ): Promise<FacilitySubscriptions> {
      const all = changes.map((each) => ({ ...each, facilityId }));
      await inTransaction(pool, (client) => change(client, caller, all, ofOneFacility(facilityId)));
      return await ofFacility(facilityId);
    },
  };
}
export type Subscriptions = ReturnType<typeof createSubscriptions>;

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];

function refuse(caller: Caller, pair: SubscriptionPair, { frequency, previous }: Pick<Change, "frequency" | "previous">): void {
  const { userId, username, facilityName, isAdministrator } = pair;
  // As with the account itself; what one gets oneself is one's own affair.
  if (isAdministrator && userId !== caller.userId && !caller.roles.includes("systemAdministrator"))
    throw forbidden(say`${{ username }} is an administrator; changing that account needs the role systemAdministrator`);
  if (pair.frequency !== previous && pair.frequency !== frequency)
    throw conflict(
      say`Someone else changed the subscription of ${{ username }} to ${{ facilityName }} meanwhile: it is ${pair.frequency ?? "none"} now`,
    );
  if (frequency !== null && !pair.canReach)
    throw conflict(say`${{ facilityName }} is not a facility of ${{ username }}'s customer: only an internal user subscribes to others'`);
}

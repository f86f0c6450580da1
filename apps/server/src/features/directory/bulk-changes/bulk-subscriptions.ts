import type { BulkOrder } from "@busbar/contract/directory/bulk-changes.ts";
import type { SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";
import type { Subscriptions } from "#features/alarms/subscriptions/subscriptions.service.ts";
import { gone } from "#lib/errors.ts";
import { userObject } from "#shared/activities.store.ts";
import { oneByOne, type BulkItem, type BulkRules } from "./bulk-item.ts";
import { findUsers } from "./bulk-changes.store.ts";

const fieldOf = (facilityId: number) => `facility/${facilityId}`;

interface BulkUser extends BulkItem {
  /** Undefined where there is none any more. */
  userId: number | undefined;
  /** That are to be changed. */
  fields: readonly string[];
  /** Of the facilities, by field, once they are read. */
  names: Map<string, string>;
}

/** A user is an object, a facility a field of it. */
export function createBulkSubscriptions({
  setOfUser,
}: Pick<Subscriptions, "setOfUser">): BulkRules<NonNullable<BulkOrder["subscriptions"]>, BulkUser> {
  return {
    async requests({ userIds, facilities }) {
      const values = Object.fromEntries(facilities.map(({ facilityId, frequency }) => [fieldOf(facilityId), frequency]));
      return userIds.map((id) => ({ id, values }));
    },

    async items(db, requests) {
      const found = await findUsers(
        db,
        requests.map(({ id }) => id),
      );
      return requests.map(({ id, values: wanted }) => {
        const user = found.find((each) => each.id === id);
        const names = new Map<string, string>();
        return {
          object: userObject(id),
          name: user?.name ?? `User ${id}`,
          place: user?.place ?? "",
          timezone: null,
          userId: user?.id,
          fields: Object.keys(wanted),
          names,
          labelOf: (field) => names.get(field),
        };
      });
    },

    change: oneByOne(async (client, caller, { userId, fields, names }, values) => {
      if (userId === undefined) throw gone("This user");
      const facilities = fields.map((field) => ({
        facilityId: Number(field.split("/")[1]),
        frequency: values[field] as SubscriptionFrequency | null | undefined,
      }));
      const pairs = await setOfUser(client, caller, userId, facilities);
      for (const { facilityId, facilityName } of pairs) names.set(fieldOf(facilityId), facilityName);
      const before = Object.fromEntries(pairs.map(({ facilityId, frequency }) => [fieldOf(facilityId), frequency]));
      return { before, after: { ...before, ...values } };
    }),
  };
}

import { counted } from "@busbar/contract/values/counted.ts";
import {
  facilityOwnFields,
  RequiredPlace,
  isRequiredPlaceField,
  type FacilityMove,
  type FacilityPatch,
  type NewFacility,
  type SavedFacility,
} from "@busbar/contract/directory/facilities.ts";
import type { PoolClient } from "pg";
import type { Db } from "#db/statement.ts";
import type { SavedCustomer } from "@busbar/contract/directory/customers.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, gone, invalid } from "#lib/errors.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import { requireConfirmed } from "./confirmed-counts.ts";
import { requireCustomer, withoutUndefined, type DirectoryDependencies } from "./customers.service.ts";
import { deleteLocations, lockLocations } from "./deleted-places.store.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import {
  countPlaces,
  deleteFacilityRows,
  findFacility,
  insertFacility,
  lockFacility,
  lockUsersOf,
  moveFacilityRow,
  replaceManagers,
  updateFacilityRow,
} from "./facilities.store.ts";

const facilityObject = (id: number) => `facility/${id}`;

/** CUS-05 to CUS-08. Rows are locked from the customer down, and users before facilities, so that writers wait but never for each other. */
export function createFacilitiesService({ pool, twoFactor }: DirectoryDependencies) {
  return {
    async create(caller: Caller, customerId: number, values: NewFacility): Promise<SavedFacility> {
      return await inTransaction(pool, async (client) => {
        const customer = await requireCustomer(client, customerId, "share");
        refuseMissing(customer, values);
        const facility = await insertFacility(client, customerId, values);
        if (!facility) throw nameTaken(customer, values.name);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_FACILITY",
          object: facilityObject(facility.id),
          description: `Facility ${facility.name} was added to ${customer.name}`,
          after: facility,
        });
        return facility;
      });
    },

    async update(
      caller: Caller,
      customerId: number,
      id: number,
      { revision, locations: _locations, ...patch }: FacilityPatch,
    ): Promise<SavedFacility> {
      return await inTransaction(pool, async (client) => {
        const customer = await requireCustomer(client, customerId, "share");
        const current = await requireLocked(client, customerId, id);
        refuseOtherValues(current, patch, facilityOwnFields);
        const changed = changedFields(current, patch);
        const next = { ...current, ...withoutUndefined(patch) };
        if (changed.some(isRequiredPlaceField)) refuseMissing(customer, next);
        if (changed.length === 0) return current;
        if (revision !== undefined && revision !== current.revision) {
          const changes = await readChangesSince(client, facilityObject(id), revision);
          const refusal = changedMeanwhile(`facility ${current.name}`, changed, changes, revision);
          if (refusal) throw refusal;
        }
        const facility = await refuseTaken(customer, next.name, () => updateFacilityRow(client, next));
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_FACILITY",
          object: facilityObject(id),
          description: `Facility ${facility.name} of ${customer.name}: ${changed.join(", ")} changed`,
          before: current,
          after: facility,
        });
        return facility;
      });
    },

    async delete(caller: Caller, customerId: number, id: number, code: string, confirmed: number[] | undefined) {
      const asked = await requireFacility(pool, customerId, id);
      requireConfirmed(`Facility ${asked.name}`, [(await countPlaces(pool, id)).locations], confirmed);
      await twoFactor.usePasscode(caller, code);
      return await inTransaction(pool, async (client) => {
        const before = await requireLocked(client, customerId, id);
        const locations = await lockLocations(client, [id]);
        requireConfirmed(`Facility ${before.name}`, [locations.length], confirmed);
        await deleteLocations(
          client,
          locations.map((location) => location.id),
        );
        await deleteFacilityRows(client, [id]);
        const freedNodes = locations.flatMap(({ nodes }) => nodes);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_FACILITY",
          object: facilityObject(id),
          description: `Facility ${before.name} was deleted with ${counted(locations.length, "location")}; ${counted(freedNodes.length, "node")} freed`,
          before: { ...before, locations },
        });
        return { deleted: true as const, locations: locations.length, freedNodes };
      });
    },

    /** CUS-06 */
    async setManagers(
      caller: Caller,
      customerId: number,
      id: number,
      userIds: readonly number[],
      revision: number | undefined,
    ): Promise<SavedFacility> {
      return await inTransaction(pool, async (client) => {
        const customer = await requireCustomer(client, customerId);
        const known = await lockUsersOf(client, customerId, userIds);
        const before = await requireLocked(client, customerId, id);
        const unknown = userIds.filter((userId) => !known.has(userId));
        if (unknown.length > 0)
          throw invalid("managers", `${unknown.join(", ")} ${unknown.length === 1 ? "is no user" : "are no users"} of ${customer.name}`);
        if (userIds.length === before.managers.length && before.managers.every((userId) => known.has(userId))) return before;
        if (revision !== undefined && revision !== before.revision) {
          const changes = await readChangesSince(client, facilityObject(id), revision);
          const refusal = changedMeanwhile(`facility ${before.name}`, ["managers"], changes, revision);
          if (refusal) throw refusal;
        }
        await replaceManagers(client, id, userIds);
        const after = await requireFacility(client, customerId, id);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_FACILITY_MANAGERS",
          object: facilityObject(id),
          description: `Facility ${after.name} has ${counted(after.managers.length, "manager")} now`,
          before,
          after,
        });
        return after;
      });
    },

    /** CUS-07 */
    async move(caller: Caller, customerId: number, id: number, newCustomerId: number): Promise<FacilityMove> {
      if (newCustomerId === customerId) throw invalid("newCustomerId", "The facility is at this customer already. Choose another one");
      return await inTransaction(pool, async (client) => {
        const from = await requireCustomer(client, customerId);
        const to = await requireCustomer(client, newCustomerId, "share");
        const before = await requireLocked(client, customerId, id);
        if (to.requireDivisionFacilityLocation && !RequiredPlace.safeParse(before).success)
          throw conflict(`${to.name} requires a division and a facility location. Give both to ${before.name} first`);
        await refuseTaken(to, before.name, () => moveFacilityRow(client, id, newCustomerId));
        const after = await requireFacility(client, newCustomerId, id);
        const { locations, nodes } = await countPlaces(client, id);
        const removedManagers = before.managers.length - after.managers.length;
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "MOVE_FACILITY",
          object: facilityObject(id),
          description:
            `Facility ${before.name} was moved from ${from.name} to ${to.name} with ${counted(locations, "location")} and ` +
            `${counted(nodes, "node")}; ${counted(removedManagers, "manager")} left it`,
          before,
          after,
        });
        return { facilityId: id, customerId: newCustomerId, locations, nodes, removedManagers };
      });
    },
  };
}
export type FacilitiesService = ReturnType<typeof createFacilitiesService>;

const facilityGone = () => gone("This facility", "moved to another customer");

async function requireFacility(db: Db, customerId: number, id: number): Promise<SavedFacility> {
  const facility = await findFacility(db, customerId, id);
  if (!facility) throw facilityGone();
  return facility;
}

async function requireLocked(client: PoolClient, customerId: number, id: number): Promise<SavedFacility> {
  const facility = await lockFacility(client, customerId, id);
  if (!facility) throw facilityGone();
  return facility;
}

function refuseMissing(customer: SavedCustomer, facility: { division: string; facilityLocation: string }): void {
  if (!customer.requireDivisionFacilityLocation) return;
  const issue = RequiredPlace.safeParse(facility).error?.issues[0];
  if (issue) throw invalid(issue.path.join("."), issue.message);
}

const nameTaken = (customer: SavedCustomer, name: string) => conflict(`${customer.name} already has a facility named ${name}`, "name");

const uniqueViolation = "23505";

/** Only the database knows whose name was first when two facilities get one at the same moment. */
async function refuseTaken<T>(customer: SavedCustomer, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) throw nameTaken(customer, name);
    throw error;
  }
}

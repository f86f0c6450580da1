import { counted } from "@busbar/contract/values/counted.ts";
import { customerOwnFields, type CustomerPatch, type NewCustomer, type SavedCustomer } from "@busbar/contract/directory/customers.ts";
import type { Pool } from "pg";
import type { Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, gone, invalid } from "#lib/errors.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import { requireConfirmed } from "./confirmed-counts.ts";
import {
  countContents,
  deleteCustomerRow,
  findCustomer,
  insertCustomer,
  updateCustomer,
  type CustomerContents,
} from "./customers.store.ts";
import { deleteLocations, lockLocations } from "./deleted-places.store.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { deleteFacilityRows, lockFacilities } from "./facilities.store.ts";

export interface DirectoryDependencies {
  pool: Pool;
  twoFactor: TwoFactor;
}

export const customerObject = (id: number) => `customer/${id}`;

/** CUS-04 */
export function createCustomersService({ pool, twoFactor }: DirectoryDependencies) {
  return {
    async create(caller: Caller, values: NewCustomer): Promise<SavedCustomer> {
      return await inTransaction(pool, async (client) => {
        const customer = await insertCustomer(client, values);
        if (!customer) throw conflict(`There is already a customer with the code ${values.code}`, "code");
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_CUSTOMER",
          object: customerObject(customer.id),
          description: `Customer ${customer.name} (${customer.code}) was added`,
          after: customer,
        });
        return customer;
      });
    },

    async update(
      caller: Caller,
      id: number,
      { revision, facilities: _facilities, decommissionedNodes: _nodes, ...patch }: CustomerPatch,
    ): Promise<SavedCustomer> {
      return await inTransaction(pool, async (client) => {
        const current = await requireCustomer(client, id, "update");
        refuseOtherValues(current, patch, customerOwnFields);
        if (patch.code !== undefined && patch.code !== current.code) throw invalid("code", "The code of a customer cannot be changed");
        const changed = changedFields(current, patch);
        if (changed.length === 0) return current;
        if (revision !== undefined && revision !== current.revision) {
          const changes = await readChangesSince(client, customerObject(id), revision);
          const refusal = changedMeanwhile(`customer ${current.name}`, changed, changes, revision);
          if (refusal) throw refusal;
        }
        const customer = await updateCustomer(client, { ...current, ...withoutUndefined(patch) });
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_CUSTOMER",
          object: customerObject(id),
          description: `Customer ${customer.name} (${customer.code}): ${changed.join(", ")} changed`,
          before: current,
          after: customer,
        });
        return customer;
      });
    },

    async delete(caller: Caller, id: number, code: string, confirmed: number[] | undefined) {
      const customer = await requireCustomer(pool, id);
      refuseDeletion(customer, await countContents(pool, id), confirmed);
      await twoFactor.usePasscode(caller, code);
      return await inTransaction(pool, async (client) => {
        // Whoever came first meanwhile won: everything is looked at again, now that no one can add to it.
        const before = await requireCustomer(client, id, "update");
        const facilities = await lockFacilities(client, id);
        const locations = await lockLocations(
          client,
          facilities.map((facility) => facility.id),
        );
        refuseDeletion(before, await countContents(client, id), confirmed);
        await deleteLocations(
          client,
          locations.map((location) => location.id),
        );
        await deleteFacilityRows(
          client,
          facilities.map((facility) => facility.id),
        );
        await deleteCustomerRow(client, id);
        const freedNodes = locations.flatMap(({ nodes }) => nodes);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_CUSTOMER",
          object: customerObject(id),
          description:
            `Customer ${before.name} (${before.code}) was deleted with ${counted(facilities.length, "facility")} and ` +
            `${counted(locations.length, "location")}; ${counted(freedNodes.length, "node")} freed`,
          before: { ...before, facilities, locations },
        });
        return { deleted: true as const, facilities: facilities.length, locations: locations.length, freedNodes };
      });
    },
  };
}
export type CustomersService = ReturnType<typeof createCustomersService>;

export async function requireCustomer(db: Db, id: number, lock: "share" | "update" | "none" = "none"): Promise<SavedCustomer> {
  const customer = await findCustomer(db, id, lock);
  if (!customer) throw gone("This customer");
  return customer;
}

/** Leaves out what a partial change does not mention. */
export function withoutUndefined<T extends object>(patch: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

/** People and retired nodes are never deleted along: what becomes of each is someone's decision. */
function refuseDeletion(customer: SavedCustomer, contents: CustomerContents, confirmed: number[] | undefined): void {
  const { facilities, locations, users, decommissionedNodes } = contents;
  if (users > 0) throw conflict(`${counted(users, "user")} of ${customer.name} must be deleted or moved to another customer first`);
  if (decommissionedNodes > 0)
    throw conflict(
      `${customer.name} has ${decommissionedNodes} decommissioned ${decommissionedNodes === 1 ? "node" : "nodes"}. Remove them first`,
    );
  requireConfirmed(`Customer ${customer.name}`, [facilities, locations], confirmed);
}

import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import {
  locationProblems,
  type Location,
  type LocationForm,
  type LocationMove,
  type LocationPatch,
  type MoveTarget,
  type NewLocation,
} from "@busbar/contract/directory/locations.ts";
import { inTransaction } from "#db/transaction.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import type { Clock } from "#lib/clock.ts";
import { gone, invalid } from "#lib/errors.ts";
import {
  countNotes,
  deleteLocationRow,
  findLocation,
  holdFacility,
  insertLocation,
  lockLocation,
  moveLocationRow,
  writeLocation,
  type Place,
} from "./locations.store.ts";
import { toStored, toTexts } from "#lib/harmonic-signatures.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { freeNodes, lockNodes } from "#shared/node-placing.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { sortedFlags, toLocation } from "./locations.view.ts";
import { placeNodes, readNodeTypes } from "./node-placing.ts";

export interface LocationsDependencies {
  pool: Pool;
  clock: Clock;
  twoFactor: TwoFactor;
  systemConfig: SystemConfig;
}

const objectOf = (id: number) => `location/${id}`;

/** CUS-09 to CUS-17. Locked are the facility, then the location, then its nodes: writers wait, but never for each other. */
export function createLocations({ pool, clock, twoFactor, systemConfig }: LocationsDependencies) {
  async function refuseUnknownFlags(flags: Record<string, boolean>, known: Record<string, boolean> = {}): Promise<void> {
    const names = new Set((await systemConfig.get("Location_faultLibraryAlertDefault")).map(({ name }) => name));
    const unknown = Object.keys(flags).filter((name) => !names.has(name) && !Object.hasOwn(known, name));
    if (unknown.length > 0) throw invalid("faultLibraryAlertFlags", `There is no alert named ${unknown.join(", ")}`);
  }

  /** @param patchOf is given the location as it is */
  async function change(
    client: PoolClient,
    caller: Caller,
    place: Place,
    id: number,
    patchOf: (before: Location) => LocationPatch,
  ): Promise<{ before: Location; after: Location }> {
    const before = await requireLocation(client, id, place);
    const { revision, id: _id, nodes: _nodes, wiringReason, ...patch } = patchOf(before);
    if (patch.faultLibraryAlertFlags) patch.faultLibraryAlertFlags = sortedFlags(patch.faultLibraryAlertFlags);
    if (patch.harmonicSignatures) patch.harmonicSignatures = asStored(patch.harmonicSignatures);
    const changes = changedFields(before, patch);
    if (changes.length === 0) return { before, after: before };
    if (revision !== undefined && revision !== before.revision) {
      const refusal = changedMeanwhile(
        `location ${before.name}`,
        changes,
        await readChangesSince(client, objectOf(id), revision),
        revision,
      );
      if (refusal) throw refusal;
    }
    // What is stored was checked when it was entered; a rule of several fields is asked when one of them changes.
    const form = { ...before, ...withoutUndefined(patch) } as LocationForm;
    refuseProblems(form, await readNodeTypes(client, form, before), changes);
    await writeLocation(client, id, form);
    const nodeWords = await placeNodes(client, id, before, form, wiringReason);
    const after = await requireLocation(client, id);
    await recordActivity(client, {
      ...by(caller),
      action: "PATCH_LOCATION",
      object: objectOf(id),
      description: `Location ${after.name}: ${changes.join(", ")} changed${nodeWords}`,
      before,
      after,
    });
    return { before, after };
  }

  return {
    async create(caller: Caller, place: Place, { wiringReason, ...values }: NewLocation): Promise<Location> {
      await refuseUnknownFlags(values.faultLibraryAlertFlags);
      const form: LocationForm = {
        ...values,
        equipmentStartTimestamp: values.equipmentStartTimestamp ?? Math.floor(clock.now() / 1000),
        harmonicSignatures: asStored(values.harmonicSignatures),
      };
      return await inTransaction(pool, async (client) => {
        const names = await holdFacility(client, place);
        if (!names) throw facilityGone();
        refuseProblems(form, await readNodeTypes(client, form));
        const id = await insertLocation(client, place.facilityId, form);
        const nodeWords = await placeNodes(client, id, undefined, form, wiringReason);
        const location = await requireLocation(client, id);
        await recordActivity(client, {
          ...by(caller),
          action: "POST_LOCATION",
          object: objectOf(id),
          description: `Location ${location.name} was added to ${placeWords(names)}${nodeWords}`,
          after: location,
        });
        return location;
      });
    },

    async update(caller: Caller, place: Place, id: number, patch: LocationPatch): Promise<Location> {
      if (patch.id !== undefined && patch.id !== id) throw invalid("id", "The id of a location never changes");
      if (patch.faultLibraryAlertFlags) {
        const stored = await findLocation(pool, id, place);
        await refuseUnknownFlags(patch.faultLibraryAlertFlags, stored?.faultLibraryAlertFlags);
      }
      return await inTransaction(pool, async (client) => (await change(client, caller, place, id, () => patch)).after);
    },

    /** The same within a transaction of someone else, for alerts that there are. */
    change,

    /** CUS-17 */
    async delete(caller: Caller, place: Place, id: number, code: string) {
      if (!(await findLocation(pool, id, place))) throw locationGone();
      await twoFactor.usePasscode(caller, code);
      return await inTransaction(pool, async (client) => {
        const before = await requireLocation(client, id, place);
        const freedNodes = before.nodes.map(({ serialNumber }) => serialNumber);
        const notes = await countNotes(client, id);
        await lockNodes(client, freedNodes);
        await freeNodes(client, id, freedNodes);
        await deleteLocationRow(client, id);
        await recordActivity(client, {
          ...by(caller),
          action: "DELETE_LOCATION",
          object: objectOf(id),
          description: `Location ${before.name} was deleted with ${counted(notes, "note")}${freedNodes.length > 0 ? `; freed ${freedNodes.join(", ")}` : ""}`,
          before: { ...before, ...place, notes },
        });
        return { deleted: true as const, freedNodes, notes };
      });
    },

    /** CUS-17 */
    async move(caller: Caller, place: Place, id: number, target: Place): Promise<LocationMove> {
      if (target.facilityId === place.facilityId)
        throw invalid("newFacilityId", "The location is at this facility already. Choose another one");
      return await inTransaction(pool, async (client) => {
        const names = await holdFacility(client, target);
        if (!names) throw facilityGone();
        const before = await requireLocation(client, id, place);
        await moveLocationRow(client, id, target.facilityId);
        const after = await requireLocation(client, id);
        const nodes = after.nodes.map(({ serialNumber }) => serialNumber);
        const notes = await countNotes(client, id);
        await recordActivity(client, {
          ...by(caller),
          action: "MOVE_LOCATION",
          object: objectOf(id),
          description: `Location ${before.name} was moved to ${placeWords(names)} with ${counted(nodes.length, "node")} and ${counted(notes, "note")}`,
          before: { ...before, ...place },
          after: { ...after, ...target },
        });
        return { locationId: id, ...target, nodes, notes };
      });
    },
  };
}
export type Locations = ReturnType<typeof createLocations>;

const by = ({ username }: Caller) => ({ actorType: "User", actor: username }) as const;
const placeWords = ({ customerName, facilityName }: MoveTarget) => `${customerName} / ${facilityName}`;
const locationGone = () => gone("This location", "moved to another facility");
const facilityGone = () => gone("This facility", "moved to another customer");

/** With a place: locked, and it must be there. */
async function requireLocation(client: PoolClient, id: number, place?: Place): Promise<Location> {
  const row = place ? await lockLocation(client, id, place) : await findLocation(client, id);
  if (!row) throw locationGone();
  return toLocation(row);
}

function refuseProblems(location: LocationForm, types: ReadonlyMap<string, string>, changed?: readonly string[]): void {
  const { nodeSerialNumber, secondaryNodeSerialNumber } = location;
  for (const [field, serial] of Object.entries({ nodeSerialNumber, secondaryNodeSerialNumber }))
    if (serial !== null && !types.has(serial)) throw invalid(field, `There is no node ${serial}`);
  const problem = locationProblems(location, (serial) => types.get(serial), changed)[0];
  if (problem) throw invalid(problem.field, problem.message);
}

function withoutUndefined<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

/** `29.50` and `29.5` are one frequency. */
const asStored = (signatures: readonly [string, string][]): [string, string][] => toTexts(toStored(signatures));

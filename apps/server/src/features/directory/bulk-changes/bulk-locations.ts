import type { BulkOrder } from "@busbar/contract/directory/bulk-changes.ts";
import type { Location, LocationPatch } from "@busbar/contract/directory/locations.ts";
import type { Locations } from "#features/directory/locations/locations.service.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import { gone, invalid } from "#lib/errors.ts";
import { oneByOne, type BulkItem, type BulkRules, type BulkValues } from "./bulk-item.ts";
import { findLocations, type FoundLocation } from "./bulk-changes.store.ts";

export interface BulkLocationsDependencies {
  locations: Pick<Locations, "change">;
  systemConfig: SystemConfig;
}

interface BulkLocation extends BulkItem {
  /** Undefined where it is no longer there. */
  location: FoundLocation | undefined;
  /** That are to be changed. */
  fields: readonly string[];
}

/** An alert is a field of its own: another one of the same location does not hurt it. */
const alertField = (name: string) => `faultLibraryAlertFlags.${name}`;
const alertOf = (field: string): string | undefined => /^faultLibraryAlertFlags\.(\w+)$/.exec(field)?.[1];

export function createBulkLocations({
  locations,
  systemConfig,
}: BulkLocationsDependencies): BulkRules<NonNullable<BulkOrder["locations"]>, BulkLocation> {
  const alerts = async () => new Map((await systemConfig.get("Location_faultLibraryAlertDefault")).map((flag) => [flag.name, flag]));

  return {
    async requests({ locationIds, values: { faultLibraryAlertFlags: flags = {}, ...values } }) {
      const known = await alerts();
      const unknown = Object.keys(flags).filter((name) => !known.has(name));
      if (unknown.length > 0) throw invalid("locations.values.faultLibraryAlertFlags", `There is no alert named ${unknown.join(", ")}`);
      const given = Object.fromEntries([
        ...Object.entries(values).filter(([, value]) => value !== undefined),
        ...Object.entries(flags).map(([name, value]) => [alertField(name), value] as const),
      ]);
      return locationIds.map((id) => ({ id, values: given }));
    },

    async items(db, requests) {
      const known = await alerts();
      const found = await findLocations(
        db,
        requests.map(({ id }) => id),
      );
      return requests.map(({ id, values: wanted }) => {
        const location = found.find((each) => each.id === id);
        return {
          object: `location/${id}`,
          name: location?.name ?? `Location ${id}`,
          place: location?.place ?? "",
          timezone: location?.timezone ?? null,
          location,
          fields: Object.keys(wanted),
          labelOf: (field) => {
            const name = alertOf(field);
            return name === undefined ? undefined : `Alert: ${known.get(name)?.display_name ?? name}`;
          },
        };
      });
    },

    change: oneByOne(async (client, caller, { location, fields }, values) => {
      if (!location) throw gone("This location");
      const { before, after } = await locations.change(client, caller, location, location.id, (present) => patchOf(present, values));
      return { before: pick(before, fields), after: pick(after, fields) };
    }),
  };
}

function pick(location: Location, fields: readonly string[]): BulkValues {
  const values = location as unknown as BulkValues;
  return Object.fromEntries(
    fields.map((field) => {
      const name = alertOf(field);
      return [field, (name === undefined ? values[field] : location.faultLibraryAlertFlags[name]) ?? null];
    }),
  );
}

/** An alert of which the location said nothing says nothing again. */
function patchOf({ faultLibraryAlertFlags: present }: Location, values: BulkValues): LocationPatch {
  const entries = Object.entries(values).map(([field, value]) => ({ field, alert: alertOf(field), value }));
  const flags = entries.flatMap(({ alert, value }) => (alert === undefined ? [] : [[alert, value] as const]));
  const all = Object.entries({ ...present, ...Object.fromEntries(flags) }).filter(([, value]) => value !== null);
  return Object.fromEntries([
    ...entries.filter(({ alert }) => alert === undefined).map(({ field, value }) => [field, value] as const),
    ["faultLibraryAlertFlags", Object.fromEntries(all)],
  ]);
}

import { mostImportLines } from "@busbar/contract/directory/place-import.ts";
import type { ImportCounts, ImportRecord } from "@busbar/contract/values/import-plan.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool, PoolClient } from "pg";
import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { countRecords, createFileImport, type OnStep } from "#shared/file-import.ts";
import {
  insertCustomers,
  insertFacilities,
  insertLocations,
  lockPlaces,
  readKnownPlaces,
  updateCustomers,
  updateFacilities,
  updateLocations,
} from "./place-import.store.ts";
import { placeColumns, type ImportColumn } from "./place-lines.ts";
import { columnOfField, isChanged, isNew, planPlaces, type KnownPlaces, type PlacePlan, type PlannedPlace } from "./place-plan.ts";

/** Locations that are written with one statement. */
const chunkSize = 500;
const nouns = ["customer", "facility", "location"];

/** Decision 0045. Customers, facilities and locations from a file. */
export function createPlaceImport({ pool, clock }: { pool: Pool; clock: Clock }) {
  return createFileImport<ImportColumn, string, Caller>(pool, {
    noun: "place",
    counted: nouns,
    ...placeColumns,
    mostLines: mostImportLines,

    // What it would do is known before anything is written: a dry run holds no one up.
    async perform(client, caller, { lines, errors }, { onStep, isDry, requireShown }) {
      if (!isDry) await lockPlaces(client);
      const codes = new Set(lines.flatMap(({ values: { code } }) => (code === undefined ? [] : [code])));
      const known = await readKnownPlaces(client, [...codes]);
      const plan = planPlaces(lines, known);
      const said = new Set(errors.map(({ line, column }) => `${line} ${column}`));
      errors.push(...plan.errors.filter(({ line, column }) => !said.has(`${line} ${column}`)));
      const records = recordsOf(plan);
      if (isDry) return records;
      requireShown(records, errors);
      await write(client, caller, plan, known, onStep);
      const counts = countRecords(nouns, records);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "IMPORT_PLACES",
        description: `Imported ${wordsOf(counts)}`,
        after: { counts },
      });
      return records;
    },
  });

  async function write(client: PoolClient, caller: Caller, plan: PlacePlan, known: KnownPlaces, onStep: OnStep): Promise<void> {
    const total = plan.locations.filter(isNew).length;
    onStep(0, total);
    const newCustomers = plan.customers.filter(isNew);
    const customerIds = await insertCustomers(
      client,
      newCustomers.map(({ code, values }) => ({ code, name: values["name"]!, type: values["type"] ?? "Revenue" })),
    );
    const customerId = ({ id, code }: PlacePlan["customers"][number]) => id ?? customerIds.get(code)!;
    const facilityIds = await insertFacilities(
      client,
      plan.facilities.filter(isNew).map(({ customer, name, values }) => ({ ...noFacility, id: customerId(customer), name, ...values })),
    );
    const facilityId = ({ id, customer, name }: PlacePlan["facilities"][number]) =>
      id ?? facilityIds.get(`${customerId(customer)} ${name}`)!;
    const added = plan.locations.filter(isNew);
    const now = Math.floor(clock.now() / 1000);
    for (let from = 0; from < added.length; from += chunkSize) {
      const chunk = added.slice(from, from + chunkSize);
      await insertLocations(
        client,
        chunk.map(({ facility, name, values }) => ({
          facilityId: facilityId(facility),
          name,
          equipmentType: values["equipmentType"]!,
          timezone: values["timezone"]!,
        })),
        now,
      );
      onStep(from + chunk.length, total);
    }
    await change(client, caller, "PATCH_CUSTOMER", "customer", plan.customers, known.customers, (rows) => updateCustomers(client, rows));
    await change(client, caller, "PATCH_FACILITY", "facility", plan.facilities, known.facilities, (rows) => updateFacilities(client, rows));
    await change(client, caller, "PATCH_LOCATION", "location", plan.locations, known.locations, (rows) => updateLocations(client, rows));
  }
}
export type PlaceImport = ReturnType<typeof createPlaceImport>;

const noFacility = { siteName: "", division: "", groundingType: "", facilityLocation: "" };

/** What was there before keeps its history: each one that changes has an activity of its own. */
async function change<Row extends { id: number; revision: number }>(
  client: PoolClient,
  caller: Caller,
  action: ActivityAction,
  kind: string,
  places: readonly PlannedPlace[],
  known: readonly Row[],
  update: (rows: Row[]) => Promise<void>,
): Promise<void> {
  const byId = new Map(known.map((row) => [row.id, row]));
  const changed = places.filter(isChanged).map((place) => ({ place, row: byId.get(place.id!)! }));
  if (changed.length === 0) return;
  await update(changed.map(({ place, row }) => ({ ...row, ...place.values })));
  for (const { place, row } of changed) {
    await recordActivity(client, {
      actorType: "User",
      actor: caller.username,
      action,
      object: `${kind}/${row.id}`,
      description: `${kind[0]!.toUpperCase()}${kind.slice(1)} ${place.name}: ${Object.keys(place.values).join(", ")} changed by an import`,
      before: { ...place.before, revision: row.revision },
      after: { ...place.values, revision: row.revision + 1 },
    });
  }
}

function recordsOf({ customers, facilities, locations }: PlacePlan): ImportRecord[] {
  const of = (noun: string, places: readonly PlannedPlace[]) =>
    places.map((place) => ({
      line: place.line,
      noun,
      name: place.name,
      isNew: isNew(place),
      changes: Object.entries(place.values).map(([field, after]) => ({
        column: columnOfField(field),
        before: place.before[field] ?? "",
        after,
      })),
    }));
  return [...of("customer", customers), ...of("facility", facilities), ...of("location", locations)];
}

const wordsOf = (counts: readonly ImportCounts[]): string => {
  const [customers, facilities, locations] = counts.map(({ noun, added }) => counted(added, noun));
  const changed = counts.reduce((sum, each) => sum + each.changed, 0);
  return `${customers}, ${facilities} and ${locations}; ${counted(changed, "place")} changed`;
};

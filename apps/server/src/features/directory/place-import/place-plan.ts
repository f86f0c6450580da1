import { RequiredPlace } from "@busbar/contract/directory/facilities.ts";
import { hasSecondaryNode } from "@busbar/contract/directory/locations.ts";
import { importColumns } from "@busbar/contract/directory/place-import.ts";
import { otherCapitals, type LineError } from "#shared/import-lines.ts";
import type { ImportColumn, PlaceLine } from "./place-lines.ts";

/** What is there of the customers that a file names. */
export interface KnownPlaces {
  customers: readonly { id: number; code: string; name: string; type: string; requiresPlace: boolean; revision: number }[];
  facilities: readonly {
    id: number;
    customerId: number;
    name: string;
    siteName: string;
    division: string;
    groundingType: string;
    facilityLocation: string;
    revision: number;
  }[];
  locations: readonly {
    id: number;
    facilityId: number;
    name: string;
    equipmentType: string;
    timezone: string;
    hasSecondary: boolean;
    revision: number;
  }[];
}

type Values = Record<string, string>;

/** One that is to be there: `id` of one that is, and what of it changes. */
export interface PlannedPlace {
  line: number;
  id: number | undefined;
  name: string;
  values: Values;
  before: Values;
}
export interface PlannedCustomer extends PlannedPlace {
  code: string;
}
export interface PlannedFacility extends PlannedPlace {
  customer: PlannedCustomer;
}
export interface PlannedLocation extends PlannedPlace {
  facility: PlannedFacility;
}

export interface PlacePlan {
  customers: PlannedCustomer[];
  facilities: PlannedFacility[];
  locations: PlannedLocation[];
  errors: LineError[];
}

interface Fields {
  /** Column of the file by field of the object. */
  columns: Readonly<Record<string, ImportColumn>>;
  /** What a new one cannot be without. */
  required: readonly string[];
}
const customerFields: Fields = { columns: { name: "customerName", type: "customerType" }, required: ["name"] };
const facilityFields: Fields = {
  columns: { siteName: "siteName", division: "division", groundingType: "groundingType", facilityLocation: "facilityLocation" },
  required: ["siteName"],
};
const locationFields: Fields = {
  columns: { equipmentType: "equipmentType", timezone: "timezone" },
  required: ["equipmentType", "timezone"],
};
export const columnOfField = (field: string): string =>
  importColumns[{ ...customerFields.columns, ...facilityFields.columns, ...locationFields.columns }[field]!];

/** Compares a file with what is there. Customers go by their code, facilities by customer and name, locations by facility and name. */
export function planPlaces(lines: readonly PlaceLine[], known: KnownPlaces): PlacePlan {
  const errors: LineError[] = [];
  const say = (line: number, column: ImportColumn, message: string) => errors.push({ line, column: importColumns[column], message });
  const [customers, facilities, locations] = [
    new Map<string, PlannedCustomer>(),
    new Map<string, PlannedFacility>(),
    new Map<string, PlannedLocation>(),
  ];
  const byCode = new Map(known.customers.map((customer) => [customer.code, customer]));
  const facilityByName = new Map(known.facilities.map((facility) => [`${facility.customerId} ${facility.name}`, facility]));
  const locationsByName = Map.groupBy(known.locations, ({ facilityId, name }) => `${facilityId} ${name}`);
  // Names in small letters, of what is there and of what earlier lines name.
  const facilitiesAlike = new Map(known.facilities.map(({ customerId, name }) => [`${customerId} ${name}`.toLowerCase(), name]));
  const locationsAlike = new Map(known.locations.map(({ facilityId, name }) => [`${facilityId} ${name}`.toLowerCase(), name]));
  const refuseLookalike = ({ id, line, name }: PlannedPlace, column: ImportColumn, alike: Map<string, string>, within: number | string) => {
    const key = `${within} ${name}`.toLowerCase();
    const other = alike.get(key);
    if (other === undefined) alike.set(key, name);
    else if (id === undefined && other !== name) say(line, column, otherCapitals(other));
  };

  /** What a line says of one: it changes what is there, and must not contradict an earlier line. */
  const takeValues = (place: PlannedPlace, { columns }: Fields, { line, values }: PlaceLine, present: object | undefined, said: Values) => {
    for (const [field, column] of Object.entries(columns)) {
      const value = values[column];
      if (value === undefined) continue;
      if (said[field] !== undefined && said[field] !== value) {
        say(line, column, `${place.name} has another one on line ${place.line}`);
        continue;
      }
      said[field] = value;
      const now = (present as Values | undefined)?.[field];
      if (now === value) continue;
      place.values[field] = value;
      if (now !== undefined) place.before[field] = now;
    }
  };
  const requireAll = (place: PlannedPlace, { columns, required }: Fields) => {
    if (place.id !== undefined) return;
    for (const field of required)
      if (place.values[field] === undefined) say(place.line, columns[field]!, `${place.name} is new and needs it`);
  };

  const saidOf = new Map<PlannedPlace, Values>();
  const begin = <Place extends PlannedPlace>(place: Place): Place => {
    saidOf.set(place, {});
    return place;
  };
  for (const line of lines) {
    const { code, facilityName, locationName } = line.values;
    if (code === undefined) {
      say(line.line, "code", "Every line has one");
      continue;
    }
    const present = byCode.get(code);
    let customer = customers.get(code);
    if (!customer) {
      customer = begin({ line: line.line, id: present?.id, code, name: code, values: {}, before: {} });
      customers.set(code, customer);
    }
    takeValues(customer, customerFields, line, present, saidOf.get(customer)!);
    if (facilityName === undefined) {
      if (locationName !== undefined) say(line.line, "facilityName", "A location is at a facility");
      continue;
    }
    const facilityKey = `${code} ${facilityName}`;
    const presentFacility = present && facilityByName.get(`${present.id} ${facilityName}`);
    let facility = facilities.get(facilityKey);
    if (!facility) {
      facility = begin({ line: line.line, id: presentFacility?.id, name: facilityName, customer, values: {}, before: {} });
      facilities.set(facilityKey, facility);
      refuseLookalike(facility, "facilityName", facilitiesAlike, present?.id ?? code);
    }
    takeValues(facility, facilityFields, line, presentFacility, saidOf.get(facility)!);
    if (locationName === undefined) continue;
    const same = presentFacility ? (locationsByName.get(`${presentFacility.id} ${locationName}`) ?? []) : [];
    const locationKey = `${facilityKey}\n${locationName}`;
    const twin = locations.get(locationKey);
    if (twin) {
      say(line.line, "locationName", `The same location is on line ${twin.line}`);
      continue;
    }
    if (same.length > 1) {
      say(line.line, "locationName", `${facilityName} has several locations of this name: which one is meant cannot be known`);
      continue;
    }
    const [presentLocation] = same;
    const location: PlannedLocation = { line: line.line, id: presentLocation?.id, name: locationName, facility, values: {}, before: {} };
    locations.set(locationKey, location);
    refuseLookalike(location, "locationName", locationsAlike, presentFacility?.id ?? facilityKey);
    takeValues(location, locationFields, line, presentLocation, {});
    requireAll(location, locationFields);
    // CUS-11: nodes are not placed by an import.
    const { equipmentType } = location.values;
    if (equipmentType !== undefined && hasSecondaryNode(equipmentType) !== (presentLocation?.hasSecondary ?? false))
      say(
        line.line,
        "equipmentType",
        hasSecondaryNode(equipmentType)
          ? `A secondary node is required for ${equipmentType}: add this location in the console`
          : "Only DCMotor and SynchronousMotor have a secondary node: change this location in the console",
      );
  }
  for (const customer of customers.values()) requireAll(customer, customerFields);
  for (const facility of facilities.values()) {
    requireAll(facility, facilityFields);
    refuseMissing(facility, byCode.get(facility.customer.code)?.requiresPlace ?? false, say);
  }
  return {
    customers: [...customers.values()],
    facilities: [...facilities.values()],
    locations: [...locations.values()],
    errors,
  };
}

/** What a customer with `requireDivisionFacilityLocation` requires of new facilities. */
function refuseMissing(
  facility: PlannedFacility,
  isRequired: boolean,
  say: (line: number, column: ImportColumn, message: string) => void,
): void {
  if (!isRequired || facility.id !== undefined) return;
  for (const field of Object.keys(RequiredPlace.shape) as (keyof typeof RequiredPlace.shape)[])
    if (facility.values[field] === undefined) say(facility.line, field, `${facility.name} is new, and its customer requires it`);
}

export const isNew = ({ id }: PlannedPlace): boolean => id === undefined;
export const isChanged = ({ id, values }: PlannedPlace): boolean => id !== undefined && Object.keys(values).length > 0;

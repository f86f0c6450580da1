import { CustomerForm } from "@busbar/contract/directory/customers.ts";
import { FacilityForm } from "@busbar/contract/directory/facilities.ts";
import { LocationForm } from "@busbar/contract/directory/locations.ts";
import { importColumns } from "@busbar/contract/directory/place-import.ts";
import * as z from "zod/mini";
import type { ImportColumns, ImportLine } from "#shared/import-lines.ts";

export type ImportColumn = keyof typeof importColumns;

export type PlaceLine = ImportLine<ImportColumn>;

const schemas: Record<ImportColumn, z.ZodMiniType<string>> = {
  code: CustomerForm.shape.code,
  customerName: CustomerForm.shape.name,
  customerType: CustomerForm.shape.type,
  facilityName: FacilityForm.shape.name,
  siteName: FacilityForm.shape.siteName,
  division: FacilityForm.shape.division,
  groundingType: FacilityForm.shape.groundingType,
  facilityLocation: FacilityForm.shape.facilityLocation,
  locationName: LocationForm.shape.name,
  equipmentType: LocationForm.shape.equipmentType,
  timezone: LocationForm.shape.timezone,
};

export const placeColumns: ImportColumns<ImportColumn, string> = {
  names: importColumns,
  key: "code",
  read(column, text) {
    const result = z.safeParse(schemas[column], text);
    return result.success ? { value: result.data } : { message: result.error.issues[0]?.message ?? "is not valid" };
  },
};

import { importPlanEndpoint, importRunEndpoint } from "../values/import-plan.ts";
import { changedByPlace } from "./changed-by-place.ts";

/** Without the heading. */
export const mostImportLines = 20_000;

/** What the columns of an import are called: as in the file that the list of customers exports. */
export const importColumns = {
  code: "Customer code",
  customerName: "Customer",
  customerType: "Customer type",
  facilityName: "Facility",
  siteName: "Site",
  division: "Division",
  groundingType: "Grounding type",
  facilityLocation: "Facility location",
  locationName: "Location",
  equipmentType: "Equipment type",
  timezone: "Time zone",
} as const;

export const planPlaceImport = importPlanEndpoint("/place-import", "customers, facilities and locations");
export const runPlaceImport = importRunEndpoint("/place-import", changedByPlace);

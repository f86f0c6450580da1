import type { Migration } from "kysely/migration";
import * as core from "./migrations/0001-core.ts";
import * as services from "./migrations/0002-services.ts";
import * as dataFiles from "./migrations/0012-data-files.ts";

/** In the order in which they run; a name never changes once it has landed. */
export const migrations: Record<string, Migration> = {
  "0001-core": core,
  "0002-services": services,
  "0012-data-files": dataFiles,
};

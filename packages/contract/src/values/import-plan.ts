import * as z from "zod/mini";
import { preparedEndpoint } from "../endpoint.ts";

export const largestImportBytes = 20 * 1024 * 1024;
/** Of an answer; the counts are whole. */
export const mostImportErrors = 200;
/** Of those that are added, and of those that are changed. */
export const mostImportRecords = 200;

/** What becomes of those of one kind, such as `node`. */
export const ImportCounts = z.object({ noun: z.string(), added: z.number(), changed: z.number(), left: z.number() });
export type ImportCounts = z.infer<typeof ImportCounts>;

/** One that is added or changed; of what is there its old values. */
export const ImportRecord = z.object({
  line: z.number(),
  noun: z.string(),
  name: z.string(),
  isNew: z.boolean(),
  changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
});
export type ImportRecord = z.infer<typeof ImportRecord>;

export const ImportPlan = z.object({
  /** Of the file and of what it would do: the import does exactly this, or is refused. */
  digest: z.string(),
  lines: z.number(),
  counts: z.array(ImportCounts),
  /** At most 200 of those that are added, and 200 of those that are changed. */
  records: z.array(ImportRecord),
  /** At most 200 of them. With one of them nothing is imported. */
  errors: z.array(z.object({ line: z.number(), column: z.string(), message: z.string() })),
  errorCount: z.number(),
  /** Headings of columns that an import passes by. */
  ignored: z.array(z.string()),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** A line of the answer of an import or its dry run: how far it is, then what came of it. */
export const ImportStep = z.union([
  z.object({ done: z.number(), total: z.number() }),
  z.object({ plan: ImportPlan }),
  z.object({ imported: z.array(ImportCounts) }),
  z.object({ failure: z.string() }),
]);
export type ImportStep = z.infer<typeof ImportStep>;

const file = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "Send the file's bytes as application/octet-stream");
const call = {
  access: "staff",
  takesBytes: largestImportBytes,
  body: file,
  answersBytes: true,
  data: z.unknown(),
} as const;
const asLines = "lines of JSON that say how far it is, the last one what came of it";

/** The dry run of an import. */
export const importPlanEndpoint = (path: `/${string}`, what: string) =>
  preparedEndpoint(`POST /api${path}/plan`, {
    ...call,
    summary: `What a CSV file of ${what} would add, change and leave, and what is wrong on which line; nothing is written: ${asLines}`,
  });

/** @param more about what it does */
export const importRunEndpoint = (path: `/${string}`, changes: readonly string[], more = "") =>
  preparedEndpoint(`POST /api${path}/{digest}`, {
    ...call,
    params: z.object({ digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, "digest is the one of the plan")) }),
    summary: `Does what the plan of this digest says, all or nothing: ${asLines}${more}`,
    changes,
  });

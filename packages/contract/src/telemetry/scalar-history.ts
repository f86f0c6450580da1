import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** One scalar of a node: line frequency in Hz, currents in A RMS, voltages in V RMS line-to-line (V12, V23, V31). */
export const ScalarHistoryRow = z.object({
  timestamp: EpochSeconds,
  version: z.nullable(z.number()),
  flag: z.nullable(z.number()),
  lineFrequency: z.nullable(z.number()),
  current1: z.nullable(z.number()),
  current2: z.nullable(z.number()),
  current3: z.nullable(z.number()),
  voltage1: z.nullable(z.number()),
  voltage2: z.nullable(z.number()),
  voltage3: z.nullable(z.number()),
});
export type ScalarHistoryRow = z.infer<typeof ScalarHistoryRow>;

export const getScalarHistory = endpoint("GET /api/nodes/{serial}/realtime", {
  access: "staff",
  summary: "The latest scalars of a node, or the latest before a time, newest first",
  params: z.object({ serial: SerialNumber }),
  query: z.strictObject({
    limit: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,4}$/, "limit is a whole number up to 2000")), z.transform(Number))),
    /** Only those before this time. */
    before: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,10}$/, "before is a time in epoch seconds")), z.transform(Number))),
  }),
  data: z.array(ScalarHistoryRow),
});

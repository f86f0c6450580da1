import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

export const sensorDataOffsets = ["current", "previous", "next"] as const;
export type SensorDataOffset = (typeof sensorDataOffsets)[number];

const isTime = "is one time in epoch seconds";

/** One data point of a node: the values of its 15-minute file. Times are epoch seconds. */
export const SensorDataRecord = z.object({
  serialNumber: z.string(),
  timestamp: EpochSeconds,
  sourceFile: z.string(),
  /** False once the file itself has reached the end of its time: its values are kept for longer. */
  isSourceFileKept: z.boolean(),
  /** null Pending, false Failed, true Extracted. */
  processed: z.nullable(z.boolean()),
  /** Null also when it is not known any more. */
  dataAnalysisServiceProcessed: z.nullable(z.boolean()),
  failedReason: z.nullable(z.string()),
  /** Keys and values of the file; empty until it is extracted. */
  sensorData: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  location: z.string(),
  timezone: z.nullable(z.string()),
  previousTimestamp: z.nullable(EpochSeconds),
  nextTimestamp: z.nullable(EpochSeconds),
});
export type SensorDataRecord = z.infer<typeof SensorDataRecord>;

export const getSensorData = endpoint("GET /api/node-dashboard/{serial}/sensordata/{type}", {
  access: "staff",
  summary: "A data point: the one at a time or the last before it (current), the one before (previous) or after (next) it",
  params: z.object({
    serial: SerialNumber,
    type: z.enum(sensorDataOffsets, "The offset is current, previous or next"),
  }),
  query: z.strictObject({
    offset: z.pipe(z.string(isTime).check(z.regex(/^\d{1,11}$/, isTime)), z.transform(Number)),
  }),
  data: SensorDataRecord,
});

import * as z from "zod/mini";
import { DataFileNameText, parseDataFileName } from "./data-file-name.ts";
import { endpoint } from "../endpoint.ts";
import { FileContents } from "./node-files.ts";

/** What a relay's event file says about itself, in its own words. */
export const EventFileLabel = z.object({ name: z.string(), value: z.string() });
export type EventFileLabel = z.infer<typeof EventFileLabel>;

/** Lowest and highest sample per plot column, in the order in which they came; every sample where the range has few. */
export const EventWaveform = z.object({
  /** The whole record, seconds from the trigger. */
  start: z.number(),
  end: z.number(),
  /** The range that is shown here. */
  from: z.number(),
  to: z.number(),
  /** Samples in that range, and whether all of them are shown. */
  sampleCount: z.int(),
  isEverySample: z.boolean(),
  /** Common to all channels, rising. */
  times: z.array(z.number()),
  analogs: z.array(
    z.object({
      name: z.string(),
      phase: z.string(),
      unit: z.string(),
      /** Parallel to `times`; null where the file marks a value as missing. */
      values: z.array(z.nullable(z.number())),
    }),
  ),
  /** Those that change within the record. */
  digitals: z.array(
    z.object({
      name: z.string(),
      first: z.union([z.literal(0), z.literal(1)]),
      /** Indexes of `times` at which the state turns. */
      turns: z.array(z.int()),
    }),
  ),
  /** Names of the digital channels that do not change. */
  alwaysOn: z.array(z.string()),
  alwaysOff: z.array(z.string()),
  /** Channels beyond those that a plot takes. */
  omittedChannels: z.int(),
});
export type EventWaveform = z.infer<typeof EventWaveform>;

/** What happened, as far as the file says: a trip, an alarm or self-test failure, or another recording. */
export const eventKinds = ["trip", "alarm", "event"] as const;
export type EventKind = (typeof eventKinds)[number];

export const eventFormats = ["COMTRADE", "CEV", "EVE", "text", "archive"] as const;
export type EventFormat = (typeof eventFormats)[number];

/** A relay's event file: the file as it is, what it says, and its waveform where it holds one. */
export const EventFile = z.extend(FileContents, {
  format: z.enum(eventFormats),
  eventKind: z.enum(eventKinds),
  /** The recorder's own wall time; null when the file has none. */
  triggeredAt: z.nullable(z.string()),
  labels: z.array(EventFileLabel),
  /** The other file of a pair of configuration and data, whether it is there or not; null for a file that is whole by itself. */
  partner: z.nullable(z.object({ fileName: z.string(), isStored: z.boolean() })),
  waveform: z.nullable(EventWaveform),
  /** Why the file cannot be used, or has no waveform though its format has one. */
  problem: z.nullable(z.string()),
  /** Oddities that were read over, as sentences. */
  warnings: z.array(z.string()),
});
export type EventFile = z.infer<typeof EventFile>;

export const maxPlotColumns = 2_000;
export const usualPlotColumns = 1_000;

const isSeconds = "is one time in seconds from the trigger";
const isColumns = `is one whole number from 1 to ${maxPlotColumns}`;
const secondsText = z.optional(z.pipe(z.string(isSeconds).check(z.regex(/^-?\d{1,9}(?:\.\d{1,12})?$/, isSeconds)), z.transform(Number)));

const EventFileName = DataFileNameText.check(
  z.refine((text) => parseDataFileName(text)?.kind === "E", "An event file has the kind E, such as 10234_20260106T143000Z_E0001.cev"),
);

export const getEventFile = endpoint("GET /api/activities/events/files/{eventFileName}", {
  access: "staff",
  summary: "A relay's event file: what it says, the first 1 MB of its text, and its waveform as far as a plot shows it",
  params: z.object({ eventFileName: EventFileName }),
  query: z
    .strictObject({
      from: secondsText,
      to: secondsText,
      columns: z.optional(
        z.pipe(
          z
            .string(isColumns)
            .check(z.refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPlotColumns, isColumns)),
          z.transform(Number),
        ),
      ),
      /** `no` leaves the text out: for a finer part of a waveform that is shown already. */
      text: z.optional(z.enum(["yes", "no"], "is yes or no")),
    })
    .check(
      z.refine(({ from, to }) => from === undefined || to === undefined || from < to, {
        path: ["from"],
        message: "is before to",
      }),
    ),
  data: EventFile,
});

import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { CalendarDate } from "../values/calendar-date.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";
import { parseDataFileName } from "./data-file-name.ts";
import { eventKinds } from "./event-files.ts";

/** How far an event's files are: read, waiting, waiting for the other file of a pair, or none of them can be used. */
export const eventStatuses = ["read", "pending", "incomplete", "failed"] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** Of files of one recording, the name without the extension: `10234_20260106T143000Z_E0001`. */
const isName = "An event is named like its files, such as 10234_20260106T143000Z_E0001";
export const eventNameOf = (fileName: string): string => fileName.slice(0, 28);
export function parseEventName(name: string): { serial: number; timestamp: number; number: number } | undefined {
  const file = parseDataFileName(`${name}.cev`);
  return file?.kind === "E" ? { serial: file.serial, timestamp: file.timestamp, number: file.interval } : undefined;
}
const EventName = z.string().check(z.refine((text) => parseEventName(text) !== undefined, isName));

/** What happened once at a machine: all files of one recording together. */
export const RecordedEvent = z.object({
  eventName: z.string(),
  serialNumber: z.string(),
  timestamp: EpochSeconds,
  /** Of the place; null at no place, then times are UTC. */
  timezone: z.nullable(z.string()),
  /** Where the node was at that time; null and empty at no place, or where it is deleted by now. */
  customerId: z.nullable(z.int()),
  customerName: z.string(),
  facilityId: z.nullable(z.int()),
  facilityName: z.string(),
  locationId: z.nullable(z.int()),
  locationName: z.string(),
  /** What the most significant of its files says; null while none was read. */
  eventKind: z.nullable(z.enum(eventKinds)),
  /** The recorder's own words, such as `AG T, TRIP 50G`. */
  words: z.string(),
  status: z.enum(eventStatuses),
  /** Why not all of it was read, or what it waits for. */
  reason: z.nullable(z.string()),
  durationSeconds: z.nullable(z.number()),
  /** Highest one-cycle rms of a phase, in amperes. */
  largestCurrent: z.nullable(z.object({ value: z.number(), phase: z.string() })),
  /** Lowest one-cycle rms of a connected phase, in volts. */
  lowestVoltage: z.nullable(z.object({ value: z.number(), phase: z.string() })),
  /** A drawing of IA, IB, IC, VA, VB, VC as Base64: lowest and highest of each column as signed bytes, -128 for none. */
  picture: z.nullable(z.string()),
});
export type RecordedEvent = z.infer<typeof RecordedEvent>;

export const EventWithFiles = z.extend(RecordedEvent, {
  files: z.array(
    z.object({
      fileName: z.string(),
      processed: z.nullable(z.boolean()),
      failedReason: z.nullable(z.string()),
      size: z.int(),
      receivedTimestamp: EpochSeconds,
    }),
  ),
  /** Of the file that the waveform is in, with its configuration when it is a pair; null without one. */
  waveformFileName: z.nullable(z.string()),
  /** In the same filter: the next earlier and the next later one. */
  earlierEventName: z.nullable(z.string()),
  laterEventName: z.nullable(z.string()),
});
export type EventWithFiles = z.infer<typeof EventWithFiles>;

/** Days and nights by the clocks of each event's place: last night is 18:00 to 8:00. */
export const eventSpans = ["lastNight", "today", "yesterday", "week", "month"] as const;
export type EventSpan = (typeof eventSpans)[number];

export const eventsPerPage = 25;
export const maxEventsPerPage = 500;
export const maxEventText = 64;

const filter = {
  /** Parts of the words of a machine's location, facility and customer, or of its node's serial number. */
  text: z.optional(z.string().check(z.regex(/^\P{Cc}{1,64}$/u, `text is one line of at most ${maxEventText} characters`))),
  node: z.optional(SerialNumber),
  location: z.optional(EntityId),
  facility: z.optional(EntityId),
  customer: z.optional(EntityId),
  kind: z.optional(z.enum(eventKinds, `kind is one of ${eventKinds.join(", ")}`)),
  status: z.optional(z.enum(eventStatuses, `status is one of ${eventStatuses.join(", ")}`)),
  /** At least so many amperes. */
  amperes: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,7}(\.\d{1,3})?$/, "amperes is a number")), z.transform(Number))),
  span: z.optional(z.enum(eventSpans, `span is one of ${eventSpans.join(", ")}`)),
  /** First and last day. */
  from: z.optional(CalendarDate("from")),
  to: z.optional(CalendarDate("to")),
};

export const getEvents = endpoint("GET /api/events", {
  access: "staff",
  summary: "Recorded events, newest first, each with where the node was, its figures and a small picture of its waveform",
  query: z.strictObject({
    ...filter,
    /** Only those earlier than the one of this name. */
    before: z.optional(EventName),
    limit: z.optional(
      z.pipe(
        z
          .string()
          .check(
            z.refine(
              (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxEventsPerPage,
              `limit is a whole number from 1 to ${maxEventsPerPage}`,
            ),
          ),
        z.transform(Number),
      ),
    ),
  }),
  data: z.array(RecordedEvent),
});

export const getEvent = endpoint("GET /api/events/{eventName}", {
  access: "staff",
  summary: "One recorded event with its files, and its neighbours in time that match the same filter",
  params: z.object({ eventName: EventName }),
  query: z.strictObject(filter),
  data: EventWithFiles,
});

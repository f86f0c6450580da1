import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

export const messageKinds = ["error", "warning", "debug"] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Of each kind so many messages are kept; older ones count as overflow. */
export const keptMessages = 1_000;
export const longestMessageBytes = 4_096;

export const messageSubjects = [
  "node",
  "file",
  "content",
  "recipient",
  "notification",
  "download",
  "customer",
  "facility",
  "location",
  "organization",
  "user",
  "service",
  "setting",
  "incident",
  "batch",
  "bulk",
] as const;
export type MessageSubject = (typeof messageSubjects)[number];

export const SystemMessage = z.object({
  timestamp: EpochSeconds,
  /** `yyyy-MM-dd HH:mm:ss UTC` */
  displayTimestamp: z.string(),
  /** `log`, or who posted it. */
  source: z.string(),
  message: z.string(),
  /** Equal messages are one: so many times, the first of them at `firstTimestamp`, the last at `timestamp`. */
  count: z.int(),
  firstTimestamp: EpochSeconds,
  /** What it is about, such as node 18003. */
  subject: z.nullable(z.object({ kind: z.enum(messageSubjects), id: z.string() })),
  /** Until then the console does not list it among the others. */
  mutedUntilTimestamp: z.nullable(EpochSeconds),
  /** Who muted it last. */
  mutedBy: z.nullable(z.string()),
});
export type SystemMessage = z.infer<typeof SystemMessage>;

const figures = {
  memoryAvailableMb: z.number(),
  memoryUsedMb: z.number(),
  memoryFreeMb: z.number(),
  diskAvailableGb: z.number(),
  diskUsedGb: z.number(),
  diskFreeGb: z.number(),
  /** Of the samples since the server process started, one a minute and one a call. */
  minDiskFreePercent: z.number(),
  maxDiskFreePercent: z.number(),
  avgDiskFreePercent: z.number(),
};
const count = z.int();
const time = z.nullable(EpochSeconds);
const text = z.nullable(z.string());
/** The newest message that the caller had looked at, on whatever device; what has a higher number is new. Null before the first look. */
const seenThrough = z.nullable(z.int());
const messages = z.record(z.string(), SystemMessage);

export const ErrorSummary = z.object({
  ...figures,
  errorCountLifetime: count,
  errorLastTimestamp: time,
  errorCountSinceNotice: count,
  errorCountOverflow: count,
  errorLastDisplayTimestamp: text,
  seenThrough,
  /** By their numbers; the highest is the newest. */
  errors: messages,
});
export type ErrorSummary = z.infer<typeof ErrorSummary>;

export const WarningSummary = z.object({
  ...figures,
  warningCountLifetime: count,
  warningLastTimestamp: time,
  warningCountSinceNotice: count,
  warningCountOverflow: count,
  warningLastDisplayTimestamp: text,
  seenThrough,
  warnings: messages,
});
export type WarningSummary = z.infer<typeof WarningSummary>;

export const DebugSummary = z.object({
  ...figures,
  debugCountLifetime: count,
  debugLastTimestamp: time,
  debugCountSinceNotice: count,
  debugCountOverflow: count,
  debugLastDisplayTimestamp: text,
  seenThrough,
  debugs: messages,
});
export type DebugSummary = z.infer<typeof DebugSummary>;

/** The form and the call: characters that could forge a line of a log are shown as symbols. */
export const NewSystemMessage = z.strictObject({
  message: z.string("message is a text").check(
    z.refine((message) => message.trim() !== "", "message is required"),
    z.refine((message) => new TextEncoder().encode(message).length <= longestMessageBytes, "message has at most 4096 bytes"),
  ),
});
export type NewSystemMessage = z.infer<typeof NewSystemMessage>;

/** A failure of the console itself. The person reads the same id on the page. */
export const consoleErrorId = /^[0-9A-F]{8}$/;
export const NewConsoleError = z.strictObject({
  id: z.string("id is a text").check(z.regex(consoleErrorId, "id is 8 hexadecimal digits")),
  message: z
    .string("message is a text")
    .check(z.minLength(1, "message is required"), z.maxLength(500, "message has at most 500 characters")),
  /** The screen's path, without what is after `?`. */
  screen: z.string("screen is a text").check(z.maxLength(200, "screen has at most 200 characters")),
  /** Where in the program it failed. */
  trace: z.string("trace is a text").check(z.maxLength(1_500, "trace has at most 1500 characters")),
});
export type NewConsoleError = z.infer<typeof NewConsoleError>;

const access = "systemAdministrator";
const Posted = z.object({ id: z.int() });

export const getErrors = endpoint("GET /api/system/errors", {
  access,
  summary: "Errors of the server, memory and disk",
  data: ErrorSummary,
});
export const getWarnings = endpoint("GET /api/system/warnings", {
  access,
  summary: "Warnings of the server, memory and disk",
  data: WarningSummary,
});
export const getDebugs = endpoint("GET /api/system/debug", {
  access,
  summary: "Debug messages, memory and disk",
  data: DebugSummary,
});

export const postError = endpoint("POST /api/system/errors", {
  access,
  summary: "Add an error",
  changes: ["/system/errors"],
  body: NewSystemMessage,
  data: Posted,
});
export const postWarning = endpoint("POST /api/system/warnings", {
  access,
  summary: "Add a warning",
  changes: ["/system/warnings"],
  body: NewSystemMessage,
  data: Posted,
});
export const postDebug = endpoint("POST /api/system/debug", {
  access,
  summary: "Add a debug message",
  changes: ["/system/debug"],
  body: NewSystemMessage,
  data: Posted,
});

export const reportConsoleError = endpoint("POST /api/console-errors", {
  access: "staff",
  allowsUnenrolled: true,
  summary: "Add a failure of the console to the errors; what looks like a credential or an address is left out",
  body: NewConsoleError,
  data: Posted,
});

/** A message that is muted now. */
export const MutedMessage = z.extend(SystemMessage, { id: z.int(), kind: z.enum(messageKinds) });
export type MutedMessage = z.infer<typeof MutedMessage>;

export const getMutedMessages = endpoint("GET /api/system/messages/muted", {
  access,
  summary: "Messages that are muted now, by whom and until when, the first to end first",
  data: z.array(MutedMessage),
});

export const markMessagesSeen = endpoint("POST /api/system/messages/seen", {
  access,
  summary: "Remember that the caller has looked at the messages of a kind, up to the newest that was shown",
  changes: ["/system/errors", "/system/warnings", "/system/debug"],
  body: z.strictObject({ kind: z.enum(messageKinds, `kind is one of ${messageKinds.join(", ")}`), id: EntityNumber }),
  data: z.object({ seenThrough: z.int() }),
});

export const muteSystemMessage = endpoint("POST /api/system/messages/{id}/mute", {
  access,
  summary: "Do not list a message and its equals for a time; 0 hours ends it",
  changes: ["/system/errors", "/system/warnings", "/system/debug", "/system/messages/muted"],
  params: z.object({ id: EntityId }),
  body: z.strictObject({
    hours: z.int("hours is a whole number").check(z.minimum(0, "hours is 0 to 720"), z.maximum(720, "hours is 0 to 720")),
  }),
  data: z.object({ mutedUntilTimestamp: z.nullable(EpochSeconds) }),
});

export const sendDebug = endpoint("POST /api/system/debug/send", {
  access,
  summary: "Mail the errors, warnings and debug messages since the last such mail to whom the setting says, otherwise to the caller",
  changes: ["/system/errors", "/system/warnings", "/system/debug"],
  data: z.object({ recipients: z.array(z.string()), isSent: z.boolean(), reason: z.nullable(z.string()) }),
});

import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { ExpectedRevision } from "../values/revision.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** What an incident is about. `link`: the connection of one node; `outage`: of several nodes of a facility together. */
export const incidentKinds = ["outage", "link", "silent", "sensor", "alarm"] as const;
export const IncidentKind = z.enum(incidentKinds, `kind is one of ${incidentKinds.join(", ")}`);
export type IncidentKind = z.infer<typeof IncidentKind>;

export const longestIncidentNote = 2_000;
const text = (label: string, most: number) =>
  z
    .string(`${label} is a text`)
    .check(
      z.maxLength(most, `${label} has at most ${most} characters`),
      z.regex(/^(?:\P{Cc}|[\t\n\r])*$/u, `${label} holds control characters`),
    );

/** What belongs together of what happened. */
export const Incident = z.object({
  id: z.int(),
  kind: IncidentKind,
  /** Of an alarm: its kind, such as `overVoltage`; empty for others. */
  alarmKind: z.string(),
  /** Of an incident of one node; null where it has several. */
  serialNumber: z.nullable(z.string()),
  /** Null where the node is at no location, or the facility is gone. */
  facilityId: z.nullable(z.int()),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  timezone: z.nullable(z.string()),
  nodeCount: z.int(),
  /** Nodes that have it still. */
  openNodeCount: z.int(),
  /** How often it came, of all nodes. */
  occurrenceCount: z.int(),
  beganTimestamp: EpochSeconds,
  /** Since when no node has it; it ends when none has it again for a quarter of an hour. */
  calmTimestamp: z.nullable(EpochSeconds),
  endedTimestamp: z.nullable(EpochSeconds),
  /** Who looks after it; empty for no one. */
  owner: z.string(),
  acknowledgedBy: z.string(),
  acknowledgedTimestamp: z.nullable(EpochSeconds),
  noteCount: z.int(),
  /** Messages about it that were sent, and that were held back; in a list of incidents, of the first `mostCountedMessages` only. */
  sentCount: z.int(),
  heldCount: z.int(),
  /** All nodes that have it are muted or paused. */
  isMuted: z.boolean(),
  revision: z.int(),
});
export type Incident = z.infer<typeof Incident>;

export const IncidentMember = z.object({
  serialNumber: z.string(),
  locationName: z.string(),
  beganTimestamp: EpochSeconds,
  endedTimestamp: z.nullable(EpochSeconds),
  count: z.int(),
});
export type IncidentMember = z.infer<typeof IncidentMember>;

export const IncidentNote = z.object({ id: z.int(), timestamp: EpochSeconds, author: z.string(), note: z.string() });
export type IncidentNote = z.infer<typeof IncidentNote>;

export const IncidentMessage = z.object({
  id: z.number(),
  timestamp: EpochSeconds,
  subject: z.string(),
  sentTimestamp: z.nullable(EpochSeconds),
  /** Why it was not sent; empty where it was, or will be. */
  reason: z.string(),
});
export type IncidentMessage = z.infer<typeof IncidentMessage>;

export const mostListedMembers = 500;
/** Of an incident; of one that has more from before, the newest are listed. */
export const mostNotes = 100;
export const mostListedMessages = 100;
export const mostCountedMessages = 100;

export const IncidentDetails = z.object({
  incident: Incident,
  /** Those that have it still first; at most so many. */
  members: z.array(IncidentMember),
  /** Oldest first; at most so many, the newest. */
  notes: z.array(IncidentNote),
  /** Newest first. */
  messages: z.array(IncidentMessage),
});
export type IncidentDetails = z.infer<typeof IncidentDetails>;

export const incidentsPerPage = 50;
export const incidentStates = ["open", "new", "ended"] as const;

const seconds = (name: string) =>
  z.optional(z.pipe(z.string().check(z.regex(/^\d{1,11}$/, `${name} is a time in seconds since 1970`)), z.transform(Number)));
const number = (name: string) =>
  z.optional(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/, `${name} is a number from 1 on`)), z.transform(Number)));

export const getIncidents = endpoint("GET /api/incidents", {
  access: "staff",
  summary: `Incidents, newest first, ${incidentsPerPage} at a time`,
  query: z.strictObject({
    /** `new`: open, and no one has acknowledged it. */
    state: z.optional(z.enum(incidentStates, `state is one of ${incidentStates.join(", ")}`)),
    kind: z.optional(IncidentKind),
    serial: z.optional(SerialNumber),
    facility: number("facility"),
    owner: z.optional(z.string().check(z.regex(/^\P{Cc}{1,64}$/u, "owner has 1 to 64 characters"))),
    /** Those that lasted within this time. */
    from: seconds("from"),
    to: seconds("to"),
    /** Only those older than the one with this id. */
    before: number("before"),
  }),
  data: z.array(Incident),
});

export const getIncidentPeople = endpoint("GET /api/incidents/people", {
  access: "staff",
  summary: "Who may look after an incident, by username",
  data: z.array(z.object({ username: z.string() })),
});

const ofIncident = z.object({ id: EntityId });

export const getIncident = endpoint("GET /api/incidents/{id}", {
  access: "staff",
  summary: "An incident with its nodes, notes and messages",
  params: ofIncident,
  data: IncidentDetails,
});

const changedByIncident = ["/incidents", "/incidents/{id}", "/home/needs"] as const;

export const updateIncident = endpoint("PATCH /api/incidents/{id}", {
  access: "staff",
  summary: "Give an incident to someone, or acknowledge it",
  changes: changedByIncident,
  params: ofIncident,
  body: z.strictObject({
    /** A username of the staff; empty for no one. */
    owner: z.optional(text("owner", 64)),
    isAcknowledged: z.optional(z.boolean("isAcknowledged is true or false")),
    revision: ExpectedRevision,
  }),
  data: IncidentDetails,
});

export const NewIncidentNote = z.strictObject({
  note: text("Note", longestIncidentNote).check(z.refine((note) => note.trim() !== "", "Note is required")),
});
export type NewIncidentNote = z.output<typeof NewIncidentNote>;

export const addIncidentNote = endpoint("POST /api/incidents/{id}/notes", {
  access: "staff",
  summary: "Add a note to an incident",
  changes: changedByIncident,
  params: ofIncident,
  body: NewIncidentNote,
  data: IncidentDetails,
});

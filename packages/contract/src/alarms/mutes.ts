import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId, EntityNumber } from "../values/entity-id.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

export const mutedKinds = ["node", "location", "facility"] as const;
export const MutedKind = z.enum(mutedKinds, `kind is one of ${mutedKinds.join(", ")}`);
export type MutedKind = z.infer<typeof MutedKind>;

export const longestMuteDays = 366;
export const longestMuteReason = 500;

const fields = {
  reason: z
    .string("Reason is a text")
    .check(
      z.trim(),
      z.minLength(3, "Reason has at least 3 characters"),
      z.maxLength(longestMuteReason, `Reason has at most ${longestMuteReason} characters`),
      z.regex(/^\P{Cc}*$/u, "Reason is one line of text"),
    ),
  /** When it ends by itself. */
  untilTimestamp: z
    .int("untilTimestamp is a whole number of epoch seconds")
    .check(z.minimum(1_262_217_600, "untilTimestamp is in 2010 to 2059"), z.maximum(2_840_227_200, "untilTimestamp is in 2010 to 2059")),
};

/** The form's values. */
export const MuteForm = z.object(fields);
export type MuteForm = z.infer<typeof MuteForm>;

export const NewMute = z.strictObject({
  kind: MutedKind,
  /** The serial number of a node, the number of a location or a facility. */
  objectId: EntityNumber,
  ...fields,
});
export type NewMute = z.output<typeof NewMute>;

/** A node, location or facility of which no one is notified for a time. */
export const Mute = z.object({
  id: z.int(),
  kind: MutedKind,
  objectId: z.int(),
  customerName: z.string(),
  facilityName: z.string(),
  /** Empty for a facility, and for a node at no location. */
  locationName: z.string(),
  /** Of the location, or of all locations of the facility where it is one; null where there is none or several. */
  timezone: z.nullable(z.string()),
  /** How many nodes it covers now. */
  nodeCount: z.int(),
  reason: z.string(),
  /** Who muted it. */
  username: z.string(),
  fromTimestamp: EpochSeconds,
  untilTimestamp: EpochSeconds,
});
export type Mute = z.infer<typeof Mute>;

/** A node with a switch that keeps something from being watched or reported until a person takes it back. */
export const Pause = z.object({
  serialNumber: z.string(),
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
  disableMonitoring: z.boolean(),
  pauseNotifications: z.boolean(),
  pauseConnectivityNotifications: z.boolean(),
  pauseConnectivityNotificationsReason: z.string(),
  pauseConnectivityNotificationsUrl: z.string(),
});
export type Pause = z.infer<typeof Pause>;

export const mostMutes = 1_000;
export const mostPauses = 1_000;

export const getMutes = endpoint("GET /api/mutes", {
  access: "staff",
  summary: `What is muted now, by whom and until when, the first to end first; at most ${mostMutes}`,
  data: z.array(Mute),
});

export const getPauses = endpoint("GET /api/mutes/pauses", {
  access: "staff",
  summary: `Nodes that are not monitored or whose notifications are paused, by serial number; the first ${mostPauses}`,
  data: z.object({ total: z.int(), nodes: z.array(Pause) }),
});

// The verdicts of the nodes that it covers.
const changedByMute = ["/mutes", "/nodes/{serial}/verdict", "/facilities/{id}/overview", "/home/needs", "/incidents"] as const;

export const createMute = endpoint("POST /api/mutes", {
  access: "staff",
  summary: "Mute a node, a location or a facility with a reason, until a moment at which it ends by itself",
  changes: changedByMute,
  body: NewMute,
  data: Mute,
});

export const endMute = endpoint("DELETE /api/mutes/{id}", {
  access: "staff",
  summary: "End a mute now",
  changes: changedByMute,
  params: z.object({ id: EntityId }),
  data: z.object({ id: z.int() }),
});

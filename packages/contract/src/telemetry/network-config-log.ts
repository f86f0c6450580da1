import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

/** How an attempt to change a value on a node ended. */
export const networkConfigResults = {
  confirmed: "Confirmed by the node",
  unchanged: "The node had this value already",
  sent: "Sent, outcome not known yet",
  unanswered: "Sent, the node did not answer",
  refusedByNode: "Delivered, refused by the node",
  contradicted: "Delivered, the node's answer contradicts itself",
  refused: "Refused before it was sent",
} as const;
export type NetworkConfigResult = keyof typeof networkConfigResults;

/** One attempt to change a value on a node. */
export const NetworkConfigEntry = z.object({
  id: z.int(),
  /** Epoch seconds. */
  timestamp: EpochSeconds,
  /** In the location's time zone then, with the zone. */
  displayTimestamp: z.string(),
  timezone: z.string(),
  username: z.string(),
  /** Where the node was then; empty when it was at no location. */
  locationName: z.string(),
  serialNumber: z.string(),
  key: z.string(),
  oldValue: z.string(),
  newValue: z.string(),
  result: z.enum(["confirmed", "unchanged", "sent", "unanswered", "refusedByNode", "contradicted", "refused"]),
  /** Why, in the words that the person read. */
  detail: z.string(),
  /** The batch that it belongs to. */
  batchId: z.nullable(z.int()),
});
export type NetworkConfigEntry = z.infer<typeof NetworkConfigEntry>;

export const maxNetworkConfigEntries = 1_000;

export const getNetworkConfigLog = endpoint("GET /api/auditlog/networkconfig", {
  access: "staff",
  summary: "Attempts to change values on nodes, newest first",
  query: z.strictObject({
    /** Only entries older than the one with this id. */
    before: z.optional(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "before is the id of an entry")), z.transform(Number))),
    limit: z.optional(z.pipe(z.string().check(z.regex(/^\d{1,4}$/, "limit is a whole number up to 1000")), z.transform(Number))),
    /** Words that each occur in the username, location name, serial number, key or values. */
    filter: z.optional(z.string().check(z.maxLength(200, "filter is longer than 200 characters"))),
  }),
  data: z.array(NetworkConfigEntry),
});

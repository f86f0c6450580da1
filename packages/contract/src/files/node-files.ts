import * as z from "zod/mini";
import { DataFileNameText, dataFileKinds } from "./data-file-name.ts";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

const isTime = "is one time in epoch seconds";
const timeText = (pattern: RegExp) => z.optional(z.pipe(z.string(isTime).check(z.regex(pattern, isTime)), z.transform(Number)));
const isLimit = "is one whole number up to 500";

/** A file of a node. `processed`: null Pending, false Failed, true Extracted. Times are epoch seconds. */
export const DashboardFile = z.object({
  /** Start of the interval that the file covers. */
  timestamp: EpochSeconds,
  fileName: z.string(),
  processed: z.nullable(z.boolean()),
  /** Name of the location whose node sent it; empty for a node at none. */
  location: z.string(),
  failedReason: z.nullable(z.string()),
  /** The upload as it came, where it differs from `fileContents`: text in another encoding. Null in lists. */
  sourceFileContents: z.nullable(z.string()),
  /** The first part of the text; null in lists and for a file without readable text. */
  fileContents: z.nullable(z.string()),
  serialNumber: z.string(),
  kind: z.enum(dataFileKinds),
  /** Seconds that the file covers; 0 for one that covers none. */
  interval: z.number(),
  /** Bytes as stored, compressed. */
  size: z.number(),
  receivedTimestamp: EpochSeconds,
});
export type DashboardFile = z.infer<typeof DashboardFile>;

export const nodeFilesLimit = 100;

export const getNodeFiles = endpoint("GET /api/node-dashboard/{serial}/files", {
  access: "staff",
  summary:
    "Files of a node, newest first: the newest `limit` before a time, or the oldest `limit` after one, and all of the same time as the last of them",
  params: z.object({ serial: SerialNumber }),
  query: z
    .strictObject({
      before: timeText(/^\d{1,11}$/),
      /** After -1 comes what a clock that was never set stamps with 0. */
      after: timeText(/^(?:-1|\d{1,11})$/),
      /** Files of one time are never split, so there may be more: the next page is requested by the time of the last. */
      limit: z.optional(z.pipe(z.string(isLimit).check(z.regex(/^\d{1,4}$/, isLimit)), z.transform(Number))),
      /** Letters of the requested kinds, such as `DS`; all without it. */
      kinds: z.optional(z.string("holds letters").check(z.regex(/^[DSHEX]{1,5}$/, "holds letters of D, S, H, E and X"))),
    })
    .check(
      z.refine(({ before, after }) => before === undefined || after === undefined, {
        path: ["before"],
        message: "Give before or after, not both",
      }),
    ),
  data: z.array(DashboardFile),
});

/** The place of a node, for the heading above its files. */
export const NodeFilesSummary = z.object({
  serialNumber: z.string(),
  type: z.string(),
  location: z.string(),
  facility: z.string(),
  customer: z.string(),
  locationId: z.nullable(z.number()),
  /** The location's zone; null for a node at no location, whose day is UTC's. */
  timezone: z.nullable(z.string()),
  dataInterval: z.number(),
  isConnected: z.boolean(),
  earliestTimestamp: z.nullable(EpochSeconds),
  latestTimestamp: z.nullable(EpochSeconds),
});
export type NodeFilesSummary = z.infer<typeof NodeFilesSummary>;

export const getNodeFilesSummary = endpoint("GET /api/node-dashboard/{serial}/files/summary", {
  access: "staff",
  summary: "Whose files they are: place, zone, first and last file of a node",
  params: z.object({ serial: SerialNumber }),
  data: NodeFilesSummary,
});

export const fileContentsLimit = 1_048_576;

export const FileContents = z.extend(DashboardFile, {
  timezone: z.nullable(z.string()),
  /** Bytes of the whole file as text; `fileContents` holds at most the first 1 MB of them. Null when the file cannot be unpacked. */
  contentsLength: z.nullable(z.number()),
  isTruncated: z.boolean(),
  md5: z.string(),
});
export type FileContents = z.infer<typeof FileContents>;

export const getFileContents = endpoint("GET /api/node-dashboard/files/{fileName}", {
  access: "staff",
  summary: "One file with the first 1 MB of its text",
  params: z.object({ fileName: DataFileNameText }),
  data: FileContents,
});

export const getRawFile = preparedEndpoint("GET /api/node-dashboard/files/{fileName}/raw", {
  access: "staff",
  refusesDemoUsers: true,
  summary: "All bytes of one file, unpacked, as an attachment",
  params: z.object({ fileName: DataFileNameText }),
  answersBytes: true,
  data: z.unknown(),
});

export const StoredUpload = z.object({
  fileName: z.string(),
  /** `known`: exactly these bytes were stored before; `replaced`: others were, and these are extracted again. */
  outcome: z.enum(["stored", "known", "replaced"]),
  size: z.number(),
});
export type StoredUpload = z.infer<typeof StoredUpload>;

export const largestUpload = 20 * 1024 * 1024;

export const uploadNodeFile = endpoint("POST /api/nodes/{serial}/files/{fileName}", {
  access: "staff",
  apiKeyScope: "upload",
  takesBytes: largestUpload,
  summary: "Store a file of a node that is not connected by itself; answered after it is committed",
  params: z.object({ serial: SerialNumber, fileName: DataFileNameText }),
  /** The bytes; `content-type: application/gzip` says that they are packed. */
  body: z.custom<Uint8Array>(
    (value) => value instanceof Uint8Array,
    "Send the file's bytes as application/octet-stream or application/gzip",
  ),
  data: StoredUpload,
});

export const extractFileAgain = endpoint("POST /api/node-dashboard/files/{fileName}/extraction", {
  access: "staff",
  summary: "Extract a stored file once more",
  changes: ["/node-dashboard/files/{fileName}", "/activities/events/files/{eventFileName}"],
  params: z.object({ fileName: DataFileNameText }),
  data: z.object({ fileName: z.string() }),
});

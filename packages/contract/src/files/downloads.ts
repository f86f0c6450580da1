import * as z from "zod/mini";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** 2020-01-01 in the texts' reckoning. */
export const defaultHarmonicsStart = 1_577_872_200;
/** Jobs of one person that are not done and not expired. */
export const maxDownloadJobs = 3;

export const downloadStatuses = ["Waiting", "Packing", "Ready", "Failed", "Expired"] as const;
export type DownloadStatus = (typeof downloadStatuses)[number];

/** A package of files that is made in the background for one person. Times are epoch seconds. */
export const DownloadJob = z.object({
  id: z.string(),
  kind: z.enum(["files", "harmonics"]),
  serialNumber: z.string(),
  /** Files from this time on; null: all. */
  fromTimestamp: z.nullable(EpochSeconds),
  toTimestamp: z.nullable(EpochSeconds),
  status: z.enum(downloadStatuses),
  fileCount: z.number(),
  packedCount: z.number(),
  /** Bytes of the package when it is ready. */
  size: z.nullable(z.number()),
  failedReason: z.nullable(z.string()),
  address: z.string(),
  createdTimestamp: EpochSeconds,
  expiresTimestamp: EpochSeconds,
});
export type DownloadJob = z.infer<typeof DownloadJob>;

const isTime = "is one time in epoch seconds";
const epochSeconds = z.pipe(z.string(isTime).check(z.regex(/^\d{1,11}$/, isTime)), z.transform(Number));

/** Where the link goes. */
const Address = z.string();

export const requestFilesDownload = endpoint("GET /api/node-dashboard/nodes/{serial}/files/download", {
  access: "staff",
  refusesDemoUsers: true,
  summary: "Pack all files of a node, or those since a time, and mail a link",
  changes: ["/downloads"],
  params: z.object({ serial: SerialNumber }),
  query: z.strictObject({ since: z.optional(epochSeconds) }),
  data: Address,
  saysSuccess: true,
});

export const requestHarmonics = endpoint("GET /api/nodes/{serial}/harmonics", {
  access: "staff",
  refusesDemoUsers: true,
  summary: "Ask a node for its harmonics files between two times, pack them and mail a link",
  changes: ["/downloads"],
  params: z.object({ serial: SerialNumber }),
  query: z.strictObject({ startTimestamp: epochSeconds, endTimestamp: epochSeconds }).check(
    z.refine(({ startTimestamp, endTimestamp }) => startTimestamp < endTimestamp, {
      path: ["endTimestamp"],
      message: "The end must be after the start",
    }),
  ),
  data: Address,
  saysSuccess: true,
});

const JobId = z.object({
  id: z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "A download is named by the id in its link")),
});

export const getDownloads = endpoint("GET /api/downloads", {
  access: "staff",
  summary: "The caller's own downloads, newest first",
  data: z.array(DownloadJob),
});

export const fetchDownload = preparedEndpoint("POST /api/downloads/{id}/zip", {
  access: "staff",
  summary: "The finished package; only for who requested it",
  params: JobId,
  answersBytes: true,
  data: z.unknown(),
});

export const deleteDownload = endpoint("DELETE /api/downloads/{id}", {
  access: "staff",
  summary: "Give up a download, whether it is done or not",
  changes: ["/downloads"],
  params: JobId,
  data: z.object({ id: z.string() }),
});

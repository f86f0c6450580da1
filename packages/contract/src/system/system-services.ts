import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";

/** What a service has left for later, and why. */
export const WaitingWork = z.object({
  /** Such as `node`. */
  kind: z.string(),
  item: z.string(),
  reason: z.string(),
  /** That failed: none for what waits for something else. */
  tries: z.int(),
  since: EpochSeconds,
  /** Null while its time is not known. */
  nextTry: z.nullable(EpochSeconds),
});
export type WaitingWork = z.infer<typeof WaitingWork>;

/** A background job. Timestamps in epoch seconds, durations and interval in seconds. */
export const Service = z.object({
  isEnabled: z.boolean(),
  /** False for what runs as long as the server: it has no times and cannot be switched. */
  isScheduledService: z.boolean(),
  isRunning: z.boolean(),
  interval: z.int(),
  countProcessedLastRun: z.number(),
  countProcessedLifetime: z.number(),
  logEntry: z.string(),
  durationLastRun: z.nullable(z.number()),
  durationAverage: z.nullable(z.number()),
  timestampLastFinished: z.nullable(EpochSeconds),
  timestampNextRun: z.nullable(EpochSeconds),
  /** Since when no run has succeeded, or something keeps a continuous service from working; null while all is well. */
  failingSince: z.nullable(EpochSeconds),
  /** Seconds of its last runs, 60 at most, the newest last, and whether each of them failed. */
  durationsOfLastRuns: z.array(z.number()),
  failuresOfLastRuns: z.array(z.boolean()),
  /** In words what it did last, and when: runs that had nothing to do are passed over. */
  lastWork: z.nullable(z.object({ did: z.string(), timestamp: EpochSeconds })),
  /** What waits, since when the oldest of it does, and when the next of it is tried again, where that is known. */
  waiting: z.nullable(z.object({ count: z.int(), since: EpochSeconds, nextTry: z.nullable(EpochSeconds) })),
});
export type Service = z.infer<typeof Service>;

/** SYS-01: only what runs seldom can be asked to run now. */
export const canRunNow = ({ isScheduledService, interval }: Service): boolean => isScheduledService && interval > 5;

const params = z.object({ name: z.string().check(z.regex(/^[A-Za-z]{1,64}$/, "A service's name is letters only")) });
const Changed = z.object({ changed: z.int() });

export const getServices = endpoint("GET /api/system/services", {
  access: "systemAdministrator",
  summary: "The background services by name",
  data: z.record(z.string(), Service),
});

export const getWaitingWork = endpoint("GET /api/system/services/{name}/waiting", {
  access: "systemAdministrator",
  summary: "What a service has left for later, the oldest first, 200 at most",
  params,
  data: z.array(WaitingWork),
});

const switchByGet = (verb: "enable" | "disable") =>
  endpoint(`GET /api/system/services/{name}/${verb}`, {
    access: "systemAdministrator",
    refusesDemoUsers: true,
    summary: `${verb} a service; only for the console's own calls (Sec-Fetch headers). Programs use PATCH`,
    changes: ["/system/services"],
    params,
    data: Changed,
  });
const switchByPatch = (verb: "enable" | "disable") =>
  endpoint(`PATCH /api/system/services/{name}/${verb}`, {
    access: "systemAdministrator",
    summary: `${verb} a service`,
    changes: ["/system/services"],
    params,
    data: Changed,
  });
const switchAll = (verb: "enable" | "disable") =>
  endpoint(`PATCH /api/system/services/${verb}`, {
    access: "systemAdministrator",
    summary: `${verb} all scheduled services`,
    changes: ["/system/services"],
    data: Changed,
  });

export const enableService = switchByGet("enable");
export const disableService = switchByGet("disable");
export const enableServiceByPatch = switchByPatch("enable");
export const disableServiceByPatch = switchByPatch("disable");
export const enableAllServices = switchAll("enable");
export const disableAllServices = switchAll("disable");

export const runService = endpoint("PATCH /api/system/services/{name}/run", {
  access: "systemAdministrator",
  summary: "Run a service as soon as a server is free, enabled or not",
  changes: ["/system/services"],
  params,
  data: Changed,
});

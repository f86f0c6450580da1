import * as z from "zod/mini";
import { endpoint, preparedEndpoint } from "../endpoint.ts";
import { Passcode } from "../access/passcode.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber, serialNumberPattern } from "../values/serial-number.ts";

/** Of one batch, such as a delivery. */
export const mostCredentials = 200;

const isOnceEach = (serials: readonly string[]): boolean => new Set(serials).size === serials.length;
const eachOnce = "Each serial number is listed once";
const tooMany = `At most ${mostCredentials} nodes at once`;

/** `none`: the node never had any. */
const credentialStates = ["none", "in force", "revoked"] as const;

export const NodeCredentialState = z.object({
  serialNumber: z.string(),
  state: z.enum(credentialStates),
  /** When they were made or revoked, epoch seconds; null without any. */
  changedTimestamp: z.nullable(EpochSeconds),
  /** Another one after every change. */
  version: z.string(),
  connected: z.boolean(),
  /** Credentials of a retired node open nothing. */
  isDecommissioned: z.boolean(),
  /** Empty for a node at no location. */
  customerName: z.string(),
  facilityName: z.string(),
  locationName: z.string(),
});
export type NodeCredentialState = z.infer<typeof NodeCredentialState>;

/** Which credentials are meant: those that the person saw, and no others that someone made meanwhile. */
const SeenCredentials = z.strictObject({
  serialNumber: SerialNumber,
  version: z
    .string("version is the one that the list said")
    .check(z.regex(/^(?:\d{1,11}\.\d{1,6})?$/, "version is the one that the list said")),
});
export type SeenCredentials = z.infer<typeof SeenCredentials>;

const Confirmed = z.strictObject({
  nodes: z.array(SeenCredentials, "nodes is a list of nodes").check(
    z.minLength(1, "Name at least one node"),
    z.maxLength(mostCredentials, tooMany),
    z.refine((nodes) => isOnceEach(nodes.map(({ serialNumber }) => serialNumber)), eachOnce),
  ),
  code: Passcode,
});

/** All that a node is configured with. */
export const NodeCredentials = z.object({
  serialNumber: z.string(),
  broker: z.string(),
  clientId: z.string(),
  userName: z.string(),
  password: z.string(),
  group: z.string(),
  /** The same as one address, for a QR code. */
  address: z.string(),
});
export type NodeCredentials = z.infer<typeof NodeCredentials>;

const isSerials = `serials is 1 to ${mostCredentials} serial numbers with commas between`;

export const getNodeCredentials = endpoint("GET /api/node-credentials", {
  access: "staff",
  summary: `Whether nodes (at most ${mostCredentials}) have credentials and since when, never the secrets; what is no node is left out`,
  query: z.strictObject({
    serials: z.pipe(
      z.string(isSerials).check(
        z.refine((text) => {
          const serials = text.split(",");
          return serials.length <= mostCredentials && serials.every((serial) => serialNumberPattern.test(serial));
        }, isSerials),
      ),
      z.transform((text) => text.split(",").map(Number)),
    ),
  }),
  data: z.array(NodeCredentialState),
});

const changes = ["/node-credentials"] as const;

export const createNodeCredentials = endpoint("POST /api/node-credentials", {
  access: "staff",
  summary: "New credentials of nodes, all or none: the secrets are in this answer and nowhere else, earlier ones are void at once",
  changes,
  body: Confirmed,
  data: z.array(NodeCredentials),
});

export const revokeNodeCredentials = endpoint("POST /api/node-credentials/revocations", {
  access: "staff",
  summary: "Revokes credentials of nodes, all or none: they can no longer connect, and connected ones are disconnected",
  changes,
  body: Confirmed,
  data: z.object({ revoked: z.number() }),
});

export const createCredentialSheet = preparedEndpoint("POST /api/node-credentials/sheet", {
  access: "staff",
  summary: "A PDF for the installer, a page for each node, of credentials that are in force; nothing of it is kept",
  body: z.strictObject({
    credentials: z
      .array(
        z.strictObject({
          serialNumber: SerialNumber,
          password: z.string("password is a text").check(z.regex(/^[\w-]{20,100}$/, "password is the one of the answer that made it")),
        }),
        "credentials is a list",
      )
      .check(
        z.minLength(1, "Name at least one node"),
        z.maxLength(mostCredentials, tooMany),
        z.refine((nodes) => isOnceEach(nodes.map(({ serialNumber }) => serialNumber)), eachOnce),
      ),
  }),
  answersBytes: true,
  data: z.unknown(),
});

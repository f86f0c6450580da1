import type { ConnectPacket } from "aedes";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { idPattern, refuseWill } from "./topic-acl.ts";

/** Return codes of CONNACK (MQTT 3.1.1, table 3.1). */
const serverUnavailable = 3;
const badCredentials = 4;
const notAuthorized = 5;

export type Admission = { secretHash: string } | { returnCode: number; reason: string };

export interface NodeAuthenticatorOptions {
  credentials: NodeCredentials;
  /** Whether the node does not connect too often. */
  mayConnect: (serial: string) => boolean;
  hasRoom: (serial: string) => boolean;
  limitedLog: LimitedLog;
}

/** Who may connect: a node as itself, with its secret, and with a will that announces its own death or none. */
export function createNodeAuthenticator({ credentials, mayConnect, hasRoom, limitedLog }: NodeAuthenticatorOptions) {
  return async (
    clientId: string,
    username: string | undefined,
    password: Buffer | undefined,
    will: ConnectPacket["will"],
  ): Promise<Admission> => {
    const refused = (returnCode: number, reason: string): Admission => ({ returnCode, reason });
    if (!idPattern.test(clientId) || username !== clientId) return refused(badCredentials, "identifier");
    try {
      const secretHash = await credentials.verify(clientId, password);
      if (secretHash === undefined) return refused(badCredentials, "credentials");
      const reason = will && refuseWill(clientId, { topic: will.topic, qos: will.qos ?? 0, retain: will.retain === true });
      if (reason !== undefined) return refused(notAuthorized, `will ${reason}`);
      if (!mayConnect(clientId)) return refused(serverUnavailable, "connect-rate");
      return hasRoom(clientId) ? { secretHash } : refused(serverUnavailable, "no-room");
    } catch (error) {
      limitedLog("warn", "credentials-unavailable", { err: error, node: clientId }, "its credentials could not be checked");
      return refused(serverUnavailable, "credentials-unavailable");
    }
  };
}

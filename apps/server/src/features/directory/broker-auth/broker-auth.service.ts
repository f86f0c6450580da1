import { maySubscribe, refusePublish } from "#mqtt/topic-acl.ts";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";

/** The rules of our own broker, for a broker elsewhere that asks. */
export interface BrokerAuth {
  /** A node as itself, with its secret. `clientId` is undefined where a broker does not say it. */
  mayConnect(username: string, password: string, clientId: string | undefined): Promise<boolean>;
  mayPublish(username: string, topic: string, how: { qos: number; retain: boolean }): boolean;
  maySubscribe(username: string, filter: string): boolean;
}

export function createBrokerAuth(credentials: Pick<NodeCredentials, "verify">): BrokerAuth {
  return {
    async mayConnect(username, password, clientId) {
      if (clientId !== undefined && clientId !== username) return false;
      return (await credentials.verify(username, Buffer.from(password))) !== undefined;
    },
    mayPublish: (username, topic, how) => refusePublish(username, { topic, ...how }) === undefined,
    maySubscribe,
  };
}

import type { NodeCredentials } from "@busbar/contract/directory/node-credentials.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";

/** What a node is configured with, in the words of docs/node-protocol.md. */
export function nodeAccess(serialNumber: string, password: string, brokerUrl: string): NodeCredentials {
  const group = groupOf(Number(serialNumber));
  const address = new URL(brokerUrl);
  address.username = serialNumber;
  address.password = password;
  address.searchParams.set("group", group);
  return { serialNumber, broker: brokerUrl, clientId: serialNumber, userName: serialNumber, password, group, address: address.href };
}

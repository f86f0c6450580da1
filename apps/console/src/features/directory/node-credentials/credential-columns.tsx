import type { NodeCredentials, NodeCredentialState } from "@busbar/contract/directory/node-credentials.ts";
import type { Column } from "#ui/column.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { formatDateTime } from "#lib/format-date.ts";

/** A serial number that someone entered, and its node, if there is one. */
export interface PlannedNode {
  serialNumber: string;
  node: NodeCredentialState | undefined;
}

export const isLeftOut = ({ node }: PlannedNode): boolean => node === undefined || node.isDecommissioned;

const words = { none: "None", "in force": "In force since", revoked: "Revoked" } as const;

const placeText = ({ node }: PlannedNode): string =>
  node === undefined ? "" : [node?.customerName, node?.facilityName, node?.locationName].filter(Boolean).join(" / ") || "At no location";

function planText({ node }: PlannedNode): string {
  if (!node) return "Left out: there is no such node";
  if (node.isDecommissioned) return "Left out: it is decommissioned";
  if (node.state !== "in force") return "Gets credentials";
  return `Gets new ones, the present ones are void at once${node.connected ? ": it is connected, and is disconnected" : ""}`;
}

const stateText = ({ node }: PlannedNode): string => {
  if (!node) return "";
  return node.changedTimestamp === null ? words.none : `${words[node.state]} ${formatDateTime(node.changedTimestamp, "UTC")}`;
};

export const planColumns: Column<PlannedNode>[] = [
  { label: "Node", text: ({ serialNumber }) => serialNumber, className: "mono", isRowHead: true, width: 80 },
  { label: "Place", text: placeText },
  {
    label: "Credentials",
    text: stateText,
    cell: ({ node }) =>
      node && (
        <>
          {words[node.state]} {node.changedTimestamp !== null && <DateTime timestamp={node.changedTimestamp} timezone={null} />}
        </>
      ),
    width: 240,
  },
  { label: "With new credentials", text: planText },
];

export const madeColumns: Column<NodeCredentials>[] = [
  { label: "Serial Number", text: ({ serialNumber }) => serialNumber, className: "mono", isRowHead: true, width: 120 },
  { label: "Broker", text: ({ broker }) => broker, only: "file" },
  { label: "Client Id", text: ({ clientId }) => clientId, only: "file" },
  { label: "User Name", text: ({ userName }) => userName, only: "file" },
  {
    label: "Password",
    text: ({ password }) => password,
    cell: ({ serialNumber, password }) => (
      <>
        <code className="mono credential-text">{password}</code>{" "}
        <CopyButton text={password} label={`Copy the password of ${serialNumber}`} isInTabOrder />
      </>
    ),
  },
  { label: "Group", text: ({ group }) => group, width: 80 },
  { label: "Address", text: ({ address }) => address, only: "file" },
];

import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import type { ReactNode } from "react";
import { placeText } from "#ui/no-place.tsx";
import type { SortKey } from "./node-list-criteria.ts";
import { ActionsCell, AwaitingCell, PlaceCell, SerialCell, StatusCell, Tick, TypeCell } from "./node-list-cells.tsx";
import type { NodeActions } from "./node-list-cells.tsx";
import type { NodeRecord } from "./node-list-view.ts";

export interface NodeColumn {
  label: string;
  sort?: SortKey;
  /** Pixels; the customer column takes what is left. */
  width?: number;
  render: (record: NodeRecord, actions: NodeActions) => ReactNode;
  /** The cell in the exported file. */
  text: (record: NodeRecord) => string | number;
}

const yes = (isOn: boolean) => (isOn ? "yes" : "no");

const tick = (label: string, name: keyof NodeListRow, width: number, sort?: SortKey): NodeColumn => ({
  label,
  width,
  ...(sort ? { sort } : {}),
  render: ({ node }) => <Tick isOn={node[name] === true} label={label} />,
  text: ({ node }) => yes(node[name] === true),
});

const number = (label: string, name: keyof NodeListRow, width: number, sort?: SortKey): NodeColumn => ({
  label,
  width,
  ...(sort ? { sort } : {}),
  render: ({ node }) => <span className="tabular">{String(node[name])}</span>,
  text: ({ node }) => node[name] as number,
});

const serial: NodeColumn = {
  label: "Serial Number",
  sort: "serial",
  width: 132,
  render: (record) => <SerialCell record={record} />,
  text: (record) => record.serial,
};

const actions: NodeColumn = {
  label: "Actions",
  width: 160,
  render: (record, on) => <ActionsCell record={record} actions={on} />,
  text: ({ node }) => node.deploymentTaskType ?? "",
};

const compact: NodeColumn[] = [
  {
    label: "Status",
    sort: "status",
    width: 136,
    render: (record) => <StatusCell record={record} />,
    text: ({ node }) => node.currentDeploymentStatus,
  },
  {
    label: "Awaiting",
    sort: "awaiting",
    width: 156,
    render: (record) => <AwaitingCell record={record} />,
    text: ({ node, isAwaiting }) => (isAwaiting ? `Next: ${node.newDeploymentStatus}` : ""),
  },
  {
    label: "Customer",
    sort: "customer",
    render: (record) => <PlaceCell record={record} />,
    text: ({ place, node }) => placeText(place, node.isAssigned),
  },
  number("Interval (s)", "dataPointInterval", 90, "interval"),
  tick("On Connect", "notifyOnConnect", 98, "onConnect"),
  tick("On Current", "notifyOnCurrentAboveNoise", 96, "onCurrent"),
  tick("Raw Power", "showRawPower", 94, "rawPower"),
];

// NOD-04: level is the upper boundary of voltage and of short-term current
const more: NodeColumn[] = [
  tick("Name Plate Valid", "nameplateValid", 136),
  { label: "Type", width: 92, render: (record) => <TypeCell record={record} />, text: ({ node }) => node.type },
  {
    label: "Container",
    width: 150,
    render: ({ node }) => <span title={node.container}>{node.container}</span>,
    text: ({ node }) => node.container,
  },
  number("V Imbalance ≤", "voltageImbalanceThreshold", 120),
  number("V THD ≤", "voltageThdThreshold", 86),
  number("V Level ≤", "overVoltageThreshold", 90),
  number("I Imbalance ≤", "currentImbalanceThreshold", 116),
  number("I THD ≤", "currentThdThreshold", 82),
  number("I Level ≤", "shortTermOverCurrentThreshold", 86),
  ...(["Va", "Vb", "Vc", "Ia", "Ib", "Ic"] as const).map((phase) => tick(phase, `active${phase}`, 42)),
];

const narrow = [serial, actions, ...compact];
const wide = [...narrow, ...more];
/** NOD-04 */
export const columnsOf = (hasAllColumns: boolean): NodeColumn[] => (hasAllColumns ? wide : narrow);
export const exportedColumns: NodeColumn[] = [serial, ...compact, ...more];

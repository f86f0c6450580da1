import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { requestableDeploymentStatuses } from "@busbar/contract/values/option-lists.ts";
import { chosenColumns, type ColumnChoice } from "#ui/chosen-columns.ts";
import { byNumber, type Column } from "#ui/column.ts";
import { placeText } from "#ui/no-place.tsx";
import { NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import {
  ActionsCell,
  AwaitingCell,
  DeploymentIssue,
  PlaceCell,
  SerialCell,
  StatusCell,
  Tick,
  TypeCell,
  type NodeActions,
} from "./node-list-cells.tsx";
import { bySerial, placeCollator, type NodeRecord } from "./node-record.ts";

export type NodeColumn = Column<NodeRecord, NodeActions>;
type FieldOf<Value> = { [Name in keyof NodeListRow]: NodeListRow[Name] extends Value ? Name : never }[keyof NodeListRow];

const statusOrder = [...requestableDeploymentStatuses, "Decommissioned"].toSorted();

const tick = (label: string, name: FieldOf<boolean>, width: number, sort?: string): NodeColumn => ({
  label,
  width,
  cell: ({ node }) => <Tick isOn={node[name]} label={label} />,
  text: ({ node }) => (node[name] ? "yes" : "no"),
  ...(sort ? { sort: { key: sort, compare: byNumber(({ node }) => Number(node[name])), isDescendingFirst: true } } : {}),
});

const number = (label: string, name: FieldOf<number>, width: number): NodeColumn => ({
  label,
  width,
  cell: ({ node }) => <span className="tabular">{node[name]}</span>,
  text: ({ node }) => node[name],
});

/** `searchedAs` is what the search box calls it; null where the search passes it by. */
const words = (label: string, name: FieldOf<string>, width: number, searchedAs: string | null): NodeColumn => ({
  label,
  width,
  cell: ({ node }) => <span title={node[name]}>{node[name]}</span>,
  text: ({ node }) => node[name],
  ...(searchedAs === null ? {} : { search: { [searchedAs]: ({ node }: NodeRecord) => node[name] } }),
});

/** On a narrow screen another column's line says it. */
const inAnother = (name: string, column: NodeColumn): NodeColumn => ({ ...column, narrow: { in: name } });

const interval = "Interval (s)";
const notices = [
  tick("On Connect", "notifyOnConnect", 98, "onConnect"),
  tick("On Current", "notifyOnCurrentAboveNoise", 96, "onCurrent"),
  tick("Raw Power", "showRawPower", 94, "rawPower"),
];

const compact: NodeColumn[] = [
  {
    label: "Serial Number",
    sort: { key: "serial", compare: bySerial },
    search: { SN: ({ serial }) => serial },
    width: 146,
    text: ({ serial }) => serial,
    cell: (record, { selection }) => <SerialCell record={record} selection={selection} />,
    narrow: (record, { selection }) => <SerialCell record={record} selection={selection} />,
  },
  {
    label: "Actions",
    width: 160,
    only: "screen",
    isActions: true,
    text: () => "",
    cell: (record, on) => <ActionsCell record={record} actions={on} />,
    narrow: (record, on) => <ActionsCell record={record} actions={on} />,
    narrowHeight: 36,
  },
  {
    label: "Status",
    sort: { key: "status", compare: byNumber(({ node }) => statusOrder.indexOf(node.currentDeploymentStatus)) },
    width: 136,
    text: ({ node }) => node.currentDeploymentStatus,
    cell: (record) => <StatusCell record={record} />,
    narrow: ({ node, isAwaiting }) => (
      <div className="cell-line">
        <StatusBadge status={node.currentDeploymentStatus} />
        {node.deploymentIssue && <DeploymentIssue />}
        {isAwaiting && <NextStatusCapsule status={node.newDeploymentStatus} />}
      </div>
    ),
  },
  {
    label: "Awaiting",
    sort: { key: "awaiting", compare: byNumber(({ isAwaiting }) => Number(isAwaiting)), isDescendingFirst: true },
    width: 156,
    text: ({ node, isAwaiting }) => (isAwaiting ? `Next: ${node.newDeploymentStatus}` : ""),
    cell: (record) => <AwaitingCell record={record} />,
    narrow: { in: "Status" },
  },
  {
    label: "Customer",
    sort: { key: "customer", compare: (a, b) => placeCollator.compare(a.place, b.place) },
    search: {
      CustomerCode: ({ node }) => node.customerCode,
      CustomerName: ({ node }) => node.customerName,
      Facility: ({ node }) => node.facilityName,
      Location: ({ node }) => node.locationName,
    },
    text: ({ place, node }) => placeText(place, node.isAssigned),
    cell: (record) => <PlaceCell record={record} />,
    narrow: (record) => <PlaceCell record={record} />,
    narrowHeight: 40,
  },
  {
    ...number(interval, "dataPointInterval", 90),
    sort: { key: "interval", compare: byNumber(({ node }) => node.dataPointInterval) },
    narrow: (record) => {
      const on = notices.filter(({ text }) => text(record) === "yes").map(({ label }) => label);
      return <div className="cell-line dim">{[`Every ${record.node.dataPointInterval} s`, ...on].join(", ")}</div>;
    },
  },
  ...notices.map((notice) => inAnother(interval, notice)),
];

const vImbalance = "V Imbalance ≤";
const phases = (["Va", "Vb", "Vc", "Ia", "Ib", "Ic"] as const).map((phase) => tick(phase, `active${phase}`, 42));

// NOD-04: level is the upper boundary of voltage and of short-term current
const more: NodeColumn[] = [
  inAnother("Type", tick("Name Plate Valid", "nameplateValid", 136)),
  {
    ...words("Type", "type", 92, null),
    cell: (record) => <TypeCell record={record} />,
    narrow: (record) => (
      <div className="cell-line">
        <TypeCell record={record} />, name plate {record.node.nameplateValid ? "valid" : "not valid"},
        <span className="ellipsis" title={record.node.container}>
          {record.node.container || "no container"}
        </span>
      </div>
    ),
  },
  inAnother("Type", words("Container", "container", 150, null)),
  {
    ...number(vImbalance, "voltageImbalanceThreshold", 120),
    narrow: ({ node }) => (
      <div className="cell-line dim">
        V ≤ {node.voltageImbalanceThreshold} / {node.voltageThdThreshold} / {node.overVoltageThreshold}, I ≤{" "}
        {node.currentImbalanceThreshold} / {node.currentThdThreshold} / {node.shortTermOverCurrentThreshold} (imbalance / THD / level)
      </div>
    ),
  },
  ...[
    number("V THD ≤", "voltageThdThreshold", 86),
    number("V Level ≤", "overVoltageThreshold", 90),
    number("I Imbalance ≤", "currentImbalanceThreshold", 116),
    number("I THD ≤", "currentThdThreshold", 82),
    number("I Level ≤", "shortTermOverCurrentThreshold", 86),
  ].map((limit) => inAnother(vImbalance, limit)),
  ...phases.map((column, place) => (place === 0 ? { ...column, narrow: phaseLine } : inAnother("Va", column))),
];

function phaseLine(record: NodeRecord) {
  const on = phases.filter(({ text }) => text(record) === "yes").map(({ label }) => label);
  return <div className="cell-line dim">Phases {on.join(" ") || "none"}</div>;
}

const taskVersion: NodeColumn = { label: "Deployment Task Version", text: ({ node }) => node.deploymentTaskType ?? "", only: "file" };

/** By these an import places the node again. */
const placeNames = (
  [
    ["Customer code", "customerCode"],
    ["Facility", "facilityName"],
    ["Location", "locationName"],
  ] as const
).map(([label, name]): NodeColumn => ({ label, text: ({ node }) => (node.isAssigned ? node[name] : ""), only: "file" }));

export const nodeColumns: readonly NodeColumn[] = [...compact, ...more, taskVersion, ...placeNames];
/** NOD-04 */
export const usualColumns: readonly NodeColumn[] = compact;
export const columnsOf = (choice: ColumnChoice): readonly NodeColumn[] => chosenColumns(nodeColumns, choice, usualColumns).chosen;

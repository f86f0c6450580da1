import { networkConfigResults, type NetworkConfigEntry, type NetworkConfigResult } from "@busbar/contract/telemetry/network-config-log.ts";
import type { Column } from "#ui/column.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import "#ui/status-badge.css";

const badges: Record<NetworkConfigResult, string> = {
  confirmed: "status-good",
  unchanged: "status-info",
  sent: "status-info",
  unanswered: "status-warn",
  contradicted: "status-warn",
  refusedByNode: "status-bad",
  refused: "status-bad",
};

// REP-06
export const networkConfigColumns: readonly Column<NetworkConfigEntry>[] = [
  {
    label: "Timestamp",
    text: ({ displayTimestamp }) => displayTimestamp,
    cell: ({ timestamp, timezone, displayTimestamp }) => (
      <HoverTimes timestamp={timestamp} timezone={timezone}>
        {displayTimestamp}
      </HoverTimes>
    ),
    className: "tabular",
    width: 190,
    narrowSpan: 2,
  },
  { label: "Username", text: ({ username }) => username, width: 110 },
  {
    label: "Location Name",
    text: ({ locationName }) => locationName,
    cell: ({ locationName }) => <Cut text={locationName} empty="At no location" />,
    narrowSpan: 2,
  },
  {
    label: "Serial Number",
    text: ({ serialNumber }) => serialNumber,
    cell: ({ serialNumber }) => <NodeLink serial={serialNumber} />,
    className: "mono",
    width: 110,
  },
  { label: "Key", text: ({ key }) => key, cell: ({ key }) => <Cut text={key} />, className: "mono netconf-key", narrowSpan: 3 },
  {
    label: "Old Value",
    text: ({ oldValue }) => oldValue,
    cell: ({ oldValue }) => <Cut text={oldValue} />,
    className: "mono netconf-old",
    width: 120,
    narrowSpan: 3,
  },
  {
    label: "New Value",
    text: ({ newValue }) => newValue,
    cell: ({ newValue }) => <Cut text={newValue} />,
    className: "mono netconf-new",
    width: 120,
    narrowSpan: 3,
  },
  {
    label: "Result",
    text: ({ result }) => networkConfigResults[result],
    cell: ({ result, detail }) => (
      <>
        <span className={`status-badge ${badges[result]}`}>{networkConfigResults[result]}</span>
        <div className="netconf-detail" title={detail}>
          {detail}
        </div>
      </>
    ),
    width: 300,
    narrowSpan: 3,
    narrowHeight: 64,
  },
  { label: "Detail", text: ({ detail }) => detail, only: "file" },
];

/** The whole in a tooltip. */
function Cut({ text, empty = "(empty)" }: { text: string; empty?: string }) {
  return text === "" ? <span className="dim">{empty}</span> : <span title={text}>{text}</span>;
}

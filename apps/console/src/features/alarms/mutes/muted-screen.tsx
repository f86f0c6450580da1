import type { Mute, Pause } from "@busbar/contract/alarms/mutes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { ExternalLink } from "#ui/external-link.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { useClock } from "#lib/clock.ts";
import { spanWords } from "#lib/span-words.ts";
import { visibleText } from "#lib/visible-text.ts";
import { EndMuteButton, nameOf } from "./mute-control.tsx";
import { useMutes, usePauses } from "./mutes.queries.ts";
import "./mutes.css";

/** All that is kept from being reported: mutes, which end by themselves, and pauses of nodes, which a person takes back. */
export function MutedScreen() {
  return (
    <>
      <h1 className="page-title">Muted</h1>
      <p className="muted-words">
        No one is notified of what is muted, and it asks for no action. Values, files, alarms and incidents are recorded all the same. Mute
        a node, its location or its facility on the page of the node or the facility.
      </p>
      <h2 className="muted-title">Mutes</h2>
      <Mutes />
      <h2 className="muted-title">Pauses of nodes</h2>
      <Pauses />
    </>
  );
}

function Mutes() {
  const asked = useMutes();
  return (
    <Loaded of={asked} loading={<LoadingTable label="Loading the mutes" columns={muteColumns} />}>
      {(mutes) =>
        mutes.length === 0 ? (
          <EmptyState title="Nothing is muted" />
        ) : (
          <DataTable aria-label="Mutes" columns={muteColumns} rows={mutes} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

function Pauses() {
  const asked = usePauses();
  return (
    <Loaded of={asked} loading={<LoadingTable label="Loading the pauses" columns={pauseColumns} />}>
      {({ total, nodes }) => (
        <>
          {total === 0 ? (
            <EmptyState title="No node is paused" />
          ) : (
            <DataTable aria-label="Pauses of nodes" columns={pauseColumns} rows={nodes} keyOf={({ serialNumber }) => serialNumber} />
          )}
          {total > nodes.length && (
            <p className="dim">
              The first {nodes.length} of {counted(total, "node")}.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function MutedObject({ mute }: { mute: Mute }) {
  const { kind, objectId, customerName, facilityName, locationName } = mute;
  // What it names itself is not in its place again.
  const place = [customerName, kind !== "facility" && facilityName, kind === "node" && locationName].filter(Boolean).join(" / ");
  return (
    <div>
      {kind === "node" ? (
        <>
          Node <NodeLink serial={String(objectId)} />
        </>
      ) : kind === "facility" ? (
        <a href={`#/facilities/${objectId}`}>Facility {facilityName}</a>
      ) : (
        <a href={`#/customers?filterText=${encodeURIComponent(locationName)}`}>Location {locationName}</a>
      )}
      <div className="dim">{place}</div>
    </div>
  );
}

function Left({ untilTimestamp }: { untilTimestamp: number }) {
  return <span className="dim">in {useClock((now) => spanWords(untilTimestamp - now))}</span>;
}

const muteColumns: readonly Column<Mute>[] = [
  { label: "What", text: (mute) => nameOf(mute), cell: (mute) => <MutedObject mute={mute} />, isRowHead: true },
  { label: "Nodes", text: ({ nodeCount }) => nodeCount, width: 70 },
  {
    label: "Reason",
    text: ({ reason }) => visibleText(reason),
    cell: ({ reason }) => <span className="muted-reason">{visibleText(reason)}</span>,
  },
  { label: "By", text: ({ username }) => username, width: 120 },
  {
    label: "Since",
    text: ({ fromTimestamp }) => formatDateTime(fromTimestamp),
    cell: ({ fromTimestamp, timezone }) => <DateTime timestamp={fromTimestamp} timezone={timezone} />,
    className: "tabular",
    width: 190,
  },
  {
    label: "Until",
    text: ({ untilTimestamp }) => formatDateTime(untilTimestamp),
    cell: ({ untilTimestamp, timezone }) => (
      <>
        <DateTime timestamp={untilTimestamp} timezone={timezone} /> <Left untilTimestamp={untilTimestamp} />
      </>
    ),
    className: "tabular",
    width: 220,
  },
  { label: "End", text: () => null, cell: (mute) => <EndMuteButton mute={mute} />, isHeadHidden: true, isActions: true, width: 100 },
];

const switches: readonly [
  field: keyof Pause & ("disableMonitoring" | "pauseNotifications" | "pauseConnectivityNotifications"),
  words: string,
][] = [
  ["disableMonitoring", "Not monitored"],
  ["pauseNotifications", "Notifications (Analytics) paused"],
  ["pauseConnectivityNotifications", "Connectivity notifications paused"],
];
const pausesOf = (pause: Pause): string =>
  switches
    .filter(([field]) => pause[field])
    .map(([, words]) => words)
    .join(", ");

const pauseColumns: readonly Column<Pause>[] = [
  {
    label: "Node",
    text: ({ serialNumber }) => serialNumber,
    cell: ({ serialNumber }) => <NodeLink serial={serialNumber} />,
    isRowHead: true,
    width: 80,
  },
  {
    label: "Place",
    text: ({ customerName, facilityName, locationName }) =>
      [customerName, facilityName, locationName].filter(Boolean).join(" / ") || "No location",
  },
  { label: "What is paused", text: pausesOf },
  {
    label: "Reason",
    text: ({ pauseConnectivityNotificationsReason: reason }) => visibleText(reason),
    cell: ({ pauseConnectivityNotificationsReason: reason, pauseConnectivityNotificationsUrl: url }) => (
      <span className="muted-reason">
        {visibleText(reason)} {url !== "" && <ExternalLink url={url} text="Ticket" />}
      </span>
    ),
  },
];

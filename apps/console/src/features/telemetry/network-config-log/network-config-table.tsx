import { useMediaQuery } from "@mantine/hooks";
import { networkConfigResults } from "@busbar/contract/telemetry/network-config-log.ts";
import type { NetworkConfigEntry, NetworkConfigResult } from "@busbar/contract/telemetry/network-config-log.ts";
import { useRef } from "react";
import { HoverTimes } from "#ui/date-time.tsx";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import "#ui/status-badge.css";

const rowHeight = 36;
const narrowRowHeight = 118;
const labels = ["Timestamp", "Username", "Location Name", "Serial Number", "Key", "Old Value", "New Value", "Result"];

const badges: Record<NetworkConfigResult, string> = {
  confirmed: "status-good",
  unchanged: "status-info",
  sent: "status-info",
  unanswered: "status-warn",
  contradicted: "status-warn",
  refusedByNode: "status-bad",
  refused: "status-bad",
};

export function NetworkConfigTable({ entries }: { entries: readonly NetworkConfigEntry[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  const height = isNarrow ? narrowRowHeight : rowHeight;
  const { rows, gapAfter } = useRowWindow({ count: entries.length, rowHeight: height, scroller, overscan: 10, headerHeight: 34 });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="netconf-scroller" ref={scroller} tabIndex={0} aria-label="Changes of node configurations">
      <table className="netconf-table" aria-rowcount={entries.length + 1}>
        <thead>
          <tr>
            {labels.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <GapRow height={rows[0]?.gapBefore ?? 0} />
          {rows.map(({ index }) => {
            const entry = entries[index];
            return entry && <EntryRow key={entry.id} entry={entry} index={index} />;
          })}
          <GapRow height={gapAfter} />
        </tbody>
      </table>
    </section>
  );
}

function EntryRow({ entry, index }: { entry: NetworkConfigEntry; index: number }) {
  const { timestamp, timezone, displayTimestamp, username, locationName, serialNumber, key, oldValue, newValue, result, detail } = entry;
  return (
    <tr aria-rowindex={index + 2}>
      <td className="tabular netconf-time">
        <HoverTimes timestamp={timestamp} timezone={timezone}>
          {displayTimestamp}
        </HoverTimes>
      </td>
      <td>{username}</td>
      <td title={locationName}>{locationName === "" ? <span className="dim">At no location</span> : locationName}</td>
      <td className="mono">{serialNumber}</td>
      <td className="mono" title={key}>
        {key}
      </td>
      <Value text={oldValue} />
      <Value text={newValue} />
      <td className="netconf-result">
        <span className={`status-badge ${badges[result]}`} title={detail}>
          {networkConfigResults[result]}
        </span>
        {detail !== "" && <span className="visually-hidden">: {detail}</span>}
      </td>
    </tr>
  );
}

function Value({ text }: { text: string }) {
  return (
    <td className="mono" title={text}>
      {text === "" ? <span className="dim">(empty)</span> : text}
    </td>
  );
}

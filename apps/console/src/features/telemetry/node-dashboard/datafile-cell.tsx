import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { isExternalNodeType } from "@busbar/contract/values/option-lists.ts";
import { formatCount } from "#lib/format-number.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { useRowTab } from "#ui/row-tab.ts";
import { LateBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useIsLate } from "./use-is-late.ts";

/** DSH-09 */
export function DatafileCell({ node }: { node: DashboardNode }) {
  const { serialNumber, timezone, dataInterval } = node;
  const tabIndex = useRowTab();
  const isLate = useIsLate(node.lastDatafileTimestamp, dataInterval);
  const isOneSecondLate = useIsLate(node.lastOneSecondFileTimestamp, dataInterval);
  if (isExternalNodeType(node.type)) {
    return (
      <>
        <div className="cell-line dim">Last External File</div>
        <div className="cell-line">
          <FileTime timestamp={node.lastExternalFileTimestamp} timezone={timezone} isLate={false} />
        </div>
      </>
    );
  }
  return (
    <>
      <div className="cell-line">
        <FileTime label={intervalText(dataInterval)} timestamp={node.lastDatafileTimestamp} timezone={timezone} isLate={isLate} />
        {isLate && node.missingDatafileCount === 0 && <LateBadge />}
        {node.missingDatafileCount > 0 && (
          <span className="status-badge status-warn">{formatCount(node.missingDatafileCount)} missing</span>
        )}
      </div>
      <div className="cell-line">
        <FileTime label="1 s" timestamp={node.lastOneSecondFileTimestamp} timezone={timezone} isLate={isOneSecondLate} />
        <a
          tabIndex={tabIndex}
          href={`#/node-dashboard/${serialNumber}/files?dataInterval=${dataInterval}`}
          aria-label={`View Files of ${serialNumber}`}
        >
          View Files
        </a>
      </div>
    </>
  );
}

const intervalText = (seconds: number): string => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

interface FileTimeProps {
  label?: string;
  timestamp: number | null;
  timezone: string | null;
  isLate: boolean;
}

function FileTime({ label, timestamp, timezone, isLate }: FileTimeProps) {
  return (
    <span className={isLate ? "is-late" : undefined}>
      {label && <span className="dim">{label} file </span>}
      {timestamp === null ? (
        <span className="dim">none yet</span>
      ) : (
        <span className="ago-text">
          <HoverTimes timestamp={timestamp} timezone={timezone}>
            <TimeAgo timestamp={timestamp} />
          </HoverTimes>
        </span>
      )}
    </span>
  );
}

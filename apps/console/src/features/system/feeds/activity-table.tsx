import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { Activity } from "@busbar/contract/system/feeds.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { DateTime } from "#ui/date-time.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";

export const activityColumns: readonly Column<Activity>[] = [
  {
    label: "Time",
    text: ({ timestamp }) => String(timestamp),
    cell: ({ timestamp }) => (
      <span className="tabular">
        <DateTime timestamp={Math.floor(timestamp)} timezone={null} />{" "}
        <span className="dim">
          (<TimeAgo timestamp={timestamp} />)
        </span>
      </span>
    ),
  },
  {
    label: "By",
    text: ({ actorType, actor }) => `${actorType} ${actor}`,
    cell: ({ actorType, actor }) => (
      <>
        {actorType} {actorType === "Node" && serialNumberPattern.test(actor) ? <NodeLink serial={actor} /> : actor}
      </>
    ),
  },
  { label: "Action", text: ({ action }) => action, cell: ({ action }) => <span className="mono">{action}</span> },
  { label: "Description", text: ({ description }) => description, cell: (activity) => <Description activity={activity} /> },
];

/** Of an event file it leads to the event. */
function Description({ activity: { object, description } }: { activity: Activity }) {
  if (parseDataFileName(object)?.kind !== "E") return description;
  return <a href={`#/activity/eventfiles/${object}`}>{description}</a>;
}

export function ActivityTable({ activities }: { activities: readonly Activity[] }) {
  // Two rows may be alike in everything; their place distinguishes them.
  const rows = activities.map((activity, place) => ({ ...activity, place }));
  return <DataTable aria-label="Activities" columns={activityColumns} rows={rows} keyOf={(row) => `${row.timestamp}/${row.place}`} />;
}

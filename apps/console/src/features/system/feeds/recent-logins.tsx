import { firstLogins, type LoginEvent } from "@busbar/contract/system/feeds.ts";
import { Button } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { ReportActions } from "#ui/report-actions.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useRecentLogins } from "./activities.queries.ts";
import "#ui/status-badge.css";

const mostLogins = 1_000;

const columns: readonly Column<LoginEvent>[] = [
  {
    label: "Time",
    text: ({ timestamp }) => formatDateTime(Math.floor(timestamp)),
    cell: ({ timestamp }) => (
      <span className="tabular">
        <DateTime timestamp={Math.floor(timestamp)} timezone={null} />{" "}
        <span className="dim">
          (<TimeAgo timestamp={timestamp} />)
        </span>
      </span>
    ),
  },
  { label: "Username", text: ({ username }) => username },
  { label: "Customer", text: ({ customerCode }) => customerCode ?? "–" },
  { label: "Administrator", text: ({ administrator }) => (administrator ? "yes" : "no") },
  {
    label: "Result",
    text: ({ success }) => (success ? "signed in" : "refused"),
    cell: ({ success }) => <span className={`status-badge status-${success ? "good" : "bad"}`}>{success ? "signed in" : "refused"}</span>,
  },
  { label: "Details", text: ({ description }) => description },
];

export interface RecentLoginsProps {
  count: number;
  onCount: (count: number) => void;
}

/** FEE-02 */
export function RecentLogins({ count, onCount }: RecentLoginsProps) {
  const asked = useRecentLogins(count);
  const { data, isFetching } = asked;
  const rows = (data ?? []).map((event, place) => ({ ...event, place }));
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Login Events</h1>
        {rows.length > 0 && <ReportActions onCsv={() => saveRows("logins.csv", columns, rows)} />}
      </div>
      <Loaded of={asked} loading={<LoadingTable label="Loading the logins" columns={columns} />} />
      {data?.length === 0 && <EmptyState title="No one has signed in yet" />}
      {rows.length > 0 && (
        <DataTable aria-label="Login events" columns={columns} rows={rows} keyOf={(row) => `${row.timestamp}/${row.place}`} />
      )}
      {data && data.length >= count && count < mostLogins && (
        <Button mt="sm" variant="default" loading={isFetching} onClick={() => onCount(Math.min(mostLogins, count + firstLogins))}>
          Show more
        </Button>
      )}
    </>
  );
}

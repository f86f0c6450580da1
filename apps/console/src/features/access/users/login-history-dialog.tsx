import type { LoginSession, User } from "@busbar/contract/access/users.ts";
import { formatLoginTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { HoverTimes } from "#ui/date-time.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { useLoginHistory } from "./users.queries.ts";

export const loginColumns: readonly Column<LoginSession>[] = [
  {
    label: "Time",
    text: ({ timestamp }) => formatLoginTime(timestamp),
    cell: ({ timestamp }) => (
      <HoverTimes timestamp={timestamp} timezone={null}>
        {formatLoginTime(timestamp)}
      </HoverTimes>
    ),
    className: "tabular",
  },
  { label: "Administrator", text: ({ administrator }) => (administrator ? "Yes" : "No") },
];

/** USR-07 */
export function LoginHistoryDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const asked = useLoginHistory(user.id);
  const { data } = asked;
  return (
    <Dialog title={`Login History of ${user.username}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the login history" rows={4} height={30} />} />
      {data?.length === 0 && <EmptyState title={`${user.username} has not signed in within the two years that are kept`} />}
      {data && data.length > 0 && <DataTable columns={loginColumns} rows={data} keyOf={({ timestamp }) => timestamp} />}
    </Dialog>
  );
}

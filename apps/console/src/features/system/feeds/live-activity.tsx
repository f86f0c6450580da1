import { counted } from "@busbar/contract/values/counted.ts";
import { failureMessage } from "#lib/api-error.ts";
import { formatCount } from "#lib/format-number.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { StaleNotice } from "#ui/stale-notice.tsx";
import { ActivityTable, activityColumns } from "./activity-table.tsx";
import { useLiveActivity } from "./activities.queries.ts";

/** SYS-06 */
export function LiveActivity() {
  const { data, error, dataUpdatedAt, refetch } = useLiveActivity();
  return (
    <>
      <h1 className="page-title">Live Activity</h1>
      {!data && !error && <LoadingTable label="Loading the activity" columns={activityColumns} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && error && <StaleNotice message={failureMessage(error)} updatedAt={dataUpdatedAt} />}
      {data && (
        <p className="tabular">
          {formatCount(data.connectedNodeCount)} of {counted(data.nodeCount, "node")} connected,{" "}
          {counted(data.activeSessionCount, "person", "people")} signed in. Refreshed every 10 s.
        </p>
      )}
      {data?.activities.length === 0 && <EmptyState title="Nothing has happened yet" />}
      {data && data.activities.length > 0 && <ActivityTable activities={data.activities} />}
    </>
  );
}

import { counted } from "@busbar/contract/values/counted.ts";
import { formatCount } from "#lib/format-number.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { ActivityTable, activityColumns } from "./activity-table.tsx";
import { useLiveActivity } from "./activities.queries.ts";

/** SYS-06 */
export function LiveActivity() {
  const asked = useLiveActivity();
  const { data } = asked;
  return (
    <>
      <h1 className="page-title">Live Activity</h1>
      <Loaded of={asked} loading={<LoadingTable label="Loading the activity" columns={activityColumns} />} />
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

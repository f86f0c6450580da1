import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { Pager } from "#ui/pager.tsx";
import { ActivityTable, activityColumns } from "./activity-table.tsx";
import { useActivities } from "./activities.queries.ts";

export interface ActivityFeedProps {
  title: string;
  count: number;
  action?: string;
  from: number;
  /** The newest row when the reader began to page; empty for now. */
  upTo: string;
  onFrom: (from: number, upTo: string) => void;
  /** The serial number that the list is limited to; empty for all. Without it the feed has no such filter. */
  node?: { serial: string; onSerial: (serial: string) => void };
  emptyTitle: string;
}

/** FEE-02, FEE-03 */
export function ActivityFeed({ title, count, action, from, upTo, onFrom, node, emptyTitle }: ActivityFeedProps) {
  const asked = useActivities({
    from,
    count,
    upTo,
    ...(action === undefined ? {} : { action }),
    ...(node === undefined || node.serial === "" ? {} : { actor: node.serial }),
  });
  const { data } = asked;
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">{title}</h1>
        {data && <Pager page={{ ...data, from }} onFrom={(next) => onFrom(next, String(data.newest))} />}
      </div>
      {node && (
        <search>
          <TextInput
            type="search"
            label="Node"
            placeholder="Serial number"
            inputMode="numeric"
            maxLength={5}
            w={200}
            mb="sm"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={node.serial}
            onChange={(event) => node.onSerial(event.currentTarget.value.replaceAll(/\D/g, ""))}
          />
        </search>
      )}
      <Loaded of={asked} loading={<LoadingTable label={`Loading ${title}`} columns={activityColumns} />} />
      {data?.total === 0 && <EmptyState title={emptyTitle} />}
      {data && data.total > 0 && data.activities.length === 0 && <EmptyState title="There is nothing this far back" />}
      {data && data.activities.length > 0 && <ActivityTable activities={data.activities} />}
    </>
  );
}

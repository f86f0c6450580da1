import { Button } from "@mantine/core";
import { ListCount } from "#ui/list-count.tsx";
import type { ListCountProps } from "#ui/list-count.tsx";
import { Notice } from "#ui/notice.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useFleetFacts, usePollState, useTotal } from "./use-fleet.ts";
import type { Fleet } from "./use-fleet.ts";

export type FleetCountProps = { fleet: Fleet } & Omit<ListCountProps, "total" | "noun">;

/** How many of how many are shown. */
export function FleetCount({ fleet, ...rest }: FleetCountProps) {
  return <ListCount total={useTotal(fleet)} noun="node" {...rest} />;
}

/** Says that what is below is old, and why. */
export function StaleMark({ fleet }: { fleet: Fleet }) {
  const { failure, hasLoaded, updatedAt } = usePollState(fleet);
  const facts = useFleetFacts(fleet);
  if (!hasLoaded || !facts) return null;
  if (failure !== undefined) {
    return (
      <Notice
        kind="warning"
        action={
          <Button variant="default" size="compact-xs" onClick={fleet.poller.pollNow}>
            Try again
          </Button>
        }
      >
        {failure}{" "}
        {updatedAt !== undefined && (
          <>
            Last updated <TimeAgo timestamp={updatedAt} />.
          </>
        )}
      </Notice>
    );
  }
  if (!facts.isStale) return null;
  return (
    <Notice kind="warning">
      The server cannot reach its database. Last updated <TimeAgo timestamp={facts.asOf} />.
    </Notice>
  );
}

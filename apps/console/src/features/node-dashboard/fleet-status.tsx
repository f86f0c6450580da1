import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect } from "react";
import { announce } from "#lib/announcer.ts";
import { formatCount } from "#lib/format-number.ts";
import { Notice } from "#ui/notice.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useFleetFacts, usePollState, useTotal } from "./use-fleet.ts";
import type { Fleet } from "./use-fleet.ts";

export interface FleetCountProps {
  fleet: Fleet;
  shown: number;
  isFiltered: boolean;
  onClear: () => void;
  onExport: () => void;
}

const settledMs = 800;

/** How many of how many are shown; read out once typing has settled. */
export function FleetCount({ fleet, shown, isFiltered, onClear, onExport }: FleetCountProps) {
  const total = useTotal(fleet);
  const text = `${formatCount(shown)} of ${formatCount(total)} nodes`;
  useEffect(() => {
    const timer = setTimeout(() => announce(`Showing ${text}`), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Group gap="xs" className="fleet-count" justify="space-between">
      <Group gap="xs">
        <span className="tabular">{text}</span>
        {(isFiltered || shown < total) && (
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Show all
          </Button>
        )}
      </Group>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconDownload size={13} aria-hidden />}
        onClick={onExport}
        disabled={shown === 0}
        className="no-print"
      >
        Export CSV
      </Button>
    </Group>
  );
}

/** Says that what stands below is old, and why. */
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

import { Alert, Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { formatCount } from "#lib/format-number.ts";
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

export function FleetCount({ fleet, shown, isFiltered, onClear, onExport }: FleetCountProps) {
  const total = useTotal(fleet);
  return (
    <Group gap="xs" className="fleet-count" justify="space-between">
      <Group gap="xs">
        <span role="status" className="tabular">
          {formatCount(shown)} of {formatCount(total)} nodes
        </span>
        {(isFiltered || shown < total) && (
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Show all
          </Button>
        )}
      </Group>
      <Button variant="subtle" size="compact-xs" leftSection={<IconDownload size={13} aria-hidden />} onClick={onExport} disabled={shown === 0} className="no-print">
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
      <Alert color="orange" role="alert" py={6} mb="xs">
        <Group justify="space-between" gap="xs">
          <span>
            {failure} {updatedAt !== undefined && <>Last updated <TimeAgo timestamp={updatedAt} />.</>}
          </span>
          <Button variant="default" size="compact-xs" onClick={fleet.poller.pollNow}>
            Try again
          </Button>
        </Group>
      </Alert>
    );
  }
  if (!facts.isStale) return null;
  return (
    <Alert color="orange" role="alert" py={6} mb="xs">
      The server cannot reach its database. Last updated <TimeAgo timestamp={facts.asOf} />.
    </Alert>
  );
}

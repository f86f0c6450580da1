import type { LocationNode } from "@busbar/contract/directory/locations.ts";
import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import { Button, Group } from "@mantine/core";
import { NodeEditor } from "#features/directory/nodes/node-editor.tsx";
import { EditLocationDialog } from "#features/directory/locations/edit-location-dialog.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { NextStatusCapsule, StatusBadge } from "#ui/status-badge.tsx";
import { trendsOf } from "#ui/trends-link.ts";
import "#ui/status-badge.css";
import type { LinkedDialog } from "./linked-dialog.ts";

export interface LocationDialogProps {
  locationId: number;
  onClose: () => void;
  onOpen: (dialog: LinkedDialog) => void;
}

/** CUS-16: the location's own sections and the editors of its nodes. */
export function LocationDialog({ locationId, onClose, onOpen }: LocationDialogProps) {
  return (
    <EditLocationDialog locationId={locationId} onClose={onClose} renderNode={(node) => <NodeSection node={node} onOpen={onOpen} />} />
  );
}

function NodeSection({ node, onOpen }: { node: LocationNode; onOpen: (dialog: LinkedDialog) => void }) {
  const { serialNumber, type, container, currentDeploymentStatus, newDeploymentStatus } = node;
  return (
    <>
      <Group gap={8} mb={8}>
        <b>
          <NodeLink serial={serialNumber} />
        </b>
        <CopyButton text={serialNumber} label={`Copy ${serialNumber}`} />
        <span>{type}</span>
        {container !== "" && <span className="dim">{container}</span>}
        <StatusBadge status={currentDeploymentStatus} />
        {newDeploymentStatus !== currentDeploymentStatus && <NextStatusCapsule status={newDeploymentStatus} />}
        <Button variant="default" onClick={() => onOpen({ kind: "node-config", serial: serialNumber })}>
          Node Config
        </Button>
        <Button variant="default" onClick={() => onOpen({ kind: "swap-node", serial: serialNumber })}>
          Swap node…
        </Button>
        {!isExternalNodeType(type) && !isRelayNodeType(type) && (
          <Button component="a" variant="default" href={trendsOf([serialNumber])}>
            Trends
          </Button>
        )}
      </Group>
      <NodeEditor serial={serialNumber} />
    </>
  );
}

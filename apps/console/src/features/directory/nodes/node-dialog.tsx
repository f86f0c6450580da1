import type { Node } from "@busbar/contract/directory/nodes.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { NodeEditor } from "./node-editor.tsx";
import { NodeForm } from "./node-form.tsx";
import { useNode } from "./nodes.queries.ts";
import { PlaceForm } from "./place-form.tsx";

interface OwnProps {
  onClose: () => void;
  onCredentials: (serial: string) => void;
}

export interface NodeDialogProps extends OwnProps {
  serial: string;
  onPlace: () => void;
}

/** NFM-01 */
export function NodeDialog({ serial, onClose, onCredentials, onPlace }: NodeDialogProps) {
  const { data: node } = useNode(serial);
  return (
    <Dialog title={`Edit Node ${serial}`} onClose={onClose}>
      <NextSteps serial={serial} onCredentials={onCredentials} onPlace={node && isWithoutPlace(node) ? onPlace : undefined} />
      <NodeEditor serial={serial} />
    </Dialog>
  );
}

export interface AddNodeDialogProps extends OwnProps {
  /** Goes on with the tasks of the node that was added and placed. */
  onTasks: (serial: string) => void;
}

/** NFM-01: once the node is added, the same form goes on as its editor. Before it, what comes next: its place. */
export function AddNodeDialog({ onClose, onCredentials, onTasks }: AddNodeDialogProps) {
  const [node, setNode] = useState<Node | undefined>();
  const { data: latest } = useNode(node?.serialNumber);
  return (
    <Dialog title={node ? `Edit Node ${node.serialNumber}` : "Add Node"} onClose={onClose}>
      {node && (
        <>
          <NextSteps serial={node.serialNumber} onCredentials={onCredentials} />
          <fieldset className="form-section">
            <legend>Place</legend>
            <PlaceForm node={node} saveLabel="Place and go on to its tasks" onPlaced={() => onTasks(node.serialNumber)} />
          </fieldset>
        </>
      )}
      <NodeForm node={node} latest={latest} onLoad={setNode} onSaved={setNode} />
    </Dialog>
  );
}

const isWithoutPlace = ({ isAssigned, currentDeploymentStatus, newDeploymentStatus }: Node): boolean =>
  !isAssigned && currentDeploymentStatus !== "Decommissioned" && newDeploymentStatus !== "Decommissioned";

interface NextStepsProps extends Pick<OwnProps, "onCredentials"> {
  serial: string;
  onPlace?: (() => void) | undefined;
}

function NextSteps({ serial, onCredentials, onPlace }: NextStepsProps) {
  return (
    <Group gap="xs" mb="sm">
      {onPlace && <Button onClick={onPlace}>Place at a location</Button>}
      <Button variant="default" onClick={() => onCredentials(serial)}>
        Credentials
      </Button>
      <Button component="a" variant="default" href={`#/deployments/${serial}`}>
        Step by step
      </Button>
    </Group>
  );
}

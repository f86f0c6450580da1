import type { Customer } from "@busbar/contract/directory/customer-tree.ts";
import { deleteDecommissionedNode, type DecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";

export interface TakeBackDialogProps {
  customer: Customer;
  node: DecommissionedNode;
  onClose: () => void;
}

/** CUS-18 */
export function TakeBackDialog({ customer, node, onClose }: TakeBackDialogProps) {
  const call = useApi();
  const outcome = useOutcome();
  const [isDone, setIsDone] = useState(false);
  const takeBack = async () => {
    const done = await outcome.run(async () => {
      await call(deleteDecommissionedNode, { params: { id: String(customer.id), serial: node.serialNumber } });
      return `Node ${node.serialNumber} is Unassigned now`;
    });
    if (done) setIsDone(true);
  };

  return (
    <Dialog title={`Delete decommissioned node ${node.serialNumber} of ${customer.name}?`} onClose={onClose}>
      <div className="dialog-form">
        {!isDone && <p>The node becomes Unassigned: it may connect again with its old secret, and locations are offered it.</p>}
        <MessageLine message={outcome.message} onCleared={isDone ? undefined : outcome.clear} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {!isDone && (
            <Button color="red.9" disabled={outcome.isWorking} loading={outcome.isWorking} onClick={() => void takeBack()} data-autofocus>
              Delete
            </Button>
          )}
        </Group>
      </div>
    </Dialog>
  );
}

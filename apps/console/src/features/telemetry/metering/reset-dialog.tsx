import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import type { Message } from "#ui/message-line.tsx";
import { useResetMetering } from "./metering.queries.ts";

export interface ResetDialogProps {
  serial: string;
  locationId: string;
  onClose: () => void;
  onDone: () => void;
}

/** MET-03 */
export function ResetDialog({ serial, locationId, onClose, onDone }: ResetDialogProps) {
  const [message, setMessage] = useState<Message | undefined>();
  const reset = useResetMetering(locationId);
  const confirm = async () => {
    setMessage({ kind: "working", text: "Sending request to server..." });
    try {
      await reset(serial);
      onDone();
    } catch (error) {
      setMessage({ kind: "error", text: failureMessage(error) });
    }
  };
  return (
    <Dialog title={`Reset metering of node ${serial}?`} onClose={onClose}>
      <p>
        The running time, the ampere-hours and the energies of node {serial} start again at zero, in the node itself. Averages and peaks of
        today and of the last days stay.
      </p>
      <MessageLine message={message} onCleared={() => setMessage(undefined)} />
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red.9" disabled={message?.kind === "working"} onClick={() => void confirm()}>
          Reset metering
        </Button>
      </Group>
    </Dialog>
  );
}

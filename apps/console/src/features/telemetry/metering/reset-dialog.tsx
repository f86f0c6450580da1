import { Button, Group } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useResetMetering } from "./metering.queries.ts";

export interface ResetDialogProps {
  serial: string;
  locationId: string;
  onClose: () => void;
  onDone: () => void;
}

/** MET-03 */
export function ResetDialog({ serial, locationId, onClose, onDone }: ResetDialogProps) {
  const outcome = useOutcome();
  const reset = useResetMetering(locationId);
  const confirm = () =>
    outcome.run(async () => {
      await reset(serial);
      onDone();
      return undefined;
    });
  return (
    <Dialog title={`Reset metering of node ${serial}?`} onClose={onClose}>
      <p>
        The running time, the ampere-hours and the energies of node {serial} start again at zero, in the node itself. Averages and peaks of
        today and of the last days stay.
      </p>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red.9" disabled={outcome.isWorking} onClick={() => void confirm()}>
          Reset metering
        </Button>
      </Group>
    </Dialog>
  );
}

import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";

export interface StopAllDialogProps {
  count: number;
  onConfirm: () => void;
  onClose: () => void;
}

export function StopAllDialog({ count, onConfirm, onClose }: StopAllDialogProps) {
  const services = counted(count, "service");
  return (
    <Dialog title={`Stop all ${services}?`} onClose={onClose}>
      <p>
        While they are stopped, no alarms are found, no mail is sent, and no files, reports or bills are made. They stay stopped, after a
        restart too, until someone starts them.
      </p>
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red.9" onClick={onConfirm}>
          Stop {services}
        </Button>
      </Group>
    </Dialog>
  );
}

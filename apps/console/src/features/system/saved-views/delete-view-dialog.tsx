import type { SavedView } from "@busbar/contract/system/saved-views.ts";
import { Button, Group } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useDeleteView } from "./saved-views.queries.ts";

export interface DeleteViewDialogProps {
  view: SavedView;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteViewDialog({ view, onDeleted, onClose }: DeleteViewDialogProps) {
  const remove = useDeleteView();
  const outcome = useOutcome();
  const confirm = () =>
    outcome.run(async () => {
      await remove.mutateAsync(view.id);
      onDeleted();
      return undefined;
    });
  return (
    <Dialog title={`Delete the view ${view.name}?`} onClose={onClose}>
      <p>{view.isShared ? "No one can open it any more, and it is no one's default." : "What it shows stays as it is."}</p>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      <Group justify="flex-end" mt="sm">
        <Button color="red" loading={outcome.isWorking} onClick={() => void confirm()} data-autofocus>
          Delete
        </Button>
      </Group>
    </Dialog>
  );
}

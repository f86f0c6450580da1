import type { TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { announce } from "#lib/announcer.ts";
import { failureMessage, isNotFound } from "#lib/api-error.ts";
import { Loaded } from "#ui/loaded.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { useDeleteTaskPhoto, useTaskPhoto } from "./task-photos.queries.ts";

export interface PhotoDialogProps {
  serial: string;
  photo: TaskPhoto;
  title: string;
  /** By whom and when. */
  words: string;
  onClose: () => void;
  onRemoved: () => void;
}

/** One photo as large as the screen has room for. */
export function PhotoDialog({ serial, photo, title, words, onClose, onRemoved }: PhotoDialogProps) {
  const asked = useTaskPhoto(serial, photo);
  const [isAsked, setIsAsked] = useState(false);
  const removal = useDeleteTaskPhoto(serial);
  const remove = async () => {
    try {
      await removal.mutateAsync(photo);
    } catch (failure) {
      // Where someone else removed it meanwhile, it is gone all the same.
      if (!isNotFound(failure)) return;
    }
    announce(`${title} was removed`);
    onRemoved();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded of={asked} loading={<p className="dim">Loading…</p>}>
        {(source) => <img className="photo-large" src={source} alt={`${title}, ${words}`} />}
      </Loaded>
      <p className="dim">Added {words}</p>
      {removal.error && !isNotFound(removal.error) && <Notice kind="error">{failureMessage(removal.error)}</Notice>}
      {isAsked ? (
        <>
          <p>Remove this photo? No one can bring it back.</p>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setIsAsked(false)}>
              Keep photo
            </Button>
            <Button color="red.9" loading={removal.isPending} onClick={() => void remove()}>
              Remove photo
            </Button>
          </Group>
        </>
      ) : (
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => setIsAsked(true)}>
            Remove photo…
          </Button>
        </Group>
      )}
    </Dialog>
  );
}

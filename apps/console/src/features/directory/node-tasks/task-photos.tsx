import { maxTaskPhotos, type TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { Button, FileButton, Group } from "@mantine/core";
import { useRef, useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { labelOfId } from "./task-names.ts";
import { useTaskPhoto } from "./task-photos.queries.ts";
import { isUnsent, type WaitingPhoto, type WaitingPhotos } from "./use-waiting-photos.ts";
import "./task-photos.css";

const PhotoDialog = lazyPart(() => import("./photo-dialog.tsx"), "PhotoDialog");

export interface TaskPhotosProps {
  serial: string;
  taskId: number;
  /** Of all tasks of the node. */
  photos: readonly TaskPhoto[];
  waiting: WaitingPhotos;
  timezone: string | null;
  /** Before the camera is opened: what is behind it has to stay the same task. */
  onBegin?: () => void;
}

/** What people photographed at a task: shown to everyone, added to and removed from. */
export function TaskPhotos({ serial, taskId, photos, waiting, timezone, onBegin }: TaskPhotosProps) {
  const [openId, setOpenId] = useState<number | undefined>();
  const addButton = useRef<HTMLButtonElement>(null);
  const resetFile = useRef<() => void>(null);
  const label = labelOfId(taskId);
  const own = photos.filter(({ taskTemplateId }) => taskTemplateId === taskId);
  const ownWaiting = waiting.photos.filter(({ taskTemplateId }) => taskTemplateId === taskId);
  const count = own.length + ownWaiting.filter(isUnsent).length;
  const opened = own.find(({ id }) => id === openId);
  const titleOf = (photo: TaskPhoto) => `Photo ${own.indexOf(photo) + 1} of task ${label}`;
  const wordsOf = (photo: TaskPhoto) => `by ${photo.addedBy}, ${formatDateTime(photo.addedTimestamp, timezone ?? "UTC")}`;
  const removed = () => {
    setOpenId(undefined);
    // What had opened the photo is gone with it.
    requestAnimationFrame(() => addButton.current?.focus());
  };
  const add = (file: File | null) => {
    // So that the same file can be chosen again.
    resetFile.current?.();
    if (file) waiting.add(taskId, file);
  };

  return (
    <section className="task-photos" aria-label={`Photos of task ${label}`}>
      <p className="task-photos-head">
        Photos {own.length > 0 && <span className="dim">{`${own.length} of at most ${maxTaskPhotos}`}</span>}
      </p>
      {own.length + ownWaiting.length > 0 && (
        <ul>
          {own.map((photo) => (
            <li key={photo.id}>
              <Thumbnail serial={serial} photo={photo} words={`${titleOf(photo)}, ${wordsOf(photo)}`} onOpen={() => setOpenId(photo.id)} />
            </li>
          ))}
          {ownWaiting.map((photo) => (
            <li key={`waiting ${photo.key}`}>
              <WaitingTile photo={photo} waiting={waiting} />
            </li>
          ))}
        </ul>
      )}
      {count < maxTaskPhotos ? (
        <FileButton accept="image/*" resetRef={resetFile} onChange={add}>
          {({ onClick }) => (
            <Button
              ref={addButton}
              variant="default"
              onClick={() => {
                onBegin?.();
                onClick();
              }}
            >
              Add photo
            </Button>
          )}
        </FileButton>
      ) : (
        <p className="dim">A task keeps {maxTaskPhotos} photos. Remove one to add another.</p>
      )}
      <DialogSlot onClose={() => setOpenId(undefined)}>
        {opened && (
          <PhotoDialog
            serial={serial}
            photo={opened}
            title={titleOf(opened)}
            words={wordsOf(opened)}
            onClose={() => setOpenId(undefined)}
            onRemoved={removed}
          />
        )}
      </DialogSlot>
    </section>
  );
}

interface ThumbnailProps {
  serial: string;
  photo: TaskPhoto;
  words: string;
  onOpen: () => void;
}

function Thumbnail({ serial, photo, words, onOpen }: ThumbnailProps) {
  const { data, error } = useTaskPhoto(serial, photo);
  return (
    <button type="button" className="plain-button photo-tile" onClick={onOpen}>
      {data ? (
        <img src={data} alt={words} />
      ) : (
        <>
          <span className="visually-hidden">{words}: </span>
          <span className="dim">{error ? "Not shown" : "Loading…"}</span>
        </>
      )}
    </button>
  );
}

interface WaitingTileProps {
  photo: WaitingPhoto;
  waiting: WaitingPhotos;
}

function WaitingTile({ photo, waiting }: WaitingTileProps) {
  const { small, failure, mayGoAgain } = photo;
  return (
    <div className="photo-waiting">
      {small && (
        <span className="photo-tile">
          <img src={small.address} alt="Not sent yet" />
        </span>
      )}
      {failure === undefined ? (
        <p className="dim">{small ? "Sending…" : "Reading…"}</p>
      ) : (
        <div>
          <p role="alert" className="bad">
            {`Not sent: ${ended(failure)}${mayGoAgain ? " The photo is lost when this page is closed." : ""}`}
          </p>
          <Group gap={8} mt={8}>
            {mayGoAgain && (
              <Button variant="default" onClick={() => waiting.send(photo)}>
                Try again
              </Button>
            )}
            <Button variant="default" onClick={() => waiting.drop(photo)}>
              {small ? "Discard photo" : "OK"}
            </Button>
          </Group>
        </div>
      )}
    </div>
  );
}

/** The server's sentences have no full stop, those of the console have one. */
const ended = (sentence: string): string => (sentence.endsWith(".") ? sentence : `${sentence}.`);

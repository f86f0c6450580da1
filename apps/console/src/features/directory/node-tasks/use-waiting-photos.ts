import { useEffect, useRef, useState } from "react";
import { announce } from "#lib/announcer.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { dataAddress } from "#lib/data-address.ts";
import type { LossQuestion } from "#lib/unsaved-edits.ts";
import { shrinkPhoto } from "./shrink-photo.ts";
import { labelOfId } from "./task-names.ts";
import { useAddTaskPhoto } from "./task-photos.queries.ts";
import type { SmallPhoto } from "./task-photos.queries.ts";

/** A photo that the server does not have yet. */
export interface WaitingPhoto {
  key: number;
  taskTemplateId: number;
  /** Undefined while the file is read, and when it cannot be. */
  small: SmallPhoto | undefined;
  /** Why it was not sent; undefined while it is on its way. */
  failure: string | undefined;
  /** The server did not refuse it. */
  mayGoAgain: boolean;
}

export interface WaitingPhotos {
  photos: readonly WaitingPhoto[];
  add: (taskTemplateId: number, file: File) => void;
  send: (photo: WaitingPhoto) => void;
  drop: (photo: WaitingPhoto) => void;
}

export const photoQuestion: LossQuestion = {
  title: "Leave without the photo?",
  text: "A photo is not sent yet, and this page does not keep it.",
  stay: "Stay here",
  lose: "Discard photo",
};

/** Photos of a node's tasks on their way. They are too large to be kept in the browser: they last as long as the screen that calls this. */
export function useWaitingPhotos(serial: string): WaitingPhotos {
  const [photos, setPhotos] = useState<readonly WaitingPhoto[]>([]);
  const lastKey = useRef(0);
  const addPhoto = useAddTaskPhoto(serial);
  const note = (key: number, noted: Partial<WaitingPhoto>) =>
    setPhotos((before) => before.map((photo) => (photo.key === key ? { ...photo, ...noted } : photo)));
  const drop = ({ key }: Pick<WaitingPhoto, "key">) => setPhotos((before) => before.filter((photo) => photo.key !== key));

  const send = async ({ key, taskTemplateId }: Pick<WaitingPhoto, "key" | "taskTemplateId">, small: SmallPhoto) => {
    note(key, { failure: undefined });
    try {
      await addPhoto(taskTemplateId, small);
      drop({ key });
      announce(`Photo added to task ${labelOfId(taskTemplateId)}`);
    } catch (error) {
      note(key, { failure: failureMessage(error), mayGoAgain: !isRefusal(error) });
    }
  };

  const add = async (taskTemplateId: number, file: File) => {
    const photo: WaitingPhoto = { key: ++lastKey.current, taskTemplateId, small: undefined, failure: undefined, mayGoAgain: false };
    setPhotos((before) => [...before, photo]);
    const small = await smallOf(file).catch(() => undefined);
    note(photo.key, small ? { small } : { failure: `this browser cannot read ${file.name} as a picture.` });
    if (small) await send(photo, small);
  };

  const sendAgain = () => {
    for (const photo of photos) if (photo.failure !== undefined && photo.mayGoAgain && photo.small) void send(photo, photo.small);
  };
  const latest = useRef(sendAgain);
  useEffect(() => {
    latest.current = sendAgain;
  });
  useEffect(() => {
    const isOnline = () => latest.current();
    addEventListener("online", isOnline);
    return () => removeEventListener("online", isOnline);
  }, []);

  return {
    photos,
    add: (taskTemplateId, file) => void add(taskTemplateId, file),
    send: (photo) => photo.small && void send(photo, photo.small),
    drop,
  };
}

async function smallOf(file: File): Promise<SmallPhoto> {
  const bytes = await shrinkPhoto(file);
  return { bytes, address: await dataAddress(bytes) };
}

/** The task has enough photos, the node is gone: the same photo would be refused again. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && [400, 403, 404, 409, 413].includes(error.status);

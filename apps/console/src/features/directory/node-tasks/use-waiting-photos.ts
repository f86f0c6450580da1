import { useEffect, useRef, useState } from "react";
import { announce } from "#lib/announcer.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { dataAddress } from "#lib/data-address.ts";
import type { LossQuestion } from "#lib/unsaved-edits.ts";
import { shrinkPhoto } from "./shrink-photo.ts";
import { labelOfId } from "./task-names.ts";
import { useAddTaskPhoto, type SmallPhoto } from "./task-photos.queries.ts";

const againMs = 15_000;

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

/** It was chosen, and is lost with the page. */
export const isUnsent = ({ small, failure }: WaitingPhoto): boolean => small !== undefined || failure === undefined;

/**
 * Photos of a node's tasks on their way: sent at once, when the network is back, and every now and then. They are too large to be kept in the browser: they last as long as the screen that calls this.
 */
export function useWaitingPhotos(serial: string): WaitingPhotos {
  const [photos, setPhotos] = useState<readonly WaitingPhoto[]>([]);
  const lastKey = useRef(0);
  const addPhoto = useAddTaskPhoto(serial);
  /** What is being sent, and what is sent after it, by key. */
  const queued = useRef(new Map<number, AbortController>());
  const queue = useRef(Promise.resolve());
  const isGone = useRef(false);
  const note = (key: number, noted: Partial<WaitingPhoto>) =>
    setPhotos((before) => before.map((photo) => (photo.key === key ? { ...photo, ...noted } : photo)));
  const drop = ({ key }: Pick<WaitingPhoto, "key">) => {
    queued.current.get(key)?.abort();
    setPhotos((before) => before.filter((photo) => photo.key !== key));
  };

  const send = ({ key, taskTemplateId }: Pick<WaitingPhoto, "key" | "taskTemplateId">, small: SmallPhoto) => {
    if (queued.current.has(key)) return;
    const controller = new AbortController();
    queued.current.set(key, controller);
    const sendOne = async () => {
      try {
        controller.signal.throwIfAborted();
        await addPhoto(taskTemplateId, small, controller.signal);
        drop({ key });
        announce(`Photo added to task ${labelOfId(taskTemplateId)}`);
      } catch (error) {
        note(key, { failure: failureMessage(error), mayGoAgain: !isRefusal(error) });
      } finally {
        queued.current.delete(key);
      }
    };
    // One after the other: the server takes few files of one person at once.
    queue.current = queue.current.then(sendOne);
  };

  const add = async (taskTemplateId: number, file: File) => {
    const photo: WaitingPhoto = { key: ++lastKey.current, taskTemplateId, small: undefined, failure: undefined, mayGoAgain: false };
    setPhotos((before) => [...before, photo]);
    const small = await smallOf(file).catch(() => undefined);
    if (isGone.current) return;
    note(photo.key, small ? { small } : { failure: `this browser cannot read ${file.name} as a picture.` });
    if (small) send(photo, small);
  };

  // What failed goes on being said until it was sent: the page stays as it is, and nothing is announced twice.
  const sendAgain = () => {
    for (const photo of photos) if (photo.failure !== undefined && photo.mayGoAgain && photo.small) send(photo, photo.small);
  };
  const latest = useRef(sendAgain);
  useEffect(() => {
    latest.current = sendAgain;
  });
  const isWaiting = photos.some(({ failure, mayGoAgain }) => failure !== undefined && mayGoAgain);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const again = () => latest.current();
    const timer = setInterval(again, againMs);
    addEventListener("online", again);
    return () => {
      clearInterval(timer);
      removeEventListener("online", again);
    };
  }, [isWaiting]);

  // Who left was asked, and discarded them.
  useEffect(() => {
    const controllers = queued.current;
    isGone.current = false;
    return () => {
      isGone.current = true;
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  return {
    photos,
    add: (taskTemplateId, file) => void add(taskTemplateId, file),
    send: (photo) => {
      if (!photo.small) return;
      note(photo.key, { failure: undefined });
      send(photo, photo.small);
    },
    drop,
  };
}

async function smallOf(file: File): Promise<SmallPhoto> {
  const bytes = await shrinkPhoto(file);
  return { bytes, address: await dataAddress(bytes) };
}

/** The task has enough photos, the node is gone: the same photo would be refused again. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && [400, 403, 404, 409, 413].includes(error.status);

import { addTaskPhoto, deleteTaskPhoto, getTaskPhoto, type TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { useClient, useRefreshChanged } from "#api/api-context.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiBytesQuery, usePutAnswer } from "#api/use-api-query.ts";
import { ApiError, networkFailureMessage } from "#lib/api-error.ts";
import { dataAddress } from "#lib/data-address.ts";

/** A photo as it is sent, and as a page shows it. */
export interface SmallPhoto {
  bytes: Blob;
  address: string;
}

const inputOf = (serial: string, { id, taskTemplateId }: TaskPhoto) => ({
  params: { serial, id: String(taskTemplateId), photoId: String(id) },
});

/** The picture as an address: the call needs the session, which an image's own request would not have. */
export const useTaskPhoto = (serial: string, photo: TaskPhoto) =>
  useApiBytesQuery(getTaskPhoto, inputOf(serial, photo), async (response) => {
    const bytes = await response.blob().catch(() => {
      throw new ApiError(0, "NETWORK", networkFailureMessage);
    });
    return await dataAddress(bytes);
  });

/** Ends once the photo is in the node's tasks, where it is shown without being fetched. */
export function useAddTaskPhoto(serial: string) {
  const call = useClient();
  const put = usePutAnswer();
  const refresh = useRefreshChanged();
  return async (taskId: number, { bytes, address }: SmallPhoto, signal: AbortSignal) => {
    try {
      const body = new Uint8Array(await bytes.arrayBuffer());
      const photo = await call(addTaskPhoto, { params: { serial, id: String(taskId) }, body }, { signal });
      put(getTaskPhoto, inputOf(serial, photo), () => address);
    } finally {
      await refresh(addTaskPhoto);
    }
  };
}

export const useDeleteTaskPhoto = (serial: string) =>
  useApiMutation((call, photo: TaskPhoto) => call(deleteTaskPhoto, inputOf(serial, photo)));

import { counted } from "@busbar/contract/values/counted.ts";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { labelOfId } from "./task-names.ts";
import { isUnsent, photoQuestion, type WaitingPhotos } from "./use-waiting-photos.ts";

export interface UnsentPhotosProps {
  waiting: WaitingPhotos;
  /** The task that shows its own. */
  shownTaskId: number | undefined;
}

/** Photos of other tasks than the shown one that the server does not have; whoever leaves while any photo waits is asked. */
export function UnsentPhotos({ waiting, shownTaskId }: UnsentPhotosProps) {
  // What is no picture was never to be sent: its own task says so.
  const failed = waiting.photos.filter((photo) => photo.failure !== undefined && isUnsent(photo) && photo.taskTemplateId !== shownTaskId);
  const labels = [...new Set(failed.map(({ taskTemplateId }) => labelOfId(taskTemplateId)))];
  return (
    <>
      <UnsavedEdits when={waiting.photos.some(isUnsent)} question={photoQuestion} />
      {failed.length > 0 && (
        <Notice
          kind="error"
          action={
            failed.some(({ mayGoAgain }) => mayGoAgain) && (
              <NoticeButton
                onClick={() => {
                  for (const photo of failed) if (photo.mayGoAgain) waiting.send(photo);
                }}
              >
                Try again
              </NoticeButton>
            )
          }
        >
          {counted(failed.length, "photo was", "photos were")} not sent: {labels.join(", ")}. {failed.length === 1 ? "It is" : "They are"}{" "}
          lost when this page is closed.
        </Notice>
      )}
    </>
  );
}

import { ApiError } from "#lib/api-error.ts";
import { MessageLine } from "./message-line.tsx";
import { Notice, NoticeButton } from "./notice.tsx";
import { TimeAgo } from "./time-ago.tsx";
import { useLeave } from "./unsaved-edits.tsx";
import type { Outcome } from "./use-outcome.ts";

/** What someone else saved since a form was begun, and how the form goes on with that. */
export interface Reload {
  noun: string;
  /** Names of the fields that are not as they were. */
  changed: readonly string[];
  by?: { name: string; timestamp: number } | undefined;
  /** Whether something goes that was entered here. */
  isLosing: boolean;
  onReload: () => void;
}

export interface FormLineProps {
  line: Outcome | undefined;
  reload: Reload | undefined;
  isWorking: boolean;
  /** Called when a success has been read. */
  onCleared?: (() => void) | undefined;
}

/** What a form says, and how it begins again with what someone else saved meanwhile. */
export function FormLine({ line, reload, isWorking, onCleared = line?.clear }: FormLineProps) {
  const isRefused = line?.message?.kind === "error" && line.error instanceof ApiError && line.error.status === 409;
  const isDue = reload !== undefined && !isWorking && (isRefused || reload.changed.length > 0);
  const isSaid = isDue && isRefused;
  return (
    <>
      {line && !isSaid && <MessageLine message={line.message} onCleared={onCleared} />}
      {isDue && <ReloadNotice reload={reload} refusal={isSaid ? line.message?.text : undefined} />}
    </>
  );
}

const wordsOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function ReloadNotice({ reload, refusal }: { reload: Reload; refusal: string | undefined }) {
  const leave = useLeave();
  const { noun, changed, by, isLosing, onReload } = reload;
  return (
    <Notice
      kind={refusal === undefined ? "warning" : "error"}
      action={<NoticeButton onClick={() => (isLosing ? leave(onReload) : onReload())}>Load the present values</NoticeButton>}
    >
      {refusal ?? (
        <>
          {by?.name ?? "Someone"} changed {changed.map(wordsOf).join(", ")} of this {noun}{" "}
          {by ? <TimeAgo timestamp={by.timestamp} /> : "since you opened it"}.
        </>
      )}
    </Notice>
  );
}

import { Button } from "@mantine/core";
import { Notice } from "./notice.tsx";
import { useLeave } from "./unsaved-edits.tsx";

export interface ReloadNoticeProps {
  noun: string;
  onReload: () => void;
}

/** Someone else saved the item while a form of it is open. */
export function ReloadNotice({ noun, onReload }: ReloadNoticeProps) {
  const leave = useLeave();
  return (
    <Notice
      kind="warning"
      action={
        <Button variant="default" size="compact-sm" onClick={() => leave(onReload)}>
          Load the present values
        </Button>
      }
    >
      Someone changed this {noun} since you opened it.
    </Notice>
  );
}

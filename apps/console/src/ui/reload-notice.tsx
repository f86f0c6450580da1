import { Button } from "@mantine/core";
import { Notice } from "./notice.tsx";
import { useLeave } from "./unsaved-edits.tsx";

export interface ReloadNoticeProps {
  thing: string;
  onReload: () => void;
}

/** Somebody else saved the thing while a form of it stands open. */
export function ReloadNotice({ thing, onReload }: ReloadNoticeProps) {
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
      Someone changed this {thing} since you opened it.
    </Notice>
  );
}

import { Button } from "@mantine/core";
import { Notice } from "./notice.tsx";

/** Somebody else saved the thing while a form of it stands open. */
export function ReloadNotice({ thing, onReload }: { thing: string; onReload: () => void }) {
  return (
    <Notice
      kind="warning"
      action={
        <Button variant="default" size="compact-sm" onClick={onReload}>
          Load the present values
        </Button>
      }
    >
      Somebody changed this {thing} since you opened it.
    </Notice>
  );
}

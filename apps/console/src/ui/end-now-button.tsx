import { Button } from "@mantine/core";
import { failureMessage } from "#lib/api-error.ts";
import { Notice } from "./notice.tsx";

export interface EndNowButtonProps {
  /** Of what the mute is, to be heard. */
  name: string;
  ending: { isPending: boolean; error: Error | null };
  onEnd: () => void;
}

/** Ends a mute before its time. */
export function EndNowButton({ name, ending: { isPending, error }, onEnd }: EndNowButtonProps) {
  return (
    <>
      {error && <Notice kind="error">{failureMessage(error)}</Notice>}
      <Button
        variant="default"
        size="compact-sm"
        className="no-print"
        loading={isPending}
        aria-label={`End now: mute of ${name}`}
        onClick={onEnd}
      >
        End now
      </Button>
    </>
  );
}

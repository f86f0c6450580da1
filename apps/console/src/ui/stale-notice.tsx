import { Button } from "@mantine/core";
import { Notice } from "./notice.tsx";
import { OwnTimeAgo } from "./time-ago.tsx";

export interface StaleNoticeProps {
  message: string;
  /** Epoch milliseconds of the data that is still shown. */
  updatedAt: number;
  /** Where nothing asks again by itself. */
  onRetry?: () => void;
}

/** Over data that a failing poll could not replace. */
export function StaleNotice({ message, updatedAt, onRetry }: StaleNoticeProps) {
  return (
    <Notice
      kind="warning"
      action={
        onRetry && (
          <Button variant="default" size="compact-sm" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {message} Last updated <OwnTimeAgo ms={updatedAt} />.
    </Notice>
  );
}

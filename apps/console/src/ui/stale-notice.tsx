import { Notice } from "./notice.tsx";
import { OwnTimeAgo } from "./time-ago.tsx";

export interface StaleNoticeProps {
  message: string;
  /** Epoch milliseconds of the data that is still shown. */
  updatedAt: number;
}

/** Over data that a failing poll could not replace. */
export function StaleNotice({ message, updatedAt }: StaleNoticeProps) {
  return (
    <Notice kind="warning">
      {message} Last updated <OwnTimeAgo ms={updatedAt} />.
    </Notice>
  );
}

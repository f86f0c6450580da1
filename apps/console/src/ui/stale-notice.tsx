import { Notice, NoticeButton } from "./notice.tsx";
import { OwnTimeAgo } from "./time-ago.tsx";

export interface StaleNoticeProps {
  message: string;
  /** Epoch milliseconds of the data that is still shown. */
  updatedAt: number;
  /** What else is to be known of it. */
  words?: string | undefined;
  onRetry: () => void;
}

/** Over data that a failing poll could not replace. */
export function StaleNotice({ message, updatedAt, words, onRetry }: StaleNoticeProps) {
  return (
    <Notice kind="warning" action={<NoticeButton onClick={onRetry}>Try again</NoticeButton>}>
      {message} Last updated <OwnTimeAgo ms={updatedAt} />.{words !== undefined && ` ${words}`}
    </Notice>
  );
}

import type { User } from "@busbar/contract/access/users.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";

/** USR-10: why no tab was opened. */
export function AnalyticsFailureDialog({ user, message, onClose }: { user: User; message: string; onClose: () => void }) {
  return (
    <Dialog title={`Analytics of ${user.username}`} onClose={onClose}>
      <Notice kind="error">{message}</Notice>
    </Dialog>
  );
}

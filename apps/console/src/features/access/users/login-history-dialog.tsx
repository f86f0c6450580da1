import type { User } from "@busbar/contract/access/users.ts";
import { failureMessage } from "#lib/api-error.ts";
import { formatLoginTime } from "#lib/format-date.ts";
import { EmptyState, FailureState } from "#ui/data-states.tsx";
import { HoverTimes } from "#ui/date-time.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { useLoginHistory } from "./users.queries.ts";

/** USR-07 */
export function LoginHistoryDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { data, error, refetch } = useLoginHistory(user.id);
  return (
    <Dialog title={`Login History of ${user.username}`} onClose={onClose}>
      {!data && !error && <LoadingRows label="Loading the login history" rows={4} height={30} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={`${user.username} has not signed in within the two years that are kept`} />}
      {data && data.length > 0 && (
        <table className="key-table">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Administrator</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ timestamp, administrator }) => (
              <tr key={timestamp}>
                <td className="tabular">
                  <HoverTimes timestamp={timestamp} timezone={null}>
                    {formatLoginTime(timestamp)}
                  </HoverTimes>
                </td>
                <td>{administrator ? "Yes" : "No"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

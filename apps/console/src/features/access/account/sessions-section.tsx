import { counted } from "@busbar/contract/values/counted.ts";
import { endOtherSessions, endOwnSession } from "@busbar/contract/access/account.ts";
import { Button } from "@mantine/core";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#lib/api-error.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useOwnSessions } from "./account.queries.ts";
import { shortUserAgent } from "./short-user-agent.ts";

export function SessionsSection({ isPossible }: { isPossible: boolean }) {
  const call = useApi();
  const outcome = useOutcome();
  const { data, error, refetch } = useOwnSessions(isPossible);
  const end = (sessionId: string) =>
    void outcome.run(async () => {
      await call(endOwnSession, { params: { sessionId } });
      return "Session ended";
    });
  const endOthers = () =>
    void outcome.run(async () => {
      const { endedCount } = await call(endOtherSessions, {});
      return `${counted(endedCount, "other session")} ended`;
    });
  if (!isPossible) return null;

  return (
    <section aria-label="Sessions">
      <h3 className="section-title">Where you are signed in</h3>
      {!data && !error && <LoadingRows label="Loading the sessions" rows={2} height={30} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && (
        <table className="sessions-table">
          <thead>
            <tr>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">From</th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>
            {data.map((session) => (
              <tr key={session.id}>
                <td className="tabular" data-label="Signed in">
                  {formatDateTime(session.signedInTimestamp)}
                </td>
                <td data-label="Last used">
                  <TimeAgo timestamp={session.lastUsedTimestamp} />
                </td>
                <td data-label="From">
                  {session.remoteAddress}{" "}
                  <span className="dim" title={session.userAgent}>
                    {shortUserAgent(session.userAgent)}
                  </span>
                </td>
                <td>
                  {session.isCurrent ? (
                    "This session"
                  ) : (
                    <Button
                      variant="subtle"
                      color="red"
                      size="compact-sm"
                      onClick={() => end(session.id)}
                      aria-label={`End the session from ${session.remoteAddress}, signed in ${formatDateTime(session.signedInTimestamp)}`}
                    >
                      End
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      {data && data.length > 1 && (
        <Button variant="default" onClick={endOthers} disabled={outcome.isWorking}>
          End all other sessions
        </Button>
      )}
    </section>
  );
}

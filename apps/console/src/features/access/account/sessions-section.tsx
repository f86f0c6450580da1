import { counted } from "@busbar/contract/values/counted.ts";
import { endOtherSessions, endOwnSession, type AccountSession } from "@busbar/contract/access/account.ts";
import { Button } from "@mantine/core";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useOwnSessions } from "./account.queries.ts";
import { shortUserAgent } from "./short-user-agent.ts";

interface SessionActions {
  onEnd: (sessionId: string) => void;
  /** One at a time: an ended session cannot be ended once more. */
  isWorking: boolean;
}

export const sessionColumns: readonly Column<AccountSession, SessionActions>[] = [
  { label: "Signed in", text: ({ signedInTimestamp }) => formatDateTime(signedInTimestamp), className: "tabular" },
  {
    label: "Last used",
    text: ({ lastUsedTimestamp }) => formatDateTime(lastUsedTimestamp),
    cell: ({ lastUsedTimestamp }) => <TimeAgo timestamp={lastUsedTimestamp} />,
  },
  {
    label: "From",
    text: ({ remoteAddress, userAgent }) => `${remoteAddress} ${shortUserAgent(userAgent)}`,
    cell: ({ remoteAddress, userAgent }) => (
      <span>
        {remoteAddress}{" "}
        <span className="dim" title={userAgent}>
          {shortUserAgent(userAgent)}
        </span>
      </span>
    ),
  },
  {
    label: "End",
    isHeadHidden: true,
    text: ({ isCurrent }) => (isCurrent ? "This session" : ""),
    cell: ({ id, isCurrent, remoteAddress, signedInTimestamp }, { onEnd, isWorking }) =>
      isCurrent ? (
        "This session"
      ) : (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={() => onEnd(id)}
          disabled={isWorking}
          aria-label={`End the session from ${remoteAddress}, signed in ${formatDateTime(signedInTimestamp)}`}
        >
          End
        </Button>
      ),
  },
];

export function SessionsSection({ isPossible }: { isPossible: boolean }) {
  const call = useApi();
  const outcome = useOutcome();
  const asked = useOwnSessions(isPossible);
  const { data } = asked;
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
      <Loaded of={asked} loading={<LoadingRows label="Loading the sessions" rows={2} height={30} />} />
      {data && <DataTable columns={sessionColumns} rows={data} keyOf={({ id }) => id} on={{ onEnd: end, isWorking: outcome.isWorking }} />}
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
      {data && data.length > 1 && (
        <Button variant="default" onClick={endOthers} disabled={outcome.isWorking}>
          End all other sessions
        </Button>
      )}
    </section>
  );
}

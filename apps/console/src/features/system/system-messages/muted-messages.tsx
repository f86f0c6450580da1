import type { MutedMessage } from "@busbar/contract/system/system-messages.ts";
import { useClock } from "#lib/clock.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { spanWords } from "#lib/span-words.ts";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { EndNowButton } from "#ui/end-now-button.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingTable } from "#ui/loading.tsx";
import { SubjectLink } from "#ui/subject-link.tsx";
import { useMutedMessages, useMuteMessage, type MessageKind } from "./system-messages.queries.ts";
import "./system-messages.css";

const screens: Record<MessageKind, { path: string; word: string }> = {
  error: { path: "#/system/errors", word: "Error" },
  warning: { path: "#/system/warnings", word: "Warning" },
  debug: { path: "#/system/debug", word: "Debug" },
};

/** messages of the system that are not listed among the others for a time. */
export function MutedMessages() {
  const asked = useMutedMessages();
  return (
    <Loaded of={asked} loading={<LoadingTable label="Loading the muted messages" columns={columns} />}>
      {(messages) =>
        messages.length === 0 ? (
          <EmptyState title="No message is muted" />
        ) : (
          <DataTable aria-label="Muted messages" columns={columns} rows={messages} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

function EndButton({ id, message }: MutedMessage) {
  const ending = useMuteMessage();
  return <EndNowButton name={message.slice(0, 100)} ending={ending} onEnd={() => ending.mutate({ id: String(id), hours: 0 })} />;
}

function Left({ untilTimestamp }: { untilTimestamp: number }) {
  return <span className="dim">in {useClock((now) => spanWords(untilTimestamp - now))}</span>;
}

const columns: readonly Column<MutedMessage>[] = [
  {
    label: "Message",
    text: ({ message }) => message,
    cell: ({ message, subject }) => (
      <div className="muted-message">
        {subject && <SubjectLink subject={subject} />} <span className="mono">{message}</span>
      </div>
    ),
    isRowHead: true,
  },
  {
    label: "Kind",
    text: ({ kind }) => screens[kind].word,
    cell: ({ kind }) => <a href={screens[kind].path}>{screens[kind].word}</a>,
    width: 90,
  },
  { label: "Times", text: ({ count }) => count, width: 70 },
  { label: "By", text: ({ mutedBy }) => mutedBy ?? "–", width: 120 },
  {
    label: "Until",
    text: ({ mutedUntilTimestamp }) => (mutedUntilTimestamp === null ? "–" : formatDateTime(mutedUntilTimestamp)),
    cell: ({ mutedUntilTimestamp: until }) =>
      until !== null && (
        <>
          <DateTime timestamp={until} timezone={null} /> <Left untilTimestamp={until} />
        </>
      ),
    className: "tabular",
    width: 220,
  },
  { label: "End", text: () => null, cell: (muted) => <EndButton {...muted} />, isHeadHidden: true, isActions: true, width: 100 },
];

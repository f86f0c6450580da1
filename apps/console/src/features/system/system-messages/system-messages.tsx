import { Button } from "@mantine/core";
import { IconMailForward } from "@tabler/icons-react";
import { failureMessage } from "#lib/api-error.ts";
import { formatCount } from "#lib/format-number.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { MessageList } from "./message-list.tsx";
import { PostMessageForm } from "./post-message-form.tsx";
import {
  usePostMessage,
  useSeenThrough,
  useSendDebug,
  useSystemMessages,
  type MessageKind,
  type Summary,
} from "./system-messages.queries.ts";
import "./system-messages.css";

const plural: Record<MessageKind, string> = { error: "Errors", warning: "Warnings", debug: "Debug messages" };

/** SYS-04: errors, warnings and debug messages look alike, and all three are titled Service State. */
export function SystemMessages({ kind }: { kind: MessageKind }) {
  const asked = useSystemMessages(kind);
  const { data, isFetchedAfterMount } = asked;
  const seenThrough = useSeenThrough(kind, isFetchedAfterMount ? data : undefined);
  const isNew = (id: string) => seenThrough !== undefined && Number(id) > seenThrough;
  const newCount = data?.messages.filter(([id]) => isNew(id)).length ?? 0;
  const post = usePostMessage(kind);
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">
          Service State <span className="dim">/ {plural[kind]}</span>
        </h1>
        {kind === "debug" && <SendDebug />}
      </div>
      <Loaded of={asked} loading={<LoadingRows label={`Loading the ${plural[kind].toLowerCase()}`} height={53} />} />
      {data && <Figures summary={data} />}
      {post.error && <Notice kind="error">{failureMessage(post.error)}</Notice>}
      {data && data.messages.length === 0 && <EmptyState title={`No ${plural[kind].toLowerCase()}`} />}
      {data && data.messages.length > 0 && (
        <>
          <p className="dim">
            {formatCount(data.messages.length)} of {formatCount(data.countLifetime)}, equal ones together, newest first
            {newCount > 0 && (
              <>
                ; <b>{formatCount(newCount)} new since you looked</b>
              </>
            )}
          </p>
          <MessageList label={plural[kind]} messages={data.messages} isNew={isNew} />
        </>
      )}
      <PostMessageForm onPost={(message) => post.mutateAsync(message)} />
    </>
  );
}

function Figures({ summary }: { summary: Summary }) {
  const mb = (value: number) => `${formatCount(value)} MB`;
  const gb = (value: number) => `${value} GB`;
  const percent = (value: number) => `${value} %`;
  const figures: readonly (readonly [string, string])[] = [
    ["Memory available", mb(summary.memoryAvailableMb)],
    ["Memory used", mb(summary.memoryUsedMb)],
    ["Memory free", mb(summary.memoryFreeMb)],
    ["Disk available", gb(summary.diskAvailableGb)],
    ["Disk used", gb(summary.diskUsedGb)],
    ["Disk free", gb(summary.diskFreeGb)],
    ["Disk free, least", percent(summary.minDiskFreePercent)],
    ["Disk free, most", percent(summary.maxDiskFreePercent)],
    ["Disk free, average", percent(summary.avgDiskFreePercent)],
    ["Count, lifetime", formatCount(summary.countLifetime)],
    ["Count since notice", formatCount(summary.countSinceNotice)],
    ["No longer kept", formatCount(summary.countOverflow)],
    ["Last", summary.lastDisplayTimestamp ?? "never"],
  ];
  return (
    <dl className="system-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function SendDebug() {
  const send = useSendDebug();
  return (
    <div className="send-debug">
      {send.error && <Notice kind="error">{failureMessage(send.error)}</Notice>}
      {send.data?.isSent && <Notice kind="success">Email sent to {send.data.recipients.join(", ")}.</Notice>}
      {send.data && !send.data.isSent && <Notice kind="warning">The email was not sent ({send.data.reason}).</Notice>}
      <Button
        variant="default"
        leftSection={<IconMailForward size={14} aria-hidden />}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        Send by email
      </Button>
    </div>
  );
}

import { counted } from "@busbar/contract/values/counted.ts";
import type { SystemMessage } from "@busbar/contract/system/system-messages.ts";
import { Button, Menu } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { failureMessage } from "#lib/api-error.ts";
import { useClock } from "#lib/clock.ts";
import { formatCount } from "#lib/format-number.ts";
import { DateTime } from "#ui/date-time.tsx";
import { Notice } from "#ui/notice.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { SubjectLink } from "#ui/subject-link.tsx";
import "#ui/status-badge.css";
import { useMuteMessage } from "./system-messages.queries.ts";

type Entry = [id: string, message: SystemMessage];

const spans: readonly (readonly [words: string, hours: number])[] = [
  ["an hour", 1],
  ["a day", 24],
  ["a week", 168],
];

interface MessageListProps {
  label: string;
  messages: readonly Entry[];
  isNew: (id: string) => boolean;
}

/** Equal messages are one row; muted ones are behind a line of their own. */
export function MessageList({ label, messages, isNew }: MessageListProps) {
  const mute = useMuteMessage();
  const isMuted = useClock((now) => messages.map(([, { mutedUntilTimestamp }]) => (mutedUntilTimestamp ?? 0) > now).join());
  const flags = isMuted.split(",");
  const shown = messages.filter((_entry, index) => flags[index] !== "true");
  const muted = messages.filter((_entry, index) => flags[index] === "true");
  const row = ([id, message]: Entry) => (
    <MessageRow key={id} message={message} isNew={isNew(id)} isWorking={mute.isPending} onMute={(hours) => mute.mutate({ id, hours })} />
  );
  return (
    <>
      {mute.error && <Notice kind="error">{failureMessage(mute.error)}</Notice>}
      <ol className="bare-list system-messages" aria-label={label}>
        {shown.map(row)}
      </ol>
      {muted.length > 0 && (
        <details className="muted-messages">
          <summary>{formatCount(muted.length)} muted</summary>
          <ol className="bare-list system-messages" aria-label={`Muted: ${label.toLowerCase()}`}>
            {muted.map(row)}
          </ol>
        </details>
      )}
    </>
  );
}

interface MessageRowProps {
  message: SystemMessage;
  isNew: boolean;
  isWorking: boolean;
  onMute: (hours: number) => void;
}

function MessageRow({
  message: { timestamp, firstTimestamp, source, message, count, subject, mutedUntilTimestamp, mutedBy },
  isNew,
  isWorking,
  onMute,
}: MessageRowProps) {
  const isMuted = useClock((now) => (mutedUntilTimestamp ?? 0) > now);
  return (
    <li>
      <span className="message-head">
        {isNew && <span className="status-badge status-info">New</span>}
        {subject && <SubjectLink subject={subject} />}
        <span className="dim tabular">
          <DateTime timestamp={Math.floor(timestamp)} timezone={null} /> (<TimeAgo timestamp={timestamp} />) {source}
        </span>
        {count > 1 && (
          <span className="tabular">
            <b>{counted(count, "time")}</b>{" "}
            <span className="dim">
              since <DateTime timestamp={Math.floor(firstTimestamp)} timezone={null} />
            </span>
          </span>
        )}
        {isMuted && (
          <span className="dim">
            muted until <DateTime timestamp={mutedUntilTimestamp ?? 0} timezone={null} />
            {mutedBy !== null && ` by ${mutedBy}`}
          </span>
        )}
        {isMuted ? (
          <Button
            className="mute"
            size="compact-xs"
            variant="subtle"
            disabled={isWorking}
            leftSection={<IconBell size={12} aria-hidden />}
            onClick={() => onMute(0)}
          >
            Unmute
          </Button>
        ) : (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                className="mute"
                size="compact-xs"
                variant="subtle"
                disabled={isWorking}
                leftSection={<IconBellOff size={12} aria-hidden />}
              >
                Mute…
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {spans.map(([words, hours]) => (
                <Menu.Item key={hours} onClick={() => onMute(hours)}>
                  For {words}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      <span className="mono">{message}</span>
    </li>
  );
}

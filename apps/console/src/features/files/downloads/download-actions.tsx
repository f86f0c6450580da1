import { defaultHarmonicsStart } from "@busbar/contract/files/downloads.ts";
import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { Anchor, Button, Group, Loader, TextInput } from "@mantine/core";
import { IconDownload, IconWaveSine } from "@tabler/icons-react";
import { useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { Notice } from "#ui/notice.tsx";
import { useDownloadRequest } from "./download-request.ts";
import { useBeginDownload, type DownloadRequest } from "./downloads.queries.ts";
import "./downloads.css";

/** The moment as the date/time input takes it. */
const entered = (timestamp: number, timezone: string): string => formatDateTime(timestamp, timezone).slice(0, 19);

/** FIL-05 */
export function DownloadActions({ serial, timezone }: { serial: string; timezone: string }) {
  const begin = useBeginDownload(serial);
  const request = useDownloadRequest();
  const [now] = useState(() => Math.floor(serverClock.nowSeconds()));
  const isComing = ({ timestamp = 0 }: DateTimeValue) => timestamp > serverClock.nowSeconds();
  const coming = "This time is still to come";
  const since = useDateTime(timezone, now - 86_400);
  const start = useDateTime(timezone, defaultHarmonicsStart);
  const end = useDateTime(timezone, now);
  const isOrdered = start.timestamp !== undefined && end.timestamp !== undefined && start.timestamp < end.timestamp;
  const ask = (download: DownloadRequest, what: string) =>
    void request.run(async () => `${what} of node ${serial} will be packed. A link is sent to ${await begin(download)}.`);
  const { message, isWorking } = request;
  return (
    <>
      <fieldset className="file-tools-group download-actions">
        <legend>
          Download{" "}
          <Anchor href="#/downloads" size="sm">
            Your packages
          </Anchor>
        </legend>
        <Group gap="md" align="start">
          <Button
            className="beside-input"
            variant="default"
            disabled={isWorking}
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => ask({ kind: "all" }, "All files")}
          >
            Download all files
          </Button>
          <Group gap="xs" align="start">
            <DateTimeInput label="Since" value={since} timezone={timezone} problem={isComing(since) ? coming : undefined} />
            <Button
              className="beside-input"
              variant="default"
              disabled={isWorking || since.timestamp === undefined || isComing(since)}
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() => since.timestamp !== undefined && ask({ kind: "since", since: since.timestamp }, `Files since ${since.text}`)}
            >
              Download files since
            </Button>
          </Group>
          <Group gap="xs" align="start">
            <DateTimeInput label="Harmonics from" value={start} timezone={timezone} problem={isComing(start) ? coming : undefined} />
            <DateTimeInput
              label="Harmonics until"
              value={end}
              timezone={timezone}
              problem={
                start.timestamp !== undefined && end.timestamp !== undefined && !isOrdered ? "The end must be after the start" : undefined
              }
            />
            <Button
              className="beside-input"
              variant="default"
              disabled={isWorking || !isOrdered || isComing(start)}
              leftSection={<IconWaveSine size={14} aria-hidden />}
              onClick={() => {
                if (start.timestamp !== undefined && end.timestamp !== undefined)
                  ask({ kind: "harmonics", start: start.timestamp, end: end.timestamp }, "Harmonics files");
              }}
            >
              Request harmonics files
            </Button>
          </Group>
        </Group>
      </fieldset>
      <div className="download-message">
        {isWorking && (
          <output>
            <Loader size={12} /> Sending request to server...
          </output>
        )}
        {message?.kind === "success" && (
          <Notice kind="success" action={<Anchor href="#/downloads">Downloads</Anchor>}>
            {message.text}
          </Notice>
        )}
        {message?.kind === "error" && <Notice kind="error">{message.text}</Notice>}
      </div>
    </>
  );
}

interface DateTimeValue {
  text: string;
  setText: (text: string) => void;
  timestamp: number | undefined;
  problem: string | undefined;
}

function useDateTime(timezone: string, initial: number): DateTimeValue {
  const [text, setText] = useState(() => entered(initial, timezone));
  const read = readLocalDateTime(text, timezone);
  return {
    text,
    setText,
    timestamp: "timestamp" in read ? read.timestamp : undefined,
    problem: "problem" in read ? read.problem : undefined,
  };
}

/** COM-08 */
function DateTimeInput({
  label,
  value,
  timezone,
  problem,
}: {
  label: string;
  value: DateTimeValue;
  timezone: string;
  problem?: string | undefined;
}) {
  return (
    <TextInput
      size="xs"
      className="date-time-input"
      label={label}
      placeholder="yyyy-mm-dd hh:mm:ss"
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={["label", "input", "description", "error"]}
      description={value.timestamp === undefined ? `Time zone ${timezone}` : `You entered ${formatDateTime(value.timestamp, "UTC")}`}
      error={value.problem ?? problem}
      value={value.text}
      onChange={({ currentTarget }) => value.setText(currentTarget.value)}
    />
  );
}

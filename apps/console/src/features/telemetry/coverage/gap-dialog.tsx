import type { CoverageKind, CoverageSpan, FileAsk } from "@busbar/contract/telemetry/coverage.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { failureMessage } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { EmptyState } from "#ui/data-states.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { DialogFrame } from "#ui/dialog-frame.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Notice } from "#ui/notice.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { missingText } from "./coverage-columns.tsx";
import { addDays, dayText, isHole, kindLabels, statusLooks, type DaySpan } from "./coverage-days.ts";
import { useAskForFiles, useNodeCoverage } from "./coverage.queries.ts";

export interface GapDialogProps {
  serial: string;
  kind: CoverageKind;
  /** The days of the screen behind. */
  span: DaySpan;
  /** One of them, or an empty text for all. */
  day: string;
  onDay: (day: string) => void;
  onClose: () => void;
}

/** What of a node's data is missing: where its files are, and asking for it again. */
export function GapDialog({ serial, kind, span, day, onDay, onClose }: GapDialogProps) {
  const shown = day === "" ? span : { from: day, to: day };
  const asked = useNodeCoverage(serial, kind, shown);
  const when = day === "" ? `${dayText(span.from)} to ${dayText(span.to)}` : dayText(day);
  return (
    <DialogFrame title={`Gaps of node ${serial}, ${kindLabels[kind].toLowerCase()}`} onClose={onClose}>
      <Group gap="xs" mb="xs">
        {day !== "" && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label="Day before"
            disabled={day <= span.from}
            onClick={() => onDay(addDays(day, -1))}
          >
            <IconChevronLeft size={14} aria-hidden />
          </Button>
        )}
        <strong>{when}</strong>
        {day !== "" && (
          <>
            <Button
              variant="default"
              size="compact-sm"
              aria-label="Day after"
              disabled={day >= span.to}
              onClick={() => onDay(addDays(day, 1))}
            >
              <IconChevronRight size={14} aria-hidden />
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => onDay("")}>
              All days
            </Button>
          </>
        )}
      </Group>
      <Loaded of={asked} loading={<LoadingRows label="Loading the gaps" rows={4} height={30} />}>
        {(data) => (
          <>
            <p className="dim">
              Node <NodeLink serial={serial} />
              {data.location && ` at ${data.location}`}, times in {data.timezone}
            </p>
            <Gaps
              serial={serial}
              kind={kind}
              spans={data.spans}
              asks={data.asks}
              timezone={data.timezone}
              fileName={`gaps-${serial}-${kind}-${shown.from}-${shown.to}.csv`}
            />
            <Asks asks={data.asks} timezone={data.timezone} />
          </>
        )}
      </Loaded>
    </DialogFrame>
  );
}

interface GapsProps {
  serial: string;
  kind: CoverageKind;
  spans: readonly CoverageSpan[];
  asks: readonly FileAsk[];
  timezone: string;
  fileName: string;
}

interface GapActions {
  serial: string;
  kind: CoverageKind;
  onAsk: ((span: CoverageSpan) => void) | undefined;
  isAsking: boolean;
  /** The request for files of a time that may still bring some. */
  openAskOf: (time: Pick<CoverageSpan, "fromTimestamp" | "toTimestamp">) => FileAsk | undefined;
}

function Gaps({ serial, kind, spans, asks, timezone, fileName }: GapsProps) {
  const ask = useAskForFiles();
  const holes = spans.filter(({ status }) => isHole(status));
  const [first, last] = [holes[0], holes.at(-1)];
  const send = (fromTimestamp: number, toTimestamp: number) => {
    if (kind !== "scalars") ask.mutate({ serial, kind, fromTimestamp, toTimestamp });
  };
  const openAskOf: GapActions["openAskOf"] = ({ fromTimestamp, toTimestamp }) =>
    asks.find((each) => each.kind === kind && isOpen(each) && each.fromTimestamp < toTimestamp && each.toTimestamp > fromTimestamp);
  // The server takes no second request for a part of the same time.
  const openAsk = first && last && openAskOf({ fromTimestamp: first.fromTimestamp, toTimestamp: last.toTimestamp });
  const columns = gapColumns(timezone);
  const actions: GapActions = {
    serial,
    kind,
    onAsk: kind === "scalars" ? undefined : ({ fromTimestamp, toTimestamp }) => send(fromTimestamp, toTimestamp),
    isAsking: ask.isPending,
    openAskOf,
  };
  return (
    <>
      <Group gap="xs" mb="xs">
        {kind !== "scalars" && first && last && (
          <Button loading={ask.isPending} disabled={openAsk !== undefined} onClick={() => send(first.fromTimestamp, last.toTimestamp)}>
            {holes.length === 1 ? "Request again" : "Request all gaps again"}
          </Button>
        )}
        {kind !== "scalars" && openAsk && <AskedAt ask={openAsk} timezone={timezone} />}
        {spans.length > 0 && <SaveCsvButton onClick={() => saveRows(fileName, columns, spans)} />}
      </Group>
      {ask.error && <Notice kind="error">{failureMessage(ask.error)}</Notice>}
      {kind === "scalars" && holes.length > 0 && (
        <p className="dim">
          Scalars cannot be asked for: a node keeps them for two minutes, and sends by itself what it stored while the platform was away.
        </p>
      )}
      {spans.length === 0 ? (
        <EmptyState title="No gaps: what was expected came in time" />
      ) : (
        <DataTable aria-label="Gaps" columns={columns} rows={spans} keyOf={({ fromTimestamp }) => fromTimestamp} on={actions} />
      )}
    </>
  );
}

function gapColumns(timezone: string): Column<CoverageSpan, GapActions>[] {
  const text = (timestamp: number) => formatDateTime(timestamp, timezone);
  return [
    {
      label: "What",
      text: ({ status }) => statusLooks[status].words,
      cell: ({ status }) => {
        const { letter, words, className } = statusLooks[status];
        return (
          <span className={className}>
            <span aria-hidden="true">{letter} </span>
            {words}
          </span>
        );
      },
    },
    {
      label: "From",
      text: ({ fromTimestamp }) => text(fromTimestamp),
      cell: ({ fromTimestamp }) => <DateTime timestamp={fromTimestamp} timezone={timezone} />,
    },
    {
      label: "Until",
      text: ({ toTimestamp }) => text(toTimestamp),
      cell: ({ toTimestamp }) => <DateTime timestamp={toTimestamp} timezone={timezone} />,
    },
    { label: "Length", text: ({ fromTimestamp, toTimestamp }) => missingText(toTimestamp - fromTimestamp), isRight: true },
    { label: "Files", text: ({ count }) => count, isRight: true },
    {
      label: "Actions",
      isHeadHidden: true,
      only: "screen",
      isActions: true,
      text: () => "",
      cell: (span, { serial, kind, onAsk, isAsking, openAskOf }) => (
        <Group gap="xs" justify="flex-end">
          {kind !== "scalars" && (
            <a href={`#/node-dashboard/${serial}/files?kinds=${kind}&scrollPos=${span.fromTimestamp}`}>Files of that time</a>
          )}
          {onAsk && isHole(span.status) && (
            <AskButton span={span} ask={openAskOf(span)} isAsking={isAsking} timezone={timezone} onAsk={onAsk} />
          )}
        </Group>
      ),
    },
  ];
}

interface AskButtonProps {
  span: CoverageSpan;
  ask: FileAsk | undefined;
  isAsking: boolean;
  timezone: string;
  onAsk: (span: CoverageSpan) => void;
}

function AskButton({ span, ask, isAsking, timezone, onAsk }: AskButtonProps) {
  if (ask) return <AskedAt ask={ask} timezone={timezone} />;
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={isAsking}
      aria-label={`Request again what is missing from ${formatDateTime(span.fromTimestamp, timezone)}`}
      onClick={() => onAsk(span)}
    >
      Request again
    </Button>
  );
}

const AskedAt = ({ ask, timezone }: { ask: FileAsk; timezone: string }) => (
  <span className="dim">
    Asked at <DateTime timestamp={ask.askedTimestamp} timezone={timezone} />
  </span>
);

/** More may still come of it. */
const isOpen = ({ outcome }: FileAsk): boolean => outcome === "waiting" || outcome === "asked";

const outcomeWords = ({ outcome, cameCount, fileCount }: FileAsk): string => {
  const came = `${cameCount.toLocaleString("en-US")} of ${counted(fileCount, "file")} came`;
  return {
    waiting: "Waits for the node to connect",
    asked: `Asked: ${came} so far`,
    whole: `Whole: ${came}`,
    some: `Ended: ${came}, the node does not have the others any more`,
    none: "No answer: the node sent none of them",
    notConnected: "Not asked: the node did not connect within an hour",
  }[outcome];
};

/** What was asked for, and what became of it. */
function Asks({ asks, timezone }: { asks: readonly FileAsk[]; timezone: string }) {
  if (asks.length === 0) return null;
  return (
    <section className="coverage-asks" aria-label="Asked for again">
      <h3 className="section-title">Asked for again</h3>
      <output>
        <ul>
          {asks.map((ask) => (
            <li key={ask.id}>
              <strong>{outcomeWords(ask)}</strong>{" "}
              <span className="dim">
                {kindLabels[ask.kind].toLowerCase()} of <DateTime timestamp={ask.fromTimestamp} timezone={timezone} /> to{" "}
                <DateTime timestamp={ask.toTimestamp} timezone={timezone} />, by {ask.askedBy} at{" "}
                <DateTime timestamp={ask.askedTimestamp} timezone={timezone} />
              </span>
            </li>
          ))}
        </ul>
      </output>
    </section>
  );
}

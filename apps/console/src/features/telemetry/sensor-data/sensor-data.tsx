import type { SensorDataOffset, SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import { Anchor, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useMemo, type ReactNode } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { FileStatus } from "#ui/file-status.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { missingNode } from "#ui/missing-node.tsx";
import { HarmonicBars } from "./harmonic-bars.tsx";
import { limitedQuantityOf, ratingKeyOf, wordsOfKey } from "./key-words.ts";
import { groupSensorData, type HarmonicOrder, type SensorEntry, type SensorValue, type StatisticRow } from "./sensor-groups.ts";
import { useLimits, useSensorData, type Limits } from "./sensor-data.queries.ts";
import "./sensor-data.css";

export interface SensorDataProps {
  serial: string;
  timestamp: number;
  offset: SensorDataOffset;
  /** SEN-02: the address becomes that of the record. */
  onRecord: (timestamp: number) => void;
}

export function SensorData({ serial, timestamp, offset, onRecord }: SensorDataProps) {
  const asked = useSensorData(serial, timestamp, offset);
  const { data, error, isPlaceholderData } = asked;
  const found = isPlaceholderData ? undefined : data?.timestamp;
  const isElsewhere = found !== undefined && (offset !== "current" || found !== timestamp);
  useEffect(() => {
    if (isElsewhere) onRecord(found);
  }, [isElsewhere, found, onRecord]);
  if (!data) {
    return (
      <>
        <Loaded of={asked} loading={<LoadingRows label="Loading the sensor data" rows={10} height={28} />} missing={missingNode} />
        {error && offset !== "current" && (
          <p>
            <Anchor href={`#/node-dashboard/${serial}/sensordata/${timestamp}/current`}>Back to the record</Anchor>
          </p>
        )}
      </>
    );
  }
  return (
    <div aria-busy={isPlaceholderData}>
      <Shown record={data} />
    </div>
  );
}

function Shown({ record }: { record: SensorDataRecord }) {
  const { serialNumber, timestamp, timezone, sensorData, previousTimestamp, nextTimestamp } = record;
  const groups = useMemo(() => groupSensorData(sensorData), [sensorData]);
  const saveCsv = () =>
    downloadFile(`sensordata-${serialNumber}-${timestamp}.csv`, csvOf([["key", "value"], ...Object.entries(sensorData)]));
  const hasData = Object.keys(sensorData).length > 0;
  const { data: limits = noLimits, error } = useLimits(serialNumber, timestamp);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Group gap="xs" component="nav" aria-label="Records">
          <StepLink to={previousTimestamp} serial={serialNumber} from={timestamp} offset="previous">
            <IconChevronLeft size={14} aria-hidden /> Previous
          </StepLink>
          <strong className="mono">
            <DateTime timestamp={timestamp} timezone={timezone} />
          </strong>
          <StepLink to={nextTimestamp} serial={serialNumber} from={timestamp} offset="next">
            Next <IconChevronRight size={14} aria-hidden />
          </StepLink>
        </Group>
        {hasData && <SaveCsvButton className="no-print" onClick={saveCsv} />}
      </Group>
      <dl className="sensor-facts">
        <Fact name="Location">{record.location || "–"}</Fact>
        <Fact name="Source file">
          {record.isSourceFileKept ? (
            <Anchor className="mono" href={`#/node-dashboard/files/${record.sourceFile}`}>
              {record.sourceFile}
            </Anchor>
          ) : (
            <>
              <span className="mono">{record.sourceFile}</span> <span className="dim">(no longer kept)</span>
            </>
          )}
        </Fact>
        <Fact name="Processed">
          <FileStatus processed={record.processed} />
        </Fact>
        <Fact name="Data analysis service processed">{analysisText(record)}</Fact>
        <Fact name="Failed reason">{record.failedReason ? <span className="bad">{record.failedReason}</span> : "–"}</Fact>
      </dl>
      {!hasData && <EmptyState title={emptyTitle(record)} />}
      {hasData && (
        <div className="sensor-groups">
          <Section title="Sensor Data">
            <StatisticTable rows={groups.statistics} sensorData={sensorData} limits={limits} />
            <EntryList entries={groups.plain} limits={limits} />
            {error && <p className="dim">The limits could not be loaded: {failureMessage(error)}</p>}
          </Section>
          <div>
            <Section title="Nameplate">
              <EntryList entries={groups.nameplate} />
            </Section>
            <Section title="Field Node">
              <EntryList entries={groups.field} />
            </Section>
          </div>
          <Section title="Harmonics" isWide>
            {groups.harmonics.length === 0 ? (
              <p className="dim">This record has no harmonics.</p>
            ) : (
              <>
                <HarmonicBars channels={groups.channels} harmonics={groups.harmonics} />
                <HarmonicTable channels={groups.channels} harmonics={groups.harmonics} />
              </>
            )}
          </Section>
        </div>
      )}
    </>
  );
}

function analysisText({ dataAnalysisServiceProcessed, isSourceFileKept }: SensorDataRecord): string {
  if (dataAnalysisServiceProcessed === null) return isSourceFileKept ? "Not yet" : "–";
  return dataAnalysisServiceProcessed ? "Yes" : "No";
}

function emptyTitle({ processed }: SensorDataRecord): string {
  return processed === null ? "The file waits for its extraction." : "The file could not be extracted, so it has no sensor data.";
}

interface StepLinkProps {
  to: number | null;
  serial: string;
  from: number;
  offset: SensorDataOffset;
  children: ReactNode;
}

function StepLink({ to, serial, from, offset, children }: StepLinkProps) {
  if (to === null) return <span className="step-link dim">{children}</span>;
  return (
    <Anchor className="step-link" href={`#/node-dashboard/${serial}/sensordata/${from}/${offset}`}>
      {children}
    </Anchor>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Section({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section className={isWide ? "is-wide" : undefined} aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  );
}

const textOf = (value: SensorValue): string => (typeof value === "string" ? value : formatReading(value));

const noLimits: Limits = new Map();
const limitsOf = (limits: Limits, name: string) => limits.get(limitedQuantityOf(name)) ?? [];
const limitWords = (limits: Limits, name: string): string[] =>
  limitsOf(limits, name)
    .filter(({ kind }) => kind === "limit")
    .map(({ line, value }) => `${line} ${textOf(value)}`);

function EntryList({ entries, limits = noLimits }: { entries: readonly SensorEntry[]; limits?: Limits }) {
  if (entries.length === 0) return <p className="dim">None in this record.</p>;
  return (
    <dl className="sensor-entries">
      {entries.map(([key, value]) => {
        const words = wordsOfKey(key);
        return (
          <div key={key}>
            <dt>
              {words && `${words.name} `}
              <span className="mono sensor-key">{key}</span>
            </dt>
            <dd className="tabular">
              {textOf(value)}
              {words && value !== null && words.unit !== "" && ` ${words.unit}`}
              {limitsOf(limits, key).map(({ line, value: limit }) => (
                <span key={line} className="dim sensor-limit">{`limit ${formatReading(limit)} ${words?.unit}`}</span>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const statisticColumns = (sensorData: SensorDataRecord["sensorData"], limits: Limits): Column<StatisticRow>[] => [
  {
    label: "Quantity",
    text: ({ name }) => name,
    cell: ({ name }) => (
      <>
        {wordsOfKey(name)?.name} <span className="mono sensor-key">{name}</span>
      </>
    ),
    isRowHead: true,
  },
  { label: "Unit", text: ({ name }) => wordsOfKey(name)?.unit ?? "" },
  { label: "Avg", text: ({ average }) => textOf(average), isRight: true },
  { label: "Min", text: ({ minimum }) => textOf(minimum), isRight: true },
  { label: "Max", text: ({ maximum }) => textOf(maximum), isRight: true },
  {
    label: "Nameplate",
    text: ({ name }) => {
      const rating = ratingKeyOf(name);
      if (rating !== undefined) return textOf(sensorData[rating] ?? null);
      return limitsOf(limits, name)
        .filter(({ kind }) => kind === "nameplate")
        .map(({ value }) => textOf(value))
        .join(", ");
    },
    isRight: true,
  },
  {
    label: "Limits",
    text: ({ name }) => limitWords(limits, name).join(", "),
    cell: ({ name }) =>
      limitWords(limits, name).map((words) => (
        <span key={words} className="sensor-limit">
          {words}
        </span>
      )),
  },
];

interface StatisticTableProps {
  rows: readonly StatisticRow[];
  sensorData: SensorDataRecord["sensorData"];
  limits: Limits;
}

function StatisticTable({ rows, sensorData, limits }: StatisticTableProps) {
  if (rows.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="table-scroller" tabIndex={0} aria-label={`${rows[0]?.name} and what follows`}>
      <DataTable className="tabular" columns={statisticColumns(sensorData, limits)} rows={rows} keyOf={({ name }) => name} isMatrix />
    </section>
  );
}

function HarmonicTable({ channels, harmonics }: { channels: string[]; harmonics: HarmonicOrder[] }) {
  const columns: Column<HarmonicOrder>[] = [
    { label: "Order", text: ({ suffix }) => suffix, isRowHead: true },
    ...channels.map((channel) => ({
      label: channel,
      text: ({ values }: HarmonicOrder) => textOf(values.get(channel) ?? null),
      isRight: true,
    })),
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="table-scroller" tabIndex={0} aria-label={`Orders of ${channels.join(", ")}`}>
      <DataTable className="tabular" columns={columns} rows={harmonics} keyOf={({ suffix }) => suffix} isMatrix />
    </section>
  );
}

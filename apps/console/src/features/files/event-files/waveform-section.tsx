import { counted } from "@busbar/contract/values/counted.ts";
import type { EventWaveform } from "@busbar/contract/files/event-files.ts";
import { Button, Group } from "@mantine/core";
import { IconDownload, IconPhoto, IconTable } from "@tabler/icons-react";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { savePlotsAsPng } from "#lib/save-plots.ts";
import { visibleText } from "#lib/visible-text.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { LoadingPlot } from "#ui/loading.tsx";
import { LongTable } from "#ui/long-table.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { Notice } from "#ui/notice.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { useWaveformPart, type TimeRange } from "./event-files.queries.ts";
import { moved, zoomed } from "./time-range.ts";
import { waveformColumns } from "./waveform-columns.ts";
import { formatMilliseconds, lanesOf, panelsOf, readAt } from "./waveform-series.ts";
import { ZoomTools } from "./zoom-tools.tsx";

const WaveformPlot = lazyPart(() => import("./waveform-plot.tsx"), "WaveformPlot");

export interface WaveformSectionProps {
  fileName: string;
  /** The whole record. */
  waveform: EventWaveform;
  /** Undefined: all of it. */
  range: TimeRange | undefined;
  onRange: (range: TimeRange | undefined) => void;
}

const step = 0.5;
const keysLabel = "Plot. Left and right move the cursor, plus and minus zoom, Page Up and Page Down move, Home shows the whole record";

/** The record as a plot that can be walked and zoomed by pointer, by buttons and by keys, and as a table. */
export function WaveformSection({ fileName, waveform, range: askedRange, onRange }: WaveformSectionProps) {
  const whole = { from: waveform.start, to: waveform.end };
  const part = useWaveformPart(fileName, askedRange);
  const shown = (askedRange && part.data) ?? waveform;
  const range = askedRange ?? whole;
  const panels = useMemo(() => panelsOf(shown), [shown]);
  const lanes = useMemo(() => lanesOf(shown), [shown]);
  const { times } = shown;
  const [isTable, setIsTable] = useState(false);
  const [cursor, setCursor] = useState<number | undefined>();
  const [readout, setReadout] = useState("");
  const pointer = useRef<number | undefined>(undefined);
  const plots = useRef<HTMLElement>(null);
  const length = range.to - range.from;

  const change = (next: TimeRange | undefined) => {
    setCursor(undefined);
    setReadout("");
    pointer.current = undefined;
    onRange(next);
  };
  const moveCursor = (places: number) => {
    const trigger = Math.max(
      0,
      times.findIndex((time) => time >= 0),
    );
    const index = Math.max(0, Math.min(times.length - 1, (pointer.current ?? trigger) + places));
    pointer.current = index;
    setCursor(index);
    const values = readAt(panels, lanes, index).map(({ name, text }) => `${name} ${text}`);
    setReadout(`At ${formatMilliseconds(times[index] ?? 0, length)} ms: ${values.join(", ")}`);
  };
  const keys: Record<string, () => void> = {
    ArrowRight: () => moveCursor(1),
    ArrowLeft: () => moveCursor(-1),
    PageUp: () => change(moved(range, whole, -step)),
    PageDown: () => change(moved(range, whole, step)),
    "+": () => change(zoomed(range, whole, step, pointer.current === undefined ? undefined : times[pointer.current])),
    "=": () => change(zoomed(range, whole, step, pointer.current === undefined ? undefined : times[pointer.current])),
    "-": () => change(zoomed(range, whole, 1 / step)),
    Home: () => change(undefined),
    Escape: () => change(undefined),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const columns = useMemo(() => waveformColumns(times, panels, lanes), [times, panels, lanes]);
  const places = useMemo(() => times.map((_, place) => place), [times]);
  const saveCsv = () => saveRows(`${fileName}${shown.isEverySample ? "" : ".reduced"}.csv`, columns, places);

  return (
    <section aria-label="Waveform">
      <Group justify="space-between" gap="xs" align="end">
        <h2 className="section-title">Waveform</h2>
        <Group gap="xs" className="no-print">
          <ZoomTools
            isWhole={askedRange === undefined}
            onZoom={(factor) => change(zoomed(range, whole, factor))}
            onMove={(share) => change(moved(range, whole, share))}
            onReset={() => change(undefined)}
          />
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPhoto size={14} aria-hidden />}
            onClick={() => plots.current && savePlotsAsPng(plots.current, `${fileName}.png`)}
          >
            Save plot
          </Button>
          <Button variant="default" size="compact-sm" leftSection={<IconDownload size={14} aria-hidden />} onClick={saveCsv}>
            {shown.isEverySample ? "Save CSV" : "Save reduced CSV"}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconTable size={14} aria-hidden />}
            aria-expanded={isTable}
            onClick={() => setIsTable(!isTable)}
          >
            Table
          </Button>
        </Group>
      </Group>
      <p className="dim tabular wave-hint">
        {formatMilliseconds(range.from, length)} to {formatMilliseconds(range.to, length)} ms from the trigger,{" "}
        {counted(shown.sampleCount, "sample")}
        {shown.isEverySample ? "" : ", lowest and highest of each column"}. Drag to zoom, double click for the whole record.
      </p>
      {part.error && <Notice kind="warning">{failureMessage(part.error)} A coarser part is shown.</Notice>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the plots take keys together */}
      <section ref={plots} className="wave-keys" tabIndex={0} aria-label={keysLabel} onKeyDown={onKeyDown}>
        <ProgramPart loading={<LoadingPlot label="Loading the plot" plots={2} height={190} />}>
          <WaveformPlot
            times={times}
            panels={panels}
            lanes={lanes}
            range={range}
            cursorIndex={cursor}
            onCursor={(index) => {
              pointer.current = index;
            }}
            onZoom={change}
            onReset={() => change(undefined)}
          />
        </ProgramPart>
      </section>
      <output className="wave-readout tabular">{readout}</output>
      <Steady waveform={waveform} />
      {isTable && (
        <LongTable
          className="wave-table mono"
          label="Values of the waveform"
          columns={columns}
          rows={places}
          keyOf={(place) => place}
          rowHeight={26}
        />
      )}
    </section>
  );
}

/** Channels that the plot does not show. */
function Steady({ waveform: { alwaysOn, alwaysOff, omittedChannels } }: { waveform: EventWaveform }) {
  return (
    <>
      {alwaysOn.length > 0 && <p className="wave-steady">On throughout: {visibleText(alwaysOn.join(", "))}</p>}
      {alwaysOff.length > 0 && <p className="wave-steady">Off throughout: {visibleText(alwaysOff.join(", "))}</p>}
      {omittedChannels > 0 && (
        <p className="wave-steady">{counted(omittedChannels, "further channel is", "further channels are")} not plotted but in the file.</p>
      )}
    </>
  );
}

import { useRef } from "react";
import { formatReading } from "#lib/format-number.ts";
import { GapRow } from "#ui/gap-row.tsx";
import { useRowWindow } from "#ui/row-window.ts";
import { formatMilliseconds } from "./waveform-series.ts";
import type { Lane, WaveformPanel } from "./waveform-series.ts";

const rowHeight = 26;
const exactly = 0.001;

export interface WaveformTableProps {
  times: readonly number[];
  panels: readonly WaveformPanel[];
  lanes: readonly Lane[];
}

/** The plotted values as numbers. */
export function WaveformTable({ times, panels, lanes }: WaveformTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, gapAfter } = useRowWindow({ count: times.length, rowHeight, scroller, overscan: 10 });
  const analogs = panels.flatMap(({ unit, series }) => series.map((one) => ({ ...one, unit })));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <section className="wave-scroller" ref={scroller} tabIndex={0} aria-label="Values of the waveform">
      <table className="wave-table mono" aria-rowcount={times.length + 1}>
        <thead>
          <tr>
            <th scope="col">Time (ms)</th>
            {analogs.map(({ label, unit }, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two channels may have one name
              <th key={place} scope="col">
                {label}
                {unit === "" ? "" : ` (${unit})`}
              </th>
            ))}
            {lanes.map(({ name }, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two channels may have one name
              <th key={place} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <GapRow height={rows[0]?.gapBefore ?? 0} />
          {rows.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              <td>{formatMilliseconds(times[index] ?? 0, exactly)}</td>
              {analogs.map(({ values }, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- two channels may have one name
                <td key={place}>{formatReading(values[index] ?? null)}</td>
              ))}
              {lanes.map(({ states }, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- two channels may have one name
                <td key={place}>{states[index]}</td>
              ))}
            </tr>
          ))}
          <GapRow height={gapAfter} />
        </tbody>
      </table>
    </section>
  );
}

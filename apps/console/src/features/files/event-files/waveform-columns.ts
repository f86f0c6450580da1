import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { formatMilliseconds, type Lane, type WaveformPanel } from "./waveform-series.ts";

const exactly = 0.001;

/** The plotted values as numbers; a row is the place of a time. */
export function waveformColumns(times: readonly number[], panels: readonly WaveformPanel[], lanes: readonly Lane[]): Column<number>[] {
  const analogs = panels.flatMap(({ unit, series }) => series.map((one) => ({ ...one, unit })));
  return [
    {
      label: "Time (ms)",
      text: (place) => formatMilliseconds(times[place] ?? 0, exactly),
      isRight: true,
      file: { label: "Time s", text: (place) => times[place] ?? null },
    },
    ...analogs.map(({ label, unit, values }, channel): Column<number> => ({
      // Two channels may have one name.
      key: `analog ${channel}`,
      label: unit === "" ? label : `${label} (${unit})`,
      text: (place) => formatReading(values[place] ?? null),
      isRight: true,
      file: { label: `${label} ${unit}`.trim(), text: (place) => values[place] ?? null },
    })),
    ...lanes.map(({ name, states }, channel): Column<number> => ({
      key: `lane ${channel}`,
      label: name,
      text: (place) => states[place] ?? null,
      isRight: true,
    })),
  ];
}

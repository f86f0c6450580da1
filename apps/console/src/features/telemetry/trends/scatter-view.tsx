import { counted } from "@busbar/contract/values/counted.ts";
import { Group } from "@mantine/core";
import { useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { evenTicks } from "#ui/even-ticks.ts";
import { LongTable } from "#ui/long-table.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { ChartFrame } from "./chart-frame.tsx";
import { seriesKey } from "./trend-address.ts";
import { digitsOf, figureText, quantityName, unitOf } from "./trend-words.ts";
import { useTrendScatter } from "./trends.queries.ts";
import type { TimeSpan } from "./zone-time.ts";
import { Answer, ViewTools, fileName, nameOf, withUnit, type NamedSeries } from "./view-parts.tsx";

/** Two quantities against each other, coloured by time. */
export function Scatter({ series, span, timezone }: { series: readonly NamedSeries[]; span: TimeSpan; timezone: string }) {
  const [first, second = first] = series;
  const [chosen, setChosen] = useState<{ x?: string; y?: string }>({});
  const find = (key: string | undefined, usual: NamedSeries | undefined) => series.find((each) => seriesKey(each) === key) ?? usual;
  const [x, y] = [find(chosen.x, first), find(chosen.y, second)];
  const choices = series.map((each) => ({ value: seriesKey(each), label: nameOf(each) }));
  if (series.length < 2 || !x || !y)
    return <EmptyState title="It takes two series: add a second one, such as the power of the same machine." />;
  return (
    <>
      <Group gap="sm">
        <NativeSelect
          label="Across"
          data={choices}
          value={seriesKey(x)}
          onChange={({ currentTarget }) => setChosen({ ...chosen, x: currentTarget.value })}
        />
        <NativeSelect
          label="Up"
          data={choices}
          value={seriesKey(y)}
          onChange={({ currentTarget }) => setChosen({ ...chosen, y: currentTarget.value })}
        />
      </Group>
      <ScatterPlot x={x} y={y} span={span} timezone={timezone} />
    </>
  );
}

function ScatterPlot({ x: across, y: up, span, timezone }: { x: NamedSeries; y: NamedSeries; span: TimeSpan; timezone: string }) {
  const answer = useTrendScatter(across, up, span);
  const title = `${withUnit(nameOf(up), unitOf(up))} against ${withUnit(nameOf(across), unitOf(across))}`;
  return (
    <Answer title={title} answer={answer} isEmpty={({ timestamps }) => timestamps.length === 0}>
      {({ timestamps, x: xs, y: ys }) => {
        const values = evenTicks(Math.min(...xs), Math.max(...xs));
        const [left, right] = [values[0] ?? 0, values.at(-1) ?? 1];
        const ticks = values.map((value) => ({ place: (value - left) / (right - left), label: formatReading(value) }));
        const length = span.to - span.from;
        const text = (time: number) => formatDateTime(time, timezone);
        const valueColumn = (series: NamedSeries, values: readonly number[]): Column<number> => ({
          label: withUnit(nameOf(series), unitOf(series)),
          key: seriesKey(series),
          isRight: true,
          text: (index) => figureText(values[index], digitsOf(series)),
          file: { text: (index) => values[index] ?? null },
        });
        const columns = [
          { label: "Time", text: (index: number) => text(timestamps[index] ?? 0), isRowHead: true },
          { label: "Epoch seconds", only: "file" as const, text: (index: number) => timestamps[index] ?? null },
          valueColumn(across, xs),
          valueColumn(up, ys),
        ];
        const rows = [...timestamps.keys()];
        return (
          <div className="trend-view-sides">
            <div>
              <ChartFrame
                across={withUnit(nameOf(across), unitOf(across))}
                up={withUnit(quantityName(up), unitOf(up))}
                words={`${title}: ${counted(timestamps.length, "point")}, ${figureText(Math.min(...xs), 1)} to ${figureText(Math.max(...xs), 1)} across, ${figureText(Math.min(...ys), 1)} to ${figureText(Math.max(...ys), 1)} up`}
                low={Math.min(...ys)}
                high={Math.max(...ys)}
                ticks={ticks}
              >
                {(placeOf, heightOf) =>
                  timestamps.map((time, index) => (
                    <circle
                      key={time}
                      cx={placeOf(((xs[index] ?? 0) - left) / (right - left)).toFixed(1)}
                      cy={heightOf(ys[index] ?? 0).toFixed(1)}
                      r={1.8}
                      style={{
                        fill: `color-mix(in oklab, var(--trend-2) ${Math.round(((time - span.from) / length) * 100)}%, var(--trend-1))`,
                      }}
                    />
                  ))
                }
              </ChartFrame>
              <Group justify="space-between" gap="xs">
                <p className="dim">
                  <span className="trend-ramp" aria-hidden="true" /> from {text(span.from)} to {text(span.to)}
                </p>
                <ViewTools name={`${fileName("scatter", across)}-${seriesKey(up).replace(":", "-")}`} columns={columns} rows={rows} />
              </Group>
            </div>
            <LongTable
              className="trend-table"
              label={`Values of ${title}`}
              columns={columns}
              rows={rows}
              keyOf={(index) => index}
              rowHeight={26}
            />
          </div>
        );
      }}
    </Answer>
  );
}

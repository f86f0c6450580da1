import { Group } from "@mantine/core";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { ChartFrame } from "./chart-frame.tsx";
import { digitsOf, figureText, unitOf } from "./trend-words.ts";
import { useTrendDuration } from "./trends.queries.ts";
import { Answer, ViewTools, fileName, nameOf, withUnit, type OneSeriesProps } from "./view-parts.tsx";

const durationRows = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100];

/** For which share of the time it was at least how large. */
export function Duration({ series, span }: OneSeriesProps) {
  const answer = useTrendDuration(series, span);
  const [digits, unit] = [digitsOf(series), unitOf(series)];
  const title = withUnit(`Duration curve of ${nameOf(series)}`, unit);
  return (
    <Answer title={title} answer={answer} isEmpty={({ percentiles }) => percentiles.length === 0}>
      {({ percentiles, coveredSeconds }) => {
        const falling = percentiles.toReversed();
        const [low, high] = [Math.min(0, falling.at(-1) ?? 0), falling[0] ?? 1];
        const at = (percent: number) => figureText(falling[percent], digits);
        const columns: Column<number>[] = [
          { label: "Share of the time", text: (percent) => `${percent} %`, isRowHead: true, file: { text: (percent) => percent } },
          { label: "At least", text: at, isRight: true, file: { text: (percent) => falling[percent] ?? null } },
        ];
        return (
          <div className="trend-view-sides">
            <ChartFrame
              words={`${title}: at least ${at(100)} all of the time, ${at(50)} half of it, ${at(10)} a tenth of it, at most ${at(0)}`}
              low={low}
              high={high}
              ticks={[0, 25, 50, 75, 100].map((percent) => ({ place: percent / 100, label: `${percent} %` }))}
            >
              {(x, y) => (
                <polyline
                  className="trend-curve"
                  points={falling.map((value, percent) => `${x(percent / 100).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}
                />
              )}
            </ChartFrame>
            <div>
              <DataTable
                aria-label={`Values of the ${title[0]?.toLowerCase()}${title.slice(1)}`}
                className="tabular"
                columns={columns}
                rows={durationRows}
                keyOf={(percent) => percent}
                isMatrix
              />
              <Group justify="space-between" gap="xs">
                <p className="dim">Time with data: {figureText(coveredSeconds / 3_600, 1)} h.</p>
                <ViewTools name={fileName("duration", series)} columns={columns} rows={[...falling.keys()]} />
              </Group>
            </div>
          </div>
        );
      }}
    </Answer>
  );
}

import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { firstFrom, type TrendLine } from "./trend-lines.ts";
import { figureText } from "./trend-words.ts";

/** A moment at which points begin, in epoch seconds. */
export type PointRow = number;

/** Every moment at which a point of any line begins, oldest first. */
export const pointRows = (lines: readonly TrendLine[]): PointRow[] =>
  [...new Set(lines.flatMap(({ times, middle }) => times.map((time) => time - middle)))].toSorted((a, b) => a - b);

/** The place of the point that begins at a moment. */
function placeOf({ times, middle }: TrendLine, start: number): number | undefined {
  const place = firstFrom(times, start + middle);
  return times[place] === start + middle ? place : undefined;
}

/** The mean of each line with its smallest and largest value; a file has them in columns of their own. */
export function pointColumns(lines: readonly TrendLine[], timezone: string): Column<PointRow>[] {
  return [
    { label: "Time", width: 190, text: (start) => formatDateTime(start, timezone), isRowHead: true },
    { label: "Epoch seconds", only: "file", text: (start) => start },
    ...lines.flatMap((line): Column<PointRow>[] => {
      const { key, name, unit, digits } = line;
      const label = unit === "" ? name : `${name}, ${unit}`;
      const valueOf = (values: readonly number[]) => (start: number) => {
        const place = placeOf(line, start);
        return place === undefined ? null : (values[place] ?? null);
      };
      const [minimum, mean, maximum] = [valueOf(line.minimum), valueOf(line.mean), valueOf(line.maximum)];
      return [
        {
          label,
          key,
          isRight: true,
          text: (start) => {
            const value = mean(start);
            if (value === null) return "–";
            const [low, middle, high] = [minimum(start), value, maximum(start)].map((each) => figureText(each, digits));
            return low === high ? `${middle}` : `${middle} (${low} to ${high})`;
          },
          file: { label, text: mean },
        },
        { label: `${label}, minimum`, key: `${key} minimum`, only: "file", text: minimum },
        { label: `${label}, maximum`, key: `${key} maximum`, only: "file", text: maximum },
      ];
    }),
  ];
}

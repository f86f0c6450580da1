import type { TrendDay } from "@busbar/contract/telemetry/trends.ts";
import { Group } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import { formatMoney } from "#lib/format-money.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { ChartFrame } from "./chart-frame.tsx";
import { figureText } from "./trend-words.ts";
import { useTrendDays } from "./trends.queries.ts";
import type { TimeSpan } from "./zone-time.ts";
import { Answer, ViewTools, type NamedSeries } from "./view-parts.tsx";

const dayColumns: readonly Column<TrendDay>[] = [
  { label: "Day", text: ({ date }) => date, isRowHead: true },
  { label: "kWh", text: ({ energyKwh }) => figureText(energyKwh, 1), isRight: true, file: { text: ({ energyKwh }) => energyKwh } },
  {
    label: "Cost",
    text: ({ costCents }) => (costCents === null ? "–" : formatMoney(costCents)),
    isRight: true,
    file: { text: ({ costCents }) => (costCents === null ? null : costCents / 100) },
  },
  {
    label: "Hours run",
    text: ({ runSeconds }) => figureText(runSeconds === null ? null : runSeconds / 3_600, 1),
    isRight: true,
    file: { text: ({ runSeconds }) => (runSeconds === null ? null : runSeconds / 3_600) },
  },
  { label: "Starts", text: ({ starts }) => figureText(starts, 0), isRight: true, file: { text: ({ starts }) => starts } },
];

/** Of 23 hours, as the clocks go forward. */
const shortestDay = 82_800;

const sumOf = (days: readonly TrendDay[], valueOf: (day: TrendDay) => number | null): number =>
  days.reduce((sum, day) => sum + (valueOf(day) ?? 0), 0);

/** The days that a range touches. */
const daysIn = ({ days }: { days: readonly TrendDay[] }, { from, to }: TimeSpan): TrendDay[] =>
  days.filter(({ timestamp, lengthSeconds }) => timestamp < to && timestamp + lengthSeconds > from);

/** Which days are shown, and that they are whole ones where the range is not. */
function daysWords({ from, to }: TimeSpan, timezone: string): string {
  const [first, last] = [from, to - 1].map((time) => formatDateTime(time, timezone).slice(0, "yyyy-mm-dd".length));
  const days = first === last ? `The whole day ${first} of ${timezone}` : `Whole days of ${timezone} from ${first} to ${last}`;
  return to - from < shortestDay ? `${days}, though the range is shorter.` : `${days}.`;
}

/** Energy with its cost and starts, day by day of the place. */
export function Days({ node, span }: { node: NamedSeries; span: TimeSpan }) {
  const { serialNumber, machine } = node;
  const answer = useTrendDays(serialNumber, span);
  return (
    <Answer title={`Days of ${machine}`} answer={answer} isEmpty={(found) => daysIn(found, span).length === 0}>
      {({ days: found, rateCents, timezone }) => {
        const days = daysIn({ days: found }, span);
        return (
          <>
            <div className="trend-view-sides is-even">
              <Bars
                title={`Energy per day of ${machine}, kWh`}
                days={days}
                valueOf={({ energyKwh }) => energyKwh}
                digits={1}
                className="bar-energy"
              />
              <Bars title={`Starts per day of ${machine}`} days={days} valueOf={({ starts }) => starts} digits={0} className="bar-starts" />
            </div>
            <Group justify="space-between" gap="xs">
              <p className="dim">
                {daysWords(span, timezone)}{" "}
                {rateCents === null
                  ? "No price of a kilowatt hour is set, so costs are not known."
                  : `At ${formatReading(rateCents)} cents a kilowatt hour.`}
              </p>
              <ViewTools name={`days-${serialNumber}`} columns={dayColumns} rows={days} />
            </Group>
            <DataTable
              aria-label={`Days of ${machine}`}
              className="trend-days tabular"
              columns={dayColumns}
              rows={days}
              keyOf={({ date }) => date}
              isMatrix
              total={[
                "Together",
                figureText(
                  sumOf(days, ({ energyKwh }) => energyKwh),
                  1,
                ),
                rateCents === null ? "–" : formatMoney(sumOf(days, ({ costCents }) => costCents)),
                figureText(sumOf(days, ({ runSeconds }) => runSeconds) / 3_600, 1),
                figureText(
                  sumOf(days, ({ starts }) => starts),
                  0,
                ),
              ]}
            />
          </>
        );
      }}
    </Answer>
  );
}

/** Counts have whole numbers on their axis. */
const leastCount = 4;

interface BarsProps {
  title: string;
  days: readonly TrendDay[];
  valueOf: (day: TrendDay) => number | null;
  digits: number;
  className: string;
}

function Bars({ title, days, valueOf, digits, className }: BarsProps) {
  const values = days.map((day) => valueOf(day) ?? 0);
  const [most, sum] = [Math.max(...values), values.reduce((all, value) => all + value, 0)];
  const every = Math.ceil(days.length / 8);
  const ticks = days.flatMap(({ date }, index) =>
    index % every === 0 ? [{ place: (index + 0.5) / days.length, label: date.slice(5) }] : [],
  );
  return (
    <figure className="trend-panel">
      <figcaption>{title}</figcaption>
      <ChartFrame
        words={`${title}: together ${figureText(sum, digits)}, most on one day ${figureText(most, digits)}`}
        low={0}
        high={digits === 0 ? Math.max(most, leastCount) : most}
        ticks={ticks}
      >
        {(x, y) =>
          values.map((value, index) => (
            <rect
              key={days[index]?.date}
              className={className}
              x={x((index + 0.1) / days.length)}
              width={x(0.8 / days.length) - x(0)}
              y={y(value)}
              height={y(0) - y(value)}
            >
              <title>{`${days[index]?.date}: ${figureText(valueOf(days[index]!), digits)}`}</title>
            </rect>
          ))
        }
      </ChartFrame>
    </figure>
  );
}

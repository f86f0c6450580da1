import type { SeriesName, TrendProfile } from "@busbar/contract/telemetry/trends.ts";
import { Group } from "@mantine/core";
import type { CSSProperties } from "react";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { digitsOf, figureText, unitOf } from "./trend-words.ts";
import { useTrendProfile } from "./trends.queries.ts";
import { Answer, ViewTools, fileName, nameOf, withUnit, type OneSeriesProps } from "./view-parts.tsx";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Weekdays by hours of the place, the darker the more. */
export function Profile({ series, span }: OneSeriesProps) {
  const answer = useTrendProfile(series, span);
  const title = withUnit(`Load profile of ${nameOf(series)}`, unitOf(series));
  return (
    <Answer title={title} answer={answer} isEmpty={({ hours }) => hours.length === 0}>
      {(data) => <ProfileTable title={title} series={series} data={data} />}
    </Answer>
  );
}

/** A column for each hour; the darker its cells, the nearer to the largest mean. */
function profileColumns({ hours }: TrendProfile, worthReading: number): Column<number>[] {
  const means = hours.map(({ mean }) => mean);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  // Four digits have room in a cell.
  const digits = Math.max(Math.abs(least), Math.abs(most)) >= 1_000 ? 0 : Math.min(1, worthReading);
  const valueAt = (weekday: number, hour: number) => hours.find((each) => each.weekday === weekday && each.hour === hour)?.mean;
  const shareOf = (value: number | undefined) => (value === undefined || most === least ? 0 : (value - least) / (most - least));
  return [
    { label: "Day", text: (weekday) => weekdays[weekday - 1] ?? "", isRowHead: true },
    ...Array.from({ length: 24 }, (_, hour): Column<number> => ({
      label: String(hour).padStart(2, "0"),
      isRight: true,
      text: (weekday) => valueAt(weekday, hour) ?? null,
      cell: (weekday) => (
        <span className="profile-value" style={{ "--share": `${Math.round(shareOf(valueAt(weekday, hour)) * 55)}%` } as CSSProperties}>
          {figureText(valueAt(weekday, hour), digits)}
        </span>
      ),
    })),
  ];
}

function ProfileTable({ title, series, data }: { title: string; series: SeriesName; data: TrendProfile }) {
  const columns = profileColumns(data, digitsOf(series));
  const rows = weekdays.map((_, index) => index + 1);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard */}
      <section className="table-scroller" tabIndex={0} aria-label="Weekdays by hours">
        <DataTable
          aria-label={title}
          className="trend-profile tabular"
          columns={columns}
          rows={rows}
          keyOf={(weekday) => weekday}
          isMatrix
        />
      </section>
      <Group justify="space-between" gap="xs">
        <p className="dim">Means by hours of {data.timezone}.</p>
        <ViewTools name={fileName("profile", series)} columns={columns} rows={rows} />
      </Group>
    </>
  );
}

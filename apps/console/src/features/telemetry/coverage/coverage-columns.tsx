import { Button } from "@mantine/core";
import { formatCount } from "#lib/format-number.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { byNumber, byText, type Column } from "#ui/column.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { useRowTab } from "#ui/row-tab.ts";
import { dayLook, dayText, isMonday, monthName, type CoverageRow } from "./coverage-days.ts";

export interface CoverageActions {
  /** `yyyy-mm-dd` */
  onDay: (row: CoverageRow, day: string) => void;
  /** Undefined for what cannot be asked for. */
  onAsk: ((row: CoverageRow) => void) | undefined;
  /** Whose files are being asked for. */
  asking: string | undefined;
}

const hourSeconds = 3_600;

/** How much is missing: hours, and quarters of one. */
export function missingText(seconds: number): string {
  if (seconds === 0) return "";
  const hours = Math.floor(seconds / hourSeconds);
  const minutes = Math.round((seconds % hourSeconds) / 60);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 || hours >= 100 ? `${formatCount(hours)} h` : `${hours} h ${minutes} min`;
}

const placeOf = ({ location, facility, customer }: CoverageRow): string => [location, facility, customer].filter(Boolean).join(", ");

export function coverageColumns(days: readonly string[]): Column<CoverageRow, CoverageActions>[] {
  return [
    {
      label: "Node",
      width: 74,
      text: ({ serial }) => serial,
      cell: ({ serial }) => <NodeLink serial={serial} />,
      sort: { key: "node", compare: byText(({ serial }) => serial) },
      search: { SN: ({ serial }) => serial },
      narrow: (row, on) => (
        <div className="cell-line">
          <NodeLink serial={row.serial} /> <span className="place">{placeOf(row)}</span>
          <span className="coverage-missing tabular">{missingText(row.missing)}</span>
          <AskButton row={row} on={on} />
        </div>
      ),
      narrowHeight: 24,
    },
    {
      label: "Place",
      text: placeOf,
      cell: (row) => (
        <span className="place coverage-place" title={placeOf(row)}>
          {placeOf(row)}
        </span>
      ),
      sort: { key: "place", compare: byText(placeOf) },
      search: { "Customer/Facility/Location": placeOf },
      narrow: { in: "Node" },
    },
    {
      label: "Missing",
      width: 92,
      text: ({ missing }) => missing / hourSeconds,
      cell: ({ missing }) => <span className="tabular">{missingText(missing)}</span>,
      sort: { key: "missing", compare: byNumber(({ missing }) => missing), isDescendingFirst: true },
      file: { label: "Missing hours" },
      narrow: { in: "Node" },
    },
    {
      label: "Days",
      width: days.length * 21 + 20,
      head: <DayHeads days={days} />,
      only: "screen",
      text: (row) => row.days,
      cell: (row, on) => <DayCells row={row} days={days} on={on} />,
      narrow: (row, on) => (
        <>
          <DayHeads days={days} />
          <DayCells row={row} days={days} on={on} />
        </>
      ),
      narrowHeight: 58,
    },
    {
      label: "Request again",
      isHeadHidden: true,
      isActions: true,
      width: 116,
      only: "screen",
      text: () => "",
      cell: (row, on) => <AskButton row={row} on={on} />,
      narrow: { in: "Node" },
    },
    ...days.map((day, index): Column<CoverageRow, CoverageActions> => ({
      label: day,
      only: "file",
      text: (row) => dayLook(row.days[index] ?? ".").words,
    })),
  ];
}

/** The dates over the days; a month is named where it begins. */
function DayHeads({ days }: { days: readonly string[] }) {
  return (
    <span className="coverage-days is-head">
      <span className="visually-hidden">Days</span>
      {days.map((day, index) => (
        <span key={day} aria-hidden="true" className={isMonday(day) ? "is-monday" : undefined} title={dayText(day)}>
          {(index === 0 || day.endsWith("-01")) && <span className="coverage-month">{monthName(day)}</span>}
          {Number(day.slice(8))}
        </span>
      ))}
    </span>
  );
}

interface DayCellsProps {
  row: CoverageRow;
  days: readonly string[];
  on: CoverageActions;
}

/** Asks the node for everything that it did not send in the days shown. */
function AskButton({ row, on }: Omit<DayCellsProps, "days">) {
  const tabIndex = useRowTab();
  if (!on.onAsk || !row.hasHoles) return null;
  const { askedTimestamp } = row;
  if (askedTimestamp !== undefined)
    return (
      <span className="dim">
        Asked at{" "}
        <HoverTimes timestamp={askedTimestamp} timezone={null}>
          {formatDateTime(askedTimestamp).slice(11, 16)}
        </HoverTimes>
      </span>
    );
  return (
    <Button
      variant="default"
      size="compact-xs"
      tabIndex={tabIndex}
      loading={on.asking === row.serial}
      aria-label={`Request again what node ${row.serial} did not send`}
      onClick={() => on.onAsk?.(row)}
    >
      Request again
    </Button>
  );
}

/** A press on a day opens its gaps; where nothing was expected there is nothing to press. */
function DayCells({ row, days, on }: DayCellsProps) {
  const tabIndex = useRowTab();
  return (
    <span className="coverage-days">
      {days.map((day, index) => {
        const { className, letter, words, tenths } = dayLook(row.days[index] ?? ".");
        if (className === "is-none")
          return (
            <span key={day} className="coverage-day is-none" aria-hidden="true">
              {letter}
            </span>
          );
        const label = `${dayText(day)}: ${words}`;
        return (
          <button
            key={day}
            type="button"
            className={`plain-button coverage-day ${className}`}
            style={tenths === 0 ? undefined : { backgroundSize: `100% ${tenths * 10}%` }}
            tabIndex={tabIndex}
            data-stop={day}
            aria-label={label}
            title={label}
            onClick={() => on.onDay(row, day)}
          >
            {letter}
          </button>
        );
      })}
    </span>
  );
}

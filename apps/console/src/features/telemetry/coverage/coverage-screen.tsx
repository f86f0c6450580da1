import { Button, Checkbox, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useRef } from "react";
import { coverageKinds, type CoverageKind } from "@busbar/contract/telemetry/coverage.ts";
import { failureMessage } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { searchTextOf, searchedNames, sortOf, sortRows } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Grid } from "#ui/grid.tsx";
import { itemHeightOf } from "#ui/grid-items.tsx";
import { ListCount } from "#ui/list-count.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { SearchField } from "#ui/search-field.tsx";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { coverageColumns, type CoverageActions } from "./coverage-columns.tsx";
import {
  addDays,
  daySpanOf,
  dayLook,
  dayText,
  daysIn,
  kindLabels,
  kindOf,
  legend,
  rowsOf,
  type CoverageFilter,
  type DaySpan,
} from "./coverage-days.ts";
import { useAskForFiles, useCoverage, type AskedFiles } from "./coverage.queries.ts";
import "./coverage.css";

const kindChoices = coverageKinds.map((value) => ({ value, label: kindLabels[value] }));

export interface CoverageScreenProps {
  filter: CoverageFilter;
  /** What is typed or chosen. */
  onFilter: (filter: CoverageFilter) => void;
  /** A node's gaps are shown. */
  onOpen: (gaps: { node: string; day: string }) => void;
}

const rowHeight = 34;
const halfDay = 43_200;
const secondsOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;
const worstFirst = "missing";

/** The reader's today. */
export const today = (): string => formatDateTime(serverClock.nowSeconds()).slice(0, 10);

/** The days of the screen, as many as it has room for. */
export function useDaySpan({ to }: Pick<CoverageFilter, "to">): DaySpan {
  return daySpanOf(to, today(), useIsNarrow());
}

/** Which nodes have holes in their data: nodes by days. */
export function CoverageScreen({ filter, onFilter, onOpen }: CoverageScreenProps) {
  const kind = kindOf(filter);
  const span = useDaySpan(filter);
  const asked = useCoverage(kind, span);
  const { data, isPlaceholderData } = asked;
  const set = (part: Partial<CoverageFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className="list-page">
      <h1 className="page-title">Data coverage</h1>
      <CoverageTools filter={filter} kind={kind} span={span} set={set} />
      <Loaded
        of={asked}
        loading={
          <LoadingRows
            label="Loading the coverage"
            rows={12}
            height={rowHeight}
            narrowHeight={itemHeightOf(coverageColumns([]))}
            frame="grid"
            hasCount
          />
        }
      />
      {data && (
        <CoverageList
          rows={rowsOf(data)}
          // Its days are those of the answer, also while another is on its way.
          span={{ from: data.fromDay, to: data.toDay }}
          kind={kind}
          filter={filter}
          isOld={isPlaceholderData}
          set={set}
          onOpen={onOpen}
        />
      )}
    </div>
  );
}

interface ToolsProps {
  filter: CoverageFilter;
  kind: CoverageKind;
  span: DaySpan;
  set: (part: Partial<CoverageFilter>) => void;
}

function CoverageTools({ filter, kind, span, set }: ToolsProps) {
  const length = daysIn(span).length;
  const isLatest = span.to === today();
  return (
    <search className="list-tools no-print">
      <ChoiceBar label="What" choices={kindChoices} value={kind} onChoose={(each) => set({ kind: each })} size="compact-sm" />
      <Group gap={4} wrap="nowrap">
        <Button variant="default" size="compact-sm" aria-label="Earlier days" onClick={() => set({ to: addDays(span.to, -length) })}>
          <IconChevronLeft size={14} aria-hidden />
        </Button>
        <span className="tabular coverage-span">
          {dayText(span.from).slice(4)} – {dayText(span.to).slice(4)}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          aria-label="Later days"
          disabled={isLatest}
          onClick={() => {
            const to = addDays(span.to, length);
            set({ to: to >= today() ? "" : to });
          }}
        >
          <IconChevronRight size={14} aria-hidden />
        </Button>
      </Group>
      <SearchField label={searchedNames(coverageColumns([])).join("/")} value={filter.find} onChange={(find) => set({ find })} />
      <Checkbox
        label="Only with holes"
        checked={filter.show !== "all"}
        onChange={({ currentTarget }) => set({ show: currentTarget.checked ? "" : "all" })}
      />
    </search>
  );
}

interface ListProps extends ToolsProps {
  rows: ReturnType<typeof rowsOf>;
  isOld: boolean;
  onOpen: CoverageScreenProps["onOpen"];
}

function CoverageList({ rows, span, kind, filter, isOld, set, onOpen }: ListProps) {
  const columns = coverageColumns(daysIn(span));
  const [sort = worstFirst, direction] = (filter.sort || worstFirst).split(" ");
  const isDescending = direction === undefined ? (sortOf(columns, sort)?.isDescendingFirst ?? false) : direction === "desc";
  const words = filter.find.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = words.length > 0;
  const found = rows.filter(
    (row) => (filter.show === "all" || row.hasHoles) && words.every((word) => searchTextOf(columns, row).includes(word)),
  );
  const shown = sortRows(columns, found, { sort, isDescending }, (a, b) => (a.serial < b.serial ? -1 : 1));
  const onSort = (key: string) => {
    const turned = key === sort ? !isDescending : (sortOf(columns, key)?.isDescendingFirst ?? false);
    set({ sort: `${key} ${turned ? "desc" : "asc"}` });
  };
  const all = { find: "", show: "all" };
  const ask = useAskForFiles();
  // A second press comes before the button shows that the first is under way.
  const underWay = useRef(new Set<string>());
  const askOnce = async (files: AskedFiles) => {
    if (underWay.current.has(files.serial)) return;
    underWay.current.add(files.serial);
    await ask.mutateAsync(files).then(
      () => onOpen({ node: files.serial, day: "" }),
      () => undefined, // Above the list
    );
    underWay.current.delete(files.serial);
  };
  const actions: CoverageActions = {
    onDay: ({ serial }, day) => onOpen({ node: serial, day }),
    // Days are those of each place: half a day earlier and later they are there everywhere.
    onAsk:
      kind === "scalars"
        ? undefined
        : ({ serial }) =>
            void askOnce({
              serial,
              kind,
              fromTimestamp: secondsOf(span.from) - halfDay,
              toTimestamp: secondsOf(span.to) + 3 * halfDay,
            }),
    asking: ask.isPending ? ask.variables.serial : undefined,
  };
  return (
    <>
      <ListCount
        shown={shown.length}
        total={rows.length}
        noun="node"
        isFiltered={isFiltered}
        onClear={() => set(all)}
        onExport={() => saveRows(`coverage-${kind}-${span.from}-${span.to}.csv`, columns, shown)}
      />
      {ask.error && <Notice kind="error">{failureMessage(ask.error)}</Notice>}
      {shown.length === 0 ? (
        <EmptyState
          title={
            rows.length === 0
              ? "No node was expected to send in these days"
              : isFiltered
                ? "No node matches"
                : "No node has a hole in these days"
          }
        >
          {rows.length > 0 && (
            <Button variant="default" onClick={() => set(all)}>
              Show all {rows.length.toLocaleString("en-US")}
            </Button>
          )}
        </EmptyState>
      ) : (
        <Grid
          label={`Coverage of ${kindLabels[kind]}`}
          className={isOld ? "is-old" : ""}
          columns={columns}
          items={shown}
          keyOf={({ serial }) => serial}
          on={actions}
          rowHeight={rowHeight}
          minWidth={1_130}
          sort={sort}
          isDescending={isDescending}
          onSort={onSort}
          onOpen={({ serial }) => onOpen({ node: serial, day: "" })}
          renderFoot={(focused) =>
            focused
              ? `${focused.serial}: Enter opens its gaps, arrow keys walk its days`
              : "Days are those of each node's place. A day opens its gaps"
          }
        />
      )}
      <Legend />
    </>
  );
}

function Legend() {
  const isNarrow = useIsNarrow();
  const looks = (
    <p className="coverage-looks">
      {legend.map(({ character, words }) => {
        const { className, letter, tenths } = dayLook(character);
        return (
          <span key={character}>
            <span
              className={`coverage-day ${className}`}
              aria-hidden="true"
              style={tenths === 0 ? undefined : { backgroundSize: `100% ${tenths * 10}%` }}
            >
              {letter}
            </span>{" "}
            {words}
          </span>
        );
      })}
    </p>
  );
  return isNarrow ? (
    <details className="coverage-legend dim">
      <summary>What the days say</summary>
      {looks}
    </details>
  ) : (
    <div className="coverage-legend dim">{looks}</div>
  );
}

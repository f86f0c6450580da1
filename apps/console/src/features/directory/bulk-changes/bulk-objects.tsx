import type { BulkKind, BulkObject, BulkPlanRow } from "@busbar/contract/directory/bulk-changes.ts";
import { useMemo, type CSSProperties } from "react";
import { byNumber, byText, type Column } from "#ui/column.ts";
import { GridKeys } from "#ui/grid-keys.tsx";
import { Grid } from "#ui/grid.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { useRowTab } from "#ui/row-tab.ts";
import { useFilteredRows } from "#ui/use-filtered-rows.tsx";
import { changesText, nouns, pageOf, valueText } from "./bulk-words.ts";
import "#ui/status-badge.css";

/** What a change does to an object, or did: then there is no reason. */
export type ShownObject = BulkObject & Partial<Pick<BulkPlanRow, "reason">>;

const isLeft = ({ reason = "" }: ShownObject): boolean => reason !== "";

function Name({ shown: { object, name } }: { shown: ShownObject }) {
  const tabIndex = useRowTab();
  if (object.startsWith("node/")) return <NodeLink serial={name} />;
  return (
    <a href={pageOf(object, name)} title={name} tabIndex={tabIndex}>
      {name}
    </a>
  );
}

function Changes({ shown, isNarrow = false }: { shown: ShownObject; isNarrow?: boolean }) {
  const { changes, timezone } = shown;
  return (
    <div className={isNarrow ? undefined : "cell-line"} title={changesText(shown)}>
      <span className={isNarrow ? "bulk-two-lines" : "ellipsis"}>
        {changes.map(({ field, label, before, after }, index) => (
          <span key={field}>
            {index > 0 && "; "}
            {label}: <span className="dim">{valueText(field, before, timezone)}</span> → <b>{valueText(field, after, timezone)}</b>
          </span>
        ))}
      </span>
    </div>
  );
}

const heads: Record<BulkKind, { head: string; place: string; nowhere: string }> = {
  nodes: { head: "Serial Number", place: "Location", nowhere: "At no location" },
  locations: { head: "Location", place: "Facility", nowhere: "" },
  subscriptions: { head: "Username", place: "Customer", nowhere: "No customer" },
};

function columnsFor(kind: BulkKind, hasLeft: boolean): readonly Column<ShownObject>[] {
  const { head, place, nowhere } = heads[kind];
  return [
    {
      label: head,
      text: ({ name }) => name,
      cell: (shown) => <Name shown={shown} />,
      narrow: (shown) => (
        <div className="cell-line">
          <Name shown={shown} /> <span className="dim">{shown.place}</span>
        </div>
      ),
      sort: { key: "name", compare: kind === "nodes" ? byNumber(({ name }) => Number(name)) : byText(({ name }) => name) },
      width: kind === "nodes" ? 130 : 200,
    },
    {
      label: place,
      text: (shown) => shown.place,
      cell: (shown) => <span title={shown.place}>{shown.place || <span className="dim">{nowhere}</span>}</span>,
      sort: { key: "place", compare: byText((shown) => shown.place) },
      narrow: { in: head },
      width: kind === "locations" ? 340 : 220,
    },
    {
      label: "Change",
      text: changesText,
      cell: (shown) => <Changes shown={shown} />,
      narrow: (shown) => <Changes shown={shown} isNarrow />,
      narrowHeight: 38,
      sort: { key: "change", compare: byText(changesText) },
    },
    ...(hasLeft
      ? [
          {
            label: "Left out",
            text: ({ reason = "" }: ShownObject) => reason,
            cell: ({ reason = "" }: ShownObject) => <span title={reason}>{reason}</span>,
            narrow: ({ reason = "" }: ShownObject) => (
              <div className="row-reason dim" title={reason}>
                {reason}
              </div>
            ),
            narrowHeight: 58,
            sort: { key: "left", compare: byText(({ reason = "" }: ShownObject) => reason) },
            width: 340,
          },
        ]
      : []),
  ];
}

const choices = {
  All: () => true,
  "To be changed": (row: ShownObject) => !isLeft(row),
  "Left out": isLeft,
};
const noChoices = {};

export interface BulkObjectsProps {
  kind: BulkKind;
  /** A plan says who is left out. */
  isPlan: boolean;
  objects: readonly ShownObject[];
  fileName: string;
}

/** Each object of a change with its old and new values. */
export function BulkObjects({ kind, isPlan, objects, fileName }: BulkObjectsProps) {
  const hasLeft = objects.some(isLeft);
  const columns = useMemo(() => columnsFor(kind, hasLeft), [kind, hasLeft]);
  const { rows, tools, sorting } = useFilteredRows(columns, objects, isPlan ? choices : noChoices, fileName);
  return (
    <>
      {tools}
      <div className="bulk-objects" style={{ "--bulk-rows": objects.length } as CSSProperties}>
        <Grid
          label={`${nouns[kind]}s of the change`}
          className="bulk-table"
          columns={columns}
          items={rows}
          keyOf={({ object }) => object}
          on={undefined}
          rowHeight={36}
          minWidth={900}
          {...sorting}
          onOpen={({ object }) => (location.hash = `#/changes?object=${object}`)}
          renderFoot={() => <GridKeys sideways="links of a row" enter="history" />}
        />
      </div>
    </>
  );
}

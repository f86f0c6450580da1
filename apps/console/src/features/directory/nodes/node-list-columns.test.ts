import { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { cellOf, csvLines, searchTextOf } from "#ui/column.ts";
import { ItemParts } from "#ui/item-parts.tsx";
import { nodeColumns } from "./node-list-columns.tsx";
import { recordsOf } from "./node-list-view.ts";
import type { NodeRecord } from "./node-record.ts";

const on = { onEditNode: () => undefined, onEditLocation: () => undefined, onEditConfig: () => undefined };
/** What the list filters by and asks further with is in no words; the serial number is the record's own. */
const unshown = ["id", "revision", "customerId", "facilityId", "slot", "currentDeploymentStatusUpdateTimestamp", "serialNumber"];
/** The file has the place as one text, and no marks and tooltips. */
const inNoFile = ["customerName", "connected", "deploymentIssue", "locationId", "timezone", "newDeploymentStatusUpdateTimestamp"];
/** NOD-01 does not have them among what the search looks at. */
const unsearched = ["type", "container", "timezone", "deploymentTaskType"];
/** Of the tooltip of a status to come. */
const notNarrow = ["timezone", "newDeploymentStatusUpdateTimestamp"];

/** The fields of the list that nothing reads. */
function unread(show: (record: NodeRecord) => unknown, left: readonly string[] = []): string[] {
  const read = new Set<string>();
  // Its next status is awaited.
  const plain = {
    isAssigned: true,
    currentDeploymentStatus: "Deployed",
    timezone: "UTC",
    newDeploymentStatusUpdateTimestamp: 1_790_000_000,
  } as NodeListRow;
  const node = new Proxy(plain, {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name) ?? "";
    },
  });
  const [record] = recordsOf([node]);
  read.clear();
  show(record!);
  return Object.keys(NodeListRow.shape).filter((name) => !read.has(name) && !unshown.includes(name) && !left.includes(name));
}
const drawn = (content: ReactNode) => renderToStaticMarkup(content);

test("every field of the list is in the table", () => {
  expect(unread((record) => drawn(nodeColumns.map((column) => cellOf(column, record, on))))).toEqual([]);
});

test("every field of the list is in the item of a narrow screen", () => {
  expect(unread((record) => drawn(ItemParts({ columns: nodeColumns, row: record, on })), notNarrow)).toEqual([]);
});

test("every text of the list is searched, or passed by on purpose", () => {
  const texts = Object.entries(NodeListRow.shape)
    .filter(([, { _zod }]) => _zod.def.type === "string")
    .map(([name]) => name);
  const left = Object.keys(NodeListRow.shape).filter((name) => !texts.includes(name));
  expect(texts).toEqual(expect.arrayContaining(["customerCode", "facilityName"]));
  expect(unread((record) => searchTextOf(nodeColumns, record), [...left, ...unsearched])).toEqual([]);
});

test("on a narrow screen a chosen column has a line of its own where the one that says it is hidden", () => {
  const record = recordsOf([{ ...({} as NodeListRow), notifyOnConnect: true, container: "Crate 7" }])[0]!;
  const item = drawn(ItemParts({ columns: nodeColumns.filter(({ label }) => /^(On Connect|Container)$/.test(label)), row: record, on }));
  expect(item).toContain('<span class="dim">On Connect</span>');
  expect(item).toContain('<span class="dim">Container</span>');
  expect(item).toContain("Crate 7");
});

test("every field of the list is in the file", () => {
  expect(unread((record) => csvLines(nodeColumns, [record]), inNoFile)).toEqual([]);
});

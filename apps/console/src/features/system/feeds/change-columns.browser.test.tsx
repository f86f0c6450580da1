import type { Change } from "@busbar/contract/system/changes.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { DataTable } from "#ui/data-table.tsx";
import { theme } from "#ui/theme.ts";
import { csvLines } from "#ui/column.ts";
import { changeColumns, fileColumns, fileLinesOf } from "./change-columns.tsx";
import { changedValuesOf } from "./changed-values.tsx";

const change = (id: number, object: string, more: Partial<Change> = {}): Change => ({
  id,
  timestamp: 1_790_000_000,
  actorType: "User",
  actor: "kim",
  action: "PATCH_NODE",
  object,
  within: null,
  description: `Change ${id}`,
  before: null,
  after: null,
  ...more,
});

const show = (rows: readonly Change[]) =>
  render(
    <MantineProvider theme={theme}>
      <DataTable
        columns={changeColumns}
        rows={rows}
        keyOf={({ id }) => id}
        on={{ onPutBack: () => undefined, onPerson: undefined, onHistory: undefined }}
        isUnnamed
      />
    </MantineProvider>,
  );

test("a change leads to what it was about, of a note to its place, and of what a node did to the node", async () => {
  const rows = [
    change(1, "location/7"),
    change(2, "user/8"),
    change(3, "batch/9"),
    change(4, "bulk/10"),
    change(5, "note/11", { within: "location/7" }),
    change(6, "node/10101", { action: "PATCH_TASK", within: "task/101" }),
    change(7, "10102_20261122T132100Z_E0001.cev", { actorType: "Node", actor: "10102" }),
    change(8, ""),
  ];
  const screen = await show(rows);
  const hrefOf = ({ description }: Change) =>
    screen.getByRole("row").filter({ hasText: description }).getByRole("link").elements()[0]?.getAttribute("href");
  await expect.element(screen.getByRole("link", { name: "User 8" })).toBeVisible();
  expect(rows.map(hrefOf)).toEqual([
    "#/customers?location=7",
    "#/users/8",
    "#/batches/9",
    "#/bulk/10",
    "#/customers?location=7",
    "#/nodes/10101",
    "#/nodes/10102",
    undefined,
  ]);
});

test("of many values the first are shown, fewer of what was made, and all on demand", async () => {
  const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`value${index}`, index]));
  const changed = (id: number, count: number) => change(id, "node/10101", { before: values(count), after: values(count) });
  const made = (id: number, count: number) => change(id, "node/10101", { after: values(count) });
  const screen = await show([changed(1, 6), changed(2, 7), made(3, 2), made(4, 3)]);
  const shown = () =>
    screen
      .getByRole("row")
      .elements()
      .slice(1)
      .map((row) => [row.querySelectorAll("dt").length, row.querySelector(".changed-values-more")?.textContent]);
  expect(shown()).toEqual([
    [6, undefined],
    [6, "Show all 7 values"],
    [2, undefined],
    [2, "Show all 3 values"],
  ]);
  await screen.getByRole("button", { name: "Show all 7 values" }).click();
  expect(shown()[1]).toEqual([7, "Show fewer values"]);
});

test("values are in words; an empty one is said of what was changed, not of what was made", () => {
  const before = { id: 1, siteName: "", managers: [], place: null, isOpen: true };
  const after = { id: 1, siteName: "North", managers: [2, 3], place: "", isOpen: false };
  expect(changedValuesOf({ before, after })).toEqual([
    { name: "Site Name", before: "(empty)", after: "North" },
    { name: "Managers", before: "(empty)", after: "2, 3" },
    { name: "Place", before: "(empty)", after: "(empty)" },
    { name: "Is Open", before: "yes", after: "no" },
  ]);
  expect(changedValuesOf({ before: null, after: before })).toEqual([{ name: "Is Open", before: undefined, after: "yes" }]);
});

test("in a file each value of a change is a line, and a change without values one", () => {
  const rows = [change(1, "node/10101", { before: { name: "Fan", poles: 4 }, after: { name: "Pump", poles: 2 } }), change(2, "user/8")];
  const lines = csvLines(fileColumns, fileLinesOf(rows)).slice(1);
  expect(lines.map((line) => line.filter((cell) => /^(Change \d|Fan|Pump|4|2)$/.test(String(cell))))).toEqual([
    ["Change 1", "Fan", "Pump"],
    ["Change 1", "4", "2"],
    ["Change 2"],
  ]);
});

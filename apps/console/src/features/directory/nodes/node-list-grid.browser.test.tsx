import { MantineProvider } from "@mantine/core";
import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { useMemo } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-list.css";
import { useRowSelection } from "#ui/use-row-selection.ts";
import { ChosenNodes } from "#ui/chosen-nodes.tsx";
import { NodeGrid } from "./node-list-grid.tsx";
import { recordsOf } from "./node-list-view.ts";

const placed = {
  serialNumber: "11204",
  type: "Node",
  container: "Rack 4",
  isAssigned: true,
  locationId: 7,
  customerCode: "threerivervalleyswaterauthority",
  customerName: "Three River Valleys Water",
  facilityName: "Harrow Lake Intake",
  locationName: "Backwash Pump 12",
  currentDeploymentStatus: "Pre-Deployment",
  newDeploymentStatus: "Decommissioned",
  deploymentIssue: true,
  deploymentTaskType: "NL-NF",
  dataPointInterval: 86_400,
  connected: false,
  newDeploymentStatusUpdateTimestamp: 1_790_000_000,
} as NodeListRow;
/** What the shell leaves of a screen of 1440 pixels. */
const contentWidth = 1_160;

async function show(nodes: NodeListRow[], hasAllColumns = false) {
  await page.viewport(1440, 900);
  const on = () => {};
  return await render(
    <MantineProvider>
      <div className="list-page" style={{ height: 600, width: contentWidth }}>
        <NodeGrid
          records={recordsOf(nodes)}
          criteria={{
            filterText: "",
            show: new Set(),
            place: "all",
            sort: "serial",
            isDescending: false,
            columns: hasAllColumns ? "all" : "",
          }}
          onSort={on}
          actions={{ onEditNode: on, onEditLocation: on, onEditConfig: on }}
        />
      </div>
    </MantineProvider>,
  );
}
const scroller = () => document.querySelector<HTMLElement>(".grid-scroller")!;
const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1;

test("A-28 a long code does not push the customer's name away, statuses are shown whole, and nothing scrolls sideways at 1440 pixels", async () => {
  const screen = await show([placed]);
  await expect.element(screen.getByText("Next: Decommissioned")).toBeVisible();
  expect(isCut(screen.getByText("Three River Valleys Water").element())).toBe(false);
  expect([...document.querySelectorAll(".cell-line:has(.status-badge)")].filter(isCut).map(({ textContent }) => textContent)).toEqual([]);
  expect([scroller().scrollWidth, scroller().dataset["more"]]).toEqual([scroller().clientWidth, ""]);
});

test("A-28 a node that is nowhere is said to be so, beside where it was last", async () => {
  const screen = await show([
    { ...placed, isAssigned: false, locationId: null },
    { ...placed, serialNumber: "11205", isAssigned: false, locationId: null, customerName: "", facilityName: "", locationName: "" },
  ]);
  await expect.element(screen.getByText("Last known: Three River Valleys Water / Harrow Lake Intake / Backwash Pump 12")).toBeVisible();
  expect(screen.getByText("At no location").elements()).toHaveLength(2);
});

test("A-33 with all columns the serial number is pinned, and edges show where there is more", async () => {
  const screen = await show([placed], true);
  await expect.poll(() => scroller().dataset["more"]).toBe("right");
  const serial = screen.getByRole("gridcell", { name: /11204/ }).first().element();
  const { left } = serial.getBoundingClientRect();
  scroller().scrollLeft = 200;
  await expect.poll(() => scroller().dataset["more"]).toBe("left right");
  expect(serial.getBoundingClientRect().left).toBe(left);
  expect(getComputedStyle(serial).borderRightWidth).toBe("2px");
  scroller().scrollLeft = scroller().scrollWidth;
  await expect.poll(() => scroller().dataset["more"]).toBe("left");
});

test("CFG-06 rows are chosen with Space, with Shift as a range, and all that match, also those out of sight", async () => {
  await page.viewport(1440, 900);
  const records = recordsOf(Array.from({ length: 200 }, (_, index) => ({ ...placed, serialNumber: String(11_300 + index) })));
  function Chooser({ shown }: { shown: typeof records }) {
    const keys = useMemo(() => shown.map(({ serial }) => serial), [shown]);
    const selection = useRowSelection(keys);
    const on = () => {};
    return (
      <MantineProvider>
        <div className="list-page" style={{ height: 600, width: contentWidth }}>
          <ChosenNodes
            selection={selection}
            matching={shown}
            configureHref={(serials) => `#${serials.length}`}
            editManyHref={(serials) => `#/bulk/new?nodes=${serials.join(".")}`}
            editLocationsHref={(serials) => `#/bulk/new?locations=${serials.size}`}
          />
          <NodeGrid
            records={shown}
            criteria={{ filterText: "", show: new Set(), place: "all", sort: "serial", isDescending: false, columns: "" }}
            onSort={on}
            actions={{ onEditNode: on, onEditLocation: on, onEditConfig: on, selection }}
          />
        </div>
      </MantineProvider>
    );
  }
  const screen = await render(<Chooser shown={records} />);
  // What is not drawn keeps its room: in the middle is the middle row.
  const head = scroller().querySelector("thead")!.clientHeight;
  const rowAt = (y: number) =>
    document
      .elementFromPoint(200, scroller().getBoundingClientRect().top + y)
      ?.closest("[data-row]")
      ?.getAttribute("data-row");
  const { scrollHeight } = scroller();
  scroller().scrollTop = scrollHeight / 2;
  const middle = String(Math.floor((scrollHeight / 2 + 10) / ((scrollHeight - head) / 200)));
  await expect.poll(() => rowAt(head + 10)).toBe(middle);
  scroller().scrollTop = 0;
  await expect.poll(() => rowAt(head + 10)).toBe("0");
  const row = document.querySelector<HTMLElement>("[data-row='0']")!;
  row.focus();
  await userEvent.keyboard(" {ArrowDown}{ArrowDown}{ArrowDown}{Shift>} {/Shift}");
  await expect.element(screen.getByText("4 nodes chosen")).toBeVisible();
  await screen.getByRole("checkbox", { name: "Choose 11302" }).click();
  await expect.element(screen.getByRole("link", { name: "Configure…" })).toHaveAttribute("href", "#3");
  await expect.element(screen.getByRole("link", { name: "Edit locations…" })).toHaveAttribute("href", "#/bulk/new?locations=3");
  await screen.getByRole("checkbox", { name: "Choose all 200" }).click();
  await expect.element(screen.getByText("200 nodes chosen")).toBeVisible();
  await screen.rerender(<Chooser shown={records.slice(0, 5)} />);
  await expect.element(screen.getByText("200 nodes chosen, 195 not shown")).toBeVisible();
  expect(scroller().scrollWidth).toBe(scroller().clientWidth);
  // Neither the last row nor the first is walked past.
  document.querySelector<HTMLElement>("[data-row='1']")!.focus();
  for (const [keys, row] of [
    ["{End}{ArrowDown}", "4"],
    ["{ArrowUp}", "3"],
    ["{Home}{ArrowUp}", "0"],
  ] as const) {
    await userEvent.keyboard(keys);
    await expect.poll(() => document.activeElement?.getAttribute("data-row")).toBe(row);
  }
});

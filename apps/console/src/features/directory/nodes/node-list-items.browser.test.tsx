import { MantineProvider } from "@mantine/core";
import type { NodeListRow } from "@busbar/contract/directory/nodes.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-list.css";
import { criteriaOf } from "./node-list-criteria.ts";
import { NodeGrid } from "./node-list-grid.tsx";
import { NodeListTools } from "./node-list-tools.tsx";
import { recordsOf } from "./node-list-view.ts";

const node = {
  serialNumber: "10101",
  type: "GERelay",
  container: "Crate with a name that is as long as the list allows, which is more than a telephone is wide",
  customerCode: "threerivervalleyswaterauthority",
  customerName: "Three River Valleys Water Authority",
  facilityName: "Harrow Lake Intake and Pumping Station",
  locationName: "Backwash Pump 12, north side",
  currentDeploymentStatus: "Pre-Deployment",
  newDeploymentStatus: "Unassigned",
  deploymentIssue: true,
  deploymentTaskType: "NL-NF",
  dataPointInterval: 86_400,
  notifyOnConnect: true,
  notifyOnCurrentAboveNoise: true,
  showRawPower: true,
} as NodeListRow;

test("NOD-04 NOD-07 on a telephone no status is cut off, and everything of a node fits into its item", async () => {
  await page.viewport(390, 844);
  const on = () => {};
  const screen = await render(
    <MantineProvider>
      <div className="list-page" style={{ height: 600 }}>
        <NodeGrid
          records={recordsOf([node])}
          criteria={{ ...criteriaOf({}), columns: "all" }}
          onSort={on}
          actions={{ onEditNode: on, onEditLocation: on, onEditConfig: on }}
        />
      </div>
    </MantineProvider>,
  );
  const item = screen.getByRole("listitem");
  await expect.element(item.getByText("Next: Unassigned")).toBeVisible();
  const cut = [...item.element().querySelectorAll(".cell-line:has(.status-badge)")].filter((part) => {
    const { right, bottom } = part.getBoundingClientRect();
    const box = item.element().getBoundingClientRect();
    return part.scrollWidth > part.clientWidth + 1 || right > box.right || bottom > box.bottom;
  });
  expect(cut.map(({ textContent }) => textContent)).toEqual([]);
  await expect.element(item.getByText(/name plate not valid/)).toBeVisible();
});

async function showToChoose(width: number) {
  await page.viewport(width, 844);
  const on = () => {};
  const screen = await render(
    <MantineProvider>
      <div className="list-page" style={{ height: 600 }}>
        <NodeGrid
          records={recordsOf([{ ...node, newDeploymentStatusUpdateTimestamp: 1_790_000_000, timezone: "UTC" }])}
          criteria={criteriaOf({})}
          onSort={on}
          actions={{
            onEditNode: on,
            onEditLocation: on,
            onEditConfig: on,
            selection: { chosen: new Set<string>(), toggle: on, choose: on },
          }}
        />
      </div>
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("link", { name: "10101", exact: true })).toBeVisible();
}

test("on a telephone a row's box, its serial number and its buttons are reached by Tab", async () => {
  await showToChoose(390);
  const stops = [...document.querySelectorAll<HTMLElement>("li a, li button, li input")].filter(({ tabIndex }) => tabIndex === 0);
  const names = stops.map((stop) => stop.getAttribute("aria-label") ?? stop.textContent);
  expect(names.slice(0, 2)).toEqual(["Choose 10101", "10101"]);
  expect(names).toContain("Edit node 10101");
});

test("in the table they are reached by the arrows of the row, which is one stop", async () => {
  await showToChoose(1280);
  expect(document.querySelectorAll('[data-row] :is(a, button, input):not([tabindex="-1"])')).toHaveLength(0);
  document.querySelector<HTMLElement>("[data-row]")?.focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  expect(document.activeElement?.textContent).toBe("10101");
});

test.each([
  ["customer-3", "Three River"],
  ["facility-4", "Customer or facility without nodes"],
  ["all", "All Facilities"],
])("the choice of places says what an address of %s filters by", async (place, words) => {
  const places = [{ group: "Customers", items: [{ value: "customer-3", label: "Three River" }] }];
  const screen = await render(
    <MantineProvider>
      <NodeListTools criteria={criteriaOf({ place })} places={places} onChange={() => {}} />
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("combobox", { name: "Customer or facility" })).toHaveValue(words);
});

import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { pageCookies } from "#lib/cookies.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { customerOf, facilityOf, locationOf, nodeOf } from "./customers.fixture.ts";
import { CustomersScreen } from "./customers-screen.tsx";
import type { TreeRequest } from "./tree-actions.ts";

const retired = (serialNumber: string, retiredCustomer = "") => ({
  serialNumber,
  facilityName: "Old Yard",
  siteName: "Yard",
  retiredCustomer,
  retiredFacility: retiredCustomer && "Mill",
  retiredLocation: retiredCustomer && "Saw",
  decommissionedTimestamp: 0,
});
const pump = {
  ...locationOf(100, "Feed Pump", [
    nodeOf("10101", { newDeploymentStatus: "Decommissioned", monitorMissingData: false, monitorDailyProgress: false }),
    nodeOf("10102", { type: "SEL", container: "Box 7", deploymentTaskType: "Swap", monitorDataPointAlerts: false }),
  ]),
  assetLocationNumber: "A-7",
};
const customers = [
  customerOf(
    1,
    "alder",
    "Alder Pumping",
    [
      facilityOf(10, "North Works", [pump, locationOf(101, "Spare")], {
        siteName: "Salem",
        division: "Lumber",
        type: "Internal",
        managers: [7],
      }),
      facilityOf(11, "Tiny Works"),
    ],
    {
      type: "Internal",
      decommissionedNodes: [retired("19001"), retired("19002", "Alder")],
    },
  ),
  customerOf(2, "birch", "Birch Mill"),
];

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  vi.restoreAllMocks();
  for (const name of ["admin-expanded-memory", "admin-expanded-customer", "admin-expanded-facility"]) pageCookies.remove(name);
});

async function open(answer: () => unknown = () => customers, { mayMoveLocations = true, filterText = "" } = {}) {
  const requests: TreeRequest[] = [];
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  function Held() {
    const [text, setText] = useState(filterText);
    return (
      <CustomersScreen
        filterText={text}
        onFilter={setText}
        permissions={{ mayMoveLocations }}
        onRequest={(request) => requests.push(request)}
      />
    );
  }
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={fakeApi({ "GET /customers": answer, "GET /find": () => [] }).call}>
          <Held />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, requests, queries };
}
const rows = () => [...document.querySelectorAll(".tree-row")];
const facts = () =>
  rows().map((row) => [...row.querySelectorAll(".tree-name, .tree-facts > *")].map(({ textContent }) => textContent).join(" | "));
const names = () => rows().map((row) => `${row.getAttribute("aria-level")} ${row.querySelector(".tree-name")?.textContent}`);
const active = () => document.activeElement?.querySelector(".tree-name")?.textContent;

test("CUS-01 each row says its facts, and how many of everything there are", async () => {
  const { screen } = await open();
  const search = screen.getByRole("searchbox");
  await expect.element(screen.getByText("2 customers, 2 locations")).toBeVisible();
  expect(names()).toEqual(["1 Alder Pumping", "1 Birch Mill"]);
  await search.fill("alder");
  await expect.poll(() => rows().length).toBe(10);
  expect(facts()).toEqual([
    "Alder Pumping | alder | Internal | 2 facilities | 2 locations | 2 decommissioned",
    "North Works | Salem | Lumber | Internal | 2 locations | 1 manager",
    "Feed Pump | InductionMotor | A-7",
    "10101 | Deployed | Next: Decommissioned | Primary | Node | not monitored: missing data, daily progress",
    "10102 | Deployed | Secondary | SEL Relay | Swap | Box 7 | not monitored: data point alerts",
    "Spare | InductionMotor | no node",
    "Tiny Works | 0 locations",
    "Decommissioned nodes",
    "19001 | Decommissioned | Old Yard, Yard",
    "19002 | Decommissioned | Old Yard, Yard | last at Alder / Mill / Saw",
  ]);
  await expect.element(screen.getByText("1 of 2 customers, 2 locations")).toBeVisible();
  await search.fill("spare");
  await expect.element(screen.getByText("1 of 2 customers, 1 of 2 locations")).toBeVisible();
  await search.fill("nowhere");
  await expect.element(screen.getByText("Nothing matches “nowhere”")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Export CSV" })).toBeDisabled();
  await screen.getByRole("button", { name: "Show all customers" }).click();
  await expect.element(search).toHaveValue("");
  await expect.poll(names).toEqual(["1 Alder Pumping", "1 Birch Mill"]);
  expect(screen.getByRole("button", { name: "Clear filter" }).elements()).toEqual([]);
});

test("a row offers what can be done with it, and what is asked for is of that row", async () => {
  const { screen, requests } = await open(undefined, { filterText: "alder" });
  await expect.poll(() => rows().length).toBe(10);
  const offered = () => rows().map((row) => [...row.querySelectorAll(".tree-action")].map((action) => action.getAttribute("aria-label")));
  const [alder, works, feedPump, first, second, spare, , list, gone] = offered();
  expect(alder).toEqual([
    "Add facility to Alder Pumping",
    "Edit customer Alder Pumping",
    "Add decommissioned node to Alder Pumping",
    "Delete customer Alder Pumping",
  ]);
  expect(works).toEqual([
    "Add location to North Works",
    "Edit facility North Works",
    "Managers of North Works",
    "Move facility North Works",
    "Delete facility North Works",
  ]);
  expect(feedPump).toEqual([
    "Edit location Feed Pump",
    "Notes for Feed Pump",
    "Trends of Feed Pump",
    "Move location Feed Pump",
    "Delete location Feed Pump",
  ]);
  expect(spare).toEqual(["Edit location Spare", "Notes for Spare", "Move location Spare", "Delete location Spare"]);
  expect([first, second]).toEqual(["10101", "10102"].map((serial) => [`Edit node ${serial}`, `Swap node ${serial}…`]));
  expect([list, gone]).toEqual([["Add decommissioned node to Alder Pumping"], ["Delete decommissioned node 19001"]]);
  for (const name of offered()
    .flat()
    .filter((label) => !label!.startsWith("Trends"))) {
    const button = screen.getByRole("button", { name: name!, exact: true }).first();
    (button.element() as HTMLElement).click();
  }
  const customer = customers[0]!;
  const facility = customer.facilities[0]!;
  const ofLocation = (locationId: number) =>
    ["location", "location-notes", "move-location", "delete-location"].map((kind) => ({ kind, locationId }));
  const ofFacility = (place: typeof facility) => [
    { kind: "add-location", customerId: 1, facilityId: place.id, facilityName: place.name },
    ...["edit-facility", "facility-managers", "move-facility", "delete-facility"].map((kind) => ({ kind, customer, facility: place })),
  ];
  expect(requests).toEqual([
    ...["add-facility", "edit-customer", "add-decommissioned-node", "delete-customer"].map((kind) => ({ kind, customer })),
    ...ofFacility(facility),
    ...ofLocation(100),
    ...["10101", "10102"].flatMap((serial) => [
      { kind: "node", serial },
      { kind: "swap-node", serial },
    ]),
    ...ofLocation(101),
    ...ofFacility(customer.facilities[1]!),
    { kind: "add-decommissioned-node", customer },
    ...customer.decommissionedNodes.map((node) => ({ kind: "delete-decommissioned-node", customer, node })),
  ]);
});

test("only who may moves a location; a narrow row has a menu", async () => {
  await page.viewport(390, 800);
  const { screen, requests } = await open(undefined, { filterText: "spare", mayMoveLocations: false });
  await expect.poll(() => rows().length).toBe(3);
  await screen.getByRole("button", { name: "Actions of Spare" }).click();
  const items = screen.getByRole("menuitem");
  await expect
    .poll(() => items.elements().map(({ textContent }) => textContent))
    .toEqual(["Edit location Spare", "Notes for Spare", "Delete location Spare"]);
  await items.nth(2).click();
  expect(requests).toEqual([{ kind: "delete-location", locationId: 101 }]);
  await expect.element(items.first()).not.toBeInTheDocument();
});

test("CUS-01 the tree is walked with the keyboard", async () => {
  const { requests } = await open();
  await expect.poll(() => rows().length).toBe(2);
  (rows()[0] as HTMLElement).focus();
  const press = async (keys: string, name: string) => {
    await userEvent.keyboard(keys);
    await expect.poll(active).toBe(name);
  };
  await press("{ArrowDown}", "Birch Mill");
  await press("{ArrowDown}", "Birch Mill");
  await press("{Home}", "Alder Pumping");
  await press("{ArrowUp}", "Alder Pumping");
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(names).toEqual(["1 Alder Pumping", "2 North Works", "2 Tiny Works", "2 Decommissioned nodes", "1 Birch Mill"]);
  await press("{ArrowRight}", "North Works");
  await press("{ArrowLeft}", "Alder Pumping");
  await press("{End}", "Birch Mill");
  await press("t", "Tiny Works");
  await press("{PageDown}", "Birch Mill");
  await press("{PageUp}", "Alder Pumping");
  await press("{ArrowDown}", "North Works");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => rows().length).toBe(7);
  await press("{ArrowDown}{ArrowDown}", "Spare");
  expect(requests).toEqual([]);
  await userEvent.keyboard("{Enter}");
  expect(requests).toEqual([{ kind: "location", locationId: 101 }]);
  await press("{ArrowLeft}", "North Works");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.poll(() => rows().length).toBe(5);
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => rows().length).toBe(7);
  expect(rows().map((row) => [row.getAttribute("aria-posinset"), row.getAttribute("aria-setsize"), row.getAttribute("tabindex")])).toEqual([
    ["1", "2", "-1"],
    ["1", "3", "0"],
    ["1", "2", "-1"],
    ["2", "2", "-1"],
    ["2", "3", "-1"],
    ["3", "3", "-1"],
    ["2", "2", "-1"],
  ]);
  expect(rows().map((row) => row.getAttribute("aria-expanded"))).toEqual(["true", "true", "false", null, null, "false", null]);
});

test("a letter goes on to the next row of that name, more letters stay on the one they mean", async () => {
  await open(() => [customerOf(1, "alder", "Alder Pumping"), customerOf(2, "ash", "Ash Mill"), customerOf(3, "birch", "Birch Mill")]);
  await expect.poll(() => rows().length).toBe(3);
  (rows()[0] as HTMLElement).focus();
  await userEvent.keyboard("a");
  await expect.poll(active).toBe("Ash Mill");
  await userEvent.keyboard("s");
  await userEvent.keyboard("h");
  await expect.poll(active).toBe("Ash Mill");
});

test("CUS-03 what was expanded last is remembered once that is wanted, and what a filter opens is not", async () => {
  const { screen } = await open();
  await expect.poll(() => rows().length).toBe(2);
  const openers = () => document.querySelectorAll<HTMLElement>(".tree-opener.has-more");
  const remembered = () => ["memory", "customer", "facility"].map((part) => pageCookies.read(`admin-expanded-${part}`));
  openers()[0]!.click();
  await expect.poll(() => rows().length).toBe(5);
  expect(remembered()).toEqual([undefined, undefined, undefined]);
  await screen.getByRole("checkbox", { name: "Remember last expansion" }).click();
  expect(remembered()).toEqual(["true", "1", undefined]);
  openers()[1]!.click();
  await expect.poll(() => rows().length).toBe(7);
  expect(remembered()).toEqual(["true", "1", "10"]);
  await screen.getByRole("searchbox").fill("north");
  await expect.poll(() => rows().length).toBe(6);
  openers()[0]!.click();
  await expect.poll(() => rows().length).toBe(1);
  expect(remembered()).toEqual(["true", "1", "10"]);
  await screen.unmount();

  const again = await open();
  await expect.poll(() => rows().length).toBe(7);
  await expect.element(again.screen.getByRole("checkbox", { name: "Remember last expansion" })).toBeChecked();
  openers()[1]!.click();
  await expect.poll(remembered).toEqual(["true", "1", undefined]);
  openers()[0]!.click();
  await expect.poll(remembered).toEqual(["true", undefined, undefined]);
  await again.screen.getByRole("checkbox", { name: "Remember last expansion" }).click();
  expect(remembered()).toEqual([undefined, undefined, undefined]);
});

test("the file has the locations that the filter lets through", async () => {
  const { screen } = await open(undefined, { filterText: "feed" });
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${files.push(blob as Blob)}`);
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const exported = async () => {
    await screen.getByRole("button", { name: "Export CSV" }).click();
    return (await files.at(-1)!.text())
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(",")[8]);
  };
  expect(await exported()).toEqual(["Location", "Feed Pump"]);
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe("customers.csv");
  await screen.getByRole("button", { name: "Clear filter" }).click();
  await expect.element(screen.getByText("2 customers, 2 locations")).toBeVisible();
  expect(await exported()).toEqual(["Location", "Feed Pump", "Spare"]);
});

test("no customer, none to be had, and none newer are said", async () => {
  let answer: () => unknown = () => {
    throw new ApiError(503, "AWAY", "The database is away.");
  };
  const { screen, queries, requests } = await open(() => answer());
  await expect.element(screen.getByRole("alert").getByText("The database is away.")).toBeVisible();
  answer = () => [];
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("There is no customer yet")).toBeVisible();
  await screen.getByRole("button", { name: "Add customer" }).last().click();
  await screen.getByRole("button", { name: "Add customer" }).first().click();
  expect(requests).toEqual([{ kind: "add-customer" }, { kind: "add-customer" }]);
  answer = () => {
    throw new ApiError(503, "AWAY", "The database is away.");
  };
  await queries.refetchQueries();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The database is away. Last updated just now.Try again");
});

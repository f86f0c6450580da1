import type { FacilityNode, FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { mostTrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { FacilityScreen } from "./facility-screen.tsx";

const now = () => Math.floor(Date.now() / 1000);
const node = (
  serialNumber: string,
  gravity: "act" | "look" | "note" | "fine" | null,
  changed: Partial<FacilityNode> = {},
): FacilityNode => ({
  serialNumber,
  type: "Node",
  currentDeploymentStatus: "Deployed",
  locationId: 1,
  locationName: `Fan ${serialNumber}`,
  isSecondary: false,
  connected: true,
  lastScalarTimestamp: null,
  openAlarmCount: 0,
  verdict: gravity && { kind: "away", gravity, sentence: `It is ${gravity}.`, since: null },
  ...changed,
});
const person = (userId: number, firstName: string, username = "") => ({ userId, firstName, lastName: "", username });
const facility: FacilityOverview = {
  id: 12,
  facilityName: "North & South",
  siteName: "Salem",
  division: "Lumber",
  customerId: 1,
  customerName: "Alder Pumping",
  timezones: [{ timezone: "UTC" }, { timezone: "America/Chicago" }],
  locationCount: 1,
  nodes: [
    node("10101", "fine"),
    node("10102", null, { isSecondary: true, connected: false, currentDeploymentStatus: "Pre-Deployment" }),
    node("10103", "act", { openAlarmCount: 2, lastScalarTimestamp: now() - 7_200 }),
    node("10104", "note"),
  ],
  outages: [
    { fromTimestamp: 1_790_000_000, toTimestamp: null, nodeCount: 3 },
    { fromTimestamp: 1_780_000_000, toTimestamp: 1_780_000_060, nodeCount: 2 },
  ],
  managers: [person(7, "Rowan"), person(9, "", "ingrid")],
  subscribers: [
    { ...person(7, "Rowan"), frequency: "Daily" },
    { ...person(8, "Lee"), frequency: "Weekly" },
  ],
};

async function open(answer: () => FacilityOverview, id = "12") {
  const api = fakeApi({ "GET /facilities/{id}/overview": answer });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <FacilityScreen
            id={id}
            renderVerbs={({ facilityName }) => <em>Verbs of {facilityName}</em>}
            renderNotices={({ facilityName }) => <b>Notices of {facilityName}</b>}
          />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, api, queries };
}
const texts = (elements: Iterable<Element>) => [...elements].map(({ textContent }) => textContent);

test("a facility shows its nodes by gravity, its outages and its people, and leads to what others show of it", async () => {
  const { screen, api } = await open(() => facility);
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Facility North & South");
  await expect.element(screen.getByText("Salem, Lumber, 1 location, 4 nodes")).toBeVisible();
  await expect.element(screen.getByText("Verbs of North & South")).toBeVisible();
  await expect.element(screen.getByText("Notices of North & South")).toBeVisible();
  expect(texts(document.querySelectorAll(".local-time")).map((text) => text?.replaceAll(/\d/g, "0"))).toEqual([
    "Local time 0000-00-00 00:00:00 UTC UTC",
    expect.stringMatching(/^Local time 0000-00-00 00:00:00 C[SD]T America\/Chicago$/),
  ]);
  const nodes = screen.getByRole("region", { name: "Nodes by verdict" });
  expect(texts(nodes.element().querySelectorAll(".facility-count"))).toEqual(["▲ 1 act now", "○ 2 known", "● 1 fine"]);
  expect(texts(nodes.element().querySelectorAll("h3, li"))).toEqual([
    "Act now",
    "▲ 10103 Fan 10103 2 open alarmsIt is act. connected, last scalar 2 hours ago",
    "Known",
    "○ 10102 Fan 10102 secondary Pre-DeploymentNot judged yet. not connected",
    "○ 10104 Fan 10104It is note. connected",
    "Fine",
    "● 10101 Fan 10101It is fine. connected",
  ]);
  expect(texts(screen.getByRole("region", { name: "Outages" }).element().querySelectorAll("li"))).toEqual([
    "3 nodes, 2026-09-21 14:13:20 UTC not over",
    "2 nodes, 2026-05-28 20:26:40 UTC to 2026-05-28 20:27:40 UTC",
  ]);
  const people = screen.getByRole("region", { name: "People who are notified" }).element();
  expect(texts(people.querySelectorAll(".panel-aside, li"))).toEqual([
    "2",
    "Rowan Daily, manager",
    "Lee Weekly",
    "ingrid manager, not subscribed",
  ]);
  expect([...people.querySelectorAll("a")].map(({ hash }) => hash)).toEqual(["#/users/7", "#/users/8", "#/users/9"]);
  const filter = "?filterText=North%20%26%20South";
  for (const [name, href] of [
    ["Alder Pumping", "#/customers?filterText=Alder%20Pumping"],
    ["Dashboard", `#/node-dashboard${filter}`],
    ["Trends", "#/trends?series=10101:current,10102:current,10103:current,10104:current"],
    ["Customers", `#/customers${filter}`],
    ["Incidents", "#/incidents?state=all&facility=12"],
    ["Changes", "#/changes?object=facility/12"],
  ] as const)
    await expect.element(screen.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  expect(api.asked.map(({ input }) => input)).toEqual([{ params: { id: "12" } }]);
});

test("a facility without anything says so of each part, and its site only where that is another name", async () => {
  const { screen } = await open(() => ({
    ...facility,
    siteName: facility.facilityName,
    division: "",
    timezones: [],
    locationCount: 0,
    nodes: [],
    outages: [],
    managers: [],
    subscribers: [],
  }));
  await expect.element(screen.getByText("0 locations, 0 nodes")).toBeVisible();
  for (const sentence of [
    "Local time is not known: there is no location yet.",
    "No node is at a location of this facility.",
    "No nodes were lost together.",
    "No one subscribes to this facility.",
  ])
    await expect.element(screen.getByText(sentence)).toBeVisible();
  expect(screen.getByRole("link", { name: "Trends" }).elements()).toEqual([]);
  expect(texts(document.querySelectorAll(".panel-aside"))).toEqual(["", "last 30 days"]);
});

test("the trends begin with as many nodes as they can show", async () => {
  const { screen } = await open(() => ({
    ...facility,
    nodes: Array.from({ length: 30 }, (_, index) => node(String(10_001 + index), "fine")),
  }));
  await expect.element(screen.getByRole("link", { name: "Trends" })).toBeVisible();
  const href = screen.getByRole("link", { name: "Trends" }).element().getAttribute("href")!;
  expect(href.split(",")).toHaveLength(mostTrendSeries);
});

test.for([
  [404, "There is no facility 12.", "There is no facility 12."],
  [400, "id is a number", "This address names no facility: it ends with a number."],
] as const)("an address that names none (%d) says so and leads on", async ([status, message, shown]) => {
  const { screen } = await open(() => {
    throw new ApiError(status, "NONE", message);
  });
  await expect.element(screen.getByText(shown)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "All customers" })).toHaveAttribute("href", "#/customers");
  expect(screen.getByRole("button", { name: "Try again" }).elements()).toEqual([]);
});

test("what fails to load is asked for again; what fails later leaves what is shown, with its age", async () => {
  let failure: ApiError | undefined = new ApiError(503, "AWAY", "The database is away.");
  const { screen, queries } = await open(() => {
    if (failure) throw failure;
    return facility;
  });
  await expect.element(screen.getByRole("alert").getByText("The database is away.")).toBeVisible();
  failure = undefined;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Facility North & South");
  expect(screen.getByRole("alert").elements()).toEqual([]);
  failure = new ApiError(503, "AWAY", "The database is away.");
  await queries.refetchQueries();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The database is away. Last updated just now.Try again");
  await expect.element(screen.getByRole("link", { name: "10101" })).toBeVisible();
});

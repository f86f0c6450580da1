import type { Deployment } from "@busbar/contract/directory/deployments.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { DeploymentBoard } from "./deployment-board.tsx";
import { noDeploymentFilter } from "./deployment-groups.ts";

const deployment: Deployment = {
  serialNumber: "10101",
  customerName: "Alder Pumping",
  facilityId: 12,
  facilityName: "North Works",
  locationName: "Feed Pump 1",
  timezone: "America/Chicago",
  deploymentTaskType: "NL-NF",
  currentDeploymentStatus: "Pre-Deployment",
  plannedTimestamp: null,
  completed: 7,
  total: 22,
  taskTemplateId: 108,
  taskName: "Provision credentials",
  state: "turn",
  turn: "workshop",
  reason: "",
  sinceTimestamp: 1_790_000_000,
  movedTimestamp: 1_790_000_000,
  movedBy: "Ann Lee",
};

function show(answer: () => unknown) {
  function Page() {
    const [filter, setFilter] = useState(noDeploymentFilter);
    return <DeploymentBoard filter={filter} onFilter={setFilter} />;
  }
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={fakeApi({ "GET /deployments": answer }).call}>
          <Page />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("the board says that it loads, what failed, and that no deployment is open", async () => {
  let answer = Promise.withResolvers<unknown>();
  const screen = await show(() => answer.promise);
  await expect.element(screen.getByText("Loading the deployments")).toBeInTheDocument();
  answer.reject(new ApiError(503, "UNAVAILABLE", "The database is away"));
  await expect.element(screen.getByRole("alert").getByText("The database is away")).toBeVisible();
  answer = Promise.withResolvers();
  answer.resolve({ total: 0, deployments: [] });
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("No deployment is open")).toBeVisible();
});

test("nodes are cards by facility and state, which lead to its tasks; filters say how many they leave and are taken back", async () => {
  const blocked = { ...deployment, serialNumber: "10102", state: "blocked", reason: "CT is missing", movedBy: "Bo Ray" };
  const elsewhere = { ...deployment, serialNumber: "10103", facilityId: null, facilityName: "", locationName: "", customerName: "" };
  const screen = await show(() => ({ total: 3, deployments: [deployment, blocked, elsewhere] }));
  const works = screen.getByRole("region", { name: "North Works" });
  await expect.element(works.getByRole("list", { name: "Blocked" }).getByText("CT is missing")).toBeVisible();
  const card = works.getByRole("list", { name: "To be done" }).getByRole("link", { name: "10101 Feed Pump 1" });
  await expect.element(card).toHaveAttribute("href", "#/deployments/10101");
  await page.viewport(1200, 800);
  await expect.element(card).toHaveAttribute("href", "#/nodes/10101/tasks");
  await expect.element(screen.getByRole("region", { name: "At no facility" })).toBeVisible();

  await screen.getByRole("button", { name: "▲ Blocked 1" }).click();
  await expect.element(screen.getByText("1 of 3 open deployments")).toBeVisible();
  await screen.getByRole("combobox", { name: "Person who was last at it" }).selectOptions("Ann Lee");
  await expect.element(screen.getByText("No open deployment matches")).toBeVisible();
  await screen.getByRole("button", { name: "Show all" }).first().click();
  await screen.getByRole("searchbox").fill("works 10101 a8");
  await expect.element(screen.getByText("1 of 3 open deployments")).toBeVisible();
  await expect.element(card).toBeVisible();
});

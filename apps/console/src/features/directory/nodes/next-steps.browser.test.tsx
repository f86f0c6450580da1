import type { FreePlace } from "@busbar/contract/directory/free-places.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { AddNodeDialog, NodeDialog } from "./node-dialog.tsx";
import { sampleNode } from "./nodes.fixture.ts";
import { PlaceDialog } from "./place-dialog.tsx";
import { RequestDeployed } from "./request-deployed.tsx";
import { SetNameplateValid } from "./set-nameplate-valid.tsx";

type Answers = Parameters<typeof fakeApi>[0];
const readNode = "GET /nodes/{serial}/details";
const patchNode = "PATCH /nodes/{id}";
const readLocation = "GET /locations/{id}";
const requesting = "POST /nodes/{serial}/deployed";
const placing = "POST /nodes/{serial}/place";

async function show(content: ReactNode, answers: Answers) {
  const api = fakeApi(answers);
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>{content}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, sent: (name: string) => api.asked.filter(({ endpoint }) => endpoint === name).map(({ input }) => input) };
}

const placeOf = (locationId: number, locationName: string, deploymentTaskType: FreePlace["deploymentTaskType"]): FreePlace => ({
  locationId,
  locationName,
  facilityName: "North Works",
  customerName: "Alder Pumping",
  customerCode: "alder",
  deploymentTaskType,
});
const loose = { ...sampleNode, isAssigned: false, locationId: null, locationName: "", slot: null, timezone: null };
const places = () => [placeOf(4, "Feed Pump 1", "NL-EF"), placeOf(5, "Feed Pump 2", "RMA")];

test("after a node was added its place is asked for, and its tasks come next", async () => {
  const onTasks = vi.fn<(serial: string) => void>();
  const { screen, sent } = await show(<AddNodeDialog onClose={() => undefined} onCredentials={() => undefined} onTasks={onTasks} />, {
    "GET /node-containers": () => ["Rack 1"],
    "GET /free-places": places,
    "POST /nodes": () => loose,
    [readNode]: () => loose,
    [placing]: () => sampleNode,
  });
  await screen.getByRole("textbox", { name: "Serial Number" }).fill("10101");
  await screen.getByRole("textbox", { name: "New Container" }).fill("Rack 1");
  await userEvent.keyboard("{Enter}");
  const field = screen.getByRole("combobox", { name: "Location", exact: true });
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard("pump 2");
  await expect.poll(() => sent("GET /free-places").at(-1)).toEqual({ query: { text: "pump 2" } });
  await screen.getByRole("option", { name: "Feed Pump 2 · North Works · Alder Pumping" }).click();
  await expect
    .element(screen.getByRole("combobox", { name: "Deployment Task Version" }).first())
    .toHaveValue("RMA (existing location, replacement node)");
  expect(onTasks).not.toHaveBeenCalled();
  await screen.getByRole("button", { name: "Place and go on to its tasks" }).click();
  await expect.poll(() => onTasks.mock.calls.at(-1)).toEqual(["10101"]);
  expect(sent(placing)).toEqual([{ params: { serial: "10101" }, body: { locationId: 5, deploymentTaskType: "RMA" } }]);
});

test.each([
  [true, "has none", {}],
  [false, "has one", { isAssigned: true }],
  [false, "is decommissioned", { currentDeploymentStatus: "Decommissioned" }],
  [false, "is about to be", { newDeploymentStatus: "Decommissioned" }],
] as const)("a place is offered (%j) to a node that %s", async (isOffered, _which, fields) => {
  const asked: string[] = [];
  const { screen } = await show(
    <NodeDialog
      serial="10101"
      onClose={() => undefined}
      onCredentials={(serial) => asked.push(`credentials of ${serial}`)}
      onPlace={() => asked.push("place")}
    />,
    { [readNode]: () => ({ ...loose, ...fields }), "GET /node-containers": () => ["Rack 1"] },
  );
  await expect.element(screen.getByRole("form", { name: "Node 10101" })).toBeVisible();
  const place = screen.getByRole("button", { name: "Place at a location" });
  expect(place.elements()).toHaveLength(isOffered ? 1 : 0);
  if (isOffered) await place.click();
  await screen.getByRole("button", { name: "Credentials" }).click();
  expect(asked).toEqual([...(isOffered ? ["place"] : []), "credentials of 10101"]);
});

test("a place that was taken meanwhile is named and can be chosen again; who is Deployed already says why", async () => {
  const onClose = vi.fn<() => void>();
  let answer: () => unknown = () => {
    throw new ApiError(409, "CONFLICT", "Node 10107 is at Feed Pump 1 already");
  };
  const { screen, sent } = await show(<PlaceDialog serial="10101" onClose={onClose} />, {
    [readNode]: () => ({ ...loose, newDeploymentStatus: "Deployed", currentDeploymentStatus: "Deployed", deploymentTaskType: "NL-NF" }),
    "GET /free-places": places,
    [placing]: () => answer(),
  });
  await screen.getByRole("combobox", { name: "Location", exact: true }).click();
  await screen.getByRole("option", { name: /^Feed Pump 1/ }).click();
  expect(screen.getByRole("combobox", { name: "Deployment Task Version" }).elements()).toHaveLength(0);
  const button = screen.getByRole("button", { name: "Place" });
  await expect.element(button).toBeDisabled();
  await screen.getByRole("textbox", { name: "Reason for Deployed without a wiring verdict" }).fill("A trial");
  await button.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Node 10107 is at Feed Pump 1 already");
  expect(onClose).not.toHaveBeenCalled();
  answer = () => sampleNode;
  await button.click();
  await expect.poll(() => onClose.mock.calls.length).toBeGreaterThan(0);
  expect(sent(placing).at(-1)).toEqual({ params: { serial: "10101" }, body: { locationId: 4, wiringReason: "A trial" } });
});

test("U-04 where no location fits, the place dialog leads to Customers", async () => {
  const { screen } = await show(<PlaceDialog serial="10101" onClose={() => undefined} />, {
    [readNode]: () => loose,
    "GET /free-places": places,
  });
  await expect.element(screen.getByRole("link", { name: "Customers" })).toHaveAttribute("href", "#/customers");
});

test("B-9 Deployed is requested in one press where the wiring is right, and with a reason beside its verdict where not", async () => {
  const right = { ...sampleNode, lacksWiringVerdict: false, wiringVerdict: "Right." };
  let node = right;
  const answers = {
    [readNode]: () => node,
    [readLocation]: () => ({ billingStartDate: "2026-05-01" }),
    [requesting]: () => ({ ...node, newDeploymentStatus: "Deployed" as const }),
  };
  const first = await show(<RequestDeployed serial="10101" />, answers);
  await expect.element(first.screen.getByText(/Billing starts 2026-05-01\./)).toBeVisible();
  await first.screen.getByRole("button", { name: "Request Deployed" }).click();
  await expect.poll(() => first.sent(requesting)).toEqual([{ params: { serial: "10101" }, body: { revision: 3 } }]);
  await first.screen.unmount();

  node = { ...sampleNode, wiringVerdict: "The CT of phase 2 is turned round." };
  const { screen, sent } = await show(<RequestDeployed serial="10101" />, answers);
  await expect.element(screen.getByText("Wiring: The CT of phase 2 is turned round.")).toBeVisible();
  const button = screen.getByRole("button", { name: "Request Deployed" });
  await expect.element(button).toBeDisabled();
  await screen.getByRole("textbox", { name: "Reason for Deployed without a wiring verdict" }).fill("It is repaired tomorrow");
  await button.click();
  await expect
    .poll(() => sent(requesting))
    .toEqual([{ params: { serial: "10101" }, body: { wiringReason: "It is repaired tomorrow", revision: 3 } }]);
});

test("B-9 the billing of a new location starts with the status, or on the day that is typed; that of a replaced node goes on", async () => {
  const tomorrow = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", dateStyle: "short" }).format(Date.now() + 86_400_000);
  let node = { ...sampleNode, lacksWiringVerdict: false, wiringVerdict: "Right.", slot: 1, timezone: "UTC", deploymentTaskType: "NL-EF" };
  const answers = { [readNode]: () => node, [readLocation]: () => ({ billingStartDate: null }), [requesting]: () => node };
  const first = await show(<RequestDeployed serial="10101" />, answers);
  const field = first.screen.getByRole("textbox", { name: "Billing Start Date" });
  await expect.element(field).toHaveValue(tomorrow);
  await field.fill("2026-02-30");
  const button = first.screen.getByRole("button", { name: "Request Deployed" });
  await expect.element(button).toBeDisabled();
  await field.fill("2026-12-01");
  await button.click();
  await expect.poll(() => first.sent(requesting)).toMatchObject([{ body: { billingStartDate: "2026-12-01", revision: 3 } }]);
  await first.screen.unmount();

  node = { ...node, deploymentTaskType: "RMA" };
  const { screen, sent } = await show(<RequestDeployed serial="10101" />, answers);
  await screen.getByRole("button", { name: "Request Deployed" }).click();
  await expect.poll(() => sent(requesting)).toEqual([{ params: { serial: "10101" }, body: { revision: 3 } }]);
  expect(screen.getByRole("textbox").elements()).toHaveLength(0);
});

test("Nameplate Valid is set where its task is, and not offered once it is", async () => {
  let node = sampleNode;
  const { screen, sent } = await show(<SetNameplateValid serial="10101" />, {
    [readNode]: () => node,
    [patchNode]: () => (node = { ...node, nameplateValid: true }),
  });
  const button = screen.getByRole("button", { name: "Set Nameplate Valid" });
  await button.click();
  await expect.element(button).not.toBeInTheDocument();
  expect(sent(patchNode)).toEqual([{ params: { id: "7" }, body: { nameplateValid: true, revision: 3 } }]);
});

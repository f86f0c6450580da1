import { NewLocation, type PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../testing/fake-api.ts";
import type { LinkedDialog } from "./linked-dialog.ts";
import { LocationDialog } from "./location-dialog.tsx";

const node = (serialNumber: string, type: string, newDeploymentStatus: string) => ({
  serialNumber,
  type,
  container: "",
  currentDeploymentStatus: "Deployed",
  newDeploymentStatus,
});

test("CUS-16 a node at a location says its status and the one to come, and leads to what it has", async () => {
  const place = {
    ...NewLocation.parse({ name: "Hoist 1", equipmentType: "DCMotor", timezone: "America/Chicago" }),
    id: 7,
    revision: 1,
    nodeSerialNumber: "18001",
    secondaryNodeSerialNumber: "18002",
    nodes: [node("18001", "Node", "Unassigned"), node("18002", "GERelay", "Deployed")],
    nodeHistory: [],
  } as unknown as PlacedLocation;
  const onOpen = vi.fn<(dialog: LinkedDialog) => void>();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={fakeApi({ "GET /locations/{id}": () => place }).call}>
          <LocationDialog locationId={7} onClose={() => undefined} onOpen={onOpen} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const of = async (name: string) => {
    await screen.getByRole("button", { name, exact: true }).click();
    const line = screen
      .getByRole("link", { name: name.slice(-5), exact: true })
      .element()
      .closest("div");
    return [line?.textContent, [...(line?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"))];
  };
  expect(await of("Primary Node 18001")).toEqual([
    "18001NodeDeployedNext: UnassignedNode ConfigSwap node…Trends",
    ["#/nodes/18001", expect.stringMatching(/^#\/trends\?series=18001/)],
  ]);
  expect(await of("Secondary Node 18002")).toEqual(["18002GERelayDeployedNode ConfigSwap node…", ["#/nodes/18002"]]);
  for (const name of ["Node Config", "Swap node…"]) await screen.getByRole("button", { name }).last().click();
  expect(onOpen.mock.calls.flat()).toEqual([
    { kind: "node-config", serial: "18002" },
    { kind: "swap-node", serial: "18002" },
  ]);
});

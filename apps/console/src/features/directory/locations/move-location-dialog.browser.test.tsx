import { NewLocation, type MoveTarget, type PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { MoveLocationDialog } from "./move-location-dialog.tsx";

const north: MoveTarget = { customerId: 1, customerCode: "alder", customerName: "Alder", facilityId: 10, facilityName: "North Works" };
const south: MoveTarget = { ...north, facilityId: 11, facilityName: "South Works" };
const hoist: PlacedLocation = {
  ...NewLocation.parse({ name: "Hoist 1", equipmentType: "DCMotor", timezone: "America/Chicago" }),
  ...north,
  equipmentStartTimestamp: 1_790_000_000,
  id: 7,
  nodes: [],
  revision: 3,
  noteCount: 2,
  nodeHistory: [],
};

test("CUS-17 a location's own facility is refused as soon as it is chosen, and another one is taken", async () => {
  const api = fakeApi({
    "GET /locations/{id}": () => hoist,
    "GET /locations/movetargets": () => [north, south],
    "PATCH /customers/{id}/facilities/{facilityId}/locations/{locationId}/customers/{newCustomerId}/facilities/{newFacilityId}": () =>
      hoist,
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <MoveLocationDialog locationId={7} onClose={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole("combobox", { name: "Target Facility" });
  const own = screen.getByText("The location is at this facility already. Choose another one");
  await expect.element(field).toHaveAttribute("aria-invalid", "true");
  expect(own.elements()).toEqual([]);
  // The keyboard begins at the field; its list would cover what moves along.
  await expect.element(field).toHaveFocus();
  expect(screen.getByRole("option").elements()).toEqual([]);
  await field.click();
  await screen.getByRole("option", { name: /North Works/ }).click();
  await expect.element(own).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Move" })).toBeDisabled();
  await field.click();
  await screen.getByRole("option", { name: /South Works/ }).click();
  await expect.element(own).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Move" }).click();
  await expect.element(screen.getByText("Location moved to Alder / South Works")).toBeVisible();
  expect(api.asked.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint.startsWith("PATCH"))).toHaveLength(1);
});

import type { Found } from "@busbar/contract/system/find.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { EarlierPlaces } from "./earlier-places.tsx";

const place = (formerSerialNumber: string, locationName: string): Found => ({
  kind: "location",
  id: locationName,
  serialNumber: "10611",
  formerSerialNumber,
  locationName,
  facilityName: "Works",
  customerName: "Alder",
  customerCode: "",
  username: "",
  firstName: "",
  lastName: "",
});

test("the serial number of an earlier node leads to the place with the node that is there now; other words ask nothing", async () => {
  const api = fakeApi({ "GET /find": () => [place("10104", "Kiln 2 Fan"), place("", "Pump 10104")] });
  const screen = await render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <EarlierPlaces filterText="Kiln" />
          <EarlierPlaces filterText="10104" />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect
    .element(screen.getByRole("status"))
    .toHaveTextContent("Node 10104 is not there any more: Kiln 2 Fan, Works, Alder, node 10611, earlier node 10104");
  await expect.element(screen.getByRole("link", { name: "Kiln 2 Fan" })).toHaveAttribute("href", "#/customers?filterText=10611");
  expect(api.asked.map(({ input }) => input["query"])).toEqual([{ text: "10104" }]);
});

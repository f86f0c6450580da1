import type { CustomerSummary as Summary } from "@busbar/contract/office/customer-summary.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { CustomerSummary } from "./customer-summary.tsx";

const row = (customerCode: string, counts: [number, number, number]) => ({
  customerCode,
  customerName: `Customer ${customerCode}`,
  deployedNodeCount: counts[0],
  preDeployedNodeCount: counts[1],
  unassignedNodeCount: counts[2],
});
const summary: Summary = {
  customerList: [row("alder", [5, 4, 3]), row("birch", [10, 20, 30])],
  totalDeployedNodeCount: 15,
  totalPreDeployedNodeCount: 24,
  totalUnassignedNodeCount: 33,
  nodesOfNoCustomerCount: 1,
};
afterEach(() => vi.restoreAllMocks());

test("REP-03 customers with their counts and the total, on the screen and in the file; what is left out is said", async () => {
  let answer: () => Summary = () => {
    throw new ApiError(503, "AWAY", "The database is away.");
  };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={fakeApi({ "GET /customers/summary": () => answer() }).call}>
          <CustomerSummary />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("alert").getByText("The database is away.")).toBeVisible();
  answer = () => summary;
  await screen.getByRole("button", { name: "Try again" }).click();
  const table = screen.getByRole("table", { name: "Customers" });
  await expect.element(table).toBeVisible();
  const expected = [
    ["Customer", "Nodes Deployed", "Nodes Predeployed", "Nodes Unassigned"],
    ["Customer alder", "5", "4", "3"],
    ["Customer birch", "10", "20", "30"],
    ["Total", "15", "24", "33"],
  ];
  const rows = [...table.element().querySelectorAll("tr")].map((each) => [...each.children].map(({ textContent }) => textContent));
  expect(rows).toEqual(expected);
  await expect.element(screen.getByText("1 node belongs to no customer and is not counted.")).toBeVisible();

  let file: Blob | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    file = blob as Blob;
    return "blob:none";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await screen.getByRole("button", { name: "Export CSV" }).click();
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe("customer-summary.csv");
  expect(
    (await file!.text())
      .trim()
      .split(/\r?\n/)
      .map((each) => each.replaceAll('"', "").split(",")),
  ).toEqual(expected);

  answer = () => ({ ...summary, customerList: [], nodesOfNoCustomerCount: 0 });
  await queries.refetchQueries();
  await expect.element(screen.getByText("There is no customer yet")).toBeVisible();
  expect([screen.getByRole("button").elements(), screen.getByText(/not counted/).elements()]).toEqual([[], []]);
});

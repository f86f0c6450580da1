import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { UserReport } from "./user-report.tsx";

test("REP-05 users are listed as chosen, and no list is left under another choice", async () => {
  const api = fakeApi({
    "GET /customers/names": () => [{ id: 1, code: "ACME", name: "Acme Pumps" }],
    "GET /reports/users": ({ query }) => ({ csvString: `Name\n${JSON.stringify(query)}`, rowCount: 1 }),
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <UserReport />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const preview = screen.getByRole("region", { name: "Preview" });
  const list = async () => {
    await screen.getByRole("button", { name: "Get CSV" }).click();
    await expect.element(preview).toBeVisible();
    return JSON.parse(preview.element().textContent.split("\n")[1] ?? "") as unknown;
  };
  const everyone = { include_internal_users: "false", include_inactive_users: "false" };
  expect(await list()).toEqual(everyone);

  const customer = screen.getByRole("combobox", { name: "Filter by Customer" });
  await customer.click();
  await screen.getByRole("option", { name: "Acme Pumps" }).click();
  await expect.element(preview).not.toBeInTheDocument();
  expect(await list()).toEqual({ ...everyone, customer_code: "ACME" });

  await screen.getByRole("checkbox", { name: "Include Internal Users" }).click();
  await expect.element(preview).not.toBeInTheDocument();
  expect(await list()).toEqual({ ...everyone, customer_code: "ACME", include_internal_users: "true" });

  await screen.getByRole("button", { name: "Reset to All Customers" }).click();
  await expect.element(preview).not.toBeInTheDocument();
  await expect.element(customer).toHaveValue("All Customers");
  expect(await list()).toEqual({ ...everyone, include_internal_users: "true" });
});

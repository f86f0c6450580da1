import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { sampleUser } from "#features/access/users/users.fixture.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { CustomerDialog } from "./customer-dialog.tsx";
import { customerOf, facilityOf, locationOf, nodeOf } from "./customers.fixture.ts";
import { DecommissionDialog } from "./decommission-dialog.tsx";
import { DeleteCustomerDialog } from "./delete-customer-dialog.tsx";
import { DeleteFacilityDialog } from "./delete-facility-dialog.tsx";
import { FacilityDialog } from "./facility-dialog.tsx";
import { ManagersDialog } from "./managers-dialog.tsx";
import { MoveFacilityDialog } from "./move-facility-dialog.tsx";
import { TakeBackDialog } from "./take-back-dialog.tsx";

const onClose = vi.fn();
const works = facilityOf(10, "North Works", [locationOf(100, "Feed Pump", [nodeOf("10101"), nodeOf("10102")]), locationOf(101, "Spare")], {
  siteName: "Salem",
  managers: [2],
});
const alder = customerOf(1, "alder", "Alder Pumping", [works], { emailDomains: ["alder.example"] });
const birch = customerOf(2, "birch", "Birch Mill");

async function open(dialog: ReactNode, answers: Parameters<typeof fakeApi>[0] = {}, customers: unknown = [alder, birch]) {
  const api = fakeApi({ "GET /customers": () => customers, ...answers });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>{dialog}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const sent = () => api.asked.filter(({ endpoint }) => !endpoint.startsWith("GET")).map(({ input }) => input);
  return { screen, sent, save: (name = "Save") => screen.getByRole("button", { name, exact: true }) };
}

test("CUS-04 a new customer is sent whole, and then edited: only what was changed is sent, with the revision that it was", async () => {
  const made = customerOf(3, "cedar", "Cedar Works", [], { emailDomains: ["a.example", "b.example"], revision: 4 });
  const { screen, sent, save } = await open(<CustomerDialog onClose={onClose} />, {
    "POST /customers": () => made,
    "PATCH /customers/{id}": () => ({ ...made, name: "Cedar Mills", revision: 5 }),
  });
  await expect.element(screen.getByRole("dialog", { name: "Add Customer" })).toBeVisible();
  await expect.element(screen.getByLabelText(/^Code/)).toHaveFocus();
  await expect.element(save()).toBeDisabled();
  await userEvent.keyboard("CEDAR");
  await screen.getByRole("textbox", { name: "Name", exact: true }).fill("Cedar Works");
  await screen.getByLabelText("Email Domains").fill("no domain!");
  await expect.element(save()).toBeDisabled();
  await screen.getByLabelText("Email Domains").fill("A.example, b.example;\n");
  await screen.getByLabelText("Enable Data Transfer").click();
  await save().click();
  await expect.element(screen.getByText(/^Customer saved successfully/)).toBeVisible();
  await expect.element(screen.getByRole("dialog", { name: "Edit Customer Cedar Works" })).toBeVisible();
  await expect.element(screen.getByLabelText(/^Code/)).toHaveAttribute("readonly");
  await expect.element(screen.getByLabelText("Email Domains")).toHaveValue("a.example\nb.example");
  await expect.element(screen.getByRole("link", { name: "History of changes" })).toHaveAttribute("href", "#/changes?object=customer/3");
  await screen.getByRole("textbox", { name: "Name", exact: true }).fill("Cedar Mills");
  await save().click();
  await expect.element(screen.getByRole("dialog", { name: "Edit Customer Cedar Mills" })).toBeVisible();
  expect(sent()).toEqual([
    {
      body: {
        code: "cedar",
        name: "Cedar Works",
        type: "Revenue",
        enableDataTransfer: true,
        requireDivisionFacilityLocation: false,
        emailDomains: ["a.example", "b.example"],
      },
    },
    { params: { id: "3" }, body: { name: "Cedar Mills", revision: 4 } },
  ]);
});

test("CUS-05 a new facility needs division and place where its customer says so; an old one only when these are changed", async () => {
  const strict = { ...alder, requireDivisionFacilityLocation: true };
  const made = facilityOf(12, "East Works", [], { siteName: "East", division: "Lumber", facilityLocation: "44.1,-122.9", revision: 2 });
  const { screen, sent, save } = await open(
    <FacilityDialog customer={alder} onClose={onClose} />,
    { "POST /customers/{id}/facilities": () => made },
    [strict],
  );
  await expect.element(screen.getByRole("dialog", { name: "Add Facility to Alder Pumping" })).toBeVisible();
  await screen.getByRole("textbox", { name: "Name", exact: true }).fill("East Works");
  await screen.getByLabelText(/^Site Name/).fill("East");
  await expect.element(save()).toBeDisabled();
  await screen.getByLabelText(/^Facility Location/).fill("44.1,-122.9");
  await expect.element(save()).toBeDisabled();
  await screen.getByRole("combobox", { name: "Division" }).click();
  await screen.getByRole("option", { name: "Lumber" }).click();
  await save().click();
  await expect.element(screen.getByText(/^Facility saved successfully/)).toBeVisible();
  await expect.element(screen.getByRole("dialog", { name: "Edit Facility East Works" })).toBeVisible();
  expect(sent()).toEqual([
    {
      params: { id: "1" },
      body: {
        name: "East Works",
        siteName: "East",
        customerXRefId: "",
        division: "Lumber",
        groundingType: "",
        type: "Inherit from Customer",
        facilityLocation: "44.1,-122.9",
      },
    },
  ]);
  await screen.unmount();

  const old = await open(
    <FacilityDialog customer={strict} facility={works} onClose={onClose} />,
    { "PATCH /customers/{id}/facilities/{facilityId}": () => ({ ...works, customerXRefId: "X", revision: 2 }) },
    [strict],
  );
  await old.screen.getByLabelText(/^Facility Location/).fill("44.1,-122.9");
  await expect.element(old.save()).toBeDisabled();
  await old.screen.getByLabelText(/^Facility Location/).fill("");
  await old.screen.getByLabelText("Customer Cross Reference").fill("X");
  await old.save().click();
  await expect.element(old.screen.getByText(/^Facility saved successfully/)).toBeVisible();
  expect(old.sent()).toEqual([{ params: { id: "1", facilityId: "10" }, body: { customerXRefId: "X", revision: 1 } }]);
});

test("CUS-06 managers are chosen among the customer's users, found by name, and saved with the revision", async () => {
  const person = (id: number, username: string, more = {}) => sampleUser(id, { username, customerCode: "alder", ...more });
  const users = [
    person(1, "rowan", { firstName: "Rowan", lastName: "Ash", email: "r@alder.example" }),
    person(2, "lee", { firstName: "", lastName: "", activeStatus: "SUSPENDED" }),
    person(3, "inge", { customerCode: "birch" }),
  ];
  const { screen, sent, save } = await open(<ManagersDialog customer={alder} facility={works} onClose={onClose} />, {
    "GET /users": () => users,
    "PATCH /customers/{id}/facilities/{facilityId}/managers": () => ({ ...works, managers: [1, 2], revision: 2 }),
  });
  await expect.element(screen.getByText("1 of 2 users of Alder Pumping chosen")).toBeVisible();
  const boxes = () => screen.getByRole("checkbox").elements() as HTMLInputElement[];
  const labels = () => boxes().map((box) => [box.labels?.[0]?.textContent, box.checked]);
  expect(labels()).toEqual([
    ["Rowan Ash (rowan)", false],
    ["lee (lee), suspended", true],
  ]);
  await screen.getByLabelText("Search users").fill("ASH r@alder");
  await expect.poll(labels).toEqual([["Rowan Ash (rowan)", false]]);
  await screen.getByRole("checkbox").click();
  await expect.element(screen.getByText("2 of 2 users of Alder Pumping chosen")).toBeVisible();
  await save().click();
  await expect.element(screen.getByText(/^Facility managers saved successfully/)).toBeVisible();
  await screen.getByRole("checkbox").click();
  await expect.element(screen.getByText("1 of 2 users of Alder Pumping chosen")).toBeVisible();
  await save().click();
  await expect.poll(sent).toEqual([
    { params: { id: "1", facilityId: "10" }, query: { revision: "1" }, body: [1, 2] },
    { params: { id: "1", facilityId: "10" }, query: { revision: "2" }, body: [2] },
  ]);
  await screen.unmount();

  const none = await open(<ManagersDialog customer={birch} facility={works} onClose={onClose} />, {
    "GET /users": () => users.slice(0, 2),
  });
  await expect.element(none.screen.getByText("Birch Mill has no user")).toBeVisible();
  await expect.element(none.screen.getByRole("link", { name: "Add one under Users" })).toHaveAttribute("href", "#/users");
});

test("CUS-07 a facility is moved to another customer, and it is said before and after what goes with it", async () => {
  const { screen, sent, save } = await open(<MoveFacilityDialog customer={alder} facility={works} onClose={onClose} />, {
    "PATCH /customers/{id}/facilities/{facilityId}/customers/{newCustomerId}": () => ({ removedManagers: 1, locations: 2, nodes: 2 }),
  });
  await expect.element(screen.getByText("2 locations and 2 nodes move with it, and keep their history.")).toBeVisible();
  await expect.element(screen.getByText("1 manager leaves it: managers are users of the facility's customer.")).toBeVisible();
  await expect.element(save("Move")).toBeDisabled();
  const choice = screen.getByRole("combobox", { name: "New Customer" });
  await choice.click();
  await expect
    .poll(() =>
      screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["Birch Mill (birch)"]);
  await userEvent.keyboard("{Escape}");
  await screen.getByRole("heading", { name: "Move Facility North Works" }).click();
  await expect.element(screen.getByText("Choose another customer")).toBeVisible();
  await choice.click();
  await screen.getByRole("option", { name: "Birch Mill (birch)" }).click();
  await save("Move").click();
  await expect.element(screen.getByText("North Works moved to Birch Mill with 2 locations and 2 nodes; 1 manager left it")).toBeVisible();
  expect(save("Move").elements()).toEqual([]);
  expect(sent()).toEqual([{ params: { id: "1", facilityId: "10", newCustomerId: "2" } }]);
});

test("CUS-04, CUS-08 what goes with a customer or a facility is counted, ticked and sent with the code", async () => {
  const retired = { ...works, serialNumber: "19001" } as never;
  const customer = { ...alder, decommissionedNodes: [retired] };
  // What was shown when it was opened may be old by then.
  const first = await open(
    <DeleteCustomerDialog customer={{ ...customer, name: "Alder", facilities: [] }} onClose={onClose} />,
    { "DELETE /customers/{id}/2fa/{code}": () => ({}) },
    [customer],
  );
  await expect
    .element(first.screen.getByRole("dialog", { name: "Delete customer Alder Pumping with 1 facility and 2 locations?" }))
    .toBeVisible();
  await expect.element(first.screen.getByText("1 facility and 2 locations are deleted, with the notes of the locations.")).toBeVisible();
  await expect.element(first.screen.getByText("2 nodes become free and Unassigned. What nodes measured stays.")).toBeVisible();
  await expect.element(first.screen.getByText("1 decommissioned node is in the way: delete it from the list first.")).toBeVisible();
  await first.screen.getByLabelText("2FA code").fill("123456");
  await first.save("Delete").click();
  await expect.element(first.screen.getByText("Please tick “Delete its 1 facility and 2 locations too” as well")).toBeVisible();
  await first.screen.getByRole("checkbox").click();
  await first.save("Delete").click();
  await expect.element(first.screen.getByText("Customer deleted successfully. Click 'Close' to return to customer list.")).toBeVisible();
  expect(first.sent()).toEqual([{ params: { id: "1", code: "123456" }, query: { confirm: "1,2" } }]);
  await first.screen.unmount();

  const second = await open(
    <DeleteFacilityDialog customer={alder} facility={{ ...works, name: "Works", locations: [] }} onClose={onClose} />,
    {
      "DELETE /customers/{id}/facilities/{facilityId}/2fa/{code}": () => ({}),
    },
  );
  await expect.element(second.screen.getByRole("dialog", { name: "Delete facility North Works with 2 locations?" })).toBeVisible();
  await expect.element(second.screen.getByText("2 locations and their notes are deleted.")).toBeVisible();
  await expect.element(second.screen.getByText("2 nodes become free and Unassigned. What nodes measured stays.")).toBeVisible();
  await second.screen.getByLabelText("Delete its 2 locations too").click();
  await second.screen.getByLabelText("2FA code").fill("654321");
  await second.save("Delete").click();
  await expect.element(second.screen.getByText("Facility deleted successfully. Click 'Close' to return to facility list.")).toBeVisible();
  expect(second.sent()).toEqual([{ params: { id: "1", facilityId: "10", code: "654321" }, query: { confirm: "2" } }]);
  await second.screen.unmount();

  const empty = await open(<DeleteCustomerDialog customer={birch} onClose={onClose} />);
  await expect.element(empty.screen.getByRole("dialog", { name: "Delete customer Birch Mill?" })).toBeVisible();
  await expect.element(empty.screen.getByText("Nothing hangs on this customer.")).toBeVisible();
  expect([empty.screen.getByRole("checkbox").elements(), empty.screen.getByText(/in the way/).elements()]).toEqual([[], []]);
  await empty.screen.unmount();
  const bare = await open(<DeleteFacilityDialog customer={birch} facility={facilityOf(20, "Bare")} onClose={onClose} />);
  await expect.element(bare.screen.getByText("No location hangs on this facility.")).toBeVisible();
  expect(bare.screen.getByRole("checkbox").elements()).toEqual([]);
});

test("CUS-18 a node is decommissioned with the site of its facility, and taken back", async () => {
  let refusal: ApiError | undefined = new ApiError(409, "TAKEN", "Node 10107 is at a location");
  const { screen, sent, save } = await open(<DecommissionDialog customer={alder} onClose={onClose} />, {
    "GET /locations/availablenodes": () => [{ serialNumber: "10107" }],
    "POST /customers/{id}/decommissionednodes": () => {
      if (refusal) throw refusal;
      return {};
    },
  });
  await screen.getByRole("combobox", { name: "Serial Number" }).fill("10107");
  await userEvent.keyboard("{Escape}");
  await screen.getByRole("combobox", { name: "Facility Name" }).click();
  await screen.getByRole("option", { name: "North Works" }).click();
  await expect.element(screen.getByRole("combobox", { name: "Site Name" })).toHaveValue("Salem");
  await save().click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Node 10107 is at a location");
  await expect.element(screen.getByRole("combobox", { name: "Serial Number" })).toHaveValue("10107");
  refusal = undefined;
  await save().click();
  await expect.element(screen.getByText(/^Node 10107 is decommissioned/)).toBeVisible();
  await expect.element(screen.getByRole("combobox", { name: "Serial Number" })).toHaveValue("");
  expect(sent()[1]).toEqual({ params: { id: "1" }, body: { serialNumber: "10107", facilityName: "North Works", siteName: "Salem" } });
  await screen.unmount();

  refusal = new ApiError(409, "GONE", "Node 19001 is in use");
  const back = await open(<TakeBackDialog customer={alder} node={{ serialNumber: "19001" } as never} onClose={onClose} />, {
    "DELETE /customers/{id}/decommissionednodes/{serial}": () => {
      if (refusal) throw refusal;
      return {};
    },
  });
  await expect.element(back.screen.getByRole("dialog", { name: "Delete decommissioned node 19001 of Alder Pumping?" })).toBeVisible();
  await back.save("Delete").click();
  await expect.element(back.screen.getByRole("alert")).toHaveTextContent("Node 19001 is in use");
  refusal = undefined;
  await back.save("Delete").click();
  await expect.element(back.screen.getByText("Node 19001 is Unassigned now")).toBeVisible();
  expect([back.save("Delete").elements(), back.screen.getByText(/becomes Unassigned/).elements()]).toEqual([[], []]);
  expect(back.sent()[1]).toEqual({ params: { id: "1", serial: "19001" } });
  onClose.mockClear();
  await back.save("Close").last().click();
  expect(onClose).toHaveBeenCalledOnce();
});

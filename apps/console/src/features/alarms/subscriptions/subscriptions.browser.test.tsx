import { MantineProvider } from "@mantine/core";
import type { FacilitySubscriptions, UserSubscriptions } from "@busbar/contract/alarms/subscriptions.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { LeavingScope } from "#ui/unsaved-edits.tsx";
import { fakeApi } from "../../../testing/fake-api.ts";
import { FacilitySubscriptionsDialog } from "./facility-subscriptions-dialog.tsx";
import { UserSubscriptionList } from "./user-subscriptions.tsx";

const wanted = {
  activeStatus: "ACTIVE",
  autoSubscribeAllFacilities: false,
  receiveDailyReport: true,
  receiveConnectivityNotifications: true,
  receiveFaultLibraryNotifications: false,
};
type Frequency = UserSubscriptions["facilities"][number]["frequency"];
const ofUser = (north: Frequency, south: Frequency): UserSubscriptions => ({
  userId: 7,
  username: "rowan",
  ...wanted,
  facilities: [
    { facilityId: 1, facilityName: "North Works", customerName: "Alder", isOwnCustomer: true, frequency: north },
    { facilityId: 2, facilityName: "South Works", customerName: "Alder", isOwnCustomer: true, frequency: south },
  ],
});

const show = (api: ReturnType<typeof fakeApi>, children: ReactNode) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>{children}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
const sent = (api: ReturnType<typeof fakeApi>) =>
  api.asked.filter(({ endpoint }) => endpoint.startsWith("PATCH")).map(({ input }) => input["body"]);

test("a user's list saves what was changed, with what it was; what someone else changed is said and loaded, not overwritten", async () => {
  let stored = ofUser(null, "Weekly");
  let refusal: ApiError | undefined = new ApiError(
    409,
    "CONFLICT",
    "Someone else changed the subscription of rowan to South Works meanwhile",
  );
  const api = fakeApi({
    "GET /users/{id}/subscriptions": () => stored,
    "PATCH /users/{id}/subscriptions": () => {
      if (refusal) throw refusal;
      return stored;
    },
  });
  const screen = await show(api, <UserSubscriptionList userId={7} />);
  await expect.element(screen.getByText("What is sent of them: connectivity, daily report. The boxes above choose it.")).toBeVisible();
  const choice = (facility: string, name: string) =>
    screen.getByRole("group", { name: `How often: ${facility}` }).getByRole("button", { name });
  await expect.element(choice("North Works", "Never")).toHaveAttribute("aria-pressed", "true");
  await choice("North Works", "Daily").click();
  await choice("South Works", "Never").click();
  stored = ofUser(null, "Immediate");
  const save = screen.getByRole("button", { name: "Save subscriptions" });
  await save.click();
  await expect.element(screen.getByRole("alert").getByText(/changed the subscription of rowan to South Works/)).toBeVisible();
  await screen.getByRole("button", { name: "Load the present values" }).click();
  await expect.element(choice("South Works", "Immediate")).toHaveAttribute("aria-pressed", "true");
  await expect.element(choice("North Works", "Daily")).toHaveAttribute("aria-pressed", "true");
  refusal = undefined;
  stored = ofUser("Daily", "Immediate");
  await save.click();
  await expect.element(screen.getByText(/^Subscriptions saved successfully/)).toBeVisible();
  expect(sent(api)).toEqual([
    {
      changes: [
        { facilityId: 1, frequency: "Daily", previous: null },
        { facilityId: 2, frequency: null, previous: "Weekly" },
      ],
    },
    { changes: [{ facilityId: 1, frequency: "Daily", previous: null }] },
  ]);
  expect(screen.getByRole("alert").elements()).toHaveLength(0);
});

test("a facility's list says what each person is sent, and who gets all facilities at once", async () => {
  const person = { firstName: "Rowan", lastName: "Ashdown", isOwnCustomer: true, frequency: null };
  const stored: FacilitySubscriptions = {
    facilityId: 1,
    facilityName: "North Works",
    customerName: "Alder",
    users: [
      { userId: 7, username: "rowan", ...person, ...wanted, autoSubscribeAllFacilities: true },
      {
        userId: 8,
        username: "inge",
        ...person,
        ...wanted,
        autoSubscribeAllFacilities: true,
        isOwnCustomer: false,
        activeStatus: "SUSPENDED",
      },
      { userId: 9, username: "ash", ...person, ...wanted },
    ],
  };
  const saved = { ...stored, users: stored.users.map((user) => (user.userId === 7 ? { ...user, frequency: "Weekly" as const } : user)) };
  let answer: Promise<FacilitySubscriptions> | FacilitySubscriptions = stored;
  const api = fakeApi({
    "GET /facilities/{id}/subscriptions": () => answer,
    "PATCH /facilities/{id}/subscriptions": () => {
      // What is asked for again is not there yet: what the save answered is.
      answer = new Promise<never>(() => undefined);
      return saved;
    },
  });
  const screen = await show(api, <FacilitySubscriptionsDialog facilityId={1} name="North Works" onClose={() => undefined} />);
  const of = (username: string) => screen.getByRole("group", { name: `How often: Rowan Ashdown (${username})` });
  await expect.element(of("rowan").getByRole("button", { name: "As all: Immediate" })).toHaveAttribute("aria-pressed", "true");
  for (const username of ["inge", "ash"])
    await expect.element(of(username).getByRole("button", { name: "Never" })).toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByText("connectivity, daily report", { exact: true }).first()).toBeVisible();
  await expect.element(screen.getByText("nothing, as the user is suspended; internal user")).toBeVisible();
  await of("rowan").getByRole("button", { name: "Weekly" }).click();
  await screen.getByRole("button", { name: "Save subscriptions" }).click();
  await expect.element(screen.getByText(/^Subscriptions saved successfully/)).toBeVisible();
  expect(sent(api)).toEqual([{ changes: [{ userId: 7, frequency: "Weekly", previous: null }] }]);
  // The answer is what is there now, and no one else changed it.
  await expect.element(of("rowan").getByRole("button", { name: "Weekly" })).toHaveAttribute("aria-pressed", "true");
  await expect.element(screen.getByRole("button", { name: "Load the present values" })).not.toBeInTheDocument();
});

test("of a long list the first hundred are drawn and the others found by words; what is lost by loading the present values is asked about", async () => {
  const facilities = Array.from({ length: 130 }, (_, index) => ({
    facilityId: index + 1,
    facilityName: `Works ${index + 1}`,
    customerName: index === 129 ? "Birch" : "Alder",
    isOwnCustomer: true,
    frequency: null as Frequency,
  }));
  const api = fakeApi({ "GET /users/{id}/subscriptions": () => ({ ...ofUser(null, null), facilities: [...facilities] }) });
  const mayLeave = vi.fn<() => Promise<boolean>>(async () => false);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <LeavingScope leaving={{ scope: undefined, mayLeave }}>
            <UserSubscriptionList userId={7} />
          </LeavingScope>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect.element(screen.getByText("30 facilities more: search for them")).toBeVisible();
  const names = () => [...document.querySelectorAll("tbody tr")].map((row) => row.firstElementChild!.textContent);
  expect(names()).toHaveLength(100);
  await screen.getByRole("searchbox").fill("birch WORKS");
  await expect.poll(names).toEqual(["Works 130"]);
  await screen.getByRole("searchbox").fill("works 2");
  await screen.getByRole("group", { name: "How often: Works 2", exact: true }).getByRole("button", { name: "Daily" }).click();
  // Of another facility: nothing of what was chosen here goes.
  facilities[4] = { ...facilities[4]!, frequency: "Weekly" };
  await queries.invalidateQueries();
  const load = screen.getByRole("button", { name: "Load the present values" });
  await load.click();
  await expect.element(load).not.toBeInTheDocument();
  expect(mayLeave).not.toHaveBeenCalled();
  await expect
    .element(screen.getByRole("group", { name: "How often: Works 2", exact: true }).getByRole("button", { name: "Daily" }))
    .toHaveAttribute("aria-pressed", "true");
  facilities[1] = { ...facilities[1]!, frequency: "Weekly" };
  await queries.invalidateQueries();
  await load.click();
  await expect.poll(() => mayLeave.mock.calls.length).toBe(1);
  await expect.element(load).toBeVisible();
});

import type { NodeSwap, SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SwapDialog } from "./swap-dialog.tsx";

const plan: SwapPlan = {
  oldSerialNumber: "10605",
  type: "Node",
  oldRevision: 4,
  customerName: "Alder",
  facilityName: "Works",
  locationName: "Kiln 2 Fan",
  isSecondary: false,
  noteCount: 3,
  taskNoteCount: 1,
  keptFlags: ["pauseNotifications"],
  newSerialNumber: null,
  newNode: null,
  problem: null,
  fields: [],
  config: [
    { key: "np_voltage", value: "480", present: "460" },
    { key: "np_poles", value: "4", present: "4" },
  ],
};
const planned: SwapPlan = {
  ...plan,
  newSerialNumber: "10611",
  newNode: { revision: 2, connected: true, currentDeploymentStatus: "Unassigned", deploymentTaskType: null, reopenedTaskCount: 0 },
  fields: [{ field: "overVoltageThreshold", from: "8", to: "12" }],
};
const swapped = (change: Partial<NodeSwap> = {}): NodeSwap => ({
  id: 1,
  oldSerialNumber: "10605",
  newSerialNumber: "10611",
  customerName: "Alder",
  facilityName: "Works",
  locationName: "Kiln 2 Fan",
  isSecondary: false,
  timestamp: 1_790_000_000,
  timezone: "America/Chicago",
  username: "ada",
  reason: "No voltage",
  oldNodeStatus: "Unassigned",
  isCurrent: true,
  connected: true,
  isCopying: false,
  pauseReason: "",
  values: [
    { key: "np_voltage", value: "480", state: "refused", detail: "Node 10611 does not allow 480 for np_voltage" },
    { key: "np_poles", value: "4", state: "confirmed", detail: "" },
    { key: "np_sf", value: "1", state: "unknown", detail: "" },
  ],
  ...change,
});

/** The dialog of a node before a server that knows these nodes. */
async function show(serial: string, answers: Parameters<typeof fakeApi>[0] = {}) {
  let swap: NodeSwap | null = null;
  const api = fakeApi({
    "GET /nodes/{serial}/swap": () => ({ swap }),
    "GET /nodes/{serial}/swapplan": ({ query }) =>
      (query as { newSerialNumber?: string }).newSerialNumber === "10611"
        ? planned
        : (query as { newSerialNumber?: string }).newSerialNumber === undefined
          ? plan
          : { ...plan, newSerialNumber: (query as { newSerialNumber: string }).newSerialNumber, problem: "Node 10612 is decommissioned" },
    "GET /locations/availablenodes": () => [
      { serialNumber: "10611", type: "Node", currentDeploymentStatus: "Unassigned", newDeploymentStatus: "Unassigned" },
      { serialNumber: "10700", type: "SEL", currentDeploymentStatus: "Unassigned", newDeploymentStatus: "Unassigned" },
    ],
    "POST /nodes/{serial}/swap": () => (swap = swapped()),
    ...answers,
  });
  await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <SwapDialog serial={serial} onClose={() => undefined} onCredentials={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const sent = (endpoint: string) => api.asked.filter((each) => each.endpoint === endpoint).map(({ input }) => input["body"]);
  return { sent };
}

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const serialField = () => page.getByRole("combobox", { name: "New Serial Number", exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });

test("Job 3 by keyboard: what moves is shown before it happens; one passcode goes along, and the node's side is said as it is", async () => {
  const { sent } = await show("10605");
  await expect.element(serialField()).toHaveFocus();
  // Its list would cover the plan.
  expect(page.getByRole("option").elements()).toEqual([]);
  await expect.element(serialField()).not.toHaveAttribute("aria-invalid", "true");
  await expect.element(button("Swap")).toBeDisabled();
  await userEvent.keyboard("106");
  await expect.element(page.getByRole("option", { name: "10611" })).toBeVisible();
  await expect.element(page.getByRole("option", { name: "10700" })).not.toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  const facts = page.getByRole("region", { name: "What changes" });
  await expect.element(facts.getByText("Over-Voltage Threshold: 8 → 12")).toBeVisible();
  await expect.element(facts.getByText("Node of Kiln 2 Fan: 10605 → 10611")).toBeVisible();
  await expect.element(facts.getByText("Configuration: 2 values, 1 to write")).toBeVisible();
  await expect.element(facts.getByText(/files, trends and events of before, Pause Notifications/)).toBeVisible();
  await field("Reason").fill(" No voltage ");
  await field("2FA code").fill("123456");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Configuration: 1 of 3 confirmed; 1 refused: np_voltage; 1 not known: np_sf")).toBeVisible();
  expect(sent("POST /nodes/{serial}/swap")).toEqual([
    {
      newSerialNumber: "10611",
      isNew: false,
      oldNodeStatus: "Unassigned",
      reason: "No voltage",
      oldRevision: 4,
      newRevision: 2,
      code: "123456",
    },
  ]);
  await expect.element(page.getByText("np_voltage: Node 10611 does not allow 480 for np_voltage")).toBeVisible();
});

test("a serial number that cannot be swapped in says why, and someone who was faster is named", async () => {
  const refusal = "bo has swapped node 10605 for 10612 at Kiln 2 Fan already";
  await show("10605", {
    "POST /nodes/{serial}/swap": () => {
      throw new ApiError(409, "CONFLICT", refusal);
    },
  });
  await serialField().fill("10612");
  await field("Reason").fill("No voltage");
  await expect.element(serialField()).toHaveAccessibleDescription(/^Node 10612 is decommissioned/);
  await expect.element(serialField()).toHaveAttribute("aria-invalid", "true");
  await expect.element(page.getByText("Please correct the fields marked in red to enable Swap button.")).toBeVisible();
  await expect.element(button("Swap")).toBeDisabled();
  await serialField().fill("10611");
  await button("Swap").click();
  await expect.element(page.getByText(refusal)).toBeVisible();
});

test("opened again, it goes on with what the node has not confirmed, with a passcode of its own, and says what came of it", async () => {
  let swap = swapped({ pauseReason: "Node 10611 did not answer within 15 s" });
  let isRefused = true;
  const { sent } = await show("10611", {
    "GET /nodes/{serial}/swap": () => ({ swap }),
    "POST /nodes/{serial}/swap/config": () => {
      if (isRefused) throw new ApiError(403, "FORBIDDEN", "The 2FA code is not right");
      swap = swapped({ values: swap.values.map((each) => ({ ...each, state: "confirmed" })) });
      return swapped({ isCopying: true });
    },
  });
  await expect.element(page.getByText("Node 10611 did not answer within 15 s")).toBeVisible();
  await button("Go on").click();
  await expect.element(page.getByText("Please enter 2FA code")).toBeVisible();
  await field("2FA code").fill("123456");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("The 2FA code is not right")).toBeVisible();
  // A code is used once.
  await expect.element(field("2FA code")).toHaveValue("");
  isRefused = false;
  await field("2FA code").fill("654321");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => sent("POST /nodes/{serial}/swap/config")).toEqual([{ code: "123456" }, { code: "654321" }]);
  await expect.element(page.getByText("Configuration: 3 of 3 confirmed")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "deployment tasks of 10611" })).toBeVisible();
  await expect.element(serialField()).not.toBeInTheDocument();
});

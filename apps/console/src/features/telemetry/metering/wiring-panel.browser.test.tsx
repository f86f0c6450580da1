import { MantineProvider } from "@mantine/core";
import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { WiringPanel } from "./wiring-panel.tsx";

const voltages = [0, -120, 120].map((angle) => ({ magnitude: 277, angle }));
const currentsAt = (angles: number[]) => angles.map((angle) => ({ magnitude: 45, angle }));

const turned: NodeWiring = {
  serialNumber: "10101",
  outcome: "wrong",
  sentence: "The CT of phase 2 is turned round.",
  actions: ["Turn the CT of phase 2 round, or exchange its two leads."],
  candidates: [],
  notShown: ["The rotation does not show in currents this even. Check it with a rotation meter."],
  timestamp: 1_790_000_000,
  timezone: "America/Chicago",
  currentNoise: 1,
  values: { lineToLine: [480, 480, 480], currents: [45, 45, 45], kw: [10, -10, 10], kvar: [7, -7, 7] },
  is: { voltages, currents: currentsAt([-34, 26, 86]) },
  ought: { voltages, currents: currentsAt([-34, -154, 86]) },
};

async function show(answer: () => NodeWiring) {
  const api = fakeApi({ "GET /nodes/{serial}/wiring": answer });
  return await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <WiringPanel serial="10101" />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("a wrong wiring says what is wrong and what to do, beside drawings and values of is and ought", async () => {
  const screen = await show(() => turned);
  const panel = screen.getByRole("region", { name: "Wiring" });
  await expect.element(panel.getByText("▲ Wrong")).toBeVisible();
  await expect.element(panel.getByText("The CT of phase 2 is turned round.")).toBeVisible();
  await expect.element(panel.getByText("Turn the CT of phase 2 round, or exchange its two leads.")).toBeVisible();
  await expect.element(panel.getByText(/^The rotation does not show/)).toBeVisible();
  await expect.element(panel.getByRole("img", { name: /^As it is: .*I2 45 A at 26°/ })).toBeVisible();
  await expect.element(panel.getByRole("img", { name: /^As it ought to be: .*I2 45 A at -154°/ })).toBeVisible();
  const row = panel.getByRole("row", { name: /^I2/ });
  await expect.element(row.getByRole("cell").nth(0)).toHaveTextContent("45 A∠26°");
  await expect.element(row.getByRole("cell").nth(1)).toHaveTextContent("45 A∠-154°");
  const age = panel.getByText(/ago$/);
  await userEvent.hover(age);
  await expect.element(age).toHaveAttribute("title", expect.stringContaining("(America/Chicago)\n"));
});

test("a right one is a sentence; one that several explanations fit lists them, without a drawing of what it ought to be", async () => {
  const right = await show(() => ({ ...turned, outcome: "right", sentence: "The wiring is right.", actions: [] }));
  await expect.element(right.getByText("The wiring is right.")).toBeVisible();
  expect(right.getByRole("img").elements()).toHaveLength(0);
  await right.unmount();
  const candidates = ["All three CTs are turned round.", "The wiring is right and power flows back."];
  const open = await show(() => ({ ...turned, outcome: "open", sentence: "Cannot tell.", actions: [], candidates, ought: null }));
  for (const candidate of candidates) await expect.element(open.getByText(candidate)).toBeVisible();
  expect(open.getByRole("img").elements()).toHaveLength(1);
});

test("a failure says so and offers another try", async () => {
  let isUp = false;
  const screen = await show(() => {
    if (!isUp) throw new ApiError(503, "UNAVAILABLE", "The database does not answer");
    return turned;
  });
  await expect.element(screen.getByText(/The database does not answer/)).toBeVisible();
  isUp = true;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("The CT of phase 2 is turned round.")).toBeVisible();
});

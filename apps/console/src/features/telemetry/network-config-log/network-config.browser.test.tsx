import type { NetworkConfigEntry } from "@busbar/contract/telemetry/network-config-log.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { NetworkConfigScreen } from "./network-config.tsx";

const entry: NetworkConfigEntry = {
  id: 1,
  timestamp: 1_780_000_000,
  displayTimestamp: "2026-05-28 20:26:40 UTC",
  timezone: "UTC",
  username: "kim",
  locationName: "Pump",
  serialNumber: "10101",
  key: "voltage_scale",
  oldValue: "1",
  newValue: "2",
  result: "refused",
  detail: "voltage_scale: is no parameter that can be changed",
  batchId: null,
};

test.each([1440, 390])(
  "REP-06 at %s px why a change was refused is read without hovering, within its row, and each value has its name",
  async (width) => {
    await page.viewport(width, 844);
    const screen = await render(
      <MantineProvider>
        <QueryClientProvider client={new QueryClient()}>
          <ApiContext value={fakeApi({ "GET /auditlog/networkconfig": () => [entry, { ...entry, id: 2, detail: "" }] }).call}>
            <NetworkConfigScreen filter="" onFilter={() => undefined} />
          </ApiContext>
        </QueryClientProvider>
      </MantineProvider>,
    );
    const nameOf = (text: string) =>
      getComputedStyle(screen.getByText(text, { exact: true }).first().element().closest("td")!, "::before").content;
    await expect.element(screen.getByText("voltage_scale", { exact: true }).first()).toBeVisible();
    expect(["voltage_scale", "1", "2"].map(nameOf)).toEqual(width === 390 ? ['"Key "', '"Old "', '"New "'] : ["none", "none", "none"]);
    const detail = screen.getByText(entry.detail);
    await expect.element(detail).toBeVisible();
    const { width: shown, bottom } = detail.element().getBoundingClientRect();
    expect(shown).toBeGreaterThan(100);
    expect(bottom).toBeLessThanOrEqual(detail.element().closest("tr")!.getBoundingClientRect().bottom);
  },
);

import type { ShownSetting } from "@busbar/contract/system/system-config.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SystemConfig } from "./system-config.tsx";

const setting = (value: string, revision = 0): ShownSetting => ({
  value,
  type: "text",
  description: "A setting",
  isSecret: false,
  isDefault: revision === 0,
  revision,
});
const meanwhile = () => {
  throw new ApiError(409, "CONFLICT", "kim changed it meanwhile");
};

/** The page in front of a server that holds these settings. */
async function show(more: Record<string, ShownSetting> = {}) {
  const stored = { Pump: setting("slow"), Fan: setting("off"), ...more };
  const byName: Record<string, ShownSetting> = stored;
  const save = ({ body, query }: { body?: Record<string, string>; query?: { revision: string } }) => {
    const newest = Math.max(...Object.values(stored).map(({ revision }) => revision));
    const changes = Object.entries(body ?? {}).filter(([name, text]) => byName[name]?.value !== text);
    for (const [name] of changes) if ((byName[name]?.revision ?? 0) > Number(query?.revision)) meanwhile();
    for (const [name, text] of changes) byName[name] = setting(text, newest + 1);
    return { changed: [] };
  };
  const api = fakeApi({ "GET /system/config": () => structuredClone(stored), "PATCH /system/config": save });
  const queries = new QueryClient();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <SystemConfig />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const field = (name: string) => screen.getByRole("textbox", { name });
  await expect.element(field("Pump")).toBeVisible();
  const savesAsked = () => api.asked.filter(({ endpoint }) => endpoint === "PATCH /system/config").length;
  return { screen, stored, queries, field, save: screen.getByRole("button", { name: "Save" }), savesAsked };
}

test("SYS-05 what is typed outlives settings that are read again, and the others follow", async () => {
  const { stored, queries, field } = await show();
  await field("Pump").fill("fast");
  stored.Fan = setting("on", 1);
  // As after a lost connection.
  await queries.invalidateQueries();
  await expect.element(field("Fan")).toHaveValue("on");
  await expect.element(field("Pump")).toHaveValue("fast");
});

test("SYS-05 a save does not change back what someone else changed meanwhile", async () => {
  const { screen, stored, field, save, savesAsked } = await show();
  await field("Pump").fill("fast");
  stored.Fan = setting("on", 1);
  await save.click();
  await expect.element(screen.getByText(/^Changes saved successfully/)).toBeVisible();
  expect([stored.Pump.value, stored.Fan.value, savesAsked()]).toEqual(["fast", "on", 2]);
  await expect.element(field("Fan")).toHaveValue("on");
  await expect.element(save).toHaveFocus();
});

test("SYS-05 the same setting changed by two: the second is informed, sees both values, and may replace it", async () => {
  const { screen, stored, field, save } = await show();
  await field("Pump").fill("fast");
  stored.Pump = setting("middling", 1);
  await save.click();
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("Someone else changed Pump meanwhile. The new value is above the field. Save again to replace it with yours.");
  await expect.element(screen.getByText("A setting (changed from middling)")).toBeVisible();
  await expect.element(field("Pump")).toHaveValue("fast");
  expect(stored.Pump.value).toBe("middling");
  await save.click();
  await expect.element(screen.getByText(/^Changes saved successfully/)).toBeVisible();
  expect(stored.Pump.value).toBe("fast");
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
});

test("A-31 money is dollars in its area, what changes is said before it is saved, and the server gets cents", async () => {
  const rate = { ...setting("24000"), type: "number" } as const;
  const raised = { ...setting("200000", 3), type: "number" } as const;
  const { screen, stored, field, save } = await show({ Billing_energyCentsPerYear: rate, Billing_deployedCentsPerYear: raised });
  const energy = field("Rate of the energy service, a year Billing_energyCentsPerYear");
  await expect.element(energy).toHaveValue("240.00");
  const billing = screen.getByRole("region", { name: "Settings: Billing" });
  await expect.poll(() => billing.element().textContent).toMatch(/changed from default/);
  await expect.poll(() => billing.element().textContent).toMatch(/\(default: \$1,800\.00\)/);
  expect(screen.getByRole("region", { name: "About to change" }).elements()).toHaveLength(0);
  await energy.fill("1,999.50");
  await expect
    .poll(() => screen.getByRole("region", { name: "About to change" }).element().textContent)
    .toMatch(/Rate of the energy service, a year: \$240\.00 → \$1,999\.50$/);
  await save.click();
  await expect.element(screen.getByText(/^Changes saved successfully/)).toBeVisible();
  expect((stored as Record<string, ShownSetting>)["Billing_energyCentsPerYear"]?.value).toBe("199950");
  await expect.element(energy).toHaveValue("1,999.50");
});

test("A-31 each key is on a line of its own under its name, whatever their lengths", async () => {
  const { screen } = await show({ Billing_vendorName: setting("Busbar"), Billing_vendorCity: setting("Anytown") });
  await expect.element(screen.getByLabelText(/Billing_vendorName/)).toBeVisible();
  const keys = [...document.querySelectorAll<HTMLElement>(".setting-key")];
  expect(keys).toHaveLength(2);
  for (const key of keys) {
    const left = key.closest("label")!.getBoundingClientRect().left;
    expect(key.getBoundingClientRect().left).toBeCloseTo(left, 0);
  }
});

test("A-31 the search finds settings by words, key and area, and forgets nothing that was typed", async () => {
  const { screen, field } = await show({ Billing_vendorCity: setting("Anytown") });
  await field("Pump").fill("fast");
  const search = screen.getByRole("searchbox", { name: "Search settings" });
  await search.fill("vendor CITY");
  await expect.element(field("Vendor: city Billing_vendorCity")).toBeVisible();
  await expect.element(field("Pump")).not.toBeInTheDocument();
  await expect.poll(() => screen.getByRole("region", { name: "About to change" }).element().textContent).toMatch(/Pump: slow → fast$/);
  await search.fill("nothing such");
  await expect.element(screen.getByText("No setting matches")).toBeVisible();
  await search.fill("");
  await expect.element(field("Pump")).toHaveValue("fast");
});

test("A-31 the alerts of a new location are switched one by one, and what changes is said by name", async () => {
  const flags = [
    { name: "underload", display_name: "Underload", value: false, notes: "Broken belt, dry pump", node_type: "Node" },
    { name: "overVoltage", display_name: "Over-voltage", value: true, notes: "", node_type: "all" },
  ];
  const alerts = { ...setting(JSON.stringify(flags)), type: "list" } as const;
  const { screen, stored, save } = await show({ Location_faultLibraryAlertDefault: alerts });
  const group = screen.getByRole("group", { name: "Alerts of a new location" });
  await expect.element(group.getByRole("checkbox", { name: "Over-voltage" })).toBeChecked();
  await group.getByRole("checkbox", { name: "Underload" }).click();
  const changes = screen.getByRole("region", { name: "About to change" });
  await expect.poll(() => changes.element().textContent).toMatch(/Alerts of a new location, Underload: off → on$/);
  await save.click();
  await expect.element(screen.getByText(/^Changes saved successfully/)).toBeVisible();
  const saved = (stored as Record<string, ShownSetting>)["Location_faultLibraryAlertDefault"]?.value ?? "";
  expect(JSON.parse(saved)).toEqual([{ ...flags[0], value: true }, flags[1]]);
});

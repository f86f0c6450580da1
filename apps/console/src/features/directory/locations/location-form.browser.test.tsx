import { NewLocation, type AvailableNode, type Location } from "@busbar/contract/directory/locations.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { theme } from "#ui/theme.ts";
import { LocationForm } from "./location-form.tsx";

const node = (serialNumber: string, current: string, next = current): AvailableNode => ({
  serialNumber,
  type: "Node",
  currentDeploymentStatus: current,
  newDeploymentStatus: next,
});
const motor: Location = {
  ...NewLocation.parse({ name: "Hoist 1", equipmentType: "DCMotor", timezone: "America/Chicago" }),
  equipmentStartTimestamp: 1_790_000_000,
  id: 7,
  nodes: [],
  revision: 3,
};
const show = (location: Location | undefined, availableNodes: AvailableNode[]) => {
  const onSave = vi.fn(() => Promise.resolve());
  const screen = render(
    <MantineProvider theme={theme}>
      <LocationForm {...(location ? { location } : {})} flags={[]} availableNodes={availableNodes} onSave={onSave} />
    </MantineProvider>,
  );
  return { onSave, screen };
};

test("A-06 before it is saved the form says that placing a node cancels its change to Unassigned", async () => {
  const { screen } = show(undefined, [node("18001", "Deployed", "Unassigned"), node("18002", "Unassigned")]);
  const form = await screen;
  const field = form.getByRole("combobox", { name: "Node Serial Number" });
  await field.click();
  await form.getByRole("option", { name: "18002 · Node · Unassigned" }).click();
  await expect.element(form.getByText(/Saving cancels/)).not.toBeInTheDocument();
  await field.click();
  await form.getByRole("option", { name: "18001 · Node · Deployed · Next: Unassigned" }).click();
  await expect
    .element(form.getByText("Node 18001 is about to become Unassigned. Saving cancels this change: it is placed here and stays Deployed."))
    .toBeVisible();
});

test("A-10 a location whose secondary node has left by itself can be saved; its nodes are requested once one is chosen", async () => {
  const { screen, onSave } = show(motor, [node("18001", "Deployed")]);
  const form = await screen;
  await form.getByRole("textbox", { name: "Channels" }).fill("v1");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByText(/^Location\/Equipment saved successfully/)).toBeVisible();
  expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ channels: "v1" }), {});
  await form.getByRole("combobox", { name: "Node Serial Number", exact: true }).click();
  await form.getByRole("option", { name: /^18001/ }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByText("Please correct the fields marked with red X and save again")).toBeVisible();
  expect(onSave).toHaveBeenCalledOnce();
});

test("a node that comes as Deployed is asked why without a wiring verdict; no other node and no motor on direct current is", async () => {
  const pump = { ...motor, equipmentType: "InductionMotor" as const };
  const { screen, onSave } = show(pump, [node("18001", "Deployed"), node("18002", "Pre-Deployment")]);
  const form = await screen;
  const field = form.getByRole("combobox", { name: "Node Serial Number", exact: true });
  const reason = form.getByRole("textbox", { name: "Reason for Deployed without a wiring verdict" });
  await field.click();
  await form.getByRole("option", { name: /^18002/ }).click();
  expect(reason.elements()).toHaveLength(0);
  await field.click();
  await form.getByRole("option", { name: /^18001/ }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByText("Say why the node is Deployed here without a wiring verdict")).toBeVisible();
  expect(onSave).not.toHaveBeenCalled();
  await reason.fill(" The machine runs in spring ");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByText(/^Location\/Equipment saved successfully/)).toBeVisible();
  expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ nodeSerialNumber: "18001" }), {
    wiringReason: "The machine runs in spring",
  });
  await form.getByRole("combobox", { name: "Equipment Type" }).click();
  await form.getByRole("option", { name: "DCMotor" }).click();
  await expect.element(reason).not.toBeInTheDocument();
});

test("another zone shows the same start on its own clocks; what is no start stays as it was entered", async () => {
  const { screen, onSave } = show(motor, []);
  const form = await screen;
  const start = form.getByRole("textbox", { name: "Equipment Start" });
  const inZone = async (name: string) => {
    await form.getByRole("combobox", { name: "Time Zone" }).click();
    await form.getByRole("option", { name, exact: true }).click();
  };
  await expect.element(start).toHaveValue("2026-09-21 09:13:20");
  await inZone("Asia/Kolkata");
  await expect.element(start).toHaveValue("2026-09-21 19:43:20");
  await start.fill("2026-09-21 19:");
  await inZone("America/New_York");
  await expect.element(start).toHaveValue("2026-09-21 19:");
  await start.fill("2026-09-21 10:13:20");
  expect(unsavedEdits.exist()).toBe(true);
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByText(/^Location\/Equipment saved successfully/)).toBeVisible();
  expect(unsavedEdits.exist()).toBe(false);
  expect(onSave).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ timezone: "America/New_York", equipmentStartTimestamp: 1_790_000_000 }),
    {},
  );
});

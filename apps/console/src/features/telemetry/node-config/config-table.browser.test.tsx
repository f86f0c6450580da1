import { configCatalogue } from "@busbar/contract/telemetry/config-catalogue.ts";
import { configDatatypes } from "@busbar/contract/telemetry/config-rules.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import { theme } from "#ui/theme.ts";
import { PutBack } from "#ui/put-back.tsx";
import { groupRows } from "./config-rows.ts";
import { ConfigTable } from "./config-table.tsx";

const vendorValues = Object.fromEntries(configDatatypes.map((datatype) => [`vendor_${datatype}`, "1"]));
const types = Object.fromEntries(configDatatypes.map((datatype) => [`vendor_${datatype}`, datatype]));

async function show(values: Record<string, string>, old: Record<string, string> = {}) {
  const onSave = vi.fn();
  const rows = groupRows(values, types).flatMap((group) => group.rows);
  const screen = await render(
    <MantineProvider theme={theme}>
      <PutBack object="node/10604" values={old}>
        <ConfigTable
          serial="10604"
          groups={[{ group: "Other", rows }]}
          values={new Map(Object.entries(values))}
          isFetching={false}
          workingKey={undefined}
          changedKeys={[]}
          onSave={onSave}
        />
      </PutBack>
    </MantineProvider>,
  );
  return { screen, onSave, rows };
}

test("A-11 CFG-02 every row has a new value and a save icon: of the catalogue, of the node alone, reported or not", async () => {
  const { screen, rows } = await show({ ...vendorValues, np_voltage: "460" });
  expect(rows).toHaveLength(configCatalogue.length + configDatatypes.length);
  for (const { key } of rows) {
    await expect.element(screen.getByLabelText(`New value of ${key}`, { exact: true }).first()).toBeEnabled();
    await expect.element(screen.getByRole("button", { name: `Save ${key}`, exact: true })).toBeVisible();
  }
});

test("A-11 a value outside the reported datatype is refused at once, one inside is sent with the previous one", async () => {
  const { screen, onSave } = await show(vendorValues);
  const input = screen.getByRole("textbox", { name: "New value of vendor_Int8" });
  await input.fill("128");
  await expect.element(screen.getByText("vendor_Int8 must be a whole number from -128 to 127")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Save vendor_Int8" })).toBeDisabled();
  await input.fill("127");
  await screen.getByRole("button", { name: "Save vendor_Int8" }).click();
  expect(onSave).toHaveBeenCalledExactlyOnceWith("vendor_Int8", "127", "1");
});

test("an old value that is to be put back is entered, and sent only when it is saved", async () => {
  const { screen, onSave } = await show({ i_noise: "2", v_noise: "700" }, { i_noise: "16" });
  await expect.element(screen.getByLabelText("New value of i_noise")).toHaveValue("16");
  await expect.element(screen.getByLabelText("New value of v_noise")).toHaveValue("700");
  expect(onSave).not.toHaveBeenCalled();
  await screen.getByRole("button", { name: "Save i_noise" }).click();
  expect(onSave).toHaveBeenCalledExactlyOnceWith("i_noise", "16", "2");
});

import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Column } from "./column.ts";
import { DataTable } from "./data-table.tsx";
import { Grid } from "./grid.tsx";

const columns: readonly Column<string>[] = [
  { label: "Size", text: (size) => size },
  { label: "Revoke", text: () => "", cell: () => <button>Revoke</button>, isHeadHidden: true },
];

test("on a telephone a fact is named, and a button whose head is only heard is not named twice", async () => {
  await page.viewport(390, 844);
  const screen = await render(
    <MantineProvider>
      <DataTable columns={columns} rows={["1.2 kB"]} keyOf={(size) => size} />
    </MantineProvider>,
  );
  await expect.element(screen.getByText("1.2 kB")).toBeVisible();
  const names = [...document.querySelectorAll("td")].map((cell) => getComputedStyle(cell, "::before").content);
  expect(names).toEqual(['"Size"', "none"]);
});

test("a grid may have two columns of one name, and stays whole when another comes before them", async () => {
  await page.viewport(1280, 800);
  const twice: readonly Column<string>[] = ["today", "yesterday"].map((key) => ({ key, label: "Size", text: (size) => `${size} ${key}` }));
  const on = () => undefined;
  const gridOf = (shown: readonly Column<string>[]) => (
    <MantineProvider>
      <Grid
        label="Sizes"
        columns={shown}
        items={["1.2 kB"]}
        keyOf={(size) => size}
        on={undefined}
        rowHeight={30}
        minWidth={300}
        sort=""
        isDescending={false}
        onSort={on}
        onOpen={on}
        renderFoot={() => null}
      />
    </MantineProvider>
  );
  const screen = await render(gridOf(twice));
  await expect.element(screen.getByRole("columnheader").nth(1)).toBeVisible();
  await screen.rerender(gridOf([{ label: "Kind", text: () => "file" }, ...twice]));
  await expect.element(screen.getByRole("columnheader", { name: "Kind" })).toBeVisible();
  // Of several with the same key React leaves the first ones where they were.
  expect([...document.querySelectorAll("th")].map(({ textContent }) => textContent)).toEqual(["Kind", "Size", "Size"]);
  expect(document.querySelectorAll("col")).toHaveLength(3);
});

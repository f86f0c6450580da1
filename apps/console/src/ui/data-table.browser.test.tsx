import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import type { Column } from "./column.ts";
import { DataTable } from "./data-table.tsx";

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

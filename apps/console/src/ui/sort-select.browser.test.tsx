import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { SortSelect } from "./sort-select.tsx";

test("A-28 without heads a list is sorted by a choice and a direction", async () => {
  const onSort = vi.fn();
  const columns = [{ label: "Node", sort: { key: "node" } }, { label: "Last Datafile", sort: { key: "datafile" } }, { label: "Events" }];
  const show = (isDescending: boolean) => (
    <MantineProvider>
      <SortSelect columns={columns} sort="node" isDescending={isDescending} onSort={onSort} />
    </MantineProvider>
  );
  const screen = await render(show(false));
  const choice = screen.getByRole("combobox", { name: "Sort by" });
  expect([...choice.element().querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual(["Node", "Last Datafile"]);
  await choice.selectOptions("datafile");
  expect(onSort).toHaveBeenLastCalledWith("datafile");
  await screen.getByRole("button", { name: /^Ascending/ }).click();
  expect(onSort).toHaveBeenLastCalledWith("node");
  await screen.rerender(show(true));
  await expect.element(screen.getByRole("button", { name: /^Descending/ })).toBeVisible();
});

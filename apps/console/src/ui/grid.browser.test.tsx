import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Column } from "./column.ts";
import { Grid } from "./grid.tsx";

const columns: readonly Column<number>[] = [
  { label: "Row", text: (row) => row, sort: { key: "row" } },
  { label: "Page", text: () => "", cell: (row) => <a href={`#/rows/${row}`}>page</a> },
  { label: "Press", text: () => "", cell: (row) => <button data-stop="press">press {row}</button>, sort: { key: "press" } },
  { label: "In the file", text: () => "", only: "file" },
];
const rowHeight = 30;
const height = 190;

function gridOf(items: readonly number[], pressed: (words: string) => void, isDescending = false) {
  return (
    <MantineProvider>
      <div style={{ display: "flex", flexDirection: "column", height }}>
        <Grid
          label="Rows"
          columns={columns}
          items={items}
          keyOf={(row) => row}
          on={undefined}
          classOf={(row) => (row === 3 ? "is-third" : "")}
          rowHeight={rowHeight}
          minWidth={300}
          sort="row"
          isDescending={isDescending}
          onSort={(key) => pressed(`sort ${key}`)}
          onOpen={(row) => pressed(`open ${row}`)}
          onSelect={(row, isRange) => pressed(`choose ${row}${isRange ? " and what is between" : ""}`)}
          renderFoot={(focused) => `at ${focused ?? "none"}`}
        />
      </div>
    </MantineProvider>
  );
}
const items = Array.from({ length: 60 }, (_, index) => index);
const focused = () => {
  const { activeElement } = document;
  const row = activeElement?.closest("[data-row]")?.getAttribute("data-row");
  return row === undefined ? "none" : `${row} ${activeElement!.tagName.toLowerCase()}`;
};

test("a grid is walked by keyboard: the keys are its own, what it is at is said and is the one row in the tab order", async () => {
  await page.viewport(1280, 800);
  const pressed = vi.fn<(words: string) => void>();
  const screen = await render(gridOf(items, pressed));
  const foot = () => document.querySelector(".grid-foot")?.textContent;
  const inTabOrder = () => [...document.querySelectorAll("tr[tabindex='0']")].map((row) => row.getAttribute("data-row"));
  await expect.poll(inTabOrder).toEqual(["0"]);
  expect(document.querySelector(".is-third")?.getAttribute("data-row")).toBe("3");
  expect(foot()).toBe("at none");
  const taken: string[] = [];
  const note = (event: KeyboardEvent) => void (event.defaultPrevented && taken.push(event.key));
  addEventListener("keydown", note);
  document.querySelector<HTMLElement>("tr[data-row='0']")!.focus();
  for (const [keys, at, said] of [
    ["{ArrowDown}{ArrowDown}", "2 tr", ""],
    ["{ArrowUp}", "1 tr", ""],
    ["{PageDown}", "4 tr", ""],
    ["{PageUp}{PageUp}", "0 tr", ""],
    ["{ArrowUp}", "0 tr", ""],
    ["{End}", "59 tr", ""],
    ["{ArrowDown}", "59 tr", ""],
    ["{Home}", "0 tr", ""],
    ["{ArrowDown}{Enter}", "1 tr", "open 1"],
    [" ", "1 tr", "choose 1"],
    ["{ArrowDown}{Shift>} {/Shift}", "2 tr", "choose 2 and what is between"],
    ["{ArrowLeft}", "2 tr", ""],
    ["{ArrowRight}", "2 a", ""],
    // A link has no place of its own in the next row.
    ["{ArrowDown}", "3 tr", ""],
    ["{ArrowRight}{ArrowRight}", "3 button", ""],
    ["{ArrowRight}", "3 button", ""],
    ["{ArrowDown}", "4 button", ""],
    // They are the button's.
    ["{Enter} ", "4 button", ""],
    ["{ArrowLeft}", "4 a", ""],
    ["{ArrowLeft}", "4 tr", ""],
  ] as const) {
    await userEvent.keyboard(keys);
    await expect.poll(focused, { message: keys }).toBe(at);
    const row = at.split(" ")[0]!;
    await expect.poll(foot).toBe(`at ${row}`);
    expect(inTabOrder()).toEqual([row]);
    expect([keys, pressed.mock.calls.flat().join()]).toEqual([keys, said]);
    pressed.mockClear();
    const { top, bottom } = document.activeElement!.getBoundingClientRect();
    const room = document.querySelector(".grid-scroller")!.getBoundingClientRect();
    expect([top >= room.top, bottom <= room.bottom], `${keys} in sight`).toEqual([true, true]);
  }
  removeEventListener("keydown", note);
  expect(new Set(taken)).toEqual(new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "End", "Home", "ArrowLeft", "ArrowRight", " "]));
  // It stays the same row in another order, and is drawn out of sight as long as it has the focus.
  await screen.rerender(gridOf(items.toReversed(), pressed, true));
  await expect.poll(foot).toBe("at 4");
  expect(inTabOrder()).toEqual(["55"]);
  document.querySelector<HTMLElement>("tr[data-row='55']")!.focus();
  document.querySelector(".grid-scroller")!.scrollTop = 0;
  await expect.poll(() => document.querySelector("tr[data-row='2']")).not.toBeNull();
  expect(focused()).toBe("55 tr");
  (document.activeElement as HTMLElement).blur();
  await expect.poll(foot).toBe("at none");
  await expect.poll(() => document.querySelector("tr[data-row='55']")).toBeNull();
  // One that is gone leaves the first in its place.
  await screen.rerender(gridOf([7, 8], pressed));
  await expect.poll(inTabOrder).toEqual(["0"]);
});

test("a grid says how it is sorted and by what it can be, how many rows there are, and on which side there are more columns", async () => {
  await page.viewport(1280, 800);
  const pressed = vi.fn<(words: string) => void>();
  const screen = await render(gridOf(items, pressed));
  const grid = screen.getByRole("grid", { name: "Rows" });
  await expect.element(grid).toHaveAttribute("aria-rowcount", "61");
  expect(document.querySelector("tr[data-row='1']")?.getAttribute("aria-rowindex")).toBe("3");
  const heads = () =>
    [...document.querySelectorAll("th")].map((head) => `${head.textContent.trim()} ${head.getAttribute("aria-sort") ?? "-"}`);
  expect(heads()).toEqual(["Row ▲ ascending", "Page -", "Press none"]);
  for (const name of [/^Row/, /^Press/]) await screen.getByRole("columnheader", { name }).getByRole("button").click();
  expect(pressed.mock.calls.flat()).toEqual(["sort row", "sort press"]);
  await screen.rerender(gridOf(items, pressed, true));
  expect(heads()[0]).toBe("Row ▼ descending");
  // The room of what is not drawn is kept: below the last row there is none.
  const scroller = document.querySelector<HTMLElement>(".grid-scroller")!;
  expect(scroller.scrollHeight).toBe(36 + 60 * rowHeight);
  const more = () => scroller.dataset["more"];
  expect(more()).toBe("");
  scroller.style.width = "200px";
  scroller.style.flex = "none";
  scroller.style.height = `${height}px`;
  await expect.poll(more).toBe("right");
  scroller.scrollLeft = 20;
  await expect.poll(more).toBe("left right");
  scroller.scrollLeft = 1_000;
  await expect.poll(more).toBe("left");
});

test("on a narrow screen a grid is a list of items, each with its place in the whole", async () => {
  await page.viewport(390, 844);
  const pressed = vi.fn<(words: string) => void>();
  const screen = await render(gridOf(items, pressed));
  await expect.element(screen.getByRole("list", { name: "Rows" })).toBeVisible();
  const item = document.querySelectorAll("li")[3]!;
  expect([item.getAttribute("aria-posinset"), item.getAttribute("aria-setsize"), item.classList.contains("is-third")]).toEqual([
    "4",
    "60",
    true,
  ]);
  // A line for each of three columns.
  expect([item.offsetHeight, item.parentElement!.offsetHeight]).toEqual([76, 60 * 76]);
  expect(item.getBoundingClientRect().top - item.parentElement!.getBoundingClientRect().top).toBe(3 * 76);
  await screen.getByRole("combobox", { name: "Sort by" }).selectOptions("Press");
  await screen.getByRole("button", { name: "Ascending: turn the order round" }).click();
  expect(pressed.mock.calls.flat()).toEqual(["sort press", "sort row"]);
});

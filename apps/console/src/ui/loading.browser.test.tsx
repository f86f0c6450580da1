import { MantineProvider } from "@mantine/core";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Grid } from "./grid.tsx";
import { LoadingForm, LoadingPlot, LoadingRows, LoadingTable } from "./loading.tsx";
import { DataTable } from "./data-table.tsx";
import { theme } from "./theme.ts";

const columns = [
  { label: "Name", text: ({ name }: { name: string }) => name },
  { label: "Place", text: () => "Anytown" },
];

const place = (element: Element | null | undefined) => {
  const { top, height } = element!.getBoundingClientRect();
  return { top, height };
};

/** The largest area of one fill, in pixels of height. */
function highestFill(container: Element): number {
  const filled = Array.from(container.querySelectorAll(".loading *")).filter(
    (element) => getComputedStyle(element).backgroundColor !== "rgba(0, 0, 0, 0)",
  );
  expect(filled.length).toBeGreaterThan(0);
  return Math.max(...filled.map((element) => element.getBoundingClientRect().height));
}

describe("A-32 what loads", () => {
  test("shows light words where rows and fields will be, and no slab", async () => {
    const screen = await render(
      <MantineProvider theme={theme}>
        <LoadingRows label="Loading rows" height={46} narrowHeight={168} hasCount frame="grid" />
        <LoadingTable label="Loading a table" columns={columns} lines={2} />
        <LoadingForm label="Loading a form" />
        <LoadingPlot label="Loading a plot" height={170} />
      </MantineProvider>,
    );
    for (const label of ["Loading rows", "Loading a table", "Loading a form", "Loading a plot"]) {
      await expect.element(screen.getByText(label)).toBeInTheDocument();
    }
    expect(highestFill(screen.container)).toBeLessThanOrEqual(10);
    // Only the label is read out.
    expect(screen.getByRole("table").query()).toBeNull();
  });

  test.each([1_440, 390])("is as high as the rows of a table that come, at %d px", async (width) => {
    await page.viewport(width, 900);
    const rows = [{ name: "One" }, { name: "Two" }];
    const at = (isLoading: boolean) => (
      <MantineProvider theme={theme}>
        {isLoading ? (
          <LoadingTable label="Loading the table" columns={columns} />
        ) : (
          <DataTable aria-label="Table" columns={columns} rows={rows} keyOf={({ name }) => name} />
        )}
      </MantineProvider>
    );
    const screen = await render(at(true));
    const before = place(screen.container.querySelectorAll("tbody tr")[1]);
    await screen.rerender(at(false));
    const after = place(screen.container.querySelectorAll("tbody tr")[1]);
    expect(Math.abs(after.top - before.top)).toBeLessThan(1);
    expect(Math.abs(after.height - before.height)).toBeLessThan(1);
  });

  test("is where the rows of a grid come", async () => {
    await page.viewport(1_440, 900);
    const at = (isLoading: boolean) => (
      <MantineProvider theme={theme}>
        <div className="list-page" style={{ height: 600 }}>
          {isLoading ? (
            <LoadingRows label="Loading the grid" rows={40} height={46} frame="grid" />
          ) : (
            <Grid
              label="Grid"
              columns={[{ label: "Name", text: (name: string) => name, sort: { key: "name" } }]}
              items={["One", "Two"]}
              keyOf={(name) => name}
              on={undefined}
              rowHeight={46}
              minWidth={300}
              sort="name"
              isDescending={false}
              onSort={() => {}}
              onOpen={() => {}}
              renderFoot={() => null}
            />
          )}
        </div>
      </MantineProvider>
    );
    const screen = await render(at(true));
    const before = place(screen.container.querySelector(".loading-row:not(.loading-head)"));
    // However many rows are drawn, the page does not grow.
    expect(screen.container.querySelector(".list-page")!.scrollHeight).toBeLessThanOrEqual(600);
    await screen.rerender(at(false));
    await expect.element(screen.getByText("One")).toBeVisible();
    expect(place(screen.container.querySelector(".grid-row"))).toEqual(before);
  });
});

import { MantineProvider } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { SearchPalette } from "./search-palette.tsx";
import { theme } from "./theme.ts";

const label = `Anytown ${"Waste Water Reclamation and Storm Water ".repeat(3)}Station`;
const items = [{ icon: IconBuilding, label, detail: "facility, Anytown Works" }];

/** Where what is named, and what is said of it, stand in the item. */
async function openPalette() {
  const screen = await render(
    <MantineProvider theme={theme}>
      <SearchPalette
        title="Go to"
        placeholder="Name"
        typed=""
        maxLength={10}
        onTyped={() => undefined}
        items={items}
        keyOf={(item) => item.label}
        onChoose={() => undefined}
        onClose={() => undefined}
      />
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("option")).toBeVisible();
  const boxOf = (text: string) => screen.getByText(text).element().getBoundingClientRect();
  return {
    item: screen.getByRole("option").element().getBoundingClientRect(),
    name: boxOf(label),
    detail: boxOf("facility, Anytown Works"),
  };
}

test("a long name leaves its place in one line beside it", async () => {
  await page.viewport(1_440, 900);
  const { item, name, detail } = await openPalette();
  expect(detail.top).toBe(name.top);
  expect(detail.width).toBeGreaterThan(100);
  expect(detail.right).toBeLessThanOrEqual(item.right);
});

test("on a phone a name is whole, and its place begins below it", async () => {
  await page.viewport(390, 844);
  const { item, name, detail } = await openPalette();
  expect(detail.left).toBe(name.left);
  expect(detail.top).toBeGreaterThanOrEqual(name.bottom);
  expect(name.height).toBeGreaterThan(2 * detail.height);
  expect(detail.right).toBeLessThanOrEqual(item.right);
});

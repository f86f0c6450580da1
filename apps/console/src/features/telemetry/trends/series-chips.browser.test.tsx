import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { SeriesChips } from "./series-chips.tsx";

test("a press hides one series or shows it again, and leaves the others as they are", async () => {
  const series = [10_001, 10_002, 10_003].map((number) => ({
    serialNumber: String(number),
    quantity: "current" as const,
    machine: `Fan ${number}`,
  }));
  const onHidden = vi.fn<(hidden: string[]) => void>();
  const onRemove = vi.fn<(key: string) => void>();
  const hidden = ["10001:current", "10002:current"];
  const screen = await render(
    <MantineProvider>
      <SeriesChips series={series} hidden={hidden} onHidden={onHidden} onRemove={onRemove} />
    </MantineProvider>,
  );
  const chip = (number: number) => screen.getByRole("button", { name: new RegExp(`^Fan ${number} `) });
  await expect.element(chip(10_002)).toHaveAttribute("aria-pressed", "false");
  await chip(10_002).click();
  await chip(10_003).click();
  expect(onHidden.mock.calls).toEqual([[["10001:current"]], [[...hidden, "10003:current"]]]);
  await screen.getByRole("button", { name: /^Remove Fan 10002 / }).click();
  expect(onRemove.mock.calls).toEqual([["10002:current"]]);
});

import { MantineProvider } from "@mantine/core";
import type { VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-dashboard.css";
import { node } from "./fleet.fixture.ts";
import { criteriaOf } from "./fleet-criteria.ts";
import { MeteringCell, ScalarCell } from "./node-cells.tsx";
import { VerdictChips } from "./verdict-chips.tsx";

const skipped = node(10_001, {
  lastScalarTimestamp: Math.floor(Date.now() / 1000),
  lastScalarData: "3,1,1795384818000,60.01,128.1,128.4,128.7,13800,13776,13789,1,2,3",
  missingScalarStreamCount: 8_640,
});

test.each([380, 400, 420, 440, 470])("beside what was skipped a reading is shown whole or left out, in %d px", async (width) => {
  await page.viewport(1440, 900);
  await render(
    <MantineProvider>
      <div style={{ width }}>
        <ScalarCell node={skipped} onOpenHistory={() => undefined} />
      </div>
    </MantineProvider>,
  );
  await expect.element(page.getByText(/8,640 skipped/)).toBeVisible();
  const readings = document.querySelector<HTMLElement>(".readings")!;
  const box = readings.getBoundingClientRect();
  const text = readings.firstChild as Text;
  const looks = ["128.4\u00a0A", "13788\u00a0V", "60.0\u00a0Hz"].flatMap((reading) => {
    const start = text.data.indexOf(reading);
    if (start < 0) return [];
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + reading.length);
    const at = range.getBoundingClientRect();
    return [at.top >= box.bottom ? "left out" : at.right <= box.right + 0.5 && at.bottom <= box.bottom + 0.5 ? "whole" : "cut"];
  });
  expect(looks).toHaveLength(3);
  expect(looks).not.toContain("cut");
});

test.each([
  ["Node", ["Metering", "Trends"]],
  ["SEL", ["Metering"]],
])("a node of the type %s leads to %j", async (type, leads) => {
  const screen = await render(<MeteringCell node={node(10_001, { type })} />);
  const names = screen
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("aria-label")?.split(" of ")[0]);
  expect(names).toEqual(leads);
});

test("arrow keys go along the verdicts, and the page does not scroll by them", async () => {
  const counts = new Map<VerdictKind, number>([
    ["outage", 1],
    ["away", 2],
    ["late", 3],
  ]);
  const screen = await render(
    <MantineProvider>
      <VerdictChips counts={counts} criteria={criteriaOf({})} onChange={() => undefined} />
    </MantineProvider>,
  );
  const chips = screen.getByRole("toolbar", { name: "Verdicts" }).getByRole("button").elements() as HTMLElement[];
  const scrolls: string[] = [];
  const hear = (event: KeyboardEvent) => void (event.defaultPrevented || scrolls.push(event.key));
  document.addEventListener("keydown", hear);
  chips[0]!.focus();
  const places: number[] = [];
  for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft"]) {
    await userEvent.keyboard(`{${key}}`);
    places.push(chips.indexOf(document.activeElement as HTMLElement));
  }
  document.removeEventListener("keydown", hear);
  expect([places, scrolls]).toEqual([[1, 2, 2, 1, 0, 0], []]);
});

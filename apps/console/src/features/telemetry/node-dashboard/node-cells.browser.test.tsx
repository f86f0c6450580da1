import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import "#ui/grid.css";
import "#ui/status-badge.css";
import "./node-dashboard.css";
import { node } from "./fleet.fixture.ts";
import { ScalarCell } from "./node-cells.tsx";

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

import type UPlot from "uplot";
import { expect, onTestFinished, test, vi } from "vitest";
import { paintMarks } from "./trend-paint.ts";

test("a mark is a line at its beginning and, while it lasted, an area, both within the plot", () => {
  vi.stubGlobal("devicePixelRatio", 1);
  onTestFinished(() => void vi.unstubAllGlobals());
  const colors = { resolve: (color: string) => color, text: "text", hatch: "hatch", mark: "mark" };
  const painted = (timestamp: number, endTimestamp: number | null) => {
    const areas: number[][] = [];
    const lines: number[] = [];
    const ctx = {
      fillRect: (...place: number[]) => areas.push(place),
      moveTo: (x: number) => lines.push(x),
    };
    const nothing = () => undefined;
    const pen = new Proxy(ctx, { get: (own, name) => Reflect.get(own, name) ?? nothing, set: () => true });
    // Ten pixels for a second, from 100 to 200 s.
    const plot = {
      ctx: pen,
      bbox: { left: 50, top: 5, width: 1000, height: 80 },
      scales: { x: { min: 100, max: 200 }, y: { min: 0, max: 1 } },
    };
    paintMarks(plot as unknown as UPlot, [{ timestamp, endTimestamp }], colors);
    return { areas, lines };
  };
  expect(painted(110, null)).toEqual({ areas: [], lines: [150] });
  expect(painted(110, 130)).toEqual({ areas: [[150, 5, 200, 80]], lines: [150] });
  // What began before or ends after it.
  expect(painted(10, 130)).toEqual({ areas: [[50, 5, 300, 80]], lines: [] });
  expect(painted(190, 900)).toEqual({ areas: [[950, 5, 100, 80]], lines: [950] });
  for (const [from, to] of [
    [10, 100],
    [200.5, 300],
    [99, null],
    [201, null],
  ] as const)
    expect(painted(from, to)).toEqual({ areas: [], lines: [] });
});

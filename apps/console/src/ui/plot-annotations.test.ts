import type UPlot from "uplot";
import { expect, onTestFinished, test, vi } from "vitest";
import { keptStrokes } from "../testing/kept-strokes.ts";
import { plotAnnotations, type PlotAnnotation } from "./plot-annotations.ts";

/** Ten pixels for a second, from 100 to 200 s. */
function drawn(annotations: PlotAnnotation[], pixels = 1): string[] {
  vi.stubGlobal("devicePixelRatio", pixels);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { pen, take } = keptStrokes();
  const plot = {
    ctx: pen,
    bbox: { left: 50, top: 5, width: 1000, height: 80 },
    scales: { x: { min: 100, max: 200 } },
    valToPos: (at: number) => 50 + (at - 100) * 10.04,
  };
  const { draw } = plotAnnotations(() => annotations, { line: "line", text: "text", ground: "ground" }).hooks;
  (draw as (plot: UPlot) => void)(plot as unknown as UPlot);
  return take();
}
const placesOf = (strokes: string[]) => strokes.filter((stroke) => /^(moveTo|lineTo|fillRect|fillText)/.test(stroke));

test("a note is a line at its moment with its words beside it, to the left where the plot ends, in a row of its own where they would meet", () => {
  expect(placesOf(drawn([{ timestamp: 110, text: "bearing" }]))).toEqual([
    "moveTo 150 5",
    "lineTo 150 85",
    "fillRect 150 5 50 15",
    "fillText bearing 154 12.5",
  ]);
  const beside = ["110", "111", "112", "113", "119"].map((at) => ({ timestamp: Number(at), text: "bearing" }));
  expect(placesOf(drawn(beside)).filter((stroke) => stroke.startsWith("fillRect"))).toEqual([
    "fillRect 150 5 50 15",
    "fillRect 160 20 50 15",
    "fillRect 170 35 50 15",
    // No row is free.
    "fillRect 181 5 50 15",
    "fillRect 241 5 50 15",
  ]);
  // One that begins where another ends.
  const touching = [110, 114.94].map((timestamp) => ({ timestamp, text: "bearing" }));
  expect(placesOf(drawn(touching))[6]).toBe("fillRect 200 5 50 15");
  expect(placesOf(drawn([{ timestamp: 198, text: "bearing" }]))[2]).toBe("fillRect 984 5 50 15");
});

test("what is out of sight is not drawn, and without words there is a line only", () => {
  expect(
    drawn([
      { timestamp: 99, text: "before" },
      { timestamp: 201, text: "after" },
    ]).filter((stroke) => stroke.startsWith("moveTo")),
  ).toEqual([]);
  expect(
    placesOf(
      drawn([
        { timestamp: 100, text: "" },
        { timestamp: 200, text: "" },
      ]),
    ),
  ).toEqual(["moveTo 50 5", "lineTo 50 85", "moveTo 1054 5", "lineTo 1054 85"]);
});

test("words wider than half the plot are cut, and all is as large as the screen's pixels are fine", () => {
  const [, , ground, words] = placesOf(drawn([{ timestamp: 110, text: "long ".repeat(50) }]));
  expect(words).toMatch(/^fillText (long )+.*… 154 12\.5$/);
  expect(Number(ground!.split(" ")[3])).toBeLessThanOrEqual(508);
  expect(drawn([{ timestamp: 110, text: "bearing" }], 2).filter((stroke) => /^(font|setLineDash|lineWidth|fillText)/.test(stroke))).toEqual(
    ["font = 22px system-ui, sans-serif", "lineWidth = 2", "setLineDash 8 6", "setLineDash", "fillText bearing 158 20"],
  );
});

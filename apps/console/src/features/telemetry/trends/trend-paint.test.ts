import type UPlot from "uplot";
import { expect, onTestFinished, test, vi } from "vitest";
import { keptStrokes } from "../../../testing/kept-strokes.ts";
import type { TrendLine } from "./trend-lines.ts";
import { paintLetters, paintMarks, paintPanel } from "./trend-paint.ts";

test("a mark is a line at its beginning and, while it lasted, an area, both within the plot", () => {
  vi.stubGlobal("devicePixelRatio", 1);
  onTestFinished(() => void vi.unstubAllGlobals());
  const colors = { resolve: (color: string) => color, text: "text", ground: "ground", hatch: "hatch", mark: "mark" };
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

const look = { key: "a", name: "Fan", unit: "A", digits: 1, color: "red", dash: [], isEarlier: false, step: 10, middle: 5, limits: [] };
const lineAt = (times: number[], mean: number[], more: Partial<TrendLine> = {}): TrendLine => ({
  ...look,
  times,
  mean,
  minimum: mean.map((value) => value - 1),
  maximum: mean.map((value) => value + 2),
  gaps: [],
  ...more,
});
const steady = [105, 115, 125, 135, 145];
const rough = Array.from({ length: 400 }, (_, index) => 100 + index / 10);

test.each<[string, TrendLine[]]>([
  ["a line with its band, cut where points are missing, and a point by itself", [lineAt([...steady, 185], [1, 3, 2, 5, 4, 6])]],
  ["an earlier period, which has no band", [lineAt(steady, [1, 3, 2, 5, 4], { isEarlier: true, dash: [4, 2] })]],
  [
    "gaps that all have, and those of one of them",
    [
      lineAt(steady, [1, 3, 2, 5, 4], { gaps: [{ from: 150, to: 220 }] }),
      lineAt([105], [1], { color: "blue", gaps: [{ from: 110, to: 220 }] }),
      lineAt([105], [1], { isEarlier: true, gaps: [{ from: 0, to: 300 }] }),
    ],
  ],
  [
    "limits, equal ones together, above each other where there is no room, and none out of sight",
    [
      lineAt([], [], {
        limits: [
          { kind: "nameplate", value: 5, line: "full load" },
          { kind: "alarm", value: 5, line: "limit" },
          { kind: "alarm", value: 9.9, line: `a limit of ${"many ".repeat(20)}words` },
          { kind: "alarm", value: 90, line: "far" },
        ] as TrendLine["limits"],
      }),
      lineAt([], [], { color: "blue", limits: [{ kind: "nameplate", value: 5, line: "other" }] as TrendLine["limits"] }),
    ],
  ],
])("what is drawn: %s", (_, lines) => {
  // A path is one line.
  expect(
    paintedPanel(lines)
      .join("\n")
      .replaceAll(/\n(?=moveTo|lineTo)/g, " "),
  ).toMatchSnapshot();
});

test("the names of limits lie above every line, with an edge in the colour of the page", () => {
  const limits: TrendLine["limits"] = [
    { kind: "limit", value: 5, line: "limit" },
    { kind: "limit", value: 5.5, line: "other" },
  ];
  const strokes = paintedPanel([lineAt(steady, [1, 3, 2, 5, 4], { limits })]);
  const names = strokes.slice(strokes.findIndex((stroke) => /^(?:fill|stroke)Text/.test(stroke)));
  expect(names.filter((stroke) => /^(?:moveTo|lineTo|fillRect|stroke$)/.test(stroke))).toEqual([]);
  expect(names.map((stroke) => stroke.split(" ").slice(0, 2).join(" ")).filter((stroke) => stroke.includes("Text"))).toEqual([
    "strokeText limit",
    "fillText limit",
    "strokeText other",
    "fillText other",
  ]);
  expect(strokes).toContain("strokeStyle = ground");
});

test("a rough line is columns of a pixel, of two where many are rough, and with its dashes", () => {
  const line = lineAt(
    rough,
    rough.map((_, index) => (index % 2) * 8),
    { step: 0.1, middle: 0 },
  );
  const widths = (lines: TrendLine[]) => {
    const drawn = paintedPanel(lines).filter((stroke) => stroke.startsWith("fillRect"));
    return [drawn.length, new Set(drawn.map((stroke) => stroke.split(" ")[3]))];
  };
  const [whole, one] = widths([line]);
  expect([whole, one]).toEqual([800, new Set(["1"])]);
  expect(widths([{ ...line, dash: [4, 4] }])[0]).toBe(600);
  expect(widths([{ ...line, isEarlier: true }])[0]).toBe(400);
  expect(widths(Array.from({ length: 5 }, () => line))).toEqual([2_000, new Set(["2"])]);
  expect(
    paintedPanel([
      lineAt(
        rough,
        rough.map(() => 3),
        { step: 0.1, middle: 0 },
      ),
    ]).filter((stroke) => stroke.startsWith("fillRect")),
  ).toEqual([]);
});

test("whose time it is is said below the plot, twice where the clocks change", () => {
  vi.stubGlobal("devicePixelRatio", 2);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { pen, take } = keptStrokes();
  paintLetters({ ...plot, ctx: pen } as unknown as UPlot, ["CDT", "CST", "more"], colors);
  expect(take().filter((stroke) => /^fill(Text|Style)|^font/.test(stroke))).toEqual([
    "font = bold 22px system-ui, sans-serif",
    "fillStyle = text",
    "fillText CDT 4 101",
    "fillText CST 4 129",
  ]);
});

const colors = { resolve: (color: string) => `${color}!`, text: "text", ground: "ground", hatch: "hatch", mark: "mark" };
// Ten pixels for a second, from 100 to 200 s, and eight for a unit, from 0 to 10.
const plot = {
  bbox: { left: 50, top: 5, width: 1000, height: 80 },
  scales: { x: { min: 100, max: 200 }, y: { min: 0, max: 10 } },
};

function paintedPanel(lines: TrendLine[]): string[] {
  vi.stubGlobal("devicePixelRatio", 1);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { pen, take } = keptStrokes();
  paintPanel({ ...plot, ctx: pen } as unknown as UPlot, { lines, unit: "A" }, colors);
  return take();
}

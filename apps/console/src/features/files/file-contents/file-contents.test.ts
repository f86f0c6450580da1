import { describe, expect, test } from "vitest";
import { oneSecondSeries } from "./one-second-series.ts";
import { visibleText } from "#lib/visible-text.ts";

test("FIL-06 characters that hide or turn text around are shown as symbols, the rest stays", () => {
  expect(visibleText("a\tb\nc é 漢 <script>")).toBe("a\tb\nc é 漢 <script>");
  expect(visibleText("a\r\nb")).toBe("a\r\nb");
  expect(visibleText("\u0000\u001b[31m\r\u007f")).toBe("\u2400\u241b[31m\u240d\u2421");
  expect(visibleText("x\u202Ey\u2066\uFEFF")).toBe("x\u2039U+202E\u203Ay\u2039U+2066\u203A\u2039U+FEFF\u203A");
});

describe("the series of a one-second file", () => {
  const text =
    "#VDF=2\n#kind=S\nt,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag\n100,60,1,2,3,4,5,6,7,8,9,1\n101,,,,,,,,,,,\n102,60,NaN,2,3,4,5,6,7,8,9,1\n103,60,1";

  test("leave gaps where nothing was measured, and end where the file was cut", () => {
    const series = oneSecondSeries(text)!;
    expect(series.times).toEqual([100, 101, 102]);
    expect(series.panels.map(({ title, series: lines }) => [title, lines.map(({ label }) => label).join()])).toEqual([
      ["Current", "I1,I2,I3"],
      ["Voltage, line to line", "V1,V2,V3"],
      ["Power", "P1,P2,P3"],
      ["Line frequency", "LF"],
    ]);
    expect(series.panels[0]!.series[0]!.values).toEqual([1, null, null]);
  });

  test("of another text are none", () => {
    expect(oneSecondSeries("serialNumber=10001\n")).toBeUndefined();
  });
});

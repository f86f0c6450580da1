import { expect, test } from "vitest";
import { measureWaveform } from "./measure.ts";
import type { AnalogChannel, Waveform } from "./waveform.ts";

const rate = 960;
const perCycle = 16;
const sine = (rms: number, index: number) => rms * Math.SQRT2 * Math.sin((2 * Math.PI * index) / perCycle);

const channel = (name: string, unit: string, valueAt: (index: number) => number, phase = "", count = 160): AnalogChannel => ({
  name,
  phase,
  unit,
  values: Float64Array.from({ length: count }, (_, index) => valueAt(index)),
});

function record(analogs: AnalogChannel[], also: Partial<Waveform> = {}): Waveform {
  return {
    format: "CEV",
    station: "",
    device: "",
    revision: "",
    triggeredAt: undefined,
    utcOffset: undefined,
    lineFrequency: 60,
    times: Float64Array.from(analogs[0]?.values ?? [], (_, index) => index / rate - 0.05),
    analogs,
    digitals: [],
    facts: {},
    warnings: [],
    ...also,
  };
}
const figures = (waveform: Waveform) => {
  const { largestCurrent, lowestVoltage } = measureWaveform(waveform);
  const text = (figure: typeof largestCurrent) =>
    figure ? `${Number(Number(figure.value.toPrecision(3)).toFixed(3))} ${figure.phase}` : "none";
  return [text(largestCurrent), text(lowestVoltage)];
};

test("largest current and lowest voltage are rms of one cycle, whatever the phase angle where they step", () => {
  const waveform = record([
    channel("IA", "A", (index) => sine(100, index)),
    channel("IB", "kA", (index) => sine(index >= 53 && index < 100 ? 24 : 0.1, index)),
    channel("VAB", "V", (index) => sine(480, index)),
    channel("VCA", "V", (index) => sine(index >= 53 && index < 100 ? 212 : 480, index + 3)),
  ]);
  expect(figures(waveform)).toEqual(["24000 B", "212 C-A"]);
  expect(measureWaveform(waveform).durationSeconds).toBeCloseTo(159 / rate, 9);
});

test.each<[string, AnalogChannel[], [string, string]]>([
  [
    "neutral, ground and sequence currents do not count",
    ["IA", "IN", "IG", "3I2", "I1"].map((name, place) => channel(name, "A", (index) => sine(place * 100 + 10, index))),
    ["10 A", "none"],
  ],
  [
    "a phase that its field names counts, whatever the name",
    [channel("W1 current", "A", (index) => sine(5, index), "l3"), channel("IB", "A", (index) => sine(50, index), "N")],
    ["5 C", "none"],
  ],
  [
    "names with windings, bays and L",
    [
      channel("F1-IA", "A", (index) => sine(1, index)),
      channel("IBW2", "A", (index) => sine(3, index)),
      channel("I_L3", "A", (index) => sine(2, index)),
    ],
    ["3 B", "none"],
  ],
  [
    "channels that name no phase count without one",
    [channel("Motor", "A", (index) => sine(7, index)), channel("Bus", "V", (index) => sine(9, index))],
    ["7 ", "9 "],
  ],
  [
    "a phase that is not wired is not the lowest voltage",
    [channel("VA", "V", (index) => sine(277, index)), channel("VB", "V", () => 0), channel("VC", "V", (index) => sine(260, index))],
    ["none", "260 C"],
  ],
  [
    "of both kinds of voltages the one with more channels",
    [
      channel("VA", "V", (index) => sine(100, index)),
      channel("VAB", "V", (index) => sine(480, index)),
      channel("VBC", "V", (index) => sine(470, index)),
    ],
    ["none", "470 B-C"],
  ],
  ["an interruption is a voltage of nothing", [channel("VA", "V", (index) => (index < 80 ? sine(277, index) : 0))], ["none", "0 A"]],
  [
    "a voltage far below the highest, or of nothing, is no voltage of the machine",
    [channel("VA", "V", (index) => sine(277, index)), channel("VB", "V", () => 0), channel("VC", "V", (index) => sine(1, index))],
    ["none", "277 A"],
  ],
  ["without any voltage there is no lowest", [channel("VA", "V", () => 0)], ["none", "none"]],
  [
    "missing and damaged values are read over",
    [channel("IA", "A", (index) => (index % 7 === 0 ? Number.NaN : index === 40 ? 1e300 : sine(10, index)))],
    ["10 A", "none"],
  ],
  ["nothing but missing values is no figure", [channel("IA", "A", () => Number.NaN)], ["none", "none"]],
])("%s", (_what, analogs, expected) => {
  const rounded = figures(record(analogs)).map((text) => text.replace(/^(?:9\.|10\.)\d+ /, "10 "));
  expect(rounded).toEqual(expected);
});

test("values that are averages already are taken as they are, and a record shorter than a cycle is taken whole", () => {
  const slow = record([channel("IA", "A", (index) => (index === 3 ? 900 : 100), "", 6)], { times: Float64Array.from([0, 1, 2, 3, 4, 5]) });
  expect(figures(slow)).toEqual(["900 A", "none"]);
  expect(figures(record([channel("IA", "A", () => 30, "", 4)]))).toEqual(["30 A", "none"]);
});

test("a cycle of which less than half is there has no rms of its own", () => {
  // What is left of some cycles is their crests, whose rms would be 141 A.
  const isLost = (index: number) => index >= 64 && index < 112 && index % 8 !== 4;
  const amps = channel("IA", "A", (index) => (isLost(index) ? Number.NaN : sine(100, index)));
  expect(measureWaveform(record([amps])).largestCurrent!.value).toBeLessThan(125);
});

test("a picture has lowest and highest of each column, each kind by its own highest, and at most 1,440 bytes", () => {
  const long = record([
    channel("IA", "A", (index) => (index === 500 ? -2_000 : 1_000), "", 960),
    channel("VC", "V", (index) => (index < 480 ? 5 : Number.NaN), "", 960),
  ]);
  const { picture } = measureWaveform(long);
  const bytes = new Int8Array(picture!.buffer);
  expect(bytes).toHaveLength(1_440);
  const columns = 120;
  const at = (place: number, column: number) => [...bytes.subarray((place * columns + column) * 2, (place * columns + column) * 2 + 2)];
  expect([at(0, 0), at(0, 62), at(1, 0), at(5, 0), at(5, 119)]).toEqual([
    [64, 64],
    [-127, 64],
    [-128, -128],
    [127, 127],
    [-128, -128],
  ]);
  // What no relay measures is not drawn, on either side of zero.
  for (const odd of [2e9, -2e9]) {
    const [low, high, next] = new Int8Array(
      measureWaveform(record([channel("IA", "A", (index) => (index === 0 ? odd : 5), "", 10)])).picture!.buffer,
    );
    expect([low, high, next]).toEqual([-128, -128, 127]);
  }
  // Fewer samples are fewer columns.
  expect(measureWaveform(record([channel("IA", "A", (index) => index, "", 10)])).picture).toHaveLength(120);
});

test("a record of nothing, of one sample and of times that stand still has no picture, and never throws", () => {
  for (const analogs of [[], [channel("IA", "A", () => 1, "", 1)], [channel("IA", "A", () => 0)]])
    expect(measureWaveform(record(analogs)).picture).toBeUndefined();
  const still = record([channel("IA", "A", () => 5)], { times: new Float64Array(160), lineFrequency: 0 });
  expect(measureWaveform(still)).toMatchObject({ durationSeconds: 0, picture: undefined, largestCurrent: { value: 5 } });
});

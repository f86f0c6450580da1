import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { expect, test } from "vitest";
import type { ScalarColumns } from "./scalar-columns.ts";
import { scalarQuantities, scalarValues, type NodeChannels } from "./scalar-quantities.ts";

const none = Number.NaN;
const column = (...values: number[]) => Float64Array.from(values);
const scalars: ScalarColumns = {
  at: column(0, 10, 20, 30),
  flag: column(scalarFlagBits.isRunning, 0, scalarFlagBits.isRunning, none),
  lineFrequency: column(60, 50, Infinity, none),
  currents: [column(10, 1, none, 30), column(20, 1, 5, 30), column(30, 1, 5, 60)],
  voltages: [column(480, 480, 480, 480), column(476, 480, none, 480), column(472, 480, 480, 2)],
};
const all: NodeChannels = {
  activeVoltages: [true, true, true],
  activeCurrents: [true, true, true],
  isDirect: false,
  voltageNoise: 5,
  currentNoise: 2,
};
const valuesOf = (id: string, channels: Partial<NodeChannels> = {}) => [...scalarValues(id, scalars, { ...all, ...channels })];

test.each<[string, string, Partial<NodeChannels>, number[]]>([
  ["the mean of all phases", "current", {}, [20, 1, 5, 40]],
  ["the mean of active phases", "current", { activeCurrents: [false, true, true] }, [25, 1, 5, 45]],
  ["one phase", "current3", {}, [30, 1, 5, 60]],
  ["a phase that is not active", "voltage2", { activeVoltages: [true, false, true] }, [none, none, none, none]],
  ["the one circuit of direct current", "voltage", { isDirect: true }, [480, 480, 480, 480]],
  ["its second channel", "current2", { isDirect: true }, [none, none, none, none]],
  [
    "direct current whose channel is not active",
    "current",
    { isDirect: true, activeCurrents: [false, true, true] },
    [none, none, none, none],
  ],
  ["the frequency", "lineFrequency", {}, [60, 50, none, none]],
  ["the frequency of direct current", "lineFrequency", { isDirect: true }, [none, none, none, none]],
  ["the imbalance of currents above noise", "currentImbalance", {}, [50, none, none, 50]],
  ["the imbalance without a phase", "currentImbalance", { activeCurrents: [true, true, false] }, [none, none, none, none]],
  ["the imbalance of direct current", "voltageImbalance", { isDirect: true }, [none, none, none, none]],
  ["whether it ran", "runningSeconds", {}, [1, 0, 1, none]],
  ["whether it started", "startCount", {}, [0, 0, 1, none]],
])("%s is taken from scalars", (_, id, channels, expected) => {
  expect(valuesOf(id, channels)).toEqual(expected);
});

test("what is in scalars is read from them", () => {
  expect(scalarQuantities.map(({ id }) => id).join(" ")).toBe(
    "current current1 current2 current3 voltage voltage1 voltage2 voltage3 lineFrequency voltageImbalance currentImbalance runningSeconds startCount",
  );
});

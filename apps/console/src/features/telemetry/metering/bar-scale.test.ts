import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { expect, test } from "vitest";
import { powerMarks } from "./bar-scale.ts";

const metering = (showLineFrequency: boolean) => ({ showLineFrequency, limits: { powerNameplateKw: 10.57 } }) as Metering;

test("A-29 the nameplate of one phase says so: beside the total of three it would read as an overload", () => {
  expect(powerMarks(metering(true))).toEqual([{ label: "nameplate of a phase", value: 10.57 }]);
  expect(powerMarks(metering(false))).toEqual([{ label: "nameplate", value: 10.57 }]);
});

import type { NodeSwap } from "@busbar/contract/directory/node-swaps.ts";
import { expect, test } from "vitest";
import { configLine, labelOf, valueText } from "./swap-words.ts";

const swapOf = (...states: NodeSwap["values"][number]["state"][]) =>
  ({ values: states.map((state, index) => ({ key: `key${index}`, value: "1", state, detail: "" })) }) as unknown as NodeSwap;

test("the configuration of a swap is counted by what became of each value, with the names of those that are not confirmed", () => {
  expect(configLine(swapOf("confirmed", "refused", "sent", "unknown", "left", "confirmed", "refused"))).toBe(
    "Configuration: 2 of 7 confirmed; 2 refused: key1, key6; 2 not known: key2, key3; 1 left as they are: key4",
  );
  expect(configLine(swapOf("confirmed"))).toBe("Configuration: 1 of 1 confirmed");
});

test("fields and values are as the node's form shows them", () => {
  expect(["activeVb", "activeIc", "disableMonitoring", "dataPointInterval"].map((field) => labelOf(field as "activeVb"))).toEqual([
    "Channel Vb",
    "Channel Ic",
    "Disable Monitoring",
    "Data Point Interval",
  ]);
  expect(["true", "false", "", "900"].map(valueText)).toEqual(["on", "off", "(empty)", "900"]);
});

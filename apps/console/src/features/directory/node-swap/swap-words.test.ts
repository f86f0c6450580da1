import { keptFlags, swappedFields, type NodeSwap } from "@busbar/contract/directory/node-swaps.ts";
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
  // In the order of the contract: what is copied, then what stays.
  expect([...swappedFields, ...keptFlags].map(labelOf).join(", ")).toBe(
    "Container, Data Point Interval, Voltage Imbalance Threshold, Voltage THD Threshold, Current Imbalance Threshold, Current THD Threshold, Over-Voltage Threshold, " +
      "Short-Term Over-Current Threshold, Short-Term Over-Current Averaging Period, Long-Term Over-Current Threshold, Long-Term Over-Current Averaging Period, " +
      "Under-Voltage Threshold, Loss-Of-Phase Transient Threshold, Stop Event of Interest Threshold, VI Minimum Voltage Threshold, Notify On Connect, " +
      "Notify On Current Above Noise, Monitor Data Point Alerts, Monitor Daily Progress, Monitor Missing Data, Show Raw Power, Events Report Scan, Trending Report Scan, " +
      "Voltage Hat Report Scan, Current Hat Report Scan, Channel Va, Channel Vb, Channel Vc, Channel Ia, Channel Ib, Channel Ic, Channel Pa, Channel Pb, Channel Pc, " +
      "Nameplate Valid, PoE Enabled, Disable Monitoring, Pause Notifications, Pause Connectivity Notifications, Deployment Issue",
  );
  expect(["true", "false", "", "900"].map(valueText)).toEqual(["on", "off", "(empty)", "900"]);
});

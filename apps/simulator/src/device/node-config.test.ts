import { describe, expect, test } from "vitest";
import { canonicalConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { nodeConfigKeys } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { sampleNode } from "#testing/sample-node.ts";
import { initialConfig, writeConfig } from "./node-config.ts";

describe("configuration of a node", () => {
  test("leaves the workshop with an allowed value for every key, AC and DC", () => {
    for (const node of [sampleNode(), sampleNode({ npFrequency: 0, equipmentType: "DCMotor", starter: "DC Armature" })]) {
      const config = initialConfig(node);
      const canonical = new Map(nodeConfigKeys.map((key) => [key, canonicalConfigValue(key, config.get(key)!)]));
      expect(canonical).toEqual(config);
    }
    // below the synchronous 1800 rpm by the slip
    const speed = Number(initialConfig(sampleNode()).get("np_running_speed"));
    expect(speed).toBeGreaterThan(1800 * 0.97);
    expect(speed).toBeLessThan(1800 * 0.99);
  });

  test("writes only while the current value is the one the writer saw", () => {
    const config = initialConfig(sampleNode());
    expect(writeConfig(config, "np_voltage", "480", "440")).toBe("CONFLICT");
    expect(config.get("np_voltage")).toBe("460");
    expect(writeConfig(config, "np_voltage", "480.0", "460.00")).toBe("OK");
    expect(config.get("np_voltage")).toBe("480");
    expect(writeConfig(config, "np_voltage", " 480 ", "480")).toBe("UNCHANGED");
  });

  test("refuses what the key does not allow and writes that saw nothing", () => {
    const config = initialConfig(sampleNode());
    expect(writeConfig(config, "np_voltage", "49", "460")).toBe("INVALID");
    expect(writeConfig(config, "np_poles", "5", "4")).toBe("INVALID");
    expect(writeConfig(config, "pq_ch_active", "v321", "v123i123")).toBe("INVALID");
    expect(writeConfig(config, "np_voltage", "480", undefined)).toBe("INVALID");
  });

  test("compares by meaning: numbers by value, yes and 1, addresses in any case", () => {
    const config = initialConfig(sampleNode());
    expect(writeConfig(config, "static_allowed", "1", "NO")).toBe("OK");
    expect(config.get("static_allowed")).toBe("yes");
    expect(writeConfig(config, "timemachine", "02:aa:bb:cc:dd:ee", "none")).toBe("OK");
    expect(config.get("timemachine")).toBe("02:AA:BB:CC:DD:EE");
  });
});

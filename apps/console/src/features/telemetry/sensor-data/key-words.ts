import { quantities } from "@busbar/contract/telemetry/quantities.ts";

/** What a key of a data point is called, and its unit. */
export interface KeyWords {
  name: string;
  unit: string;
}

const others: Record<string, KeyWords> = {
  npVoltage: { name: "Voltage", unit: "V" },
  npCurrent: { name: "Current", unit: "A" },
  npHp: { name: "Power", unit: "hp" },
  npSf: { name: "Service factor", unit: "" },
  npRunningSpeed: { name: "Running speed", unit: "rpm" },
  npFrequency: { name: "Frequency", unit: "Hz" },
  npPoles: { name: "Poles", unit: "" },
  npRotorBars: { name: "Rotor bars", unit: "" },
  npStatorSlots: { name: "Stator slots", unit: "" },
  cycleCount: { name: "Cycles", unit: "" },
  interval: { name: "Interval", unit: "s" },
  samples: { name: "Samples", unit: "" },
  missing: { name: "Missing samples", unit: "" },
  fw: { name: "Firmware", unit: "" },
  seqNo: { name: "Sequence number", unit: "" },
  timeSource: { name: "Time source", unit: "" },
  clockOffsetMs: { name: "Clock offset", unit: "ms" },
};

const words = new Map<string, KeyWords>([
  ...Object.entries(others),
  ...quantities.flatMap(({ id, name, unit, dataPoint }): [string, KeyWords][] => {
    if (dataPoint === null) return [];
    const { mean, minimum, maximum } = dataPoint;
    return [
      [id, { name, unit }],
      [mean, { name, unit }],
      ...(minimum === null ? [] : [[minimum, { name: `${name}, smallest`, unit }] as [string, KeyWords]]),
      ...(maximum === null ? [] : [[maximum, { name: `${name}, largest`, unit }] as [string, KeyWords]]),
    ];
  }),
]);

/** Undefined for a key that is new to us. */
export const wordsOfKey = (key: string): KeyWords | undefined => words.get(key);

/** Of the nameplate, what a quantity is held against: by the quantity's own key. */
const ratings: Record<string, string> = { voltage: "npVoltage", current: "npCurrent", lineFrequency: "npFrequency" };
export const ratingKeyOf = (name: string): string | undefined => ratings[name.replace(/[123]$/, "")];

/** The quantities that a node has limits of; those of one phase are judged as all are. */
export const limitedQuantities = ["voltage", "current", "powerKw", "voltageImbalance", "currentImbalance", "voltageThd1", "currentThd1"];
export const limitedQuantityOf = (name: string): string =>
  name.replace(/^(voltage|current)[123]$/, "$1").replace(/^(voltageThd|currentThd)[123]$/, "$11");

import { harmonicOrders, harmonicKey } from "../files/data-point-keys.ts";

export const quantityGroups = ["current", "voltage", "power", "quality", "operation", "field", "harmonics"] as const;
export type QuantityGroup = (typeof quantityGroups)[number];

/** Keys of a data point (D file): the mean or the amount of its interval, and its smallest and largest value where the file has them. */
export interface DataPointKeys {
  mean: string;
  minimum: string | null;
  maximum: string | null;
}

/** What is measured of a machine, defined here and nowhere else: server, plots, CSV files and documentation take it from here. */
export interface Quantity {
  id: string;
  group: QuantityGroup;
  name: string;
  /** Empty for a number without unit. */
  unit: string;
  /** Decimals worth reading. */
  digits: number;
  /** How a longer time follows from shorter ones: the mean over the time covered, or what came together in it. */
  total: "mean" | "sum";
  formula: string;
  /** Whether the stream of scalars has it, which plots follow to the second. */
  isInScalars: boolean;
  /** Null: data points do not have it. */
  dataPoint: DataPointKeys | null;
}

const withExtremes = (name: string): DataPointKeys => ({ mean: `${name}Avg`, minimum: `${name}Min`, maximum: `${name}Max` });
const alone = (mean: string): DataPointKeys => ({ mean, minimum: null, maximum: null });

interface Family {
  id: string;
  group: QuantityGroup;
  name: string;
  unit: string;
  digits: number;
  isInScalars: boolean;
  whole: string;
  part: string;
}

const phases = ["1", "2", "3"] as const;
const lines: Record<string, string> = { "1": "lines 1-2", "2": "lines 2-3", "3": "lines 3-1" };

/** A quantity of the machine and the same of each of its three phases. */
const family = ({ id, group, name, unit, digits, isInScalars, whole, part }: Family): Quantity[] => {
  const common = { group, unit, digits, isInScalars, total: "mean" as const };
  return [
    { ...common, id, name, formula: whole, dataPoint: withExtremes(id) },
    ...phases.map((phase) => ({
      ...common,
      id: `${id}${phase}`,
      name: `${name}, ${id === "voltage" ? lines[phase]! : `phase ${phase}`}`,
      formula: part,
      dataPoint: withExtremes(`${id}${phase}`),
    })),
  ];
};

const quality = (id: string, name: string, formula: string, isInScalars = false): Quantity => ({
  id,
  group: "quality",
  name,
  unit: "%",
  digits: 2,
  total: "mean",
  formula,
  isInScalars,
  dataPoint: alone(id),
});
const thd = (id: string, name: string, where: (phase: string) => string) =>
  phases.map((phase) =>
    quality(`${id}${phase}`, `${name}, ${where(phase)}`, "THD_F: 100 · √(Σ Xh²) / X1 over the orders 2 to 40 (IEC 61000-4-7)"),
  );
const amount = (id: string, name: string, unit: string, digits: number, formula: string, isInScalars = false): Quantity => ({
  id,
  group: "operation",
  name,
  unit,
  digits,
  total: "sum",
  formula,
  isInScalars,
  dataPoint: alone(id),
});

const rms = "True RMS over 200 ms windows (IEC 61000-4-30)";
const meanOfActive = "Mean of the wired phases; of a direct-current machine its one circuit";
const nema = "100 · max |Xk − X̄| / X̄ over the three phases (NEMA MG-1)";

export const quantities: readonly Quantity[] = [
  ...family({
    id: "current",
    group: "current",
    name: "Current",
    unit: "A",
    digits: 1,
    isInScalars: true,
    whole: meanOfActive,
    part: rms,
  }),
  ...family({
    id: "voltage",
    group: "voltage",
    name: "Voltage",
    unit: "V",
    digits: 1,
    isInScalars: true,
    whole: `${meanOfActive}; line to line`,
    part: `${rms}, line to line`,
  }),
  {
    id: "lineFrequency",
    group: "voltage",
    name: "Line frequency",
    unit: "Hz",
    digits: 2,
    total: "mean",
    formula: "Zero crossings counted over 10 s, over 1 s in scalars (IEC 61000-4-30)",
    isInScalars: true,
    dataPoint: withExtremes("lineFrequency"),
  },
  ...family({
    id: "powerKw",
    group: "power",
    name: "Power",
    unit: "kW",
    digits: 1,
    isInScalars: false,
    whole: "P = Σ Pk",
    part: "Mean of v · i over whole cycles (IEEE 1459)",
  }),
  ...family({
    id: "powerKva",
    group: "power",
    name: "Apparent power",
    unit: "kVA",
    digits: 1,
    isInScalars: false,
    whole: "S = Σ Sk, arithmetic (IEEE 1459)",
    part: "Sk = VkN · Ik",
  }),
  ...family({
    id: "powerKvaR",
    group: "power",
    name: "Reactive power",
    unit: "kVAr",
    digits: 1,
    isInScalars: false,
    whole: "√(S² − P²) with the sign of Q1, lagging positive",
    part: "√(S² − P²) with the sign of Q1, lagging positive",
  }),
  ...family({
    id: "powerFactor",
    group: "power",
    name: "Power factor",
    unit: "",
    digits: 3,
    isInScalars: false,
    whole: "P / S with the sign of P (IEEE 1459)",
    part: "P / S with the sign of P (IEEE 1459)",
  }),
  quality("voltageImbalance", "Voltage imbalance", `${nema}, line to line, above the noise`, true),
  quality("currentImbalance", "Current imbalance", `${nema}, above the noise`, true),
  quality("voltageU2", "Voltage unbalance u2", "Negative over positive sequence (IEC 61000-4-30)"),
  quality("currentU2", "Current unbalance u2", "Negative over positive sequence (IEC 61000-4-30)"),
  ...thd("voltageThd", "Voltage THD", (phase) => lines[phase]!),
  ...thd("currentThd", "Current THD", (phase) => `phase ${phase}`),
  amount("runningSeconds", "Time running", "s", 0, "Seconds in which the machine ran, as the node says", true),
  amount("startCount", "Starts", "", 0, "How often the machine began to run", true),
  amount("stopCount", "Stops", "", 0, "How often the machine ceased to run"),
  amount("kwh", "Energy", "kWh", 2, "Σ P · Δt; gaps add nothing"),
  amount("kvarh", "Reactive energy", "kVArh", 2, "Σ Q · Δt; gaps add nothing"),
  amount("ampHours", "Ampere hours", "Ah", 2, "Σ Ī · Δt; gaps add nothing"),
  {
    id: "slip",
    group: "operation",
    name: "Slip",
    unit: "",
    digits: 4,
    total: "mean",
    formula: "(ns − n) / ns, ns = 120 · f / p",
    isInScalars: false,
    dataPoint: alone("slip"),
  },
  {
    id: "speedRpm",
    group: "operation",
    name: "Speed",
    unit: "rpm",
    digits: 0,
    total: "mean",
    formula: "n = ns · (1 − s)",
    isInScalars: false,
    dataPoint: alone("speedRpm"),
  },
  ...(
    [
      ["fieldVoltage", "Field voltage", "V"],
      ["fieldCurrent", "Field current", "A"],
    ] as const
  ).map(([id, name, unit]): Quantity => ({
    id,
    group: "field",
    name,
    unit,
    digits: 1,
    total: "mean",
    formula: "Mean of the field winding",
    isInScalars: false,
    dataPoint: withExtremes(id),
  })),
  ...(["V", "I"] as const).flatMap((letter) =>
    phases.flatMap((phase) =>
      Array.from({ length: harmonicOrders }, (_, index): Quantity => {
        const key = harmonicKey(`${letter}${phase}`, index + 1);
        return {
          id: key,
          group: "harmonics",
          name: `Harmonic ${index + 1}, ${letter === "V" ? `voltage, ${lines[phase]}` : `current, phase ${phase}`}`,
          unit: letter === "V" ? "%" : "A",
          digits: letter === "V" ? 2 : 3,
          total: "mean",
          formula: letter === "V" ? "Percent of the fundamental (IEC 61000-4-7)" : "RMS of the harmonic (IEC 61000-4-7)",
          isInScalars: false,
          dataPoint: alone(key),
        };
      }),
    ),
  ),
];

const byId = new Map(quantities.map((quantity) => [quantity.id, quantity]));

export const quantityOf = (id: string): Quantity | undefined => byId.get(id);

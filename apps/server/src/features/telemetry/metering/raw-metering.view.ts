import type { RawMetering } from "@busbar/contract/telemetry/metering.ts";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { scalarAt } from "./meter-status.ts";
import { readScalarText } from "./meter-values.ts";
import type { MeterRow } from "./metering.read-model.ts";

/** The metrics of a meter by the names that they have on the wire. */
export function toRawMetering(meter: MeterRow): RawMetering {
  const at = scalarAt(meter);
  const phases = readScalarText(at === null ? "" : meter.lastScalarData);
  const three = (names: readonly [string, string, string], values: readonly (number | null)[], unit: string, place: number) =>
    names.map((name, phase) => ({ name, value: values[phase] ?? null, unit, timestamp: timeAt(place + phase) }));
  const total = (name: string, value: number | null, unit: string) => ({ name, value, unit, timestamp: meter.meteredAt });
  // In the order of the values, without the time among them.
  const times = meter.lastScalarTimes.split(",");
  /** Each value has its own time; what was stored before it had has the time of the whole. */
  const timeAt = (place: number) => {
    const own = times[place];
    return at === null || !own ? at : Number(own) / 1000;
  };
  const m = metricNames;
  return {
    serialNumber: String(meter.serial),
    connectedStatus: meter.isConnected ? "Connected" : "Not connected",
    lastScalarData: at === null ? "" : meter.lastScalarData,
    metrics: [
      { name: m.lineFrequency, value: phases.lineFrequency, unit: "Hz", timestamp: timeAt(2) },
      ...three([m.current1, m.current2, m.current3], phases.currents, "A", 3),
      ...three([m.voltage1, m.voltage2, m.voltage3], phases.voltages, "V", 6),
      ...three([m.power1, m.power2, m.power3], phases.kw, "kW", 9),
      ...three([m.reactive1, m.reactive2, m.reactive3], phases.kvar, "kVAr", 12),
      ...three([m.powerFactor1, m.powerFactor2, m.powerFactor3], phases.powerFactors, "", 15),
      total(m.totalKw, meter.kw, "kW"),
      total(m.totalKva, meter.kva, "kVA"),
      total(m.totalKvar, meter.kvar, "kVAr"),
      total(m.totalPowerFactor, meter.powerFactor, ""),
      total(m.runningSeconds, meter.runningSeconds, "s"),
      total(m.ampHours, meter.ampHours, "Ah"),
      total(m.kilowattHours, meter.kilowattHours, "kWh"),
      total(m.kilovarHours, meter.kilovarHours, "kVArh"),
      total(m.fieldVoltage, meter.fieldVoltage, "V"),
      total(m.fieldCurrent, meter.fieldCurrent, "A"),
    ],
  };
}

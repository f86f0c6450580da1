import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EpochSeconds } from "../values/epoch-seconds.ts";
import { SerialNumber } from "../values/serial-number.ts";

const reading = z.nullable(z.number());
const flag = z.boolean();

export const ConnectedStatus = z.enum(["Connected", "Not connected"]);
/** Metering: values are new. Waiting: none has come yet. Not metering: none comes, or none has for long. */
export const MeteringStatus = z.enum(["Metering", "Waiting", "Not metering"]);
export type MeteringStatus = z.infer<typeof MeteringStatus>;

/** RMS magnitude, and the angle in degrees against V1N; positive leads. */
export const MeterPhasor = z.object({ magnitude: z.number(), angle: z.number() });
export type MeterPhasor = z.infer<typeof MeterPhasor>;

/** A location's meter. Units: Hz, A, V, kW, kVA, kVAr, hp, days, percent. Timestamps are epoch seconds; null where nothing was measured. */
export const Metering = z.object({
  locationId: z.number(),
  name: z.string(),
  siteName: z.string(),
  facilityName: z.string(),
  /** Equipment type. */
  type: z.string(),
  displayEquipmentType: z.string(),
  timezone: z.string(),

  /** Null at a location without a primary node. */
  serialNumber: z.nullable(z.string()),
  connectedStatus: ConnectedStatus,
  meteringStatus: MeteringStatus,
  /** The values in one line; null until the first one. */
  meterString: z.nullable(z.string()),
  /** The secondary node, which measures the field winding. */
  fieldSerialNumber: z.nullable(z.string()),
  fieldConnectedStatus: z.nullable(ConnectedStatus),
  fieldMeteringStatus: z.nullable(MeteringStatus),
  fieldMeterString: z.nullable(z.string()),

  /** When the phase values were measured. */
  timestamp: z.nullable(EpochSeconds),
  displayTimestamp: z.string(),
  /** When the running time and the energies were reported. */
  totalsTimestamp: z.nullable(EpochSeconds),
  fieldTimestamp: z.nullable(EpochSeconds),
  /** Until when the averages and peaks reach. */
  averagesTimestamp: z.nullable(EpochSeconds),
  /** Seconds between values while no one watches: what "late" means. */
  readingInterval: z.number(),
  /** What the node says about the machine; null when it has not said. */
  isRunning: z.nullable(z.boolean()),
  isLineToNeutral: flag,

  showLineFrequency: flag,
  showPowerFactorInPlaceOfHp: flag,
  showPowerModule: flag,
  showPhaseSplitModule: flag,
  showAveragePowerModule: flag,
  showFieldModule: flag,

  lineFrequency: reading,
  runningTimeDays: reading,
  current: reading,
  current1: reading,
  current2: reading,
  current3: reading,
  voltage: reading,
  voltage1: reading,
  voltage2: reading,
  voltage3: reading,
  fieldCurrent: reading,
  fieldVoltage: reading,
  powerKw: reading,
  powerKw1: reading,
  powerKw2: reading,
  powerKw3: reading,
  hp: reading,
  powerKva: reading,
  powerKvaR: reading,
  powerFactor: reading,
  powerFactor1: reading,
  powerFactor2: reading,
  powerFactor3: reading,
  powerTodayAverageKw: reading,
  powerTodayPeakKw: reading,
  powerDailyAverageKw: reading,
  powerDailyPeakKw: reading,

  loadPercent: reading,
  voltageImbalance: reading,
  currentImbalance: reading,
  /** Percent of the total. */
  phaseSplit1: reading,
  phaseSplit2: reading,
  phaseSplit3: reading,
  ampHours: reading,
  kilowattHours: reading,
  kilovarHours: reading,
  /** What the values are to be held against, in the units and the form (line to line or to neutral) in which they are reported; null where it is not known. */
  limits: z.object({
    /** At and below it a current is noise: there is no load, and no split or imbalance of it. */
    currentNoise: z.number(),
    currentNameplate: reading,
    /** Long-term over-current. */
    currentOver: reading,
    voltageNameplate: reading,
    voltageUnder: reading,
    voltageOver: reading,
    /** Of one phase, at the shaft power of the nameplate. */
    powerNameplateKw: reading,
  }),
  /** Line-to-neutral voltages and currents of phases 1, 2, 3; null for direct current or without voltage. */
  phasors: z.nullable(z.object({ voltages: z.array(MeterPhasor), currents: z.array(MeterPhasor) })),
});
export type Metering = z.infer<typeof Metering>;

const Switch = z.optional(z.enum(["true", "false"], "is true or false"));

export const getMetering = endpoint("GET /api/locations/{id}/metering", {
  access: "staff",
  summary: "What the meter of a location shows now; asking keeps its nodes publishing every second for 30 s, but with watch=false",
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,8}$/, "A location is named by its number")) }),
  query: z.strictObject({
    string: Switch,
    doLineToNeutral: Switch,
    /** `false` for a look now and then, which keeps no node publishing. */
    watch: Switch,
  }),
  data: Metering,
});

export const resetMetering = endpoint("DELETE /api/nodes/{serial}/metering", {
  access: "staff",
  summary: "Zero the accumulators of a node's meter and forget its last values",
  changes: ["/locations/{id}/metering"],
  params: z.object({ serial: SerialNumber }),
  data: z.object({ reset: z.literal(true) }),
});

/** A metric as the node last reported it. */
export const RawMetering = z.object({
  serialNumber: z.string(),
  connectedStatus: ConnectedStatus,
  lastScalarData: z.string(),
  metrics: z.array(z.object({ name: z.string(), value: reading, unit: z.string(), timestamp: reading })),
});
export type RawMetering = z.infer<typeof RawMetering>;

export const getRawMetering = endpoint("GET /api/nodes/{serial}/metering/raw", {
  access: "staff",
  summary: "The metrics of a node's meter as it last reported them",
  params: z.object({ serial: SerialNumber }),
  data: RawMetering,
});

import { parseComtradeConfig, type ComtradeConfig } from "./comtrade-config.ts";
import { parseComtradeData, type ComtradeData } from "./comtrade-data.ts";
import { decodeText } from "./decode-text.ts";
import { formatWallTime, isSet, secondsBetween } from "./wall-time.ts";
import { labelsOf, nothingSaid, type RecordHead } from "./record-head.ts";
import { WaveformError, type Waveform } from "./waveform.ts";

/**
 * Reads a COMTRADE record (IEEE C37.111-1991, -1999, -2013) from its configuration and its data.
 * @throws WaveformError
 */
export function readComtrade(cfg: Uint8Array, dat: Uint8Array): Waveform {
  const config = parseComtradeConfig(decodeText(cfg));
  const data = parseComtradeData(dat, config);
  const trigger = findTrigger(config);
  const warnings = data.extraRows > 0 ? [`Rows after the last one of the configuration: ${data.extraRows}`] : [];
  if (trigger.isElsewhere) warnings.push("The time of the trigger is outside the record");
  return {
    format: "COMTRADE",
    station: config.station,
    device: config.device,
    revision: config.revision,
    triggeredAt: trigger.at,
    utcOffset: config.utcOffset,
    lineFrequency: config.lineFrequency,
    times: sampleTimes(config, data).map((seconds) => seconds - trigger.seconds),
    analogs: config.analogs.map(({ name, phase, unit, a, b, toPrimary }, index) => ({
      name,
      phase,
      unit,
      values: scaled(data.raw[index] ?? new Float64Array(), (raw) => (a * raw + b) * toPrimary),
    })),
    digitals: config.digitals.map(({ name }, index) => ({ name, values: data.digitals[index] ?? new Uint8Array() })),
    facts: { "Data format": config.dataFormat },
    warnings,
  };
}

/** A recorder rounds; its trigger is not more than this beside its samples. */
const slackSeconds = 1;

/**
 * Seconds of the trigger from the first sample, and its wall time. One that no one set, or that is outside the record, is none: time
 * then counts from the first sample. The offset counts also where the recorder's clock was never set.
 */
function findTrigger(config: ComtradeConfig): { seconds: number; at: string | undefined; isElsewhere?: boolean } {
  const { firstSampleAt, triggeredAt, rates } = config;
  if (!triggeredAt) return { seconds: 0, at: undefined };
  const at = isSet(triggeredAt) ? formatWallTime(triggeredAt) : undefined;
  if (!firstSampleAt) return { seconds: 0, at };
  const seconds = secondsBetween(firstSampleAt, triggeredAt);
  const length = rates.length === 0 ? longestSeconds : lengthByRate(rates);
  if (seconds < -slackSeconds || seconds > length + slackSeconds) {
    // A first sample without a date says nothing about where the trigger is.
    return isSet(firstSampleAt) ? { seconds: 0, at: undefined, isElsewhere: at !== undefined } : { seconds: 0, at };
  }
  return { seconds: Math.max(0, seconds), at };
}

/** Without a rate nothing but the data shows how long a record is. */
const longestSeconds = 86_400;

const lengthByRate = (rates: ComtradeConfig["rates"]): number =>
  rates.reduce(
    (sum, { samplesPerSecond, lastSample }, index) => sum + (lastSample - (rates[index - 1]?.lastSample ?? 0)) / samplesPerSecond,
    0,
  );

/** In place: a large record would not fit twice. */
function scaled(values: Float64Array, scale: (raw: number) => number): Float64Array {
  for (let index = 0; index < values.length; index++) values[index] = scale(values[index]!);
  return values;
}

/** What a configuration says, without its data; of a broken one its first line. */
export function describeComtrade(cfg: Uint8Array): RecordHead {
  const text = decodeText(cfg);
  try {
    return headOf(parseComtradeConfig(text));
  } catch (error) {
    if (!(error instanceof WaveformError)) throw error;
    const [, station = "", device = "", revision = ""] = /^([^\p{Cc},]{0,64}),([^\p{Cc},]{0,64})(?:,[ ]?(\d{4}))?[\r\n]/u.exec(text) ?? [];
    if (station + device === "") return nothingSaid;
    return {
      ...nothingSaid,
      labels: labelsOf([
        ["Station", station],
        ["Recorder", device],
        ["Revision", revision],
      ]),
    };
  }
}

function headOf(config: ComtradeConfig): RecordHead {
  const { rates, firstSampleAt } = config;
  const trigger = findTrigger(config).at;
  return {
    labels: labelsOf([
      ["Station", config.station],
      ["Recorder", config.device],
      ["Revision", config.revision],
      ["Data format", config.dataFormat],
      ["Trigger", trigger],
      ["First sample", firstSampleAt && isSet(firstSampleAt) ? formatWallTime(firstSampleAt) : undefined],
      ["Time zone", config.utcOffset],
      ["Line frequency", config.lineFrequency && `${config.lineFrequency} Hz`],
      ["Sampling rate", rates.length === 0 ? "by time stamps" : rates.map(({ samplesPerSecond }) => `${samplesPerSecond} Hz`).join(", ")],
      ["Samples", config.sampleCount],
      ["Channels", `${config.analogs.length} analog, ${config.digitals.length} digital`],
    ]),
    triggeredAt: trigger,
    event: "",
  };
}

/** Seconds from the first sample: by the rates when there are any, else by the data's time stamps. */
function sampleTimes(config: ComtradeConfig, { stamps }: ComtradeData): Float64Array {
  if (config.rates.length > 0) return timesByRate(config);
  if (stamps.some(Number.isNaN)) throw new WaveformError("DAT: neither sampling rates nor time stamps give the time");
  const unitSeconds = config.firstSampleAt?.hasNanoseconds ? 1e-9 : 1e-6;
  const first = stamps[0] ?? 0;
  const times = stamps.map((stamp) => (stamp - first) * unitSeconds * config.timeMultiplier);
  if (times.some((time, index) => time < (times[index - 1] ?? 0))) throw new WaveformError("DAT: the time stamps go backwards");
  return times;
}

function timesByRate({ rates, sampleCount }: ComtradeConfig): Float64Array {
  const times = new Float64Array(sampleCount);
  let segmentStart = 0;
  let first = 0;
  for (const { samplesPerSecond, lastSample } of rates) {
    for (let index = first; index < Math.min(lastSample, sampleCount); index++)
      times[index] = segmentStart + (index - first) / samplesPerSecond;
    segmentStart += (lastSample - first) / samplesPerSecond;
    first = lastSample;
  }
  return times;
}

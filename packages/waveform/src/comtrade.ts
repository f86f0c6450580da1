import { parseComtradeConfig } from "./comtrade-config.ts";
import type { ComtradeConfig } from "./comtrade-config.ts";
import { parseComtradeData } from "./comtrade-data.ts";
import type { ComtradeData } from "./comtrade-data.ts";
import { decodeText } from "./decode-text.ts";
import { formatWallTime, secondsBetween } from "./wall-time.ts";
import { WaveformError } from "./waveform.ts";
import type { Waveform } from "./waveform.ts";

/**
 * Reads a COMTRADE record (IEEE C37.111-1991, -1999, -2013) from its configuration and its data.
 * @throws WaveformError
 */
export function readComtrade(cfg: Uint8Array, dat: Uint8Array): Waveform {
  const config = parseComtradeConfig(decodeText(cfg));
  const data = parseComtradeData(dat, config);
  const triggerSeconds =
    config.firstSampleAt && config.triggeredAt ? Math.max(0, secondsBetween(config.firstSampleAt, config.triggeredAt)) : 0;
  const warnings = data.extraRows > 0 ? [`${data.extraRows} rows after the last one that the configuration tells of`] : [];
  return {
    format: "COMTRADE",
    station: config.station,
    device: config.device,
    revision: config.revision,
    triggeredAt: config.triggeredAt && formatWallTime(config.triggeredAt),
    utcOffset: config.utcOffset,
    lineFrequency: config.lineFrequency,
    times: sampleTimes(config, data).map((seconds) => seconds - triggerSeconds),
    analogs: config.analogs.map(({ name, phase, unit, a, b, toPrimary }, index) => ({
      name,
      phase,
      unit,
      values: (data.raw[index] ?? new Float64Array()).map((raw) => (a * raw + b) * toPrimary),
    })),
    digitals: config.digitals.map(({ name }, index) => ({ name, values: data.digitals[index] ?? new Uint8Array() })),
    facts: { "Data format": config.dataFormat },
    warnings,
  };
}

/** Seconds from the first sample: by the rates when there are any, else by the data's time stamps. */
function sampleTimes(config: ComtradeConfig, { stamps }: ComtradeData): Float64Array {
  if (config.rates.length > 0) return timesByRate(config);
  if (stamps.some(Number.isNaN)) throw new WaveformError("DAT: neither sampling rates nor time stamps tell the time");
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

/** A recording of a relay or disturbance recorder, whatever file it came from. All channels have as many samples as `times`. */
export interface Waveform {
  format: "COMTRADE" | "CEV";
  station: string;
  device: string;
  /** Edition of the format as the file gives it, such as `1999`; empty when it does not. */
  revision: string;
  /** The recorder's own wall time `yyyy-MM-dd HH:mm:ss.ffffff` of the trigger; undefined when the file has none. */
  triggeredAt: string | undefined;
  /** What the file says of its zone, such as `-5h30`; undefined when it does not. */
  utcOffset: string | undefined;
  /** Nominal or measured, Hz. */
  lineFrequency: number | undefined;
  /** Seconds from the trigger, never falling; from the first sample when the file does not mark the trigger. */
  times: Float64Array;
  analogs: AnalogChannel[];
  digitals: DigitalChannel[];
  /** What else the file says, in its own words. */
  facts: Record<string, string>;
  /** Oddities that were read over, as sentences. */
  warnings: string[];
}

export interface AnalogChannel {
  name: string;
  phase: string;
  unit: string;
  /** In `unit`, on the primary side when the file gives the ratio; NaN where the file marks a value as missing. */
  values: Float64Array;
}

export interface DigitalChannel {
  name: string;
  /** 0 or 1. */
  values: Uint8Array;
}

/** A recording that cannot be read; its message names the file's part and what is wrong with it. */
export class WaveformError extends Error {}

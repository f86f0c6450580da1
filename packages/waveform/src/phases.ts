import type { AnalogChannel } from "./waveform.ts";

export interface PhaseChannel {
  /** `A`, `B`, `C`, `A-B`, `B-C`, `C-A`; empty where the record does not say. */
  phase: string;
  /** 0 for A and A-B, 1 for B and B-C, 2 for C and C-A. */
  place: number;
  values: Float64Array;
  /** To amperes or volts. */
  factor: number;
}

const factors: Readonly<Record<string, number>> = { "": 1, k: 1e3, M: 1e6, m: 1e-3, µ: 1e-6 };
const singles = ["A", "B", "C"];
const pairs = ["AB", "BC", "CA"];
const letters = (text: string): string => text.replaceAll(/[1R]/g, "A").replaceAll(/[2S]/g, "B").replaceAll(/[3T]/g, "C");

/** What recorders write as the phase: `A`, `AN`, `L1`, `A-B`, `L1-L2`, `R`. */
const phaseField = /^L?([ABC123RST])(?:N|[-/ ]?L?([ABC123RST]))?$/;
/** In names: `IA`, `VAB`, `VAN`, `IAW1`, `F1-IA`, `U_L1`. Digits without an L are sequence components as often as phases. */
const phaseInName = /(?:^|[^A-Z])[IUV][ _-]?(?:L([123])(?:[- ]?L?([123]))?|([ABC])([ABC])?N?)(?:[WXY]\d?)?(?![A-Z])/;
const most = 48;

/**
 * The phase currents or voltages of a record: neutral, ground and sequence channels left out. Voltages are of one kind, between lines or to
 * neutral, whichever there are more of. Where no channel names its phase, the first three stand for the phases.
 * @param unit `A` or `V`
 */
export function phasesOf(analogs: readonly AnalogChannel[], unit: "A" | "V"): PhaseChannel[] {
  const found = analogs.slice(0, most).flatMap((channel) => {
    const factor = channel.unit.endsWith(unit) ? factors[channel.unit.slice(0, -1)] : undefined;
    return factor === undefined ? [] : [{ channel, factor, phase: phaseOf(channel) }];
  });
  const of = (kind: readonly string[]) =>
    found.flatMap(({ channel: { values }, factor, phase }): PhaseChannel[] => {
      const place = kind.indexOf(phase ?? "");
      return place < 0 ? [] : [{ phase: phase!.split("").join("-"), place, values, factor }];
    });
  const [toNeutral, between] = [of(singles), unit === "V" ? of(pairs) : []];
  if (toNeutral.length + between.length > 0) return between.length > toNeutral.length ? between : toNeutral;
  return found.slice(0, 3).map(({ channel: { values }, factor }, place) => ({ phase: "", place, values, factor }));
}

function phaseOf({ phase, name }: AnalogChannel): string | undefined {
  const [isField, first, second = ""] = phaseField.exec(phase.trim().toUpperCase()) ?? [];
  if (isField !== undefined) return letters(`${first}${second}`).replace("AC", "CA");
  // A phase that is another, such as N or G, is no phase by its name.
  if (phase.trim() !== "") return undefined;
  const [isName, one = "", other = "", letter = "", next = ""] = phaseInName.exec(name.toUpperCase()) ?? [];
  return isName === undefined ? undefined : letters(`${one}${other}${letter}${next}`).replace("AC", "CA");
}

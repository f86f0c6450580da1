import type { HarmonicSignature } from "@busbar/alarms/harmonic-signature.ts";
import type { HarmonicSignature as SignatureText } from "@busbar/contract/directory/locations.ts";

/** As a location keeps them: pairs of a name and its frequencies in Hz. */
export type StoredSignatures = [name: string, frequencies: number[]][];

/** Of the wire's pairs: `["Bearing", "29.5;59"]`. */
export const toStored = (pairs: readonly SignatureText[]): StoredSignatures =>
  pairs.map(([name, frequencies]) => [name, numbersOf(frequencies)]);

/** The wire's pairs of what is stored. What cannot be read is not shown: the form writes the others again. */
export const toTexts = (stored: unknown): SignatureText[] =>
  pairsOf(stored).flatMap((pair) => {
    const signature = readPair(pair);
    return signature ? [[signature.name, signature.frequencies.join(";")]] : [];
  });

/**
 * What is stored, where one text of frequencies serves as well as numbers.
 * @throws where something cannot be read, naming it
 */
export const readSignatures = (stored: unknown): HarmonicSignature[] =>
  pairsOf(stored).map((pair) => {
    const signature = readPair(pair);
    if (!signature) throw new TypeError(`A harmonic signature of the location cannot be read: ${JSON.stringify(pair)}`);
    return signature;
  });

const numbersOf = (text: string): number[] => text.split(";").map(Number);
const pairsOf = (stored: unknown): unknown[] => (Array.isArray(stored) ? stored : [stored]);

function readPair(pair: unknown): HarmonicSignature | undefined {
  const [name, given] = Array.isArray(pair) ? (pair as unknown[]) : [];
  const frequencies: unknown = typeof given === "string" ? numbersOf(given) : given;
  if (typeof name !== "string" || !Array.isArray(frequencies)) return undefined;
  return frequencies.every((one): one is number => Number.isFinite(one)) ? { name, frequencies } : undefined;
}

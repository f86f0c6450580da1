/** One mechanical horse power in kW (550 ft·lbf/s). */
export const kwPerHorsePower = 0.745699872;

/** Input power in horse power at an efficiency of 1, shaft power at the motor's. */
export const horsePower = (kw: number, efficiency: number): number => (kw * efficiency) / kwPerHorsePower;

export const loadPercent = (hp: number, nameplateHp: number): number => (100 * hp) / nameplateHp;

export const directCurrentEfficiency = 0.9;

// Full-load efficiency of 460 V, 4-pole motors by horse power.
const efficiencies: readonly (readonly [hp: number, efficiency: number])[] = [
  [5, 0.895],
  [10, 0.917],
  [15, 0.924],
  [20, 0.93],
  [25, 0.936],
  [30, 0.936],
  [40, 0.941],
  [50, 0.945],
  [60, 0.95],
  [75, 0.954],
  [100, 0.954],
  [125, 0.954],
  [150, 0.958],
  [200, 0.962],
];

/** Full-load efficiency of an AC motor of this nameplate, between the rows of the table by interpolation; its ends beyond them. */
export function motorEfficiency(nameplateHp: number): number {
  const above = efficiencies.findIndex(([hp]) => hp >= nameplateHp);
  // None above is the last row.
  if (above <= 0) return efficiencies.at(above)![1];
  const [topHp, top] = efficiencies[above]!;
  const [bottomHp, bottom] = efficiencies[above - 1]!;
  return bottom + ((nameplateHp - bottomHp) / (topHp - bottomHp)) * (top - bottom);
}

/** Revolutions per minute of the field: 120·f/p. */
export const synchronousSpeed = (frequencyHz: number, poles: number): number => (120 * frequencyHz) / poles;

export const slip = (synchronousRpm: number, rpm: number): number => (synchronousRpm - rpm) / synchronousRpm;

// 460 V, 4-pole design B motors. Locked-rotor amperes: NEC 430.251(B); efficiency and power factor: typical full load.
const table: readonly (readonly [hp: number, efficiency: number, powerFactor: number, lockedRotorAmps: number])[] = [
  [5, 0.895, 0.82, 46],
  [10, 0.917, 0.83, 81],
  [15, 0.924, 0.84, 116],
  [20, 0.93, 0.85, 145],
  [25, 0.936, 0.85, 183],
  [30, 0.936, 0.85, 218],
  [40, 0.941, 0.86, 290],
  [50, 0.945, 0.86, 363],
  [60, 0.95, 0.86, 435],
  [75, 0.954, 0.86, 543],
  [100, 0.954, 0.87, 725],
  [125, 0.954, 0.87, 908],
  [150, 0.958, 0.87, 1085],
  [200, 0.962, 0.87, 1450],
  [250, 0.962, 0.87, 1825],
  [300, 0.962, 0.88, 2200],
  [400, 0.962, 0.88, 2900],
  [500, 0.962, 0.88, 3625],
];

export const standardHorsepowers: readonly number[] = table.map((row) => row[0]);

export const kilowattsPerHorsepower = 0.7457;

export interface MotorRating {
  efficiency: number;
  powerFactor: number;
  /** Amperes at full load and nameplate voltage. */
  fullLoadAmps: number;
  lockedRotorAmps: number;
  /** Slip at full load, per unit. */
  fullLoadSlip: number;
}

/** Full-load amperes: hp · 745.7 / (η · √3 · V · pf). */
export function fullLoadAmps(hp: number, volts: number, efficiency: number, powerFactor: number): number {
  return (hp * kilowattsPerHorsepower * 1000) / (efficiency * Math.sqrt(3) * volts * powerFactor);
}

/** Rating of a motor of any power and voltage, interpolated between the table's rows; amperes scale with 1/V. */
export function motorRating(hp: number, volts: number): MotorRating {
  const [low, high] = neighbours(hp);
  const weight = low[0] === high[0] ? 0 : Math.min(1, Math.max(0, (hp - low[0]) / (high[0] - low[0])));
  const efficiency = low[1] + (high[1] - low[1]) * weight;
  const powerFactor = low[2] + (high[2] - low[2]) * weight;
  const ratio = lockedRotorRatio(low) + (lockedRotorRatio(high) - lockedRotorRatio(low)) * weight;
  const amps = fullLoadAmps(hp, volts, efficiency, powerFactor);
  return { efficiency, powerFactor, fullLoadAmps: amps, lockedRotorAmps: amps * ratio, fullLoadSlip: fullLoadSlip(hp) };
}

function neighbours(hp: number) {
  const index = table.findIndex((row) => row[0] >= hp);
  const high = index === -1 ? table.length - 1 : index;
  const low = Math.max(0, index === -1 ? high : high - 1);
  return [table[low]!, table[high]!] as const;
}

function lockedRotorRatio([hp, efficiency, powerFactor, amps]: (typeof table)[number]): number {
  return amps / fullLoadAmps(hp, 460, efficiency, powerFactor);
}

// 3 % at 5 hp falling to 1.2 % from 100 hp
function fullLoadSlip(hp: number): number {
  const position = Math.log(Math.max(5, Math.min(100, hp)) / 5) / Math.log(20);
  return 0.03 - 0.018 * position;
}

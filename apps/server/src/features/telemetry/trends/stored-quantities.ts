import { quantities, quantityOf, type Quantity } from "@busbar/contract/telemetry/quantities.ts";
import { harmonicKey, harmonicOrders } from "@busbar/contract/files/data-point-keys.ts";

const family = (id: string) => [id, `${id}1`, `${id}2`, `${id}3`];

/** Numbers of quantities in the database are their places here, which never change: a new one comes last. */
const ids: readonly string[] = [
  ...["current", "voltage", "powerKw", "powerKva", "powerKvaR", "powerFactor"].flatMap(family),
  "lineFrequency",
  "voltageImbalance",
  "currentImbalance",
  "voltageU2",
  "currentU2",
  ...family("voltageThd").slice(1),
  ...family("currentThd").slice(1),
  "runningSeconds",
  "startCount",
  "stopCount",
  "kwh",
  "kvarh",
  "ampHours",
  "slip",
  "speedRpm",
  "fieldVoltage",
  "fieldCurrent",
];
const firstHarmonic = 1000;
const harmonicIds = ["V1", "V2", "V3", "I1", "I2", "I3"].flatMap((channel) =>
  Array.from({ length: harmonicOrders }, (_, index) => harmonicKey(channel, index + 1)),
);

const numbers = new Map([
  ...ids.map((id, index): [string, number] => [id, index]),
  ...harmonicIds.map((id, index): [string, number] => [id, firstHarmonic + index]),
]);
const byNumber = new Map([...numbers].map(([id, number]) => [number, quantityOf(id)!]));

/** @throws Error for a quantity that was not given a number */
export function numberOf({ id }: Quantity): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`The quantity ${id} has no number in the database`);
  return number;
}
export const quantityOfNumber = (number: number): Quantity | undefined => byNumber.get(number);

/** Harmonics are 150 of 200 quantities and seldom looked at: quarters of an hour of them are read where they came from. */
export const isHarmonic = ({ group }: Quantity): boolean => group === "harmonics";
export const quarterQuantities: readonly Quantity[] = quantities.filter((quantity) => !isHarmonic(quantity));

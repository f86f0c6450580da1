const units = [
  { seconds: 86_400, name: "d" },
  { seconds: 3_600, name: "h" },
  { seconds: 60, name: "min" },
] as const;

/** A span of time in its largest whole unit, such as `12 min`; nodes' clocks may be ahead, so one that is to come is none. */
export function spanWords(seconds: number): string {
  const unit = units.find((each) => seconds >= each.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)} ${unit.name}` : `${Math.max(0, Math.floor(seconds))} s`;
}

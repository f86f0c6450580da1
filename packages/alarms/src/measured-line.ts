/** What was measured, as people read it. @returns undefined where an alarm has no figure */
export function measuredLine(alarm: { kind: string; value: number | undefined; limit: number; name?: string }): string | undefined {
  const { kind, value, limit, name } = alarm;
  if (value === undefined) return undefined;
  switch (kind) {
    case "lossOfPhase":
      return `Phase: ${value}`;
    case "frequentStarts":
      return `Starts in an hour: ${Math.round(value)}, limit ${limit}`;
    case "longStart":
      return `Acceleration: ${Math.round(value)} s, limit ${limit} s`;
    case "voltageSag":
      return `Lowest second: ${value.toFixed(1)} % of the nameplate voltage`;
    case "fieldLoss":
      return `Field current: ${(100 - value).toFixed(1)} % of its nameplate, limit ${100 - limit} %`;
    case "underload":
      return `Current: ${(100 - value).toFixed(1)} % of full load, limit ${100 - limit} %`;
    case "harmonicSignature":
      return `Signature ${name}: ${value.toFixed(1)} % of the fundamental current, limit ${limit} %`;
    default:
      return `Measured: ${value.toFixed(1)} %, limit ${limit} %`;
  }
}

/** A kind of alarm within a sentence: `underVoltage` is under voltage, `voltageThd` voltage THD. */
export const alarmWords = (kind: string): string =>
  kind
    .slice(0, 40)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\bthd\b/, "THD")
    .trim();

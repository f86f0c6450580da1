import { readFileSync } from "node:fs";

// What Linux counts in, on every machine that Node runs on.
const ticksPerSecond = 100;
let taken = 0;

/**
 * Processor seconds of the programs of this process that have ended since it was asked last, with all that they started and waited for; 0 where
 * the system keeps no such account.
 */
export function takeProcessorSeconds() {
  const all = processorSecondsOfEnded();
  const seconds = all - taken;
  taken = all;
  return seconds;
}

function processorSecondsOfEnded() {
  if (process.platform !== "linux") return 0;
  // The name in parentheses may have spaces; what follows it begins with the third field.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) / ticksPerSecond;
}

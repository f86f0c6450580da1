import { cpus, totalmem } from "node:os";
import { formatMegabytes } from "./format-figure.ts";

export interface Machine {
  cores: number;
  processor: string;
  memoryBytes: number;
  node: string;
  platform: string;
  measuredAt: string;
}

export function describeMachine(): Machine {
  const all = cpus();
  return {
    cores: all.length,
    processor: all[0]?.model.trim() ?? "unknown",
    memoryBytes: totalmem(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    measuredAt: new Date().toISOString(),
  };
}

export const machineLine = (machine: Machine): string =>
  `${machine.cores} cores (${machine.processor}), ${formatMegabytes(machine.memoryBytes)}, Node ${machine.node}, ${machine.platform}, ${machine.measuredAt.slice(0, 16)}Z`;

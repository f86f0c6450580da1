import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]).toString());

/** Processor time so far of a process and all that it started, its database among them; undefined where there is no /proc. */
export function treeCpuSeconds(rootPid: number): number | undefined {
  try {
    const stats = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
    const tree = new Set([rootPid]);
    // A parent may come after its child: again until nothing is added.
    for (let size = 0; size !== tree.size;) {
      size = tree.size;
      for (const { pid, parent } of stats) if (tree.has(parent)) tree.add(pid);
    }
    return stats.filter(({ pid }) => tree.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
  } catch {
    return undefined; // not Linux
  }
}

/** With the time of its children that have ended. */
function readStat(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return { pid, parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) + (fields[13] ?? 0) + (fields[14] ?? 0) };
  } catch {
    return undefined; // it has ended meanwhile
  }
}

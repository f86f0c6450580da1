import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

interface ProcessUsage {
  rssBytes: number;
  cpuSeconds: number;
}

const hasProc = existsSync("/proc/self/stat");
const ticksPerSecond = hasProc ? Number(execFileSync("getconf", ["CLK_TCK"]).toString()) : 1;

/** Memory and processor time of another process so far; undefined when it is gone. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    return hasProc ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined; // it has ended
  }
}

function fromProc(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name may hold blanks: fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return { rssBytes: Number(rss?.[1] ?? 0) * 1_024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond };
}

function fromPs(pid: number): ProcessUsage {
  const [rss = "0", time = "0:0"] = execFileSync("ps", ["-o", "rss=,time=", "-p", String(pid)])
    .toString()
    .trim()
    .split(/\s+/);
  const cpuSeconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return { rssBytes: Number(rss) * 1_024, cpuSeconds };
}

/** Watches a process until `stop`, which returns its highest memory and the processor time that it took meanwhile. */
export function watchProcess(pid: number, everyMs = 200): { stop(): { peakRssBytes: number; cpuSeconds: number } } {
  const first = processUsage(pid);
  let last = first;
  let peakRssBytes = first?.rssBytes ?? 0;
  const look = () => {
    const usage = processUsage(pid);
    if (!usage) return;
    last = usage;
    peakRssBytes = Math.max(peakRssBytes, usage.rssBytes);
  };
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { peakRssBytes, cpuSeconds: (last?.cpuSeconds ?? 0) - (first?.cpuSeconds ?? 0) };
    },
  };
}

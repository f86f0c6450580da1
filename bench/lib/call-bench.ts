import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "./bench-context.ts";
import { formatMs, formatTimes } from "./format-figure.ts";
import { createLatencies, type LatencySummary } from "./latencies.ts";
import { expectNone, type Report } from "./report.ts";
import { openServerDatabase } from "./server-process.ts";
import { openFleetServer } from "./fleet-server.ts";

/** A server over a fleet that is not connected, with what `seed` puts beside it, and one member of staff who calls it. */
export async function openCallBench(context: BenchContext, { nodes, seed }: { nodes: number; seed?: (pool: Pool) => Promise<unknown> }) {
  const { isShort, undo, say } = context;
  const { server, dataDir, token } = await openFleetServer(context, {
    nodes,
    seed: async (pool) => {
      await seed?.(pool);
      // As it is after days of autovacuum, which would else begin amid what is measured.
      if (!isShort) await pool.query("vacuum analyze");
    },
  });
  const pool = openServerDatabase(dataDir);
  undo.add(() => pool.end());
  const measured: [name: string, LatencySummary][] = [];
  let failed = 0;
  return {
    pool,
    token,
    addressOf: (path: string) => `${server.urls.console}${path}`,
    /** Runs one after the other, each to the end of its answer. */
    async time(
      name: string,
      count: number,
      run: (index: number) => Promise<unknown>,
      before?: (index: number) => Promise<unknown>,
    ): Promise<void> {
      say(name);
      const latencies = createLatencies();
      for (let index = 0; index < count; index++) {
        await before?.(index);
        const startedAt = performance.now();
        await run(index);
        latencies.add(performance.now() - startedAt);
      }
      measured.push([name, latencies.summary()]);
    },
    /** One call after the other; those that fail are counted. `before` comes before each and is not measured. */
    async call(
      name: string,
      count: number,
      pathOf: (index: number) => string,
      before?: (index: number) => Promise<unknown>,
    ): Promise<void> {
      const run = async (index: number) => {
        const response = await fetch(this.addressOf(pathOf(index)), { headers: { token } });
        await response.arrayBuffer();
        if (!response.ok) failed++;
      };
      await this.time(name, count, run, before);
    },
    /** One after the other, as long as something else goes on. */
    async callWhile(name: string, isOn: () => boolean, pathOf: () => string): Promise<void> {
      const latencies = createLatencies();
      while (isOn()) {
        const startedAt = performance.now();
        const response = await fetch(this.addressOf(pathOf()), { headers: { token } });
        await response.arrayBuffer();
        if (!response.ok) failed++;
        latencies.add(performance.now() - startedAt);
      }
      measured.push([name, latencies.summary()]);
    },
    /** All of these at once, to the end of the last answer. */
    async callTogether(name: string, count: number, pathsOf: (index: number) => readonly string[]): Promise<void> {
      await this.time(name, count, async (index) => {
        await Promise.all(
          pathsOf(index).map(async (path) => {
            const response = await fetch(this.addressOf(path), { headers: { token } });
            await response.arrayBuffer();
            if (!response.ok) failed++;
          }),
        );
      });
    },
    /** What was measured, beside the one that `base` names. */
    writeTo(report: Report, what: string, base: string): void {
      const baseMs = measured.find(([name]) => name === base)?.[1].p95Ms ?? Number.NaN;
      report.tables.push({
        columns: [what, "p50 ms", "p95 ms", "highest ms", `p95 against ${base}`],
        rows: measured.map(([name, { p50Ms, p95Ms, maxMs }]) => [
          name,
          formatMs(p50Ms),
          formatMs(p95Ms),
          formatMs(maxMs),
          formatTimes(p95Ms / baseMs),
        ]),
      });
      report.facts = { ...report.facts, ...Object.fromEntries(measured.map(([name, { p95Ms }]) => [`${name}, p95 ms`, p95Ms])) };
      expectNone(report, "calls that failed", failed);
    },
  };
}

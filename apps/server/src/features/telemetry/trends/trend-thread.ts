import type { Pool } from "pg";
import { createThreadCaller } from "#lib/thread-caller.ts";
import type { TrendAnswer, TrendQuestion, TrendThreadSettings } from "./trend-work.thread.ts";
import type { TrendWork } from "./trend-work.ts";

/** The work of trends in a thread with connections of its own: a year of six series is 17 MB of numbers, which others would wait for. */
export function createTrendThread({ options }: Pool): { work: TrendWork; end: () => Promise<void> } {
  const settings: TrendThreadSettings = {
    databaseUrl: options.connectionString!,
    statementTimeoutMs: Number(options.statement_timeout) || 0,
  };
  const { ask, end } = createThreadCaller<TrendQuestion, TrendAnswer>({
    program: new URL("./trend-work.thread.ts", import.meta.url),
    settings,
    busyMessage: "Too many trends are being read at the moment. Please try again",
    mostWaiting: 100,
    patienceMs: 60_000,
    maxHeapMb: 512,
  });
  const made = async (question: TrendQuestion): Promise<unknown> => {
    const answer = await ask(question);
    if ("made" in answer) return answer.made;
    // The database's failures are known by their codes.
    throw Object.assign(new Error(answer.failure), { code: answer.code });
  };
  const through = <Name extends keyof TrendWork>(name: Name) =>
    ((...takes: unknown[]) => made({ name, takes } as TrendQuestion)) as TrendWork[Name];
  return {
    work: {
      series: through("series"),
      profile: through("profile"),
      duration: through("duration"),
      scatter: through("scatter"),
      days: through("days"),
    },
    end,
  };
}

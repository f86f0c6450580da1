import { parentPort, workerData } from "node:worker_threads";
import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { createPool } from "#db/pool.ts";
import { createTrendWork, type Asked, type TrendWork } from "./trend-work.ts";

/** A method of the work, and what it takes. */
export type TrendQuestion = { [Name in keyof TrendWork]: { name: Name; takes: Parameters<TrendWork[Name]> } }[keyof TrendWork];
export type TrendAnswer = { made: unknown } | { failure: string; code: unknown };
export interface TrendThreadSettings {
  databaseUrl: string;
  statementTimeoutMs: number;
}

// Twelve series of a year are some thirty reads.
const connections = 3;
const { databaseUrl, statementTimeoutMs } = workerData as TrendThreadSettings;
const pool = createPool(databaseUrl, {
  max: connections,
  applicationName: "busbar trends",
  statementTimeoutMs,
});
const work = createTrendWork(pool);

/** A copy of a quantity is not the quantity, by which grids are found. */
const own = (asked: Asked): Asked => ({ ...asked, quantity: quantityOf(asked.quantity.id)! });
const allOwn = (asked: readonly Asked[]) => asked.map(own);

async function make({ name, takes }: TrendQuestion): Promise<unknown> {
  if (name === "series") return await work.series(allOwn(takes[0]), takes[1], takes[2]);
  if (name === "days") return await work.days(allOwn(takes[0]), takes[1], takes[2]);
  if (name === "scatter") return await work.scatter([own(takes[0][0]), own(takes[0][1])], takes[1]);
  return await work[name](own(takes[0]), takes[1]);
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (found: TrendAnswer) => parentPort?.postMessage(found);

parentPort?.on("message", (question: TrendQuestion) => {
  make(question).then(
    (made) => answer({ made }),
    (error: Error & { code?: unknown }) => answer({ failure: error.message, code: error.code }),
  );
});

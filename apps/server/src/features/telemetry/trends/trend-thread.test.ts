import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { afterAll, expect, test } from "vitest";
import { createPool } from "#db/pool.ts";
import { isDatabaseAway } from "#http/errors.ts";
import { createTrendThread } from "./trend-thread.ts";
import { dayStep } from "./trend-steps.ts";
import type { Asked } from "./trend-work.ts";

// No database listens there.
const pool = createPool("postgres://no-one@127.0.0.1:1/none", { statementTimeoutMs: 1_000 });
const { work, end } = createTrendThread(pool);
afterAll(async () => {
  await end();
  await pool.end();
});

const asked = { row: { serial: 1 }, nodes: [], quantity: quantityOf("kwh"), step: dayStep } as unknown as Asked;
const days = () => work.days([asked], { from: 0, to: 86_400 }, null);

test("a database that is away is known as such beyond the thread", async () => {
  const error = await days().catch((failure: unknown) => failure as Error);
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  expect(isDatabaseAway(error as Error)).toBe(true);
});

test("beyond a hundred that wait, callers are asked to try again", async () => {
  const answers = await Promise.all(Array.from({ length: 101 }, () => days().catch((error: unknown) => error)));
  expect(answers.map((each) => (each as { status?: number }).status).filter((status) => status !== undefined)).toEqual([429]);
});

import { setTimeout as pause } from "node:timers/promises";
import type { NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import { keyOf, type Sightings } from "./follow-rows.ts";

const everyMs = 100;

/** Asks for what changed ten times a second and notes when each scalar is first in an answer. */
export function followApi(consoleUrl: string, token: string): { sightings: Sightings; stop(): Promise<void> } {
  const sightings: Sightings = {};
  let isStopped = false;

  async function run(): Promise<void> {
    for (let since = ""; ;) {
      const response = await fetch(`${consoleUrl}/api/node-dashboard${since}`, { headers: { token } });
      if (!response.ok) throw new Error(`The dashboard answered ${response.status}`);
      const { data } = (await response.json()) as { data: NodeDashboard };
      const now = Date.now();
      for (const [serial, { lastScalarData = "" }] of Object.entries(data.dashboardNodeMap)) {
        const atMs = lastScalarData.split(",", 3)[2];
        if (atMs) sightings[keyOf(serial, atMs)] ??= now;
      }
      if (isStopped) return;
      since = `?since=${data.revision}`;
      await pause(everyMs);
    }
  }
  // A failure is thrown by `stop`, whenever it came.
  const running = run().then(
    () => undefined,
    (error: Error) => error,
  );
  return {
    sightings,
    async stop() {
      isStopped = true;
      const failure = await running;
      if (failure) throw failure;
    },
  };
}

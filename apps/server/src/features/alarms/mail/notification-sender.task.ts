import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import type { Mail } from "./mail.service.ts";

const name = "NotificationSender";

/** While the mail server is away the service counts as failing, also between two tries. */
export function createNotificationSender(pool: Pool, mail: Mail, clock: Clock) {
  return {
    name,
    intervalSeconds: 10,
    did: (count) => `Tried to send ${counted(count, "message")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const processedCount = await mail.deliverDue(signal, walk);
      const problem = await mail.problem();
      if (!problem) return walk.end(processedCount);
      return {
        processedCount,
        logEntry: `${counted(problem.waiting, "message waits", "messages wait")} for the mail server. ${problem.reason}`,
        hasFailed: true,
      };
    },
  } satisfies Task;
}

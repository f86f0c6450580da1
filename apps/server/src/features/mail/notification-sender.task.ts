import { counted } from "@busbar/contract/counted.ts";
import type { Task } from "#services/service.ts";
import type { Mail } from "./mail.service.ts";

/** While the mail server is away the service counts as failing, also between two tries. */
export function createNotificationSender(mail: Mail) {
  return {
    name: "NotificationSender",
    intervalSeconds: 10,
    async run(signal) {
      const processedCount = await mail.deliverDue(signal);
      const problem = await mail.problem();
      if (!problem) return { processedCount, logEntry: "" };
      return {
        processedCount,
        logEntry: `${counted(problem.waiting, "message waits", "messages wait")} for the mail server. ${problem.reason}`,
        hasFailed: true,
      };
    },
  } satisfies Task;
}

import type { Task } from "#services/service.ts";
import type { Mail } from "./mail.service.ts";

export function createNotificationSender(mail: Mail): Task {
  return { name: "NotificationSender", intervalSeconds: 10, run: (signal) => mail.deliverDue(signal) };
}

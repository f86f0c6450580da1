import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import type { FleetNoticesDependencies } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import type { ServiceIssue, ReportIssue } from "#services/service-issues.ts";

type ServiceNoticesDependencies = Pick<FleetNoticesDependencies, "mail" | "internalRecipients" | "environment">;

/** An internal notice about a service that does not work, and one when it works again. */
export function createServiceNotices({ mail, internalRecipients, environment }: ServiceNoticesDependencies): ReportIssue {
  return async (client, issue) => {
    const isOver = issue.state === "works again";
    await mail.enqueue(client, {
      kind: "SERVICE_ERROR",
      subject: `[${environment}] ${isOver ? "Service works again" : "Service error"}: ${issue.name}`,
      body: isOver ? `${issue.name} works again.\n` : bodyOf(issue),
      to: await internalRecipients(),
    });
  };
}

function bodyOf({ name, failureCount, since, logEntry }: ServiceIssue): string {
  const times = failureCount > 1 ? `, ${failureCount} times in a row` : "";
  return [
    `${name} has not worked since ${formatLocalTime(since, "UTC")}${times}.`,
    "",
    `It says: ${logEntry || "nothing"}`,
    "",
    "It is tried again and again. This is reported once, and once more when it has worked for 15 minutes.",
    "",
  ].join("\n");
}

import { Counter, type Registry } from "prom-client";
import { cleanText } from "#lib/clean-text.ts";
import type { LimitedLog } from "#lib/limited-log.ts";

/** Counts what nodes may not do, and logs it at INFO: refused input is no fault of ours. */
export type Refuse = (clientId: string | undefined, reason: string, details?: Record<string, unknown>) => void;

export function createRefusals(registry: Registry, limitedLog: LimitedLog): Refuse {
  const refused = new Counter({
    name: "busbar_mqtt_refused_total",
    help: "Refused connections, publications and subscriptions of nodes, by reason",
    labelNames: ["reason"],
    registers: [registry],
  });
  return (clientId, reason, details = {}) => {
    refused.inc({ reason });
    limitedLog("info", `mqtt ${reason}`, { client: cleanText(clientId ?? "", 64), reason, ...details }, "refused over MQTT");
  };
}

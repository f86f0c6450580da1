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

const reasonsByCode: Readonly<Record<number, string>> = { 1: "version", 6: "keep-alive" };
/** Of a connection that is given up without a refusal. */
const endings = new Set(["keep alive timeout", "drain timeout", "connection closed", "connect did not arrive in time"]);

/** Why the library refused what a client sent; undefined for an end that is no refusal of it: the network's, or one of ours, which we count ourselves. */
export function refusalOf(error: Error & { code?: unknown; returnCode?: unknown; errorCode?: number }): string | undefined {
  if (error.code !== undefined || error.returnCode !== undefined || endings.has(error.message)) return undefined;
  return reasonsByCode[error.errorCode ?? 0] ?? (error.message === "packet too large" ? "too-large" : "protocol");
}

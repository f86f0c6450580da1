import { ConfigError } from "./config.ts";

export const allRoles = ["broker", "ingest", "api", "services"] as const;
export type Role = (typeof allRoles)[number];

/** Roles of a list such as `api,ingest`; all when there is none. */
export function readRoles(text: string | undefined): Role[] {
  if (text === undefined) return [...allRoles];
  const roles = text.split(",").map((part) => part.trim());
  for (const role of roles) {
    if (!allRoles.includes(role as Role))
      throw new ConfigError(`--roles lists ${allRoles.join(", ")}, separated by commas, not "${role}".`);
  }
  return [...new Set(roles as Role[])];
}

/** The broker in this process hands every message to the ingest beside it; neither works alone without another broker. */
export function refuseLoneBroker(roles: readonly Role[], mqttUrl: string | undefined): void {
  if (mqttUrl === undefined && roles.includes("broker") !== roles.includes("ingest")) {
    throw new ConfigError("The roles broker and ingest go together, unless MQTT_URL names another broker.");
  }
}

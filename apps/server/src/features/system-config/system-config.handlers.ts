import { callerOf } from "#http/endpoints.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { SystemConfig } from "./system-config.service.ts";

export function systemConfigHandlers(systemConfig: SystemConfig): Pick<Handlers, "getSystemConfigEntry"> {
  return {
    getSystemConfigEntry: ({ params }, call) => systemConfig.show(callerOf(call), params.name),
  };
}

import { callerOf } from "#http/endpoints.ts";
import type { Handlers } from "#http/endpoints.ts";
import type { SystemConfig } from "./system-config.service.ts";

export function systemConfigHandlers(
  systemConfig: SystemConfig,
): Pick<Handlers, "getSystemConfigEntry" | "getSystemConfig" | "updateSystemConfig" | "reloadSystemConfig"> {
  return {
    getSystemConfigEntry: ({ params }, call) => systemConfig.show(callerOf(call), params.name),
    getSystemConfig: () => systemConfig.showAll(),
    updateSystemConfig: async ({ body, query }, call) => ({ changed: await systemConfig.update(callerOf(call), body, query.revision) }),
    reloadSystemConfig: () => systemConfig.reload(),
  };
}

import type { Handlers } from "#http/endpoints.ts";
import type { SystemConfig } from "./system-config.service.ts";

export function systemConfigHandlers(systemConfig: SystemConfig) {
  return {
    getSystemConfigEntry: ({ params }, { caller }) => systemConfig.show(caller, params.name),
    getSystemConfig: () => systemConfig.showAll(),
    updateSystemConfig: async ({ body, query }, { caller }) => ({ changed: await systemConfig.update(caller, body, query.revision) }),
    reloadSystemConfig: () => systemConfig.reload(),
  } satisfies Partial<Handlers>;
}

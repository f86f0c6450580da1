import type { Handlers } from "#http/endpoints.ts";
import { requireOwnPage } from "#http/own-page.ts";
import type { SystemServices } from "./system-services.service.ts";

export function systemServicesHandlers(services: SystemServices) {
  const byGet =
    (isEnabled: boolean): Handlers["enableService"] =>
    ({ params }, call) => {
      requireOwnPage(call);
      return services.switchOne(call.caller, params.name, isEnabled);
    };
  return {
    getServices: () => services.list(),
    getWaitingWork: ({ params }) => services.waiting(params.name),
    enableService: byGet(true),
    disableService: byGet(false),
    enableServiceByPatch: ({ params }, { caller }) => services.switchOne(caller, params.name, true),
    disableServiceByPatch: ({ params }, { caller }) => services.switchOne(caller, params.name, false),
    enableAllServices: (_input, { caller }) => services.switchAll(caller, true),
    disableAllServices: (_input, { caller }) => services.switchAll(caller, false),
    runService: ({ params }, { caller }) => services.runNow(caller, params.name),
  } satisfies Partial<Handlers>;
}

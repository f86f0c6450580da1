import type { Call, Handlers } from "#http/endpoints.ts";
import { callerOf } from "#http/endpoints.ts";
import { requireOwnPage } from "#http/own-page.ts";
import type { SystemServices } from "./system-services.service.ts";

type Names =
  | "getServices"
  | "enableService"
  | "disableService"
  | "enableServiceByPatch"
  | "disableServiceByPatch"
  | "enableAllServices"
  | "disableAllServices"
  | "runService";

export function systemServicesHandlers(services: SystemServices): Pick<Handlers, Names> {
  const byGet = (name: string, isEnabled: boolean, call: Call) => {
    requireOwnPage(call);
    return services.switchOne(callerOf(call), name, isEnabled);
  };
  return {
    getServices: () => services.list(),
    enableService: ({ params }, call) => byGet(params.name, true, call),
    disableService: ({ params }, call) => byGet(params.name, false, call),
    enableServiceByPatch: ({ params }, call) => services.switchOne(callerOf(call), params.name, true),
    disableServiceByPatch: ({ params }, call) => services.switchOne(callerOf(call), params.name, false),
    enableAllServices: (_input, call) => services.switchAll(callerOf(call), true),
    disableAllServices: (_input, call) => services.switchAll(callerOf(call), false),
    runService: ({ params }, call) => services.runNow(callerOf(call), params.name),
  };
}

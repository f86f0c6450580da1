import {
  disableAllServices,
  disableService,
  enableAllServices,
  enableService,
  getServices,
  getWaitingWork,
  runService,
} from "@busbar/contract/system/system-services.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshEveryMs = 2_000;

/** SYS-01: polled every 2 s. */
export const useServices = () => useApiQuery(getServices, {}, { refetchInterval: refreshEveryMs });

export const useWaitingWork = (name: string) => useApiQuery(getWaitingWork, { params: { name } }, { refetchInterval: refreshEveryMs });

export type ServiceCommand = { verb: "enable" | "disable" | "run"; name: string } | { verb: "enable all" | "disable all" };

export function useServiceCommand() {
  return useApiMutation((call, command: ServiceCommand) => {
    switch (command.verb) {
      case "enable":
        return call(enableService, { params: { name: command.name } });
      case "disable":
        return call(disableService, { params: { name: command.name } });
      case "run":
        return call(runService, { params: { name: command.name } });
      case "enable all":
        return call(enableAllServices, {});
      case "disable all":
        return call(disableAllServices, {});
    }
  });
}

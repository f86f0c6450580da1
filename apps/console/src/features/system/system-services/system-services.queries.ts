import {
  disableAllServices,
  disableService,
  enableAllServices,
  enableService,
  getServices,
  runService,
} from "@busbar/contract/system/system-services.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const refreshEveryMs = 2_000;
const queryKey = ["system-services"];

/** SYS-01: polled every 2 s. */
export function useServices() {
  const call = useApi();
  return useQuery({ queryKey, queryFn: ({ signal }) => call(getServices, {}, { signal }), refetchInterval: refreshEveryMs });
}

export type ServiceCommand = { verb: "enable" | "disable" | "run"; name: string } | { verb: "enable all" | "disable all" };

export function useServiceCommand() {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (command: ServiceCommand) => {
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
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

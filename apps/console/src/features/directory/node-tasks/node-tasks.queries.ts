import { getNodeTasks, patchNodeTask, type NodeTaskPatch } from "@busbar/contract/directory/node-tasks.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";

// Several people work on one checklist.
const refreshEveryMs = 10_000;

export const useNodeTasks = (serial: string) => useApiQuery(getNodeTasks, { params: { serial } }, { refetchInterval: refreshEveryMs });

/** TSK-08: the list is read again after a change, and also after a refused one: someone else may have been first. */
export function usePatchNodeTask(serial: string) {
  const call = useApi();
  return (id: number, patch: NodeTaskPatch) => call(patchNodeTask, { params: { serial, id: String(id) }, body: patch });
}

import { getNodeTasks, patchNodeTask } from "@busbar/contract/directory/node-tasks.ts";
import type { NodeTaskPatch } from "@busbar/contract/directory/node-tasks.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

// Several people work on one checklist.
const refreshEveryMs = 10_000;
const keyOf = (serial: string) => ["node-tasks", serial];

export function useNodeTasks(serial: string) {
  const call = useApi();
  return useQuery({
    queryKey: keyOf(serial),
    queryFn: ({ signal }) => call(getNodeTasks, { params: { serial } }, { signal }),
    refetchInterval: refreshEveryMs,
  });
}

/** TSK-08: the list is read anew after a change, and also after a refused one: somebody else may have been first. */
export function usePatchNodeTask(serial: string) {
  const call = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, patch }: { id: number; patch: NodeTaskPatch }) =>
      call(patchNodeTask, { params: { serial, id: String(id) }, body: patch }),
    onSettled: () => void queries.invalidateQueries({ queryKey: keyOf(serial) }),
  });
}

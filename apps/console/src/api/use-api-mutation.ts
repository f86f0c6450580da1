import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./api-context.ts";
import type { Client } from "./client.ts";
import { followChanges } from "./follow-changes.ts";

/** A call that someone makes by a press: pending until what it changed is shown. */
export function useApiMutation<Answer, Variables = void>(make: (call: Client, variables: Variables) => Promise<Answer>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => make(followChanges(client, queries, { isAwaited: true }), variables),
  });
}

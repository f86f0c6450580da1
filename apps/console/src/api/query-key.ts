import { getChanges } from "@busbar/contract/system/changes.ts";
import type { CallInput, Endpoint } from "@busbar/contract/endpoint.ts";
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What an answer is kept under: its call and its parameters. */
export function queryKeyOf<E extends Endpoint>(endpoint: E, input: CallInput<E>): QueryKey {
  const { params = {}, query = {} } = input as { params?: object; query?: object };
  return [endpoint.path, params, query];
}

/** Asks again for what a call changes, as far as it is shown; resolves once that is there. */
export async function refreshChanged(queries: QueryClient, { changes = [] }: Endpoint): Promise<void> {
  if (changes === "everything") return queries.invalidateQueries();
  // Whatever it is, it is listed there.
  const paths = changes.length === 0 ? [] : [...changes, getChanges.path];
  await Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })));
}

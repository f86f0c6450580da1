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
  await Promise.all(changes.map((path) => queries.invalidateQueries({ queryKey: [path] })));
}

import type { CallInput, CallOutput, Endpoint } from "@busbar/contract/endpoint.ts";
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { isUnreachable } from "#lib/api-error.ts";
import { useClient } from "./api-context.ts";
import type { Client } from "./client.ts";
import { queryKeyOf } from "./query-key.ts";

type Asking<E extends Endpoint, Shown> = Omit<UseQueryOptions<CallOutput<E>, Error, Shown>, "queryKey" | "queryFn" | "structuralSharing">;

export interface ApiQueryOptions<E extends Endpoint, Shown> extends Asking<E, Shown> {
  /** Before an answer is kept, which is done as it came: all who ask the same call share it. What one of them makes of it is `select`. */
  onAnswer?: (answer: CallOutput<E>, call: Client, signal: AbortSignal) => void | Promise<void>;
  /** The answer to other parameters is shown until the one to these is there. */
  isPreviousKept?: boolean;
}

const unreachableMs = 15_000;

type Interval = number | false | undefined;
/** As a call is asked again anyway; and what no server was reached for until one is, for no event says that it is back. */
const againEvery =
  <Asked extends { state: { error: unknown } }>(own: Interval | ((asked: Asked) => Interval)) =>
  (asked: Asked): Interval =>
    (typeof own === "function" ? own(asked) : own) || (isUnreachable(asked.state.error) && unreachableMs);

/** What the API answers to a call; asked again when a call changes it, as the contract says. */
export function useApiQuery<E extends Endpoint, Shown = CallOutput<E>>(
  endpoint: E,
  input: CallInput<E>,
  { onAnswer, isPreviousKept = false, refetchInterval, ...asking }: ApiQueryOptions<E, Shown> = {},
) {
  const call = useClient();
  return useQuery<CallOutput<E>, Error, Shown>({
    ...(isPreviousKept ? { placeholderData: keepPreviousData } : {}),
    ...asking,
    refetchInterval: againEvery(refetchInterval),
    queryKey: queryKeyOf(endpoint, input),
    queryFn: async ({ signal, client, queryKey }) => {
      // Ten thousand objects are requested by tag and not compared: an answer replaces the one before.
      const known = endpoint.isPrepared ? client.getQueryData<object>(queryKey) : undefined;
      const answer = await call(endpoint, input, { signal, known });
      await onAnswer?.(answer, call, signal);
      return answer;
    },
    structuralSharing: !endpoint.isPrepared,
  });
}

/** What is made of an answer of bytes that never changes. */
export function useApiBytesQuery<E extends Endpoint, Kept>(endpoint: E, input: CallInput<E>, read: (response: Response) => Promise<Kept>) {
  const call = useClient();
  return useQuery<Kept>({
    queryKey: queryKeyOf(endpoint, input),
    queryFn: async ({ signal }) => read(await call.bytes(endpoint, input, { signal })),
    staleTime: Infinity,
    refetchInterval: againEvery(false),
  });
}

/** A list that is requested page by page, each by where the one before ended. */
export function useApiPages<E extends Endpoint, Cursor extends number | string>(
  endpoint: E,
  inputOf: (cursor: Cursor | undefined) => CallInput<E>,
  nextOf: (last: CallOutput<E>) => Cursor | undefined,
  { refetchInterval = false }: { refetchInterval?: number | false } = {},
) {
  const call = useClient();
  return useInfiniteQuery<CallOutput<E>, Error, InfiniteData<CallOutput<E>>, QueryKey, Cursor | undefined>({
    // Pages are kept in another shape than the same answer alone.
    queryKey: [...queryKeyOf(endpoint, inputOf(undefined)), "pages"],
    queryFn: ({ pageParam, signal }) => call(endpoint, inputOf(pageParam as Cursor | undefined), { signal }),
    initialPageParam: undefined,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
    // All pages are requested again, one after the other: who reads older ones is not served by that.
    refetchInterval: againEvery(({ state }) => (state.data && state.data.pages.length > 1 ? false : refetchInterval)),
  });
}

/** Every row of such a list, for a file: in as few pages as the server gives, and not more of them than `most`. */
export function useAllRows<Row, Cursor extends number | string>(
  readPage: (call: Client, cursor: Cursor | undefined) => Promise<readonly Row[]>,
  nextOf: (last: readonly Row[]) => Cursor | undefined,
  most = Infinity,
): () => Promise<{ rows: Row[]; isWhole: boolean }> {
  const call = useClient();
  return async () => {
    const rows: Row[] = [];
    for (let cursor: Cursor | undefined; ;) {
      const page = await readPage(call, cursor);
      rows.push(...page);
      cursor = nextOf(page);
      if (cursor === undefined || rows.length >= most) return { rows, isWhole: cursor === undefined };
    }
  };
}

/** Writes what is known without asking into a kept answer. */
export function usePutAnswer() {
  const queries = useQueryClient();
  return <E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    update: (before: CallOutput<E> | undefined) => CallOutput<E> | undefined,
  ): void => void queries.setQueryData<CallOutput<E>>(queryKeyOf(endpoint, input), update);
}

/** What is gathered from the answers of a call: kept as long as they are, and forgotten with them. */
export function useGathered<E extends Endpoint, T>(endpoint: E, input: CallInput<E>, none: T) {
  const queries = useQueryClient();
  const queryKey = [...queryKeyOf(endpoint, input), "gathered"];
  const { data = none } = useQuery<T>({ queryKey, queryFn: () => none, enabled: false });
  return { gathered: data, gather: (add: (before: T) => T) => void queries.setQueryData<T>(queryKey, (before = none) => add(before)) };
}

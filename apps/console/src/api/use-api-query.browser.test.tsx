import { getBatches, steerBatch } from "@busbar/contract/telemetry/config-batches.ts";
import { getNetworkConfigLog } from "@busbar/contract/telemetry/network-config-log.ts";
import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { ApiError, networkFailureMessage } from "#lib/api-error.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { ApiContext } from "./api-context.ts";
import { useApiMutation } from "./use-api-mutation.ts";
import { useAllRows, useApiBytesQuery, useApiPages, useApiQuery, useGathered, usePutAnswer } from "./use-api-query.ts";

const within = ({ call }: ReturnType<typeof fakeApi>) => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>
      <ApiContext value={call}>{children}</ApiContext>
    </QueryClientProvider>
  );
};

test("a list that is asked for again by itself is not any more once older pages of it are shown", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const api = fakeApi({ "GET /batches": ({ query }) => ("before" in (query as object) ? [{ id: 8 }] : [{ id: 10 }, { id: 9 }]) });
  const { result, act } = await renderHook(
    () =>
      useApiPages(
        getBatches,
        (before: number | undefined) => ({ query: before === undefined ? {} : { before: String(before) } }),
        (last) => (last.length < 2 ? undefined : last.at(-1)?.id),
        { refetchInterval: 10_000 },
      ),
    { wrapper: within(api) },
  );
  const asked = () => api.asked.map(({ input }) => input["query"]);
  await expect.poll(() => result.current.data?.pages).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.poll(asked).toEqual([{}, {}]);
  expect(result.current.hasNextPage).toBe(true);
  await act(() => result.current.fetchNextPage());
  await expect.poll(() => result.current.data?.pages).toHaveLength(2);
  expect([asked(), result.current.hasNextPage]).toEqual([[{}, {}, { before: "9" }], false]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked()).toHaveLength(3);
});

type Asked = Pick<UseQueryResult, "isFetching" | "failureReason" | "data" | "refetch">;
test.each<[string, () => Asked]>([
  ["an answer", () => useApiQuery(getBatches, { query: {} }, { refetchInterval: () => false })],
  [
    "a list by pages",
    () =>
      useApiPages(
        getBatches,
        () => ({ query: {} }),
        () => undefined,
      ),
  ],
])("A-03 %s that no server was reached for is asked for again by itself, what was refused or answered is not", async (_name, useAsked) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let failure: ApiError | undefined = new ApiError(0, "NETWORK", networkFailureMessage);
  const api = fakeApi({
    "GET /batches": () => {
      if (failure) throw failure;
      return [{ id: 8 }];
    },
  });
  const { result } = await renderHook(useAsked, { wrapper: within(api) });
  const requests = () => [result.current.isFetching, result.current.failureReason?.message, api.asked.length];
  await expect.poll(requests).toEqual([false, networkFailureMessage, 1]);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(api.asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(requests).toEqual([false, networkFailureMessage, 2]);
  failure = new ApiError(422, "REFUSED", "No");
  await vi.advanceTimersByTimeAsync(15_000);
  await expect.poll(requests).toEqual([false, "No", 3]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(api.asked).toHaveLength(3);
  failure = new ApiError(0, "NETWORK", networkFailureMessage);
  await result.current.refetch();
  failure = undefined;
  await vi.advanceTimersByTimeAsync(15_000);
  await expect.poll(() => result.current.data).toBeDefined();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(api.asked).toHaveLength(5);
});

test.each([
  [undefined, [1, 2, 3, 4, 5], true],
  [6, [1, 2, 3, 4, 5], true],
  [4, [1, 2, 3, 4], false],
  [3, [1, 2, 3, 4], false],
])("all rows of a list are read page by page, and not many more than %s", async (most, rows, isWhole) => {
  const pages = [[1, 2], [3, 4], [5]];
  const { result } = await renderHook(
    () =>
      useAllRows<number, number>(
        async (_call, place = 0) => pages[place]!,
        (last) => (last.length < 2 ? undefined : last[1]! / 2),
        most,
      ),
    { wrapper: within(fakeApi({})) },
  );
  expect(await result.current()).toEqual({ rows, isWhole });
});

test("an answer is asked for once for all, again with other parameters, and what it was before stays meanwhile where that is said", async () => {
  const waiting: ((batches: { id: number }[]) => void)[] = [];
  const api = fakeApi({ "GET /batches": () => new Promise((go) => waiting.push(go)) });
  const seen: unknown[] = [];
  const onAnswer = vi.fn<(answer: unknown) => void>();
  const { result, rerender, act } = await renderHook(
    (before?: string) => {
      const options = { select: (all: { id: number }[]) => all.length, onAnswer } as object;
      const input = { query: { before: before ?? "9" } };
      return [useApiQuery(getBatches, input, { ...options, isPreviousKept: true }).data, useApiQuery(getBatches, input, options).data];
    },
    { wrapper: within(api) },
  );
  await expect.poll(() => waiting.length).toBe(1);
  await act(() => waiting[0]!([{ id: 8 }, { id: 7 }]));
  await expect.poll(() => result.current).toEqual([2, 2]);
  expect(onAnswer.mock.calls.map(([answer]) => answer)).toEqual([[{ id: 8 }, { id: 7 }]]);
  await rerender("7");
  expect(result.current).toEqual([2, undefined]);
  await expect.poll(() => waiting.length).toBe(2);
  await act(() => waiting[1]!([]));
  await expect.poll(() => result.current).toEqual([0, 0]);
  seen.push(...api.asked.map(({ input }) => input["query"]));
  expect(seen).toEqual([{ before: "9" }, { before: "7" }]);
});

test("an answer is written without asking, and what is gathered from it is kept by its parameters", async () => {
  const api = fakeApi({ "GET /batches": () => [{ id: 1 }] });
  const { result, rerender, act } = await renderHook(
    (before?: string) => {
      const input = { query: { before: before ?? "9" } };
      return {
        asked: useApiQuery(getBatches, input, { staleTime: Infinity }).data,
        put: usePutAnswer(),
        ...useGathered<typeof getBatches, number[]>(getBatches, input, []),
      };
    },
    { wrapper: within(api) },
  );
  await expect.poll(() => result.current.asked).toEqual([{ id: 1 }]);
  const more = (before: unknown) => [...((before as object[] | undefined) ?? []), { id: 2 }] as never;
  await act(() => result.current.put(getBatches, { query: { before: "9" } }, more));
  await expect.poll(() => result.current.asked).toEqual([{ id: 1 }, { id: 2 }]);
  for (const number of [3, 4]) await act(() => result.current.gather((all) => [...all, number]));
  await expect.poll(() => result.current.gathered).toEqual([3, 4]);
  await rerender("5");
  await expect.poll(() => result.current.asked).toEqual([{ id: 1 }]);
  expect(result.current.gathered).toEqual([]);
  await rerender("9");
  expect([result.current.gathered, api.asked.length]).toEqual([[3, 4], 2]);
});

test("a press is under way until what it changed is there again, and what is kept of bytes is read once", async () => {
  let again = Promise.withResolvers<unknown>();
  const answers: unknown[] = [[{ id: 1 }]];
  const api = fakeApi({
    "GET /batches": () => answers.shift() ?? again.promise,
    "PATCH /batches/{id}": () => ({}),
    "GET /auditlog/networkconfig": () => new Blob(["bytes"]),
  });
  const read = vi.fn<(response: Response) => Promise<string>>(async (response) => await response.text());
  const { result, act } = await renderHook(
    () => ({
      list: useApiQuery(getBatches, { query: {} }).data,
      stop: useApiMutation((call) => call(steerBatch, { params: { id: "1" }, body: { order: "pause" } })),
      bytes: useApiBytesQuery(getNetworkConfigLog, { query: {} }, read).data,
    }),
    { wrapper: within(api) },
  );
  await expect.poll(() => [result.current.list, result.current.bytes]).toEqual([[{ id: 1 }], "bytes"]);
  await act(() => result.current.stop.mutate());
  await expect.poll(() => api.asked.filter(({ endpoint }) => endpoint === "GET /batches").length).toBe(2);
  expect(result.current.stop.isPending).toBe(true);
  await act(() => again.resolve([]));
  await expect.poll(() => [result.current.stop.isPending, result.current.list]).toEqual([false, []]);
  expect(read).toHaveBeenCalledTimes(1);
});

import { getBatches } from "@busbar/contract/telemetry/config-batches.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { renderHook } from "vitest-browser-react";
import { fakeApi } from "../testing/fake-api.ts";
import { ApiContext } from "./api-context.ts";
import { useAllRows, useApiPages } from "./use-api-query.ts";

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

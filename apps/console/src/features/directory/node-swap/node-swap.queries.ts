import { getAvailableNodes } from "@busbar/contract/directory/locations.ts";
import {
  copySwapConfig,
  getNodeSwap,
  getSwapPlan,
  isSwapCopied,
  leaveSwapConfig,
  swapNode,
  type NewNodeSwap,
} from "@busbar/contract/directory/node-swaps.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const copyingMs = 1_000;
const waitingMs = 10_000;

/** The last swap of a node: looked at often while its configuration is copied, now and then while it waits. */
export const useNodeSwap = (serial: string) =>
  useApiQuery(
    getNodeSwap,
    { params: { serial } },
    {
      refetchInterval: ({ state: { data } }) => {
        if (!data?.swap?.isCurrent || isSwapCopied(data.swap)) return false;
        return data.swap.isCopying ? copyingMs : waitingMs;
      },
    },
  );

/** What a swap would do, as far as the new serial number is known. */
export const useSwapPlan = (serial: string, newSerialNumber: string) =>
  useApiQuery(
    getSwapPlan,
    { params: { serial }, query: serialNumberPattern.test(newSerialNumber) ? { newSerialNumber } : {} },
    { isPreviousKept: true, gcTime: 0 },
  );

export const useFreeNodes = () => useApiQuery(getAvailableNodes, {});

export function useSwapCalls(serial: string) {
  const call = useApi();
  return {
    swap: (body: NewNodeSwap) => call(swapNode, { params: { serial }, body }),
    leave: () => call(leaveSwapConfig, { params: { serial } }),
    goOn: (code: string) => call(copySwapConfig, { params: { serial }, body: { code } }),
  };
}

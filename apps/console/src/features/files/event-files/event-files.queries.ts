import { getEventFile, usualPlotColumns } from "@busbar/contract/files/event-files.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useApi } from "#api/api-context.ts";

const pendingMs = 5_000;
const narrowColumns = 500;
const columns = (): string => String(window.innerWidth < 768 ? narrowColumns : usualPlotColumns);

export interface TimeRange {
  /** Seconds from the trigger. */
  from: number;
  to: number;
}

/** FEE-04; asked again while the file waits for its parser. Below the key of the file's contents: what renews those renews this. */
export function useEventFile(eventFileName: string) {
  const call = useApi();
  return useQuery({
    queryKey: ["file-contents", eventFileName, "event"],
    queryFn: ({ signal }) => call(getEventFile, { params: { eventFileName }, query: { columns: columns() } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false),
  });
}

/** A part of the record, as fine as the plot is wide; the part before stays until it is there. */
export function useWaveformPart(eventFileName: string, range: TimeRange | undefined) {
  const call = useApi();
  return useQuery({
    queryKey: ["file-contents", eventFileName, "event", range],
    queryFn: ({ signal }) => {
      const query = { from: secondsText(range?.from), to: secondsText(range?.to), columns: columns(), text: "no" as const };
      return call(getEventFile, { params: { eventFileName }, query }, { signal });
    },
    enabled: range !== undefined,
    placeholderData: keepPreviousData,
    select: ({ waveform }) => waveform,
  });
}

const secondsText = (seconds = 0): string => seconds.toFixed(9);

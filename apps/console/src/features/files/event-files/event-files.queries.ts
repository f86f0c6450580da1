import { getEventFile, usualPlotColumns } from "@busbar/contract/files/event-files.ts";
import { useState } from "react";
import { useApiQuery } from "#api/use-api-query.ts";

const pendingMs = 5_000;
const narrowColumns = 500;
/** As wide as the window is when the plot is first shown. */
const useColumns = (): string => useState(() => String(window.innerWidth < 768 ? narrowColumns : usualPlotColumns))[0];

export interface TimeRange {
  /** Seconds from the trigger. */
  from: number;
  to: number;
}

/** FEE-04; asked again while the file waits for its parser. */
export function useEventFile(eventFileName: string) {
  const columns = useColumns();
  return useApiQuery(
    getEventFile,
    { params: { eventFileName }, query: { columns } },
    { refetchInterval: ({ state }) => (state.data?.processed === null ? pendingMs : false) },
  );
}

/** A part of the record, as fine as the plot is wide; the part before stays until it is there. */
export function useWaveformPart(eventFileName: string, range: TimeRange | undefined) {
  const columns = useColumns();
  const query = { from: secondsText(range?.from), to: secondsText(range?.to), columns, text: "no" as const };
  return useApiQuery(
    getEventFile,
    { params: { eventFileName }, query },
    { enabled: range !== undefined, isPreviousKept: true, select: ({ waveform }) => waveform },
  );
}

const secondsText = (seconds = 0): string => seconds.toFixed(9);

import { getNodeFiles, type DashboardFile } from "@busbar/contract/files/node-files.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#lib/api-error.ts";
import {
  appendOlder,
  batchRows,
  emptyWindow,
  newestOf,
  oldestOf,
  prependNewer,
  refreshNewest,
  startBefore,
  windowRows,
  type FileWindow,
} from "./file-window.ts";

export interface FileQuery {
  serial: string;
  kinds: string;
  intervalSeconds: number;
}

/** Where a window begins: at an end, or at a time. */
export type FileStart = "latest" | "earliest" | number;

const refreshEveryMs = 30_000;
/** A clock that was never set begins at zero. */
const beforeAll = -1;

/** The files in the page: loads the beginning, and more at either end when it is asked to. */
export function useFileWindow({ serial, kinds, intervalSeconds }: FileQuery, firstStart: FileStart) {
  const call = useApi();
  const [window, setWindow] = useState<FileWindow>(emptyWindow);
  const [target, setTarget] = useState<FileStart>(firstStart);
  const [hasLoaded, setHasLoaded] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const current = useRef(window);
  const busy = useRef<AbortController | undefined>(undefined);
  const failed = useRef<(signal: AbortSignal) => Promise<FileWindow>>(undefined);

  const show = useCallback((next: FileWindow) => {
    current.current = next;
    setWindow(next);
  }, []);

  const fetchPage = useCallback(
    (range: { before?: number; after?: number }, signal: AbortSignal): Promise<DashboardFile[]> => {
      const edge =
        range.before === undefined ? (range.after === undefined ? {} : { after: String(range.after) }) : { before: String(range.before) };
      const query = { ...edge, limit: String(batchRows), ...(kinds === "" ? {} : { kinds }) };
      return call(getNodeFiles, { params: { serial }, query }, { signal });
    },
    [call, serial, kinds],
  );

  /** One load at a time; a new beginning ends the one that runs. */
  const run = useCallback(
    async (work: (signal: AbortSignal) => Promise<FileWindow>, isFresh: boolean) => {
      if (busy.current && !isFresh) return;
      busy.current?.abort();
      const own = new AbortController();
      busy.current = own;
      try {
        const next = await work(own.signal);
        if (own.signal.aborted) return;
        show(next);
        setProblem(undefined);
        setHasLoaded(true);
      } catch (error) {
        if (own.signal.aborted) return;
        setProblem(failureMessage(error));
        failed.current = work;
      } finally {
        if (busy.current === own) busy.current = undefined;
      }
    },
    [show],
  );

  const load = useCallback(
    (start: FileStart) =>
      run(async (signal) => {
        if (start === "latest") {
          const page = await fetchPage({}, signal);
          return { rows: page, hasOlder: page.length >= batchRows, hasNewer: false };
        }
        if (start === "earliest") {
          const page = await fetchPage({ after: beforeAll }, signal);
          return { rows: page, hasOlder: false, hasNewer: page.length >= batchRows };
        }
        const page = await fetchPage({ after: startBefore(start, intervalSeconds) }, signal);
        let next: FileWindow = { rows: page, hasOlder: true, hasNewer: page.length >= batchRows };
        // Where files are closer than the interval says, the target is further on.
        while (next.hasNewer && (newestOf(next) ?? start) < start && next.rows.length < windowRows) {
          next = prependNewer(next, await fetchPage({ after: newestOf(next) ?? 0 }, signal));
        }
        if (next.rows.length > 0) return next;
        const latest = await fetchPage({}, signal);
        return { rows: latest, hasOlder: latest.length >= batchRows, hasNewer: false };
      }, true),
    [run, fetchPage, intervalSeconds],
  );

  const startAt = useCallback(
    (start: FileStart) => {
      setTarget(start);
      setHasLoaded(false);
      void load(start);
    },
    [load],
  );

  /** What failed once more, where the reader is now. */
  const retry = useCallback(() => {
    setProblem(undefined);
    if (failed.current) void run(failed.current, true);
  }, [run]);

  const loadOlder = useCallback(() => {
    const edge = oldestOf(current.current);
    if (edge !== undefined) void run(async (signal) => appendOlder(current.current, await fetchPage({ before: edge }, signal)), false);
  }, [run, fetchPage]);

  const loadNewer = useCallback(() => {
    const edge = newestOf(current.current);
    if (edge !== undefined) void run(async (signal) => prependNewer(current.current, await fetchPage({ after: edge }, signal)), false);
  }, [run, fetchPage]);

  // The address says where it begins; another node or kind starts over there.
  const [first] = useState(firstStart);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- set when the answer has come
    void load(first);
    return () => busy.current?.abort();
  }, [load, first]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || current.current.hasNewer) return;
      void run(async (signal) => refreshNewest(current.current, await fetchPage({}, signal)), false);
    }, refreshEveryMs);
    return () => clearInterval(timer);
  }, [run, fetchPage]);

  return { window, target, hasLoaded, problem, startAt, retry, loadOlder, loadNewer };
}

import type { DashboardFile } from "@busbar/contract/files/node-files.ts";
import { useEffect, useLayoutEffect, useRef } from "react";
import { DataTable } from "#ui/data-table.tsx";
import { fileColumns } from "./file-columns.tsx";
import { missingAt, type FileWindow } from "./file-window.ts";
import type { FileStart } from "./use-file-window.ts";
import { useRowKeys } from "./use-row-keys.ts";

export interface FileListProps {
  window: FileWindow;
  /** Where the reader asked to be. */
  target: FileStart;
  timezone: string | null;
  onOlder: () => void;
  onNewer: () => void;
  /** The file at the top of what is in sight, after scrolling came to rest; whether it is the first of the rows. */
  onRest: (timestamp: number, isTop: boolean) => void;
}

const restMs = 400;

/** FIL-03: rows in a scroller that loads more at both ends; the rows in sight stay where they are. */
export function FileList({ window, target, timezone, onOlder, onNewer, onRest }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { rows } = window;
  const restTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useAnchor(scroller, rows, target);
  useEffect(() => () => clearTimeout(restTimer.current), []);
  const rowKeys = useRowKeys(scroller);
  // Rows that leave room cannot be scrolled, so no one could ask for more.
  useEffect(() => {
    const element = scroller.current;
    if (!element || element.scrollHeight > element.clientHeight) return;
    if (window.hasOlder) onOlder();
    else if (window.hasNewer) onNewer();
  }, [window, onOlder, onNewer]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const path = element.scrollHeight - element.clientHeight;
    const missing = path > 0 ? missingAt(element.scrollTop / path, window) : undefined;
    if (missing === "older") onOlder();
    else if (missing === "newer") onNewer();
    clearTimeout(restTimer.current);
    restTimer.current = setTimeout(() => {
      const top = topRow(element);
      if (top) onRest(Number(top.dataset["timestamp"]), element.scrollTop <= 0);
    }, restMs);
  };

  return (
    <div className="file-scroller" ref={scroller} onScroll={onScroll}>
      <DataTable
        className="file-table"
        role="grid"
        aria-label="Files"
        columns={fileColumns(timezone)}
        rows={rows}
        keyOf={({ fileName }) => fileName}
        rowProps={({ timestamp }, index) => ({ className: "grid-row", "data-timestamp": timestamp, tabIndex: index === 0 ? 0 : -1 })}
        {...rowKeys}
      />
    </div>
  );
}

/** The first row that is not hidden under the header. */
function topRow(scroller: HTMLElement): HTMLTableRowElement | undefined {
  const edge = scroller.getBoundingClientRect().top + (scroller.querySelector("thead")?.clientHeight ?? 0);
  return [...scroller.querySelectorAll<HTMLTableRowElement>("tbody tr")].find((row) => row.getBoundingClientRect().bottom > edge + 1);
}

interface Anchor {
  key: string;
  top: number;
}

/** After rows came or went, what was at the top of the sight is there again; a new beginning shows its target there. */
function useAnchor(scroller: React.RefObject<HTMLDivElement | null>, rows: readonly DashboardFile[], target: FileStart): void {
  const anchor = useRef<Anchor | undefined>(undefined);
  const shownTarget = useRef<FileStart | undefined>(undefined);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || rows.length === 0) return;
    if (shownTarget.current !== target) {
      shownTarget.current = target;
      element.scrollTo({ top: scrollTopOf(element, rows, target) });
    } else if (anchor.current) {
      const { key, top } = anchor.current;
      const row = element.querySelectorAll<HTMLElement>("tbody tr")[rows.findIndex(({ fileName }) => fileName === key)];
      if (row) element.scrollBy(0, row.getBoundingClientRect().top - top);
    }
  }, [rows, target, scroller]);

  // What is in sight is read before the next change, not after it.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const remember = () => {
      const row = topRow(element);
      const index = row ? [...element.querySelectorAll("tbody tr")].indexOf(row) : -1;
      const file = rows[index];
      anchor.current = row && file ? { key: file.fileName, top: row.getBoundingClientRect().top } : undefined;
    };
    remember();
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [rows, scroller]);
}

function scrollTopOf(element: HTMLElement, rows: readonly DashboardFile[], target: FileStart): number {
  if (target === "latest") return 0;
  if (target === "earliest") return element.scrollHeight;
  const index = rows.findIndex(({ timestamp }) => timestamp <= target);
  const row = element.querySelectorAll<HTMLElement>("tbody tr")[index < 0 ? rows.length - 1 : index];
  const head = element.querySelector("thead")?.clientHeight ?? 0;
  return row ? row.offsetTop - head : 0;
}

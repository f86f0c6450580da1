import type { DashboardFile } from "@busbar/contract/files/node-files.ts";

/** FIL-03 */
export const windowRows = 500;
export const batchRows = 100;
const olderBeyond = 0.7;
const newerBelow = 0.3;
/** FIL-04 */
const startBackShare = 0.7;

/** The part of a node's files that is in the page, newest first. */
export interface FileWindow {
  rows: readonly DashboardFile[];
  /** False once an end has been reached. */
  hasOlder: boolean;
  hasNewer: boolean;
}

export const emptyWindow: FileWindow = { rows: [], hasOlder: false, hasNewer: false };

/** FIL-04: where a start-from load begins, so that the target has rows on both sides. */
export function startBefore(target: number, intervalSeconds: number, count = batchRows): number {
  return Math.max(0, Math.floor(target - startBackShare * intervalSeconds * count));
}

export const newestOf = ({ rows }: FileWindow): number | undefined => rows[0]?.timestamp;
export const oldestOf = ({ rows }: FileWindow): number | undefined => rows.at(-1)?.timestamp;

/** Which end needs more at a place of the scroll, 0 at the top and 1 at the bottom. */
export function missingAt(share: number, { hasOlder, hasNewer }: FileWindow): "older" | "newer" | undefined {
  if (share > olderBeyond && hasOlder) return "older";
  return share < newerBelow && hasNewer ? "newer" : undefined;
}

/** More at the bottom; the newest go when there are too many. */
export function appendOlder(window: FileWindow, page: readonly DashboardFile[]): FileWindow {
  const rows = [...window.rows, ...page];
  const kept = dropNewest(rows);
  return { rows: kept, hasOlder: page.length >= batchRows, hasNewer: window.hasNewer || kept.length < rows.length };
}

/** More at the top; the oldest go when there are too many. */
export function prependNewer(window: FileWindow, page: readonly DashboardFile[]): FileWindow {
  const rows = [...page, ...window.rows];
  const kept = dropOldest(rows);
  return { rows: kept, hasNewer: page.length >= batchRows, hasOlder: window.hasOlder || kept.length < rows.length };
}

/** The newest files as they are now: new ones on top, states that changed; nothing happens to a window elsewhere. */
export function refreshNewest(window: FileWindow, page: readonly DashboardFile[]): FileWindow {
  const oldest = page.at(-1)?.timestamp;
  if (window.hasNewer || oldest === undefined) return window;
  const known = window.rows[0]?.timestamp;
  // So many came that some between are not in the page: it starts over.
  if (known !== undefined && known < oldest) return { rows: page, hasOlder: true, hasNewer: false };
  const rows = [...page, ...window.rows.filter(({ timestamp }) => timestamp < oldest)];
  const kept = dropOldest(rows);
  return { rows: kept, hasNewer: false, hasOlder: window.hasOlder || kept.length < rows.length };
}

// Files of one time go together: the next page is requested by the time of the last row.
function dropOldest(rows: readonly DashboardFile[]): readonly DashboardFile[] {
  if (rows.length <= windowRows) return rows;
  const edge = rows[windowRows]!.timestamp;
  const kept = rows.slice(0, windowRows);
  const whole = kept.filter(({ timestamp }) => timestamp !== edge);
  return whole.length > 0 ? whole : kept;
}

function dropNewest(rows: readonly DashboardFile[]): readonly DashboardFile[] {
  if (rows.length <= windowRows) return rows;
  const edge = rows[rows.length - windowRows - 1]!.timestamp;
  const kept = rows.slice(-windowRows);
  const whole = kept.filter(({ timestamp }) => timestamp !== edge);
  return whole.length > 0 ? whole : kept;
}

import type { DashboardNode, NodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { FeedRequest } from "./feed-worker.ts";
import { afterPaint, probe } from "./probe.ts";

export const updateEveryMs = 2_000;
const settings = new URLSearchParams(location.search);
const rows = Number(settings.get("rows") ?? "10000");
const changedShare = Number(settings.get("changed") ?? "0.2");

const worker = new Worker(new URL("./feed-worker.ts", import.meta.url), { type: "module" });
let isFirst = true;

/** The next answer's text: the whole fleet first, then what changed. The time until it is painted counts from here. */
export function nextText(): Promise<string> {
  const request: FeedRequest = isFirst ? { kind: "full", rows } : { kind: "delta", changedShare };
  const counts = !isFirst;
  isFirst = false;
  return new Promise((done) => {
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<string>) => {
        const arrivedAt = performance.now();
        if (counts) afterPaint(() => probe.paintMs.push(performance.now() - arrivedAt));
        done(data);
      },
      { once: true },
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(request);
  });
}

export const readAnswer = (text: string): NodeDashboard => (JSON.parse(text) as { data: NodeDashboard }).data;

export interface RowFeed {
  rows: DashboardNode[];
  /** Applies the answers that come, every 2 s, and hands over the rows that changed. */
  start(onChange: (rows: DashboardNode[], changed: DashboardNode[]) => void): void;
}

/** Rows for tables that want them as an array of objects: a changed row is a new object. */
export async function loadRows(): Promise<RowFeed> {
  const bySerial = new Map(Object.entries(readAnswer(await nextText()).dashboardNodeMap as Record<string, DashboardNode>));
  return {
    rows: [...bySerial.values()],
    start(onChange) {
      const update = async () => {
        const { dashboardNodeMap } = readAnswer(await nextText());
        const changed: DashboardNode[] = [];
        for (const serial in dashboardNodeMap) {
          const row = { ...bySerial.get(serial), ...dashboardNodeMap[serial] } as DashboardNode;
          bySerial.set(serial, row);
          changed.push(row);
        }
        onChange([...bySerial.values()], changed);
      };
      setInterval(() => void update(), updateEveryMs);
    },
  };
}

import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Counts in plain numbers on the hot path; the registry reads them when it is asked. */
export interface IngestMetrics {
  noteReceived(): void;
  noteStored(stored: number, duplicates: number): void;
  noteFlush(seconds: number): void;
  noteFailure(): void;
  noteQuarantined(reason: string): void;
  noteRebirth(reason: string): void;
  noteMissing(count: number): void;
  /** From the publish time to COMMIT. */
  noteLatency(seconds: number): void;
  watchQueue(length: () => number): void;
}

export function createIngestMetrics(registry: Registry): IngestMetrics {
  const registers = [registry];
  let received = 0;
  let stored = 0;
  let duplicates = 0;
  let missing = 0;
  let queueLength = () => 0;
  const total = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  total("busbar_ingest_received_total", "Messages of nodes that were received", () => received);
  total("busbar_ingest_stored_total", "Scalars stored and committed", () => stored);
  total("busbar_ingest_duplicates_total", "Scalars that were already stored", () => duplicates);
  total("busbar_ingest_missing_total", "Messages that never came, by their sequence numbers", () => missing);
  const queue: Gauge = new Gauge({
    name: "busbar_ingest_queue_length",
    help: "Messages received and not yet settled",
    registers,
    collect: () => queue.set(queueLength()),
  });
  const quarantined = new Counter({
    name: "busbar_ingest_quarantined_total",
    help: "Messages quarantined, by reason",
    labelNames: ["reason"],
    registers,
  });
  const rebirths = new Counter({
    name: "busbar_ingest_rebirth_requests_total",
    help: "Rebirth requests sent, by reason",
    labelNames: ["reason"],
    registers,
  });
  const failures = new Counter({ name: "busbar_ingest_flush_failures_total", help: "Transactions that failed", registers });
  const flush = new Histogram({
    name: "busbar_ingest_flush_seconds",
    help: "Duration of one transaction",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const latency = new Histogram({
    name: "busbar_ingest_stored_after_publish_seconds",
    help: "From a node's publish time to COMMIT, by the node's clock",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });

  return {
    noteReceived: () => void received++,
    noteStored(newRows, oldRows) {
      stored += newRows;
      duplicates += oldRows;
    },
    noteFlush: (seconds) => flush.observe(seconds),
    noteFailure: () => failures.inc(),
    noteQuarantined: (reason) => quarantined.inc({ reason }),
    noteRebirth: (reason) => rebirths.inc({ reason }),
    noteMissing: (count) => void (missing += count),
    noteLatency: (seconds) => latency.observe(seconds),
    watchQueue: (length) => void (queueLength = length),
  };
}

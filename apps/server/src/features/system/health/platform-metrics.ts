import { Gauge, type GaugeConfiguration, type Registry } from "prom-client";
import type { DiskSpace } from "#lib/disk-space.ts";
import type { PlatformFigures } from "./platform-figures.read-model.ts";

export interface PlatformMetricsDependencies {
  registry: Registry;
  readFigures: () => Promise<PlatformFigures>;
  readDisk: () => Promise<DiskSpace>;
}

/** Figures of the whole platform, read when they are requested. While the database is away only that is reported, and the disk. */
export function registerPlatformMetrics({ registry, readFigures, readDisk }: PlatformMetricsDependencies): void {
  // All gauges of one scrape share one reading.
  let reading: Promise<PlatformFigures | undefined> | undefined;
  const figures = () =>
    (reading ??= readFigures()
      .catch(() => undefined)
      .finally(() => (reading = undefined)));

  const register = <Label extends string>(configuration: GaugeConfiguration<Label>) =>
    registry.registerMetric(new Gauge({ ...configuration, registers: [] }));

  function gauge(
    name: string,
    help: string,
    set: (figures: PlatformFigures, gauge: Gauge<"service">) => void,
    labelNames: "service"[] = [],
  ) {
    register<"service">({
      name,
      help,
      labelNames,
      async collect() {
        const read = await figures();
        this.reset();
        if (read) set(read, this);
        // Without a label a reset leaves a zero.
        else if (labelNames.length === 0) this.remove();
      },
    });
  }

  register({
    name: "busbar_database_up",
    help: "1 while the database answers",
    async collect() {
      this.set((await figures()) ? 1 : 0);
    },
  });
  gauge(
    "busbar_service_failing_seconds",
    "For how long a service has not worked; 0 while it works",
    ({ services }, each) => services.forEach(({ name, failingSeconds }) => each.set({ service: name }, failingSeconds)),
    ["service"],
  );
  gauge(
    "busbar_service_enabled",
    "1 for a service that is switched on",
    ({ services }, each) => services.forEach(({ name, isEnabled }) => each.set({ service: name }, isEnabled ? 1 : 0)),
    ["service"],
  );
  gauge("busbar_mail_waiting", "Messages that are neither sent nor given up", ({ waitingMail }, each) => each.set(waitingMail));
  gauge("busbar_mail_oldest_waiting_seconds", "Age of the oldest of them", ({ oldestWaitingMailSeconds }, each) =>
    each.set(oldestWaitingMailSeconds),
  );
  gauge("busbar_nodes", "Nodes that have ever been connected", ({ nodes }, each) => each.set(nodes));
  gauge("busbar_nodes_connected", "Nodes that are connected", ({ connectedNodes }, each) => each.set(connectedNodes));
  register({
    name: "busbar_disk_free_ratio",
    help: "Free share of the disk of the data folder",
    async collect() {
      const space = await readDisk().catch(() => undefined);
      this.reset();
      if (space && space.usable > 0) this.set(space.free / space.usable);
      else this.remove();
    },
  });
}

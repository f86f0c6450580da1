import type { MetricDefinition } from "@busbar/sparkplug/metric-table.ts";
import type { HostSessionSnapshot } from "@busbar/sparkplug/session-types.ts";

/** `node_birth.metrics`: metrics as `[name, alias, datatype]`. */
type StoredMetric = [name: string, alias: number | null, datatype: number];
export interface StoredBirth {
  metrics: StoredMetric[];
  devices: { id: string; metrics: StoredMetric[] | null }[];
}

const texts = new WeakMap<readonly MetricDefinition[], string>();

/** The text of the jsonb column. Equal births of many nodes share one definitions array, and so one text. */
export function storedBirth({ metrics, devices }: HostSessionSnapshot): string {
  const storedDevices = devices.map(
    (device) => `{"id":${JSON.stringify(device.id)},"metrics":${device.metrics ? metricsText(device.metrics) : "null"}}`,
  );
  return `{"metrics":${metricsText(metrics ?? [])},"devices":[${storedDevices.join(",")}]}`;
}

function metricsText(definitions: readonly MetricDefinition[]): string {
  let text = texts.get(definitions);
  if (text === undefined) {
    // jsonb takes no NUL: such a name is forgotten at a restart, and its alias requests a rebirth.
    const kept = definitions.filter(({ name }) => !name.includes("\u0000"));
    text = JSON.stringify(kept.map(({ name, alias, datatype }): StoredMetric => [name, alias ?? null, datatype]));
    texts.set(definitions, text);
  }
  return text;
}

/** What has ended since the birth is known by the live rows. */
export function readStoredBirth(row: {
  serial: number;
  /** Serials of nodes and sub nodes that are connected. */
  connected: ReadonlySet<string>;
  lastSeq: number | null;
  bdSeq: number;
  metrics: StoredBirth;
}): HostSessionSnapshot {
  const definitions = (stored: StoredMetric[]) =>
    stored.map(([name, alias, datatype]): MetricDefinition => ({ name, alias: alias ?? undefined, datatype }));
  return {
    isOnline: row.connected.has(String(row.serial)),
    bdSeq: row.bdSeq < 0 ? undefined : row.bdSeq,
    lastSeq: row.lastSeq ?? 0,
    metrics: definitions(row.metrics.metrics),
    devices: row.metrics.devices.map(({ id, metrics }) => ({
      id,
      isOnline: row.connected.has(id),
      metrics: metrics ? definitions(metrics) : undefined,
    })),
  };
}

import { facilityOutages } from "@busbar/alarms/verdict/facility-outages.ts";
import type { Counted, FacilityOutage, PlatformPresence, Signals } from "@busbar/alarms/verdict/signals.ts";
import { isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { outagesBetween, type PlatformOutage, type PresencePeriod } from "#lib/platform-outages.ts";
import type { LiveSignalsRow, NodeSignalsStore, SettingsRow } from "./node-signals.store.ts";

/** A node with all that it is judged by. */
export interface FollowedNode {
  serial: number;
  settings: SettingsRow;
  live: LiveSignalsRow | undefined;
  drops: readonly number[];
  quarantine: ReadonlyMap<string, Counted>;
  refusals: ReadonlyMap<string, Counted>;
  alarms: Signals["alarms"];
  failedFiles: Signals["failedFiles"];
  configDifferences: Signals["configDifferences"];
  outage: FacilityOutage | undefined;
}

const daySeconds = 86_400;
const hourSeconds = 3_600;
/** What happened may be written down a while later: it is read again for so long. */
const lateWriteSeconds = 600;
/** What needs more reading and less haste. */
const slowSeconds = 60;

/** Whether it counts when a facility's nodes are lost together. */
const isWatched = ({ settings }: FollowedNode): boolean => settings.type === "Node" && settings.status === "Deployed";

/** Follows what nodes are judged by: it reads what changed, and names the nodes that it changed for. */
export function createFleetSignals(store: NodeSignalsStore) {
  const nodes = new Map<number, FollowedNode>();
  const facilities = new Map<number, FollowedNode[]>();
  const children = new Map<number, FollowedNode[]>();
  let changed = new Set<FollowedNode>();
  let changedFacilities = new Set<number>();
  let sinceXid = 0;
  let timeline: string | null | undefined;
  let readAt = -Infinity;
  let slowReadAt = -Infinity;
  let directoryMark = "";
  let alarmsMark = "";
  let outages: readonly PlatformOutage[] = [];
  let platform: PlatformPresence = { awaySince: undefined, wentAt: undefined, backAt: undefined };

  function applySettings(rows: readonly SettingsRow[]): void {
    const present = new Set<number>();
    facilities.clear();
    children.clear();
    for (const settings of rows) {
      const { serial, facilityId, parentSerial } = settings;
      present.add(serial);
      const known = nodes.get(serial);
      const node = known ?? newNode(settings);
      if (!known || !isSame(known.settings, settings)) changed.add(node);
      node.settings = settings;
      nodes.set(serial, node);
      if (facilityId !== null) listIn(facilities, facilityId).push(node);
      if (parentSerial !== null) listIn(children, parentSerial).push(node);
    }
    for (const serial of nodes.keys()) if (!present.has(serial)) nodes.delete(serial);
    for (const node of nodes.values()) {
      if (node.outage === undefined || (isWatched(node) && node.settings.facilityId !== null)) continue;
      node.outage = undefined;
      changed.add(node);
    }
    changedFacilities = new Set(facilities.keys());
  }

  function applyLive(rows: readonly LiveSignalsRow[]): void {
    for (const live of rows) {
      const node = nodes.get(live.serial);
      if (!node) continue;
      const before = node.live;
      node.live = live;
      changed.add(node);
      if (before?.isConnected === live.isConnected && before.connectionChangedAt === live.connectionChangedAt) continue;
      if (node.settings.facilityId !== null) changedFacilities.add(node.settings.facilityId);
      for (const child of children.get(live.serial) ?? []) changed.add(child);
    }
  }

  function applyDrops(rows: Awaited<ReturnType<NodeSignalsStore["drops"]>>, now: number): void {
    for (const { serial, times } of rows) {
      const node = nodes.get(serial);
      if (!node) continue;
      const drops = [...new Set([...node.drops, ...times])].filter((at) => at > now - daySeconds).toSorted((a, b) => a - b);
      if (drops.length === node.drops.length && drops.at(-1) === node.drops.at(-1)) continue;
      node.drops = drops;
      changed.add(node);
    }
  }

  function applyCounted(field: "quarantine" | "refusals", rows: Awaited<ReturnType<NodeSignalsStore["quarantine"]>>): void {
    for (const { serial, reason, count, lastAt } of rows) {
      const node = nodes.get(serial);
      if (!node || node[field].get(reason)?.count === count) continue;
      node[field] = new Map(node[field]).set(reason, { reason, count, lastAt });
      changed.add(node);
    }
  }

  /** A list that is read whole: who is no longer in it has none. */
  function applyWhole<Field extends "alarms" | "failedFiles">(
    field: Field,
    values: ReadonlyMap<number, FollowedNode[Field]>,
    none: FollowedNode[Field],
  ): void {
    for (const node of nodes.values()) {
      const value = values.get(node.serial) ?? none;
      if (value === node[field] || JSON.stringify(value) === JSON.stringify(node[field])) continue;
      node[field] = value;
      changed.add(node);
    }
  }

  function applyConfigurations(rows: Awaited<ReturnType<NodeSignalsStore["changedConfigurations"]>>): void {
    for (const { serial, values } of rows) {
      const node = nodes.get(serial);
      if (!node) continue;
      const differences = (values ?? []).filter(({ key, confirmed, actual }) => !isSameConfigValue(key, confirmed, actual));
      if (JSON.stringify(differences) === JSON.stringify(node.configDifferences)) continue;
      node.configDifferences = differences;
      changed.add(node);
    }
  }

  function applyPlatform(periods: readonly PresencePeriod[], now: number): void {
    outages = outagesBetween(periods, now);
    const next = presenceNow(periods, now);
    if (next.awaySince === platform.awaySince && next.backAt === platform.backAt) return;
    platform = next;
    for (const node of nodes.values()) changed.add(node);
  }

  function applyOutages(): void {
    for (const id of changedFacilities) {
      const watched = (facilities.get(id) ?? []).filter(isWatched);
      const lostTogether = facilityOutages(watched.map((node) => ({ serial: node.serial, lostAt: lostAt(node) })));
      for (const node of watched) {
        const outage = lostTogether.get(node.serial);
        if (isSame(outage, node.outage)) continue;
        node.outage = outage;
        changed.add(node);
      }
    }
    changedFacilities = new Set();
  }

  return {
    nodes: nodes as ReadonlyMap<number, FollowedNode>,

    /** Reads what changed. @returns the nodes that it changed for, once */
    async follow(now: number): Promise<Set<FollowedNode>> {
      const watermark = await store.watermark(sinceXid);
      const isOtherTimeline = watermark.timeline !== timeline;
      if (isOtherTimeline) sinceXid = 0;
      // While a long transaction holds the watermark back, the same changes are seen each time: a new one makes them more.
      const mark = `${sinceXid} ${watermark.directoryChanges}`;
      if (nodes.size === 0 || isOtherTimeline || (watermark.directoryChanges > 0 && mark !== directoryMark))
        applySettings(await store.settings());
      applyLive(await store.live(sinceXid));
      const since = (seconds: number, atFirst: number) => (readAt === -Infinity ? now - atFirst : readAt - seconds);
      applyDrops(await store.drops(since(lateWriteSeconds, daySeconds)), now);
      applyCounted("quarantine", await store.quarantine(since(lateWriteSeconds, hourSeconds)));
      applyCounted("refusals", await store.refusals(since(lateWriteSeconds, hourSeconds)));
      const nextAlarmsMark = await store.alarmsMark();
      if (nextAlarmsMark !== alarmsMark)
        applyWhole(
          "alarms",
          Map.groupBy(await store.alarms(), ({ serial }) => serial),
          none,
        );
      if (now - slowReadAt >= slowSeconds) {
        const failed = await store.failedFiles(now - daySeconds);
        applyWhole("failedFiles", new Map(failed.map((row) => [row.serial, row])), undefined);
        applyConfigurations(await store.changedConfigurations(slowReadAt === -Infinity ? 0 : slowReadAt - lateWriteSeconds));
        slowReadAt = now;
      }
      applyPlatform(await store.presence(), now);
      applyOutages();
      directoryMark = mark;
      alarmsMark = nextAlarmsMark;
      sinceXid = watermark.xid;
      timeline = watermark.timeline;
      readAt = now;
      const result = changed;
      changed = new Set();
      return result;
    },

    signalsOf(node: FollowedNode): Signals {
      const { settings, live } = node;
      const parent = settings.parentSerial === null ? undefined : nodes.get(settings.parentSerial);
      return {
        type: settings.type,
        timezone: settings.timezone ?? undefined,
        status: settings.status,
        nextStatus: settings.nextStatus,
        pauses: { monitoring: !settings.isMonitored, notices: settings.isPaused, connectivity: settings.isConnectivityPaused },
        mutedUntil: settings.mutedUntil ?? undefined,
        scalarIntervalSeconds: settings.scalarIntervalSeconds,
        dataIntervalSeconds: settings.dataIntervalSeconds,
        isConnected: live?.isConnected ?? false,
        connectionChangedAt: live?.connectionChangedAt ?? undefined,
        endReason: live?.endReason ?? undefined,
        // With the platform every connection ends, which says nothing of a node.
        drops: node.drops.filter((at) => !outages.some(({ start, end }) => at >= start && at <= end)),
        refusals: [...node.refusals.values()],
        parent: parent && { serial: String(parent.serial), isConnected: parent.live?.isConnected ?? false },
        lastScalarAt: live?.lastScalarAt ?? undefined,
        oldestValueAt: live?.oldestValueAt ?? undefined,
        lastMeterAt: live?.lastMeterAt ?? undefined,
        clockAheadSeconds: live?.clockAheadSeconds ?? undefined,
        isSensorOk: live?.isSensorOk ?? undefined,
        lastDataFileAt: live?.lastDataFileAt ?? undefined,
        lastSecondFileAt: live?.lastSecondFileAt ?? undefined,
        failedFiles: node.failedFiles,
        quarantine: [...node.quarantine.values()],
        alarms: node.alarms,
        configDifferences: node.configDifferences,
        outage: node.outage,
        platform,
      };
    },
  };
}
export type FleetSignals = ReturnType<typeof createFleetSignals>;

const none: readonly never[] = [];
/** Of nearly all nodes, which share it. */
const nothingCounted: ReadonlyMap<string, Counted> = new Map();

const newNode = (settings: SettingsRow): FollowedNode => ({
  serial: settings.serial,
  settings,
  live: undefined,
  drops: none,
  quarantine: nothingCounted,
  refusals: nothingCounted,
  alarms: none,
  failedFiles: undefined,
  configDifferences: none,
  outage: undefined,
});

/** Who has not come back after the broker began anew was lost at a moment that is not known. */
function lostAt({ live }: FollowedNode): number | undefined {
  if (!live || live.isConnected || live.endReason === "restart") return undefined;
  return live.connectionChangedAt ?? undefined;
}

function presenceNow(periods: readonly PresencePeriod[], now: number): PlatformPresence {
  // Breaks that are over, each with the while that nodes need to come back.
  const over = outagesBetween(periods, now, Infinity).at(-1);
  const last = outagesBetween(periods, now).at(-1);
  const isAway = last !== undefined && last.end !== over?.end;
  return { awaySince: isAway ? last.start : undefined, wentAt: over?.start, backAt: over?.end };
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}

/** Flat objects of the same fields. */
function isSame(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

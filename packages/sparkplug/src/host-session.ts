import { createMetricTable, readBdSeq, readBirth } from "./metric-table.ts";
import type { MetricDefinition, MetricTable } from "./metric-table.ts";
import { hasUnknownAlias, resolveMetrics } from "./resolve.ts";
import { createSequenceTracker } from "./sequence-tracker.ts";
import type {
  HostEffect,
  HostSession,
  HostSessionOptions,
  HostSessionSnapshot,
  RebirthReason,
  SessionMessage,
  SessionProblem,
  SettledAs,
} from "./session-types.ts";

interface Device {
  table: MetricTable | undefined;
  isOnline: boolean;
}

const none: readonly never[] = [];

/**
 * The host's rules for one edge node (Sparkplug 3.0, chapters 5 and 6.4): births, deaths, message order, rebirth. It performs nothing; the
 * caller carries out the effects. Data that can be resolved is settled at once even while a message is missing: storing is idempotent,
 * waiting would only delay it. Only what cannot be resolved yet is held until the gap closes.
 */
export function createHostSession<M extends SessionMessage>(
  options: HostSessionOptions = {},
  restored?: HostSessionSnapshot,
): HostSession<M> {
  const {
    reorderTimeoutMs = 2_000,
    rebirthRetryMs = 5_000,
    maxHeld = 64,
    maxDevices = 64,
    mayHaveDevice = () => true,
    makeTable = createMetricTable,
  } = options;
  const restoreTable = (definitions: readonly MetricDefinition[] | undefined) => definitions && makeTable(definitions);

  let isOnline = restored?.isOnline ?? false;
  let bdSeq = restored?.bdSeq;
  let table = restoreTable(restored?.metrics);
  let aliases = aliasesOf(restored);
  const devices = new Map<string, Device>(
    restored?.devices.map(({ id, isOnline: online, metrics }) => [id, { table: restoreTable(metrics), isOnline: online }]),
  );
  const sequence = createSequenceTracker(restored?.lastSeq);
  let held: M[] = [];
  let rebirthAskedAt: number | undefined;

  const wantRebirth = (effects: HostEffect<M>[], reason: RebirthReason, now: number) => {
    if (rebirthAskedAt !== undefined && now - rebirthAskedAt < rebirthRetryMs) return;
    rebirthAskedAt = now;
    effects.push({ type: "rebirth-needed", reason });
  };
  const settle = (
    effects: HostEffect<M>[],
    message: M,
    as: SettledAs,
    problems: readonly SessionProblem[] = none,
    endedDevices: readonly string[] = none,
  ) => {
    const isVerified = isOnline && rebirthAskedAt === undefined && sequence.gapSinceMs === undefined;
    effects.push({ type: "settled", message, as, isVerified, problems, endedDevices });
  };
  const endDevices = () => {
    const ended: string[] = [];
    for (const [id, device] of devices) {
      if (device.isOnline) ended.push(id);
      device.isOnline = false;
    }
    return ended;
  };

  const receiveBirth = (effects: HostEffect<M>[], message: M, now: number) => {
    const { metrics, seq } = message.payload;
    const newBdSeq = readBdSeq(metrics);
    const isRebirth = isOnline && newBdSeq === bdSeq;
    // What waits was sent before this birth: the old tables are the last that could explain it.
    settleHeld(effects, now);
    rebirthAskedAt = undefined;
    aliases = new Set();
    const birth = readBirth(metrics, aliases);
    const problems: SessionProblem[] = birth.problems;
    if (newBdSeq === undefined) problems.push("birth-without-bdseq");
    if (!isSeq(seq)) problems.push("bad-seq");
    table = makeTable(birth.definitions);
    const ended = isRebirth ? none : endDevices();
    for (const device of devices.values()) device.table = undefined;
    isOnline = true;
    bdSeq = newBdSeq;
    sequence.reset(isSeq(seq) ? seq : 0);
    settle(effects, message, isRebirth ? "rebirth" : "birth", problems, ended);
    if (problems.includes("duplicate-alias")) wantRebirth(effects, "duplicate-alias", now);
  };

  const receiveDeath = (effects: HostEffect<M>[], message: M) => {
    const deathBdSeq = readBdSeq(message.payload.metrics);
    if (deathBdSeq === undefined) return settle(effects, message, "ignored", ["death-without-bdseq"]);
    // The late will of an earlier connection.
    if (!isOnline || deathBdSeq !== bdSeq) return settle(effects, message, "ignored");
    isOnline = false;
    settle(effects, message, "death", none, endDevices());
  };

  const receiveDeviceBirth = (effects: HostEffect<M>[], message: M, now: number) => {
    const id = message.device!;
    const known = devices.get(id);
    if (known === undefined && devices.size >= maxDevices) return settle(effects, message, "ignored", ["too-many-devices"]);
    for (const { alias } of known?.table?.definitions ?? []) if (alias !== undefined) aliases.delete(alias);
    const { definitions, problems } = readBirth(message.payload.metrics, aliases);
    devices.set(id, { table: makeTable(definitions), isOnline: true });
    settle(effects, message, "device-birth", problems);
    if (problems.includes("duplicate-alias")) wantRebirth(effects, "duplicate-alias", now);
  };

  const receiveData = (effects: HostEffect<M>[], message: M, now: number, seqProblems: readonly SessionProblem[]) => {
    const isDevice = message.kind === "DDATA";
    const own = isDevice ? devices.get(message.device!)?.table : table;
    const isUnborn = isDevice && own === undefined;
    const problems = resolveMetrics(message.payload, own);
    settle(effects, message, "data", joined(joined(seqProblems, problems), isUnborn ? ["device-without-birth"] : none));
    if (!isOnline) wantRebirth(effects, "no-birth", now);
    else if (isUnborn) wantRebirth(effects, "device-without-birth", now);
    else if (problems.includes("alias-never-born")) wantRebirth(effects, "alias-never-born", now);
    else if (rebirthAskedAt !== undefined) wantRebirth(effects, "no-birth", now);
  };

  const isForeign = ({ device }: M): boolean => device !== undefined && !mayHaveDevice(device);

  const handle = (effects: HostEffect<M>[], message: M, now: number, seqProblems: readonly SessionProblem[] = none) => {
    if (isForeign(message)) settle(effects, message, "ignored", joined(seqProblems, ["foreign-device"]));
    else if (message.kind === "DBIRTH") receiveDeviceBirth(effects, message, now);
    else if (message.kind === "DDEATH") {
      const device = devices.get(message.device!);
      const wasOnline = device?.isOnline === true;
      if (device) device.isOnline = false;
      settle(effects, message, wasOnline ? "device-death" : "ignored", seqProblems);
    } else receiveData(effects, message, now, seqProblems);
  };

  function settleHeld(effects: HostEffect<M>[], now: number): void {
    const waiting = held;
    held = [];
    for (const message of waiting) handle(effects, message, now);
  }

  const mustWait = (message: M): boolean => {
    if (sequence.gapSinceMs === undefined || held.length >= maxHeld || isForeign(message)) return false;
    if (message.kind === "DDEATH") return devices.get(message.device!)?.isOnline !== true;
    if (message.kind === "DBIRTH") return false;
    const own = message.kind === "DDATA" ? devices.get(message.device!)?.table : table;
    return (message.kind === "DDATA" && own === undefined) || hasUnknownAlias(message.payload, own);
  };

  return {
    receive(message, now) {
      const effects: HostEffect<M>[] = [];
      if (message.kind === "NBIRTH") receiveBirth(effects, message, now);
      else if (message.kind === "NDEATH") receiveDeath(effects, message);
      else {
        const { seq, timestamp } = message.payload;
        if (!isSeq(seq)) {
          handle(effects, message, now, ["bad-seq"]);
          if (isOnline) wantRebirth(effects, "bad-seq", now);
        } else {
          // Without a birth there is no counter to compare with.
          if (isOnline) sequence.take(seq, timestamp, now);
          if (mustWait(message)) held.push(message);
          else handle(effects, message, now);
          if (held.length > 0 && sequence.gapSinceMs === undefined) settleHeld(effects, now);
        }
      }
      return effects;
    },
    takeNext(seq, timestamp, now) {
      const isCalm = isOnline && rebirthAskedAt === undefined && sequence.gapSinceMs === undefined && held.length === 0;
      if (!isCalm || seq !== ((sequence.lastSeq + 1) & 255)) return false;
      sequence.take(seq, timestamp, now);
      return true;
    },
    get table() {
      return table;
    },
    expire(now) {
      const effects: HostEffect<M>[] = [];
      if (sequence.gapSinceMs === undefined || now < sequence.gapSinceMs + reorderTimeoutMs) return effects;
      effects.push({ type: "missing", count: sequence.giveUp() });
      wantRebirth(effects, "seq-gap", now);
      settleHeld(effects, now);
      return effects;
    },
    lose() {
      if (!isOnline) return undefined;
      isOnline = false;
      return endDevices();
    },
    failDecode(now) {
      const effects: HostEffect<M>[] = [];
      wantRebirth(effects, "decode-failure", now);
      return effects;
    },
    get dueAt() {
      return sequence.gapSinceMs === undefined ? undefined : sequence.gapSinceMs + reorderTimeoutMs;
    },
    get isOnline() {
      return isOnline;
    },
    aliasOf(name, device) {
      const own = device === undefined ? table : devices.get(device)?.table;
      return own?.byName.get(name)?.alias;
    },
    snapshot: () => ({
      isOnline,
      bdSeq,
      lastSeq: sequence.lastSeq,
      metrics: table?.definitions,
      devices: [...devices].map(([id, device]) => ({ id, isOnline: device.isOnline, metrics: device.table?.definitions })),
    }),
  };
}

function isSeq(seq: number | undefined): seq is number {
  return seq !== undefined && seq <= 255;
}

function joined(first: readonly SessionProblem[], second: readonly SessionProblem[]): readonly SessionProblem[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

function aliasesOf(restored: HostSessionSnapshot | undefined): Set<number> {
  const aliases = new Set<number>();
  if (restored === undefined) return aliases;
  for (const owner of [restored, ...restored.devices]) {
    for (const { alias } of owner.metrics ?? []) if (alias !== undefined) aliases.add(alias);
  }
  return aliases;
}

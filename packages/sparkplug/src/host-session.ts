import { createMetricTable, readBdSeq, readBirth, type MetricDefinition, type MetricTable } from "./metric-table.ts";
import { hasUnknownAlias, resolveMetrics } from "./resolve.ts";
import { createSequenceTracker, type SequenceTracker } from "./sequence-tracker.ts";
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
  /** Its node has begun anew without it; by then it is born again, or gone. */
  birthDueAt: number | undefined;
}

const none: readonly never[] = [];
/** Of nodes without any, which share it. */
const noDevices = new Map<string, Device>();
const defaults = { reorderTimeoutMs: 2_000, rebirthRetryMs: 5_000, deviceBirthMs: 20_000, maxHeld: 64, maxDevices: 64 };

/**
 * The host's rules for one edge node (Sparkplug 3.0, chapters 5 and 6.4): births, deaths, message order, rebirth. It performs nothing; the
 * caller carries out the effects. Data that can be resolved is settled at once even while a message is missing: storing is idempotent,
 * waiting would only delay it. Only what cannot be resolved yet is held until the gap closes.
 */
export function createHostSession<M extends SessionMessage>(
  options: HostSessionOptions = {},
  restored?: HostSessionSnapshot,
): HostSession<M> {
  return new NodeHostSession<M>(options, restored);
}

// A class: a host has one for each node, and the closures of one would take more memory than all that it knows.
class NodeHostSession<M extends SessionMessage> implements HostSession<M> {
  isOnline: boolean;
  table: MetricTable | undefined;
  private bdSeq: number | undefined;
  private devices: Map<string, Device>;
  private readonly sequence: SequenceTracker;
  private held: M[] = [];
  private rebirthAskedAt: number | undefined;
  /** The first of those of its devices, or earlier. */
  private birthDueAt = Infinity;
  private readonly options: HostSessionOptions;

  constructor(options: HostSessionOptions, restored: HostSessionSnapshot | undefined) {
    this.options = options;
    this.isOnline = restored?.isOnline ?? false;
    this.bdSeq = restored?.bdSeq;
    const restoreTable = (definitions: readonly MetricDefinition[] | undefined) => definitions && this.makeTable(definitions);
    this.table = restoreTable(restored?.metrics);
    this.devices = noDevices;
    for (const { id, isOnline, metrics } of restored?.devices ?? [])
      this.setDevice(id, { table: restoreTable(metrics), isOnline, birthDueAt: undefined });
    this.sequence = createSequenceTracker(restored?.lastSeq);
  }

  receive(message: M, now: number): HostEffect<M>[] {
    const effects: HostEffect<M>[] = [];
    if (message.kind === "NBIRTH") this.receiveBirth(effects, message, now);
    else if (message.kind === "NDEATH") this.receiveDeath(effects, message);
    else {
      const { seq, timestamp } = message.payload;
      if (!isSeq(seq)) {
        this.handle(effects, message, now, ["bad-seq"]);
        if (this.isOnline) this.wantRebirth(effects, "bad-seq", now);
      } else {
        // Without a birth there is no counter to compare with.
        if (this.isOnline) this.sequence.take(seq, timestamp, now);
        if (this.mustWait(message)) this.held.push(message);
        else this.handle(effects, message, now);
        if (this.held.length > 0 && this.sequence.gapSinceMs === undefined) this.settleHeld(effects, now);
      }
    }
    return effects;
  }

  takeNext(seq: number, timestamp: number, now: number): boolean {
    const { sequence } = this;
    const isCalm = this.isOnline && this.rebirthAskedAt === undefined && sequence.gapSinceMs === undefined && this.held.length === 0;
    if (!isCalm || seq !== ((sequence.lastSeq + 1) & 255)) return false;
    sequence.take(seq, timestamp, now);
    return true;
  }

  expire(now: number): HostEffect<M>[] {
    const effects: HostEffect<M>[] = [];
    const { gapDueAt } = this;
    if (gapDueAt === undefined || now < gapDueAt) return effects;
    effects.push({ type: "missing", count: this.sequence.giveUp() });
    this.wantRebirth(effects, "seq-gap", now);
    this.settleHeld(effects, now);
    return effects;
  }

  lose(): readonly string[] | undefined {
    if (!this.isOnline) return undefined;
    this.isOnline = false;
    return this.endDevices();
  }

  expireDevices(now: number): readonly string[] {
    if (now < this.birthDueAt) return none;
    const gone: string[] = [];
    this.birthDueAt = Infinity;
    for (const [id, device] of this.devices) {
      if (!device.isOnline || device.birthDueAt === undefined) continue;
      if (device.birthDueAt > now) this.birthDueAt = Math.min(this.birthDueAt, device.birthDueAt);
      else {
        device.isOnline = false;
        gone.push(id);
      }
    }
    return gone;
  }

  loseDevice(id: string): boolean {
    const device = this.devices.get(id);
    if (device?.isOnline !== true) return false;
    device.isOnline = false;
    return true;
  }

  isDeviceOnline(id: string): boolean {
    return this.devices.get(id)?.isOnline === true;
  }

  failDecode(now: number): HostEffect<M>[] {
    const effects: HostEffect<M>[] = [];
    this.wantRebirth(effects, "decode-failure", now);
    return effects;
  }

  get dueAt(): number | undefined {
    const { gapDueAt, birthDueAt } = this;
    if (gapDueAt === undefined) return birthDueAt === Infinity ? undefined : birthDueAt;
    return Math.min(birthDueAt, gapDueAt);
  }

  aliasOf(name: string, device?: string): number | undefined {
    const own = device === undefined ? this.table : this.devices.get(device)?.table;
    return own?.byName.get(name)?.alias;
  }

  snapshot(): HostSessionSnapshot {
    return {
      isOnline: this.isOnline,
      bdSeq: this.bdSeq,
      lastSeq: this.sequence.lastSeq,
      metrics: this.table?.definitions,
      devices: [...this.devices].map(([id, { isOnline, table }]) => ({ id, isOnline, metrics: table?.definitions })),
    };
  }

  private get gapDueAt(): number | undefined {
    const { gapSinceMs } = this.sequence;
    return gapSinceMs === undefined ? undefined : gapSinceMs + (this.options.reorderTimeoutMs ?? defaults.reorderTimeoutMs);
  }

  private makeTable(definitions: readonly MetricDefinition[]): MetricTable {
    return (this.options.makeTable ?? createMetricTable)(definitions);
  }

  private wantRebirth(effects: HostEffect<M>[], reason: RebirthReason, now: number): void {
    if (this.rebirthAskedAt !== undefined && now - this.rebirthAskedAt < (this.options.rebirthRetryMs ?? defaults.rebirthRetryMs)) return;
    this.rebirthAskedAt = now;
    effects.push({ type: "rebirth-needed", reason });
  }

  private settle(
    effects: HostEffect<M>[],
    message: M,
    as: SettledAs,
    problems: readonly SessionProblem[] = none,
    endedDevices: readonly string[] = none,
  ): void {
    const isVerified = this.isOnline && this.rebirthAskedAt === undefined && this.sequence.gapSinceMs === undefined;
    effects.push({ type: "settled", message, as, isVerified, problems, endedDevices });
  }

  private endDevices(): string[] {
    const ended: string[] = [];
    for (const [id, device] of this.devices) {
      if (device.isOnline) ended.push(id);
      device.isOnline = false;
    }
    this.birthDueAt = Infinity;
    return ended;
  }

  private receiveBirth(effects: HostEffect<M>[], message: M, now: number): void {
    const { metrics, seq } = message.payload;
    const newBdSeq = readBdSeq(metrics);
    const isRebirth = this.isOnline && newBdSeq === this.bdSeq;
    // What waits was sent before this birth: the old tables are the last that could explain it.
    this.settleHeld(effects, now);
    this.rebirthAskedAt = undefined;
    const birth = readBirth(metrics, new Set());
    const problems: SessionProblem[] = birth.problems;
    if (newBdSeq === undefined) problems.push("birth-without-bdseq");
    if (!isSeq(seq)) problems.push("bad-seq");
    this.table = this.makeTable(birth.definitions);
    const ended = isRebirth ? none : this.endDevices();
    for (const device of this.devices.values()) {
      device.table = undefined;
      if (device.isOnline) device.birthDueAt = this.birthDueAt = now + (this.options.deviceBirthMs ?? defaults.deviceBirthMs);
    }
    this.isOnline = true;
    this.bdSeq = newBdSeq;
    this.sequence.reset(isSeq(seq) ? seq : 0);
    this.settle(effects, message, isRebirth ? "rebirth" : "birth", problems, ended);
    if (problems.includes("duplicate-alias")) this.wantRebirth(effects, "duplicate-alias", now);
  }

  private receiveDeath(effects: HostEffect<M>[], message: M): void {
    const deathBdSeq = readBdSeq(message.payload.metrics);
    if (deathBdSeq === undefined) return this.settle(effects, message, "ignored", ["death-without-bdseq"]);
    // The late will of an earlier connection.
    if (!this.isOnline || deathBdSeq !== this.bdSeq) return this.settle(effects, message, "ignored");
    this.isOnline = false;
    this.settle(effects, message, "death", none, this.endDevices());
  }

  private receiveDeviceBirth(effects: HostEffect<M>[], message: M, now: number): void {
    const id = message.device!;
    const known = this.devices.get(id);
    if (known === undefined && this.devices.size >= (this.options.maxDevices ?? defaults.maxDevices))
      return this.settle(effects, message, "ignored", ["too-many-devices"]);
    const { definitions, problems } = readBirth(message.payload.metrics, this.aliasesBeside(id));
    this.setDevice(id, { table: this.makeTable(definitions), isOnline: true, birthDueAt: undefined });
    this.settle(effects, message, "device-birth", problems);
    if (problems.includes("duplicate-alias")) this.wantRebirth(effects, "duplicate-alias", now);
  }

  private receiveData(effects: HostEffect<M>[], message: M, now: number, seqProblems: readonly SessionProblem[]): void {
    const isDevice = message.kind === "DDATA";
    const own = isDevice ? this.devices.get(message.device!)?.table : this.table;
    const isUnborn = isDevice && own === undefined;
    const problems = resolveMetrics(message.payload, own);
    this.settle(effects, message, "data", joined(joined(seqProblems, problems), isUnborn ? ["device-without-birth"] : none));
    if (!this.isOnline) this.wantRebirth(effects, "no-birth", now);
    else if (isUnborn) this.wantRebirth(effects, "device-without-birth", now);
    else if (problems.includes("alias-never-born")) this.wantRebirth(effects, "alias-never-born", now);
    else if (this.rebirthAskedAt !== undefined) this.wantRebirth(effects, "no-birth", now);
  }

  /** Those of the node's own birth and of its other devices. */
  private aliasesBeside(device: string): Set<number> {
    const aliases = new Set(this.table?.byAlias.keys());
    for (const [id, { table }] of this.devices) {
      if (id === device || table === undefined) continue;
      for (const alias of table.byAlias.keys()) aliases.add(alias);
    }
    return aliases;
  }

  private setDevice(id: string, device: Device): void {
    if (this.devices === noDevices) this.devices = new Map();
    this.devices.set(id, device);
  }

  private isForeign({ device }: M): boolean {
    return device !== undefined && this.options.mayHaveDevice?.(device) === false;
  }

  private handle(effects: HostEffect<M>[], message: M, now: number, seqProblems: readonly SessionProblem[] = none): void {
    if (this.isForeign(message)) this.settle(effects, message, "ignored", joined(seqProblems, ["foreign-device"]));
    else if (message.kind === "DBIRTH") this.receiveDeviceBirth(effects, message, now);
    else if (message.kind === "DDEATH") {
      const device = this.devices.get(message.device!);
      const wasOnline = device?.isOnline === true;
      if (device) device.isOnline = false;
      this.settle(effects, message, wasOnline ? "device-death" : "ignored", seqProblems);
    } else this.receiveData(effects, message, now, seqProblems);
  }

  private settleHeld(effects: HostEffect<M>[], now: number): void {
    const waiting = this.held;
    this.held = [];
    for (const message of waiting) this.handle(effects, message, now);
  }

  private mustWait(message: M): boolean {
    if (this.sequence.gapSinceMs === undefined || this.held.length >= (this.options.maxHeld ?? defaults.maxHeld) || this.isForeign(message))
      return false;
    if (message.kind === "DDEATH") return this.devices.get(message.device!)?.isOnline !== true;
    if (message.kind === "DBIRTH") return false;
    const own = message.kind === "DDATA" ? this.devices.get(message.device!)?.table : this.table;
    return (message.kind === "DDATA" && own === undefined) || hasUnknownAlias(message.payload, own);
  }
}

function isSeq(seq: number | undefined): seq is number {
  return seq !== undefined && seq <= 255;
}

function joined(first: readonly SessionProblem[], second: readonly SessionProblem[]): readonly SessionProblem[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

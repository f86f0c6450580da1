import { measuringNodeTypes } from "@busbar/contract/values/option-lists.ts";
import { wrongClockWords } from "@busbar/alarms/verdict/clock-words.ts";
import type { EvidenceKind, TaskEvidence, WiringEvidence } from "@busbar/contract/directory/deployments.ts";
import { epochSeconds, exactEpoch } from "#db/epoch-sql.ts";
import { lateAfterSeconds } from "#shared/late-after.ts";
import { hasPhasesSql, wiringEvidenceJoin } from "#shared/wiring-evidence.store.ts";
import type { TaskTemplate } from "./task-template.ts";

/** What the platform knows of a node and a task may ask for. Times are epoch seconds. */
export interface EvidenceSignals {
  type: string;
  isConnected: boolean;
  connectionChangedAt: number | null;
  lastSeenAt: number | null;
  lastScalarAt: number | null;
  scalarIntervalSeconds: number;
  /** Null where nothing came that shows it. */
  clockAheadSeconds: number | null;
  /** Of the newest file that was read. */
  lastDataFileAt: number | null;
  lastSecondFileAt: number | null;
  /** As it was judged at this location when task B2 was completed; null where it was not, or has no phases. */
  wiringOutcome: WiringEvidence["outcome"] | null;
  wiringSentence: string | null;
  wiringAt: number | null;
  hasPhases: boolean;
  deploymentTaskType: string | null;
  isPlaced: boolean;
  /** Of the location's nameplate. */
  ratedVoltage: number | null;
  ratedCurrent: number | null;
  equipmentType: string | null;
  /** As the node last reported them, and when; null before. */
  heldVoltage: string | null;
  heldCurrent: string | null;
  heldSupply: string | null;
  configReportedAt: number | null;
  nameplateValid: boolean;
  currentDeploymentStatus: string;
  newDeploymentStatus: string;
  /** When the requested status is, or comes, in effect. */
  newStatusAt: number;
}

/** SQL: what the signals need beside node `n`, its `node_live` as `v`, `a` and `l`. */
export const evidenceSignalsJoin = `left join node_config k on k.serial_number = n.serial_number ${wiringEvidenceJoin}`;

/** SQL: the signals, with `evidenceSignalsJoin`. */
export const evidenceSignalsSql = `n.type, v.is_connected as "isConnected", ${exactEpoch("v.connection_changed_at")} as "connectionChangedAt",
  ${exactEpoch("v.last_seen_at")} as "lastSeenAt", ${exactEpoch("v.last_scalar_at")} as "lastScalarAt",
  n.scalar_interval_seconds as "scalarIntervalSeconds", v.clock_skew_ms / 1000 as "clockAheadSeconds",
  ${exactEpoch("v.last_datafile_at")} as "lastDataFileAt", ${exactEpoch("v.last_one_second_file_at")} as "lastSecondFileAt",
  w.outcome as "wiringOutcome", w.sentence as "wiringSentence", ${exactEpoch("coalesce(w.measured_at, w.taken_at)")} as "wiringAt", ${hasPhasesSql} as "hasPhases", n.deployment_task_type as "deploymentTaskType",
  l.id is not null as "isPlaced", l.np_voltage as "ratedVoltage", l.np_current as "ratedCurrent",
  l.equipment_type as "equipmentType", k.config_values ->> 'np_voltage' as "heldVoltage", k.config_values ->> 'np_current' as "heldCurrent",
  k.config_values ->> 'eq_type' as "heldSupply", ${exactEpoch("k.told_at")} as "configReportedAt", n.nameplate_valid as "nameplateValid",
  n.current_deployment_status as "currentDeploymentStatus", n.new_deployment_status as "newDeploymentStatus",
  ${epochSeconds("n.new_deployment_status_updated_at")} as "newStatusAt"`;

export interface EvidenceMoment {
  now: number;
  /** When the node was installed: its files of before are of the bench. Undefined until then. */
  installedAt: number | undefined;
  /** Of the task, where they are known. */
  notes?: string;
}

type Seen = Omit<TaskEvidence, "kind">;
const seen = (sentence: string, timestamp: number | null): Seen => ({ isSeen: true, sentence, timestamp: whole(timestamp) });
const unseen = (sentence: string, timestamp: number | null = null): Seen => ({ isSeen: false, sentence, timestamp: whole(timestamp) });
const whole = (seconds: number | null): number | null => (seconds === null ? null : Math.floor(seconds));

const judges: Record<EvidenceKind, (signals: EvidenceSignals, moment: EvidenceMoment) => Seen> = {
  // Sentences hold no names: demo users read them too.
  registered({ type }) {
    return seen(`It is registered as ${type}.`, null);
  },

  place({ isPlaced }) {
    return isPlaced ? seen("It is at a location.", null) : unseen("It is at no location.");
  },

  nameplate({ ratedVoltage, ratedCurrent }) {
    if (!ratedVoltage || !ratedCurrent) return unseen("The location has no voltage and full-load current yet.");
    return seen(`The location has ${ratedVoltage} V and ${ratedCurrent} A.`, null);
  },

  connected({ isConnected, connectionChangedAt }) {
    if (isConnected) return seen("It is connected.", connectionChangedAt);
    return connectionChangedAt === null ? unseen("It has not connected yet.") : unseen("It is not connected.", connectionChangedAt);
  },

  // What it holds is a configuration value (SEC-03): the sentence says only whether it agrees.
  configuration({ ratedVoltage, ratedCurrent, equipmentType, heldVoltage, heldCurrent, heldSupply, configReportedAt }) {
    if (!ratedVoltage || !ratedCurrent) return unseen("The location has no voltage and full-load current to compare with.");
    if (configReportedAt === null) return unseen("It has not reported its configuration yet.");
    const others = [
      ...(isNumber(heldVoltage, ratedVoltage) ? [] : ["np_voltage"]),
      ...(isNumber(heldCurrent, ratedCurrent) ? [] : ["np_current"]),
      ...(heldSupply === (equipmentType === "DCMotor" ? "dc" : "ac") ? [] : ["eq_type"]),
    ];
    if (others.length === 0) return seen("It holds the supply, voltage and full-load current of its location.", configReportedAt);
    return unseen(`Its ${others.join(", ")} ${others.length === 1 ? "is" : "are"} not what its location says.`, configReportedAt);
  },

  metering({ isConnected, lastScalarAt, scalarIntervalSeconds }, { now }) {
    if (lastScalarAt === null) return unseen("No values have come from it yet.");
    const isLate = !isConnected || now - lastScalarAt > lateAfterSeconds(scalarIntervalSeconds);
    return isLate ? unseen("Its values have stopped.", lastScalarAt) : seen("Its values arrive.", lastScalarAt);
  },

  clock({ isConnected, clockAheadSeconds, lastSeenAt }) {
    if (clockAheadSeconds === null) return unseen("Nothing has come that shows its clock.");
    const wrong = wrongClockWords(clockAheadSeconds);
    if (wrong !== undefined) return unseen(`${wrong}.`, lastSeenAt);
    return isConnected ? seen("Its clock is right.", lastSeenAt) : unseen("Its clock was right before it lost the connection.", lastSeenAt);
  },

  files({ lastDataFileAt, lastSecondFileAt }, { installedAt = 0 }) {
    const isOwn = (at: number | null) => at !== null && at >= installedAt;
    if (!isOwn(lastDataFileAt)) return unseen("No 15-minute file of this place has been read yet.", lastDataFileAt);
    if (!isOwn(lastSecondFileAt)) return unseen("No one-second file of this place has been read yet.", lastSecondFileAt);
    return seen("15-minute and one-second files arrive.", Math.min(lastDataFileAt ?? 0, lastSecondFileAt ?? 0));
  },

  wiring({ wiringOutcome, wiringSentence, wiringAt, hasPhases }) {
    if (!hasPhases) return seen("It has no phases that could be exchanged.", null);
    if (wiringOutcome === null) return unseen("No wiring verdict has been taken here yet.");
    return wiringOutcome === "right" ? seen(wiringSentence ?? "", wiringAt) : unseen(wiringSentence ?? "", wiringAt);
  },

  nameplateValid({ nameplateValid }) {
    return nameplateValid ? seen("Nameplate valid is set.", null) : unseen("Nameplate valid is not set yet.");
  },

  deployed({ currentDeploymentStatus, newDeploymentStatus, newStatusAt }) {
    if (newDeploymentStatus !== "Deployed") return unseen("Deployed is not requested yet.");
    if (currentDeploymentStatus === "Deployed") return seen("Deployed is in effect.", newStatusAt);
    return unseen("Deployed is requested and awaited.");
  },

  notes(_signals, { notes = "" }) {
    return notes.trim() === "" ? unseen("It asks for notes and has none.") : seen("It has notes.", null);
  },
};

const isNumber = (held: string | null, rated: number): boolean => held !== null && Math.abs(Number(held) - rated) <= 0.0005 * rated;

/** What a task asks for, as the platform sees it. */
export function evidenceFor(
  { evidence = [], asksForNotes }: TaskTemplate,
  signals: EvidenceSignals,
  moment: EvidenceMoment,
): TaskEvidence[] {
  const hasToHaveNotes = asksForNotes === true || (asksForNotes !== undefined && asksForNotes === signals.deploymentTaskType);
  const kinds = [...evidence, ...(hasToHaveNotes ? ["notes" as const] : [])];
  // What left service is on no way to the status Deployed; of what does not measure, only the status is known.
  const isRetired = signals.currentDeploymentStatus === "Decommissioned";
  const isMeasuring = measuringNodeTypes.includes(signals.type);
  const known = kinds.filter((kind) => (kind === "deployed" ? !isRetired : isMeasuring));
  return known.map((kind) => ({ kind, ...judges[kind](signals, moment) }));
}

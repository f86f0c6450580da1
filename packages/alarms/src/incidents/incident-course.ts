import type { Occurrence } from "./occurrences.ts";

/** So long without an occurrence, and the incident is over: what comes later is another one. */
export const quietSeconds = 900;
/** A single loss that does not last so long is no incident: by then it has shown whether others were lost with it. */
export const lastingLossSeconds = 150;

/** A node of an incident. Epoch seconds. */
export interface Member {
  beganAt: number;
  /** Begin of its last occurrence. */
  lastBeganAt: number;
  /** Undefined while that lasts. */
  endedAt: number | undefined;
  /** How many occurrences it had. */
  count: number;
}

/** The course of an incident, from its first occurrence to the end of its last one. */
export interface Course {
  /** Undefined for one that is to be made. */
  id: number | undefined;
  beganAt: number;
  /** Since when no node has an occurrence. */
  calmSince: number | undefined;
  /** When the last occurrence ended; undefined while the incident is open. */
  endedAt: number | undefined;
  members: Map<number, Member>;
}

/** Whether an occurrence, alone, makes an incident by now: a loss may pass, or show to be an outage. */
export function isLasting({ cause, beganAt, endedAt, isContinued = false }: Occurrence, now: number): boolean {
  if (cause.kind !== "link" || isContinued) return true;
  return (endedAt ?? now) - beganAt >= lastingLossSeconds;
}

/**
 * Puts occurrences of one cause into incidents: into the last one while it is open, or into one that begins with them. What is in it already changes
 * nothing, so that a run may repeat what an earlier one did; what is older than the end of the last one is history and makes none.
 * @param last the last incident of the cause, open or over
 * @param occurrences of that cause, in any order
 * @param now epoch seconds
 * @returns the incidents that are new or changed, oldest first
 */
export function continueCourse(last: Course | undefined, occurrences: readonly Occurrence[], now: number): Course[] {
  const changed = new Set<Course>();
  let current = last;
  for (const occurrence of occurrences.toSorted((a, b) => a.beganAt - b.beganAt)) {
    if (current && closesBy(current, occurrence.beganAt)) changed.add(current);
    const endedAt = current?.endedAt;
    if (current === undefined || endedAt !== undefined) {
      if (endedAt !== undefined && occurrence.beganAt <= endedAt) continue;
      if (!isLasting(occurrence, now)) continue;
      current = { id: undefined, beganAt: occurrence.beganAt, calmSince: undefined, endedAt: undefined, members: new Map() };
    }
    add(current, occurrence);
    changed.add(current);
  }
  if (current && current.endedAt === undefined) {
    const { calmSince } = current;
    // Nodes of it may have been deleted.
    current.calmSince = calmOf(current, now);
    const isOver = closesBy(current, now);
    if (isOver || current.calmSince !== calmSince) changed.add(current);
  }
  return [...changed];
}

function add(course: Course, { serial, beganAt, endedAt, isContinued = false }: Occurrence): void {
  const member = course.members.get(serial);
  if (!member) course.members.set(serial, { beganAt, lastBeganAt: beganAt, endedAt, count: 1 });
  else if (beganAt >= member.lastBeganAt) {
    // A loss and the drops that it is one of are counted once.
    if (beganAt > member.lastBeganAt && !isContinued) member.count++;
    Object.assign(member, { lastBeganAt: beganAt, endedAt });
  }
  course.calmSince = calmOf(course, beganAt);
}

/** When the last occurrence of its nodes ended; undefined while one lasts. */
function calmOf({ members, calmSince }: Course, now: number): number | undefined {
  let last = calmSince ?? (members.size === 0 ? now : -Infinity);
  for (const { endedAt } of members.values()) {
    if (endedAt === undefined) return undefined;
    last = Math.max(last, endedAt);
  }
  return last;
}

/** Ends an incident that was quiet for long enough by then. */
function closesBy(course: Course, at: number): boolean {
  if (course.endedAt !== undefined || course.calmSince === undefined || at < course.calmSince + quietSeconds) return false;
  course.endedAt = course.calmSince;
  return true;
}

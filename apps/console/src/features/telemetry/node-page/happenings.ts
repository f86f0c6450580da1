import { defaultFaultLibraryFlags } from "@busbar/contract/alarms/fault-library.ts";
import { eventNameOf } from "@busbar/contract/files/recorded-events.ts";
import type { NodeOverview } from "@busbar/contract/directory/node-overview.ts";
import { networkConfigResults } from "@busbar/contract/telemetry/network-config-log.ts";
import type { NodeWeek } from "@busbar/contract/telemetry/node-week.ts";
import { lengthText } from "./week-gaps.ts";

export const happeningKinds = ["connection", "events", "requests", "configuration", "changes", "notes"] as const;
export type HappeningKind = (typeof happeningKinds)[number];
export const happeningLabels: Readonly<Record<HappeningKind, string>> = {
  connection: "Connection",
  events: "Events",
  requests: "Requests",
  configuration: "Configuration",
  changes: "Changes",
  notes: "Notes",
};

/** What the list may be limited to: a kind, or whatever someone or the platform tried. */
export type HappeningFilter = HappeningKind | "tried";
export const happeningFilters: readonly HappeningFilter[] = [...happeningKinds, "tried"];
export const isShownBy = (filter: HappeningFilter | undefined, kind: HappeningKind): boolean =>
  filter === undefined || filter === kind || (filter === "tried" && kind !== "connection" && kind !== "events");

/** Something that happened to a node or at its place, in words. */
export interface Happening {
  at: number;
  kind: HappeningKind;
  text: string;
  /** What more is known, in smaller words. */
  detail?: string;
  link?: { href: string; label: string };
}

const displayNames = new Map(defaultFaultLibraryFlags.map(({ name, display_name }) => [name, display_name]));

/** An alarm or an event as people call it. */
export function eventName(kind: string): string {
  const words = /^[A-Z_]+$/.test(kind) ? kind.toLowerCase().replaceAll("_", " ") : kind;
  return displayNames.get(kind) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** All of it in one list, newest first; what is of the same second stays in the order of the kinds. */
export function happeningsOf(node: NodeOverview, week: NodeWeek | undefined): Happening[] {
  return [
    ...(week ? connections(week) : []),
    ...events(node),
    ...requests(node),
    ...configuration(node),
    ...changes(node),
    ...notes(node),
  ].toSorted((a, b) => b.at - a.at);
}

function connections({ connected: { gaps }, toTimestamp: now }: NodeWeek): Happening[] {
  return gaps.flatMap(({ fromTimestamp, toTimestamp }): Happening[] => {
    const lost: Happening = { at: fromTimestamp, kind: "connection", text: "Lost the connection" };
    if (toTimestamp >= now) return [lost];
    return [{ at: toTimestamp, kind: "connection", text: `Connected again after ${lengthText(toTimestamp - fromTimestamp)}` }, lost];
  });
}

const events = (node: NodeOverview): Happening[] =>
  node.events.map(({ timestamp, kind, phase, measured, fileName }) => {
    const detail = [phase === null ? "" : `Phase ${phase}`, measured ?? ""].filter(Boolean).join(", ");
    return {
      at: timestamp,
      kind: "events",
      text: eventName(kind),
      ...(detail === "" ? {} : { detail }),
      ...(fileName === null ? {} : { link: { href: `#/events/${eventNameOf(fileName)}`, label: "Event" } }),
    };
  });

const requests = (node: NodeOverview): Happening[] =>
  node.requests.map(({ timestamp, description }) => ({ at: timestamp, kind: "requests", text: description }));

const configuration = (node: NodeOverview): Happening[] =>
  node.configChanges.map(({ timestamp, username, key, oldValue, newValue, result }) => ({
    at: timestamp,
    kind: "configuration",
    text: `${key} ${oldValue || "(empty)"} → ${newValue || "(empty)"}`,
    detail: `${username}. ${resultWords.get(result) ?? result}`,
  }));
const resultWords = new Map<string, string>(Object.entries(networkConfigResults));

const changes = (node: NodeOverview): Happening[] =>
  node.changes.map(({ timestamp, actor, actorType, description }) => ({
    at: timestamp,
    kind: "changes",
    text: description,
    detail: actorType === "User" ? actor : `${actorType} ${actor}`,
  }));

const notes = (node: NodeOverview): Happening[] => node.notes.map(({ timestamp, note }) => ({ at: timestamp, kind: "notes", text: note }));

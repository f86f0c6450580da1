import { eventKinds, type EventKind } from "@busbar/contract/files/event-files.ts";
import { eventSpans, eventStatuses, maxEventText, type EventSpan } from "@busbar/contract/files/recorded-events.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { daysOf } from "#lib/chosen-days.ts";
import { isObjectId } from "#lib/object-id.ts";
import type { EventQuery } from "./recorded-events.queries.ts";

export const eventFilterNames = [
  "text",
  "when",
  "from",
  "to",
  "kind",
  "amperes",
  "status",
  "node",
  "location",
  "facility",
  "customer",
  "columns",
] as const;
/** As it is in the address; an empty text is any. */
export type EventFilter = Record<(typeof eventFilterNames)[number], string>;

export const noEventFilter = Object.fromEntries(eventFilterNames.map((name) => [name, ""])) as EventFilter;

/** From one day to another one, both as dates. */
export const chosenDays = "days";

const spanLabels: Record<EventSpan, string> = {
  lastNight: "Last night",
  today: "Today",
  yesterday: "Yesterday",
  week: "7 days",
  month: "30 days",
};
export const whenChoices = [
  { value: "", label: "Any time" },
  ...eventSpans.map((value) => ({ value: value as string, label: spanLabels[value] })),
  { value: chosenDays, label: "From … until" },
];

export const kindLabels: Record<EventKind, string> = { trip: "Trip", alarm: "Alarm", event: "Other" };
export const kindChoices = [
  { value: "", label: "All kinds" },
  ...eventKinds.map((value) => ({ value: value as string, label: kindLabels[value] })),
];

export const statusChoices = [
  { value: "", label: "All states" },
  { value: "read", label: "Read" },
  { value: "pending", label: "Waiting to be read" },
  { value: "incomplete", label: "A file is missing" },
  { value: "failed", label: "Not readable" },
];

export const eventChoices = {
  when: whenChoices.map(({ value }) => value),
  kind: kindChoices.map(({ value }) => value),
  status: statusChoices.map(({ value }) => value),
};

/** An address names one of these at most, by its number. */
export const placeNames = ["customer", "facility", "location"] as const;

/** What the server is asked for; what it does not know is left out. */
export function eventQueryOf(filter: EventFilter): EventQuery {
  const { text, when, amperes, node } = filter;
  const span = eventSpans.find((each) => each === when);
  const kind = eventKinds.find((each) => each === filter.kind);
  const status = eventStatuses.find((each) => each === filter.status);
  const words = text.trim().slice(0, maxEventText);
  const ids = placeNames.flatMap((name) => (isObjectId(filter[name]) ? [[name, filter[name]]] : []));
  return {
    ...(words === "" ? {} : { text: words }),
    ...(span ? { span } : {}),
    ...(when === chosenDays ? daysOf(filter) : {}),
    ...(kind ? { kind } : {}),
    ...(status ? { status } : {}),
    ...(/^\d{1,7}(\.\d{1,3})?$/.test(amperes) ? { amperes } : {}),
    ...(serialNumberPattern.test(node) ? { node } : {}),
    ...Object.fromEntries(ids),
  };
}

/** The filters that hide something, in words. */
export const hidingOf = (query: EventQuery): string[] => [
  ...(query.text === undefined ? [] : ["search"]),
  ...(query.span === undefined && query.from === undefined && query.to === undefined ? [] : ["when"]),
  ...(query.kind === undefined ? [] : ["kind"]),
  ...(query.amperes === undefined ? [] : ["amperes"]),
  ...(query.status === undefined ? [] : ["state of reading"]),
  ...[...placeNames, "node" as const].filter((name) => query[name] !== undefined),
];

/** The address of an event's page, which keeps the filter for its neighbours. */
export function eventHref(eventName: string, filter: EventFilter = noEventFilter): string {
  const search = new URLSearchParams(eventFilterNames.flatMap((name) => (filter[name] === "" ? [] : [[name, filter[name]]])));
  return `#/events/${eventName}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

import { actionsOf, allActions, asideKinds, changeKindNames, changeKinds } from "@busbar/contract/system/changes.ts";
import { timesOfDays, type ChosenDays } from "#lib/chosen-days.ts";
import type { ChangeQuery } from "./changes.queries.ts";

export const changeFilterNames = ["what", "who", "object", "when", "from", "to", "columns"] as const;
/** As it is in the address; an empty text is any. */
export type ChangeFilter = Record<(typeof changeFilterNames)[number], string>;

/** The reader's own days, counted back from today. */
const spans: Record<string, { first: number; last: number }> = {
  today: { first: 0, last: 0 },
  yesterday: { first: 1, last: 1 },
  week: { first: 6, last: 0 },
  month: { first: 29, last: 0 },
};
/** From one day to another one, both as dates. */
export const chosenDays = "days";

export const whenChoices = [
  { value: "", label: "Any time" },
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
  { value: chosenDays, label: "From … until" },
];

export const whatChoices = [
  { value: "", label: "All changes" },
  ...changeKindNames.map((kind) => {
    const { label } = changeKinds[kind];
    const actions = actionsOf(kind);
    return {
      group: label,
      items: [
        { value: kind, label: actions.length === 1 ? label : `${label}, all` },
        ...(actions.length === 1 ? [] : actions.map((action) => ({ value: action, label: action }))),
      ],
    };
  }),
];

export const changeChoices = { what: [...changeKindNames, ...allActions], when: whenChoices.map(({ value }) => value) };

function timesOf({ when, from, to }: ChangeFilter, now: Date): Partial<ChosenDays> {
  if (when === chosenDays) return timesOfDays({ from, to });
  const span = spans[when];
  if (!span) return {};
  // Midnights of the reader.
  const back = (days: number) => String(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime() / 1000);
  return { from: back(span.first), ...(span.last === 0 ? {} : { to: back(span.last - 1) }) };
}

/** What the server is asked for; what it does not know is left out. `now` is in the reader's zone. */
export function changeQueryOf(filter: ChangeFilter, now: Date): ChangeQuery {
  const { what, who, object } = filter;
  const kind = changeKindNames.find((name) => name === what);
  const action = allActions.find((name) => name === what);
  const actor = who.trim();
  return {
    ...(kind ? { kind } : {}),
    ...(action ? { action } : {}),
    ...(actor === "" ? {} : { actor }),
    ...(object === "" ? {} : { object }),
    ...timesOf(filter, now),
  };
}

/** The filters that hide something, in words. */
export const hidingOf = ({ actor, from, to, kind, action, object }: ChangeQuery): string[] => [
  ...(actor === undefined ? [] : ["who"]),
  ...(from === undefined && to === undefined ? [] : ["when"]),
  ...(kind === undefined && action === undefined ? [] : ["what"]),
  ...(object === undefined ? [] : ["object"]),
];

/** What is listed only when it is asked for, by the words of its choice. */
export const leftOutOf = ({ kind, action }: ChangeQuery): string[] =>
  kind === undefined && action === undefined ? asideKinds.map((name) => changeKinds[name].label) : [];

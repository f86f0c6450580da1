import type { ActivityAction, Change } from "@busbar/contract/system/changes.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { Button, Group } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { isMessageSubject, SubjectLink, type Subject } from "#ui/subject-link.tsx";
import { ChangedValues, changedValuesOf, type ChangedValue } from "./changed-values.tsx";

export interface ChangeActions {
  onPutBack: (change: Change) => void;
  /** Undefined where the list is of one person already. */
  onPerson: ((person: string) => void) | undefined;
  /** Undefined where the list is of one object already. */
  onHistory: ((object: string) => void) | undefined;
}

/** What has a form, or a guarded write, that can put its values back. */
const restorable: ReadonlySet<string> = new Set<ActivityAction>([
  "PATCH_NODE",
  "PATCH_NODE_CONFIG",
  "PATCH_CUSTOMER",
  "PATCH_FACILITY",
  "PATCH_LOCATION",
  "PATCH_USER",
  "PATCH_SYSTEM_CONFIG",
  "PATCH_NOTE",
  "PATCH_TASK",
]);
/** Those that are found only through the place, or the task, that they were about. */
const isWithin: ReadonlySet<string> = new Set<ActivityAction>(["PATCH_NOTE", "PATCH_TASK"]);

const canPutBack = ({ action, before, within }: Change): boolean =>
  restorable.has(action) && Object.keys(before ?? {}).length > 0 && (!isWithin.has(action) || within !== null);

const isBulk = ({ object }: Change): boolean => object.startsWith("bulk/");

const personOf = ({ actorType, actor }: Change): string => (actorType === "User" ? actor : `${actor} (${actorType})`);

export const changeColumns: readonly Column<Change, ChangeActions>[] = [
  {
    label: "Time",
    text: ({ timestamp }) => timestamp,
    cell: ({ timestamp }) => (
      <HoverTimes timestamp={timestamp} timezone={null}>
        {formatDateTime(timestamp)}
      </HoverTimes>
    ),
    className: "tabular",
    width: 190,
  },
  {
    label: "By",
    text: personOf,
    cell: (change, { onPerson }) =>
      onPerson ? (
        <button
          type="button"
          className="plain-button change-link"
          title={`Only what ${change.actor} changed`}
          onClick={() => onPerson(change.actor)}
        >
          {personOf(change)}
        </button>
      ) : (
        personOf(change)
      ),
    width: 130,
  },
  {
    label: "Change",
    text: ({ description }) => description,
    cell: (change, { onHistory }) => <Description change={change} onHistory={onHistory} />,
    width: 330,
  },
  { label: "Old and new values", text: () => null, cell: (change) => <ChangedValues change={change} /> },
  {
    label: "Put back",
    text: () => null,
    cell: (change, { onPutBack }) =>
      isBulk(change) ? (
        // Of many: its page puts them back as one.
        <Button component="a" variant="default" size="compact-sm" className="no-print" href={`#/${change.object}`}>
          Put back…
        </Button>
      ) : (
        canPutBack(change) && (
          <Button
            variant="default"
            size="compact-sm"
            className="no-print"
            aria-label={`Put back: ${change.description}`}
            onClick={() => onPutBack(change)}
          >
            Put back
          </Button>
        )
      ),
    isHeadHidden: true,
    width: 100,
  },
];

/** What it was about, as far as a screen shows it: of a note its place, of what a node did the node. */
function subjectOf({ object, within, actorType, actor }: Change): Subject | undefined {
  const names = [object, within ?? "", actorType === "Node" && serialNumberPattern.test(actor) ? `node/${actor}` : ""];
  return names
    .map((name) => name.split("/"))
    .flatMap(([kind = "", id = ""]) => (isMessageSubject(kind) && id !== "" ? [{ kind, id }] : []))
    .at(0);
}

function Description({ change, onHistory }: { change: Change } & Pick<ChangeActions, "onHistory">) {
  const { description, object, action } = change;
  const id = object.split("/")[1] ?? "";
  const subject = subjectOf(change);
  return (
    <div>
      {description}
      <Group gap="2px 10px" align="stretch" fz="xs">
        <span className="mono dim">{action}</span>
        {subject && <SubjectLink subject={subject} />}
        {onHistory && id !== "" && (
          <button type="button" className="plain-button change-link no-print" onClick={() => onHistory(object)}>
            History
          </button>
        )}
      </Group>
    </div>
  );
}

/** A line of a file: one value of a change. */
interface FileLine {
  change: Change;
  value: ChangedValue | undefined;
}

export const fileLinesOf = (changes: readonly Change[]): FileLine[] =>
  changes.flatMap((change): FileLine[] => {
    const values = changedValuesOf(change);
    return values.length === 0 ? [{ change, value: undefined }] : values.map((value) => ({ change, value }));
  });

export const fileColumns: readonly Column<FileLine>[] = [
  { label: "Time", text: ({ change }) => formatDateTime(change.timestamp) },
  { label: "By", text: ({ change }) => personOf(change) },
  { label: "Action", text: ({ change }) => change.action },
  { label: "Object", text: ({ change }) => change.object },
  { label: "Change", text: ({ change }) => change.description },
  { label: "Value", text: ({ value }) => value?.name ?? null },
  { label: "Old", text: ({ value }) => value?.before ?? null },
  { label: "New", text: ({ value }) => value?.after ?? null },
];

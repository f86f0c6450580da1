import type { ActivityAction, Change } from "@busbar/contract/system/changes.ts";
import { Button } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { isMessageSubject, SubjectLink } from "#ui/subject-link.tsx";
import { ChangedValues, changedValuesOf } from "./changed-values.tsx";
import type { ChangedValue } from "./changed-values.tsx";

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
]);

const canPutBack = ({ action, before, object }: Change): boolean =>
  restorable.has(action) && /^[a-z]+\/\d+$/.test(object) && Object.keys(before ?? {}).length > 0;

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
      ),
    isHeadHidden: true,
    width: 100,
  },
];

function Description({ change: { description, object, action }, onHistory }: { change: Change } & Pick<ChangeActions, "onHistory">) {
  const [kind = "", id = ""] = object.split("/");
  return (
    <div>
      {description}
      <div className="change-object">
        <span className="mono dim">{action}</span>
        {isMessageSubject(kind) && id !== "" && <SubjectLink subject={{ kind, id }} />}
        {onHistory && id !== "" && (
          <button type="button" className="plain-button change-link no-print" onClick={() => onHistory(object)}>
            History
          </button>
        )}
      </div>
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

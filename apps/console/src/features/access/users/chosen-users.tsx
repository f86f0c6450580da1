import { mostBulkObjects } from "@busbar/contract/directory/bulk-changes.ts";
import { Button } from "@mantine/core";
import { ChosenRows } from "#ui/chosen-rows.tsx";
import type { RowSelection } from "#ui/use-row-selection.ts";
import type { UserRecord } from "./user-columns.tsx";

export interface ChosenUsersProps {
  selection: RowSelection;
  /** All that the filter leaves, not those in sight only. */
  matching: readonly UserRecord[];
  subscriptionsHref: (ids: readonly string[]) => string;
}

/** Chooses users, and leads to what can be done with those that are chosen. */
export function ChosenUsers({ selection, matching, subscriptionsHref }: ChosenUsersProps) {
  return (
    <span className="chosen-users no-print">
      <ChosenRows selection={selection} noun="user" matching={matching.map(({ user }) => String(user.id))} most={mostBulkObjects}>
        <Button component="a" size="compact-xs" href={subscriptionsHref([...selection.chosen])}>
          Subscriptions…
        </Button>
      </ChosenRows>
    </span>
  );
}

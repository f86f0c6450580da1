import { mostBatchNodes } from "@busbar/contract/telemetry/config-batches.ts";
import { Button } from "@mantine/core";
import { ChosenRows } from "./chosen-rows.tsx";
import type { RowSelection } from "./use-row-selection.ts";

export interface ChosenNodesProps {
  selection: RowSelection;
  /** All that the filter leaves, not those in sight only. */
  matching: readonly { serial: string }[];
  /** Changes parameters of the nodes themselves. */
  configureHref: (serials: readonly string[]) => string;
  /** Changes what the platform says of them, or of the locations that they are at. */
  editManyHref: (serials: readonly string[]) => string;
  editLocationsHref?: (serials: ReadonlySet<string>) => string;
}

/** Chooses nodes, and says what can be done with those that are chosen. */
export function ChosenNodes({ selection, matching, configureHref, editManyHref, editLocationsHref }: ChosenNodesProps) {
  const { chosen } = selection;
  return (
    <ChosenRows selection={selection} noun="node" matching={matching.map(({ serial }) => serial)} most={mostBatchNodes}>
      <Button component="a" size="compact-xs" href={configureHref([...chosen])}>
        Configure…
      </Button>
      <Button component="a" size="compact-xs" variant="default" href={editManyHref([...chosen])}>
        Edit…
      </Button>
      {editLocationsHref && (
        <Button component="a" size="compact-xs" variant="default" href={editLocationsHref(chosen)}>
          Edit locations…
        </Button>
      )}
    </ChosenRows>
  );
}

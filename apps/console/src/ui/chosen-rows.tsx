import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount } from "#lib/format-number.ts";
import type { RowSelection } from "./use-row-selection.ts";

export interface ChosenRowsProps {
  selection: RowSelection;
  /** What a row is, such as `node`. */
  noun: string;
  /** Keys of all that the filter leaves, not those in sight only. */
  matching: readonly string[];
  /** How many something can be done with at once. */
  most: number;
  /** What can be done with them. */
  children: ReactNode;
}

/** Chooses all that match, and says how many are chosen. */
export function ChosenRows({ selection: { chosen, choose }, noun, matching, most, children }: ChosenRowsProps) {
  const shownCount = matching.reduce((sum, key) => sum + (chosen.has(key) ? 1 : 0), 0);
  const hiddenCount = chosen.size - shownCount;
  const isAll = shownCount > 0 && shownCount === matching.length;
  return (
    <>
      <Checkbox
        size="xs"
        label={`Choose all ${formatCount(matching.length)}`}
        checked={isAll}
        indeterminate={shownCount > 0 && !isAll}
        disabled={matching.length === 0}
        onChange={() => choose(isAll ? [] : matching)}
      />
      {chosen.size > 0 && (
        <>
          <span className="tabular">
            {counted(chosen.size, noun)} chosen{hiddenCount > 0 && `, ${formatCount(hiddenCount)} not shown`}
          </span>
          {chosen.size > most ? <span className="bad">at most {counted(most, noun)} at once</span> : children}
          <Button variant="subtle" size="compact-xs" onClick={() => choose([])}>
            Choose none
          </Button>
        </>
      )}
    </>
  );
}

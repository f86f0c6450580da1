import { useRowTab } from "./row-tab.ts";
import type { RowSelection } from "./use-row-selection.ts";

export interface RowChoiceProps {
  selection: RowSelection;
  rowKey: string;
  /** Names the row, where its key does not. */
  name?: string;
}

/** The box that chooses a row of a grid; with Shift all from the last one on. */
export function RowChoice({ selection, rowKey, name = rowKey }: RowChoiceProps) {
  const tabIndex = useRowTab();
  return (
    <input
      type="checkbox"
      className="row-choice"
      tabIndex={tabIndex}
      data-stop="choose"
      aria-label={`Choose ${name}`}
      checked={selection.chosen.has(rowKey)}
      onChange={({ nativeEvent }) => selection.toggle(rowKey, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}

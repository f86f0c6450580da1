import type { ConfigValues } from "@busbar/contract/telemetry/config-catalogue.ts";
import { canonicalConfigValue, configProblem, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { useEffect, useId, type ReactNode } from "react";
import type { ConfigRowData } from "./config-rows.ts";
import type { StagedValue, ValueMark } from "./save-together.ts";

/** A row with what is typed into it. */
export interface ConfigDraft {
  row: ConfigRowData;
  /** Of its input; what it is about has `about` behind it. */
  id: string;
  text: string;
  fallback: string | undefined;
  isEdited: boolean;
  problem: string | undefined;
  canSave: boolean;
  isWorking: boolean;
  mark: ValueMark | undefined;
  onText: (text: string) => void;
  onSave: () => void;
}

export interface ConfigDraftProps {
  row: ConfigRowData;
  /** What is typed into it. */
  typed: string | undefined;
  /** An old value that is to be put back: it is brought into sight. */
  isPutBack: boolean;
  /** Of the node, with what is typed into the other rows. */
  values: ConfigValues;
  /** Something is on its way to the node: nothing else is sent. */
  isBusy: boolean;
  isWorking: boolean;
  mark: ValueMark | undefined;
  onText: (key: string, text: string) => void;
  onSave: (change: StagedValue) => void;
  children: (draft: ConfigDraft) => ReactNode;
}

/** Whether what is typed is another value than that of the node. */
export const isEdit = ({ key, value, datatype }: ConfigRowData, typed: string | undefined): boolean =>
  typed !== undefined && (value === undefined || !isSameConfigValue(key, typed, value, datatype));

/** What is typed as a change. A value that the node did not report is sent as an empty one: the node writes only where that holds. */
export const stagedOf = ({ key, value = "", datatype }: ConfigRowData, typed: string): StagedValue => ({
  key,
  newValue: canonicalConfigValue(key, typed, datatype) ?? typed,
  oldValue: value,
});

export function ConfigDraftOf({ row, typed, isPutBack, values, isBusy, isWorking, mark, onText, onSave, children }: ConfigDraftProps) {
  const { key, value, parameter, datatype } = row;
  const id = useId();
  useEffect(() => {
    if (isPutBack) document.getElementById(id)?.scrollIntoView({ block: "center" });
  }, [isPutBack, id]);

  const text = typed ?? value ?? "";
  const isEdited = isEdit(row, typed);
  const problem = isEdited ? configProblem(key, text, values, datatype) : undefined;
  const canSave = isEdited && problem === undefined && !isBusy;
  return children({
    row,
    id,
    text,
    fallback: parameter?.defaultValue(values),
    isEdited,
    problem,
    canSave,
    isWorking,
    mark,
    onText: (next) => onText(key, next),
    onSave: () => {
      if (canSave) onSave(stagedOf(row, text));
    },
  });
}

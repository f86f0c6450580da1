import type { ConfigValues } from "@busbar/contract/telemetry/config-catalogue.ts";
import { canonicalConfigValue, configProblem, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { useEffect, useId, useState } from "react";
import type { ReactNode } from "react";
import { usePutBack } from "#ui/put-back.tsx";
import type { ConfigRowData } from "./config-rows.ts";

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
  isChanged: boolean;
  onText: (text: string) => void;
  onSave: () => void;
}

export interface ConfigDraftProps {
  serial: string;
  row: ConfigRowData;
  values: ConfigValues;
  /** Something is on its way to the node: nothing else is sent. */
  isBusy: boolean;
  isWorking: boolean;
  isChanged: boolean;
  onSave: (key: string, newValue: string, oldValue: string) => void;
  children: (draft: ConfigDraft) => ReactNode;
}

export function ConfigDraftOf({ serial, row, values, isBusy, isWorking, isChanged, onSave, children }: ConfigDraftProps) {
  const { key, value, parameter, datatype } = row;
  const old = usePutBack(`node/${serial}`)?.[key];
  const [draft, setDraft] = useState(typeof old === "string" ? old : undefined);
  const [knownValue, setKnownValue] = useState(value);
  const id = useId();
  const isPutBack = old !== undefined;
  useEffect(() => {
    if (isPutBack) document.getElementById(id)?.scrollIntoView({ block: "center" });
  }, [isPutBack, id]);
  // A value that the node has since confirmed or reported is no draft any more.
  if (knownValue !== value) {
    setKnownValue(value);
    if (draft !== undefined && value !== undefined && isSameConfigValue(key, draft, value, datatype)) setDraft(undefined);
  }

  const text = draft ?? value ?? "";
  const isEdited = draft !== undefined && (value === undefined || !isSameConfigValue(key, draft, value, datatype));
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
    isChanged,
    onText: setDraft,
    onSave: () => {
      // A value that the node did not report is sent as an empty one: the node writes only where that holds.
      if (canSave) onSave(key, canonicalConfigValue(key, text, datatype) ?? text, value ?? "");
    },
  });
}

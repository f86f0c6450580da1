import type { ConfigValues } from "@busbar/contract/telemetry/config-catalogue.ts";
import { configProblem } from "@busbar/contract/telemetry/node-config.ts";
import { useState } from "react";
import { usePutBack } from "#ui/put-back.tsx";
import { isEdit, stagedOf } from "./config-draft.tsx";
import type { ConfigRowData } from "./config-rows.ts";
import type { StagedValue } from "./save-together.ts";

export interface StagedValues {
  /** What is typed, by key: the keys are a device's. */
  typed: ReadonlyMap<string, string>;
  type: (key: string, text: string) => void;
  /** Old values that are to be put back. */
  putBackKeys: ReadonlySet<string>;
  /** Which of it are changes, in the order of the rows. */
  staged: readonly (StagedValue & { isAllowed: boolean })[];
  /** What the node would have after them. */
  values: ConfigValues;
}

/** What is typed into the rows until the node has it. */
export function useStagedValues(serial: string, rows: readonly ConfigRowData[]): StagedValues {
  const old = usePutBack(`node/${serial}`) ?? {};
  const [typed, setTyped] = useState(
    () => new Map(Object.entries(old).filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  );
  const reported = new Map(rows.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])));
  const [known, setKnown] = useState<ConfigValues>(reported);
  // A value that the node has since confirmed or reported is no draft any more.
  const news = rows.filter(({ key, value }) => value !== known.get(key));
  if (news.length > 0) {
    setKnown(reported);
    const obsolete = new Set(news.filter((row) => !isEdit(row, typed.get(row.key))).map(({ key }) => key));
    setTyped(new Map([...typed].filter(([key]) => !obsolete.has(key))));
  }
  const edits = rows.flatMap((row) => {
    const text = typed.get(row.key);
    return text !== undefined && isEdit(row, text) ? [{ row, text, staged: stagedOf(row, text) }] : [];
  });
  const values = new Map([...reported, ...edits.map(({ staged: { key, newValue } }) => [key, newValue] as const)]);
  return {
    typed,
    type: (key, text) => setTyped(new Map([...typed, [key, text]])),
    putBackKeys: new Set(Object.keys(old)),
    staged: edits.map(({ row: { key, datatype }, text, staged }) => ({
      ...staged,
      isAllowed: configProblem(key, text, values, datatype) === undefined,
    })),
    values,
  };
}

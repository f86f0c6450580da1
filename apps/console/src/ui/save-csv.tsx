import { counted } from "@busbar/contract/values/counted.ts";
import { Group } from "@mantine/core";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { SaveCsvButton } from "./file-buttons.tsx";
import { Notice } from "./notice.tsx";

export interface SaveCsvProps<Row> {
  fileName: string;
  /** Of one row, such as `event`. */
  noun: string;
  /** Every row that matches, or the newest where they are too many for a file. */
  readAll: () => Promise<{ rows: readonly Row[]; isWhole: boolean }>;
  linesOf: (rows: readonly Row[]) => Parameters<typeof csvOf>[0];
}

/** Saves what the server has of a list of which the page holds the newest. */
export function SaveCsv<Row>({ fileName, noun, readAll, linesOf }: SaveCsvProps<Row>) {
  const [state, setState] = useState<{ isWorking: boolean; failure?: string }>({ isWorking: false });
  const save = async () => {
    setState({ isWorking: true });
    try {
      const { rows, isWhole } = await readAll();
      downloadFile(fileName, csvOf(linesOf(rows)));
      const cut = `The file holds the newest ${counted(rows.length, noun)}. Choose an earlier time for the others.`;
      setState({ isWorking: false, ...(isWhole ? {} : { failure: cut }) });
    } catch (error) {
      setState({ isWorking: false, failure: failureMessage(error) });
    }
  };
  return (
    <Group gap="xs" className="no-print">
      {state.failure !== undefined && <Notice kind="error">{state.failure}</Notice>}
      <SaveCsvButton loading={state.isWorking} onClick={() => void save()} />
    </Group>
  );
}

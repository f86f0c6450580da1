import { Button, FileInput, Group, Progress, Stack } from "@mantine/core";
import { largestImportBytes, type ImportPlan } from "@busbar/contract/values/import-plan.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { useRef, useState } from "react";
import { useApiBytes, useRefreshChanged } from "#api/api-context.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { addedColumns, changedColumns, countColumns, errorColumns } from "./import-columns.tsx";
import { importKindNames, importKinds, type ImportKind, type ImportKindName } from "./import-kinds.tsx";
import { followImport } from "./import-steps.ts";

interface Looked {
  bytes: Uint8Array;
  plan: ImportPlan;
}

const megabytes = largestImportBytes / 1024 / 1024;

export interface ImportScreenProps {
  kind: ImportKindName;
  onKind: (kind: ImportKindName) => void;
}

export function ImportScreen({ kind, onKind }: ImportScreenProps) {
  return (
    <Stack gap="sm">
      <h1 className="page-title">{importKinds[kind].title}</h1>
      <ChoiceBar
        label="What to import"
        choices={importKindNames.map((value) => ({ value, label: importKinds[value].label }))}
        value={kind}
        onChoose={onKind}
        size="compact-sm"
      />
      <FileImport key={kind} kind={importKinds[kind]} />
    </Stack>
  );
}

/** A file, what it would do, and then exactly that. */
function FileImport({ kind }: { kind: ImportKind }) {
  const bytesOf = useApiBytes();
  const refresh = useRefreshChanged();
  const outcome = useOutcome();
  const [file, setFile] = useState<File | null>(null);
  const resetFile = useRef<() => void>(null);
  const [looked, setLooked] = useState<Looked | undefined>();
  const [progress, setProgress] = useState<{ done: number; total: number } | undefined>();
  const showStep = (done: number, total: number) => setProgress({ done, total });

  const look = async (chosen: File | null) => {
    setFile(chosen);
    // So that the same file can be chosen again, once what was wrong in it is right.
    resetFile.current?.();
    setLooked(undefined);
    if (!chosen) return outcome.clear();
    if (chosen.size > largestImportBytes) return outcome.say({ kind: "validation", text: `${chosen.name} is larger than ${megabytes} MB` });
    await outcome.run(
      async () => {
        const bytes = new Uint8Array(await chosen.arrayBuffer());
        const step = await followImport(await bytesOf(kind.plan, { body: bytes }), "", showStep);
        if ("plan" in step) setLooked({ bytes, plan: step.plan });
        return undefined;
      },
      { working: "Looking at the file..." },
    );
    setProgress(undefined);
  };
  const run = async ({ bytes, plan }: Looked) => {
    await outcome.run(
      async () => {
        const response = await bytesOf(kind.run, { params: { digest: plan.digest }, body: bytes });
        const step = await followImport(response, "Look under Changes whether it was imported.", showStep);
        const counts = "imported" in step ? step.imported : [];
        setLooked(undefined);
        setFile(null);
        void refresh(kind.run);
        const added = counts.map((count) => counted(count.added, count.noun));
        const changed = counts.reduce((sum, count) => sum + count.changed, 0);
        const hasNew = counts.some((count) => count.added > 0);
        return [`Added: ${added.join(", ")}. Changed: ${changed}.`, ...(hasNew ? [kind.next] : [])].join(" ").trim();
      },
      { working: "Importing..." },
    );
    setProgress(undefined);
  };

  return (
    <>
      <p>
        {kind.rules} At most {counted(kind.mostLines, "line")}. Columns: {Object.values(kind.columns).join(", ")}.
      </p>
      <Stack gap="md">
        <FileInput
          label="CSV file"
          placeholder="Choose a file"
          accept=".csv,text/csv"
          maw={420}
          value={file}
          resetRef={resetFile}
          disabled={outcome.isWorking}
          onChange={(chosen) => void look(chosen)}
        />
        <MessageLine message={outcome.message} onCleared={undefined} />
        {progress && (
          <div>
            <Progress.Root size="lg">
              <Progress.Section
                value={progress.total === 0 ? 100 : (100 * progress.done) / progress.total}
                aria-label="Lines that are done"
              />
            </Progress.Root>
            <span className="dim tabular">
              {progress.done.toLocaleString("en-US")} of {progress.total.toLocaleString("en-US")}
            </span>
          </div>
        )}
        {looked && <Plan {...looked} isWorking={outcome.isWorking} onRun={() => void run(looked)} />}
      </Stack>
    </>
  );
}

const shownLabels = { errors: "Errors", changed: "Changed", added: "Added" };
type Shown = keyof typeof shownLabels;

function Plan({ plan, isWorking, onRun }: Looked & { isWorking: boolean; onRun: () => void }) {
  const { counts, errorCount, records } = plan;
  const sum = (of: "added" | "changed") => counts.reduce((total, count) => total + count[of], 0);
  const totals: Record<Shown, number> = { errors: errorCount, changed: sum("changed"), added: sum("added") };
  const choices = (Object.keys(shownLabels) as Shown[])
    .filter((value) => totals[value] > 0)
    .map((value) => ({ value, label: `${shownLabels[value]} ${totals[value].toLocaleString("en-US")}` }));
  const [chosen, setChosen] = useState(choices[0]?.value);
  const listed = { errors: plan.errors, changed: records.filter(({ isNew }) => !isNew), added: records.filter(({ isNew }) => isNew) };
  const isEmpty = totals.added + totals.changed === 0;
  return (
    <>
      {errorCount > 0 && <Notice kind="error">{counted(errorCount, "error")}: correct the file, nothing is imported before.</Notice>}
      <section aria-label="What the import would do">
        <DataTable columns={countColumns} rows={counts} keyOf={({ noun }) => noun} aria-label="What the import would do" isMatrix />
        {plan.ignored.length > 0 && <p className="dim">Columns that an import passes by: {plan.ignored.join(", ")}.</p>}
        {isEmpty && errorCount === 0 && (
          <p>
            {plan.lines === 0
              ? "This file has no lines below its columns: there is nothing to import."
              : "Everything in this file is there already."}
          </p>
        )}
      </section>
      {chosen && (
        <section aria-label="Line by line">
          <ChoiceBar label="Show" choices={choices} value={chosen} onChoose={setChosen} size="compact-sm" />
          {chosen === "errors" ? (
            <DataTable
              columns={errorColumns}
              rows={plan.errors}
              keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
              aria-label="What is wrong"
            />
          ) : (
            <DataTable
              columns={chosen === "added" ? addedColumns : changedColumns}
              rows={listed[chosen]}
              keyOf={({ line, noun }) => `${line} ${noun}`}
              aria-label={chosen === "added" ? "What is added" : "What changes"}
            />
          )}
          {totals[chosen] > listed[chosen].length && <p className="dim">The first {listed[chosen].length} are listed.</p>}
        </section>
      )}
      <Group justify="flex-end">
        <Button disabled={errorCount > 0 || isEmpty || isWorking} loading={isWorking} onClick={onRun}>
          Import
        </Button>
      </Group>
    </>
  );
}

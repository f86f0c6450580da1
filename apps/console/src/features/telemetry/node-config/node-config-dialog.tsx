import { ActionIcon, Button, Group } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { counted } from "@busbar/contract/values/counted.ts";
import { useEffect, useRef, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { FailureState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { OwnTimeAgo } from "#ui/time-ago.tsx";
import { changeStates, failedChange, isUnderWay, type ChangeProgress } from "./config-progress.ts";
import { aboutRow, groupRows } from "./config-rows.ts";
import { ConfigTable } from "./config-table.tsx";
import { useNodeConfig, useSaveTogether, useSetConfigValue } from "./node-config.queries.ts";
import type { StagedValue, ValueMark } from "./save-together.ts";
import { useStagedValues } from "./staged-values.ts";
import "./node-config.css";

const retrieving = "Retrieving configuration parameters from the node..."; // COM-11
const sending = "Sending request to server..."; // COM-11

const noMarks: ReadonlyMap<string, ValueMark> = new Map();

// CFG-05
const missingCode = "Missing 2FA Passcode";

/** CFG-01 to CFG-05 */
export function NodeConfigDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useNodeConfig(serial);
  const change = useSetConfigValue(serial);
  const together = useSaveTogether(serial);
  const [code, setCode] = useState("");
  const [progress, setProgress] = useState<ChangeProgress | undefined>();
  const [marks, setMarks] = useState(noMarks);
  const codeInput = useRef<HTMLInputElement>(null);
  const closing = useClosingSignal();
  const isWorking = isUnderWay(progress);
  const groups = groupRows(data?.values ?? {}, data?.types);
  const { typed, putBackKeys, type, staged, values } = useStagedValues(
    serial,
    groups.flatMap(({ rows }) => rows),
  );
  const enterCode = (text: string) => {
    setCode(text);
    // It is missing no more.
    if (progress?.text === missingCode) setProgress(undefined);
  };
  const isCodeMissing = (key: string) => {
    if (code !== "") return false;
    setProgress({ key, state: "not-sent", text: missingCode });
    codeInput.current?.focus();
    return true;
  };

  const save = async ({ key, newValue, oldValue }: StagedValue) => {
    if (isWorking || isCodeMissing(key)) return;
    setProgress({ key, state: "sending", text: sending });
    try {
      const text = await change.mutateAsync({ key, newValue, oldValue, code });
      setProgress({ key, state: "confirmed", text });
      setMarks((before) => new Map([...before, [key, "changed"]]));
      setCode(""); // One code, one use
    } catch (failure) {
      const failed = failedChange(key, failure);
      setProgress(failed);
      if (failed.state !== "not-sent") setCode("");
    }
  };
  const saveAll = async () => {
    const [first] = staged;
    if (isWorking || isFetching || !first || staged.some(({ isAllowed }) => !isAllowed)) return;
    if (staged.length === 1) return save(first);
    if (isCodeMissing("")) return;
    setProgress({ key: "", state: "reading", text: retrieving });
    const onStart = (batchId: number) => setProgress({ key: "", state: "sending", text: sending, batchId });
    const outcome = await together.mutateAsync({ values: staged, code, onStart, signal: closing() });
    setProgress({ key: "", ...outcome });
    setMarks((before) => new Map([...before, ...outcome.marks]));
    if (outcome.state !== "not-sent") setCode("");
  };
  const refresh = () => {
    setProgress(undefined);
    setMarks(noMarks);
    void refetch();
  };
  const saveCsv = () =>
    downloadFile(
      `node-config-${serial}.csv`,
      csvOf([
        ["Group", "Name", "Description", "Value"],
        ...groups.flatMap(({ group, rows }) => rows.map((row) => [group, row.key, aboutRow(row), row.value ?? null])),
      ]),
    );

  return (
    <Dialog
      title={`Node Config Management ${serial}`}
      onClose={onClose}
      isHeld={progress?.state === "sending" && progress.batchId === undefined}
    >
      <Group gap={8} justify="space-between">
        <p className="config-warning">
          Warning: changes affect real nodes in the field. What is saved goes to node {serial} at once and needs a 2FA passcode: one for a
          value, or one for all that are saved together.
        </p>
        <SaveCsvButton size="compact-sm" disabled={!data} onClick={saveCsv} className="no-print" />
      </Group>
      <div className="config-tools">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Refresh"
          title="Ask the node for its values again"
          disabled={isFetching || isWorking}
          onClick={refresh}
        >
          <IconRefresh size={18} aria-hidden />
        </ActionIcon>
        <PasscodeInput
          label="2FA PASSCODE"
          value={code}
          message={progress?.state === "not-sent" ? { kind: "validation", text: progress.text } : undefined}
          onChange={enterCode}
          onKeyDown={(event) => {
            if (event.key === "Enter") void saveAll();
          }}
          ref={codeInput}
          data-autofocus
        />
        {staged.length > 1 && (
          <Button
            h={36}
            loading={isWorking && progress?.key === ""}
            disabled={isWorking || isFetching || staged.some(({ isAllowed }) => !isAllowed)}
            onClick={() => void saveAll()}
          >
            Save {counted(staged.length, "value")}
          </Button>
        )}
        <div className="config-output">
          {isFetching && <Notice kind="working">{retrieving}</Notice>}
          {!isFetching && progress && <OutputLine progress={progress} />}
          {!isFetching && !progress && data && error && <Notice kind="error">{failureMessage(error)} The values below are older.</Notice>}
          {!isFetching && !progress && data && !error && (
            <span className="dim">
              Reported by the node <OwnTimeAgo ms={dataUpdatedAt} />
            </span>
          )}
        </div>
      </div>
      {isFetching && !data && <LoadingRows label={retrieving} rows={8} height={38} />}
      {!isFetching && !data && error && <FailureState message={failureMessage(error)} onRetry={refresh} />}
      {data && (
        <ConfigTable
          groups={groups}
          typed={typed}
          putBackKeys={putBackKeys}
          values={values}
          isFetching={isFetching}
          workingKeys={!isWorking ? [] : progress?.key ? [progress.key] : staged.map(({ key }) => key)}
          marks={marks}
          onText={type}
          onSave={(staged) => void save(staged)}
        />
      )}
    </Dialog>
  );
}

function OutputLine({ progress: { state, text, batchId } }: { progress: ChangeProgress }) {
  const { label, kind } = changeStates[state];
  const isWorking = kind === "working";
  return (
    <Notice kind={kind}>
      {!isWorking && <strong className="config-state">{label}</strong>} <span>{text}</span>
      {batchId !== undefined && (
        <>
          {" "}
          (<a href={`#/batches/${batchId}`}>Batch {batchId}</a>)
        </>
      )}
    </Notice>
  );
}

/** Makes signals that end with the dialog. */
function useClosingSignal(): () => AbortSignal {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return () => (running.current = new AbortController()).signal;
}

import { ActionIcon, Button } from "@mantine/core";
import { IconDownload, IconRefresh } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { csvOf, downloadFile } from "#lib/download.ts";
import { FailureState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { OwnTimeAgo } from "#ui/time-ago.tsx";
import { changeStates, failedChange } from "./config-progress.ts";
import type { ChangeProgress } from "./config-progress.ts";
import { aboutRow, groupRows } from "./config-rows.ts";
import { ConfigTable } from "./config-table.tsx";
import { useNodeConfig, useSetConfigValue } from "./node-config.queries.ts";
import "./node-config.css";

const retrieving = "Retrieving configuration parameters from the node..."; // COM-11
const sending = "Sending request to server..."; // COM-11

/** CFG-01 to CFG-05 */
export function NodeConfigDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useNodeConfig(serial);
  const change = useSetConfigValue(serial);
  const [code, setCode] = useState("");
  const [progress, setProgress] = useState<ChangeProgress | undefined>();
  const [changed, setChanged] = useState<readonly string[]>([]);
  const codeInput = useRef<HTMLInputElement>(null);
  const isWorking = progress?.state === "sending";
  const groups = groupRows(data?.values ?? {}, data?.types);

  const save = async (key: string, newValue: string, oldValue: string) => {
    if (isWorking) return;
    if (code === "") {
      setProgress({ key, state: "not-sent", text: "Missing 2FA Passcode" }); // CFG-05
      codeInput.current?.focus();
      return;
    }
    setProgress({ key, state: "sending", text: sending });
    try {
      const text = await change.mutateAsync({ key, newValue, oldValue, code });
      setProgress({ key, state: "confirmed", text });
      setChanged((keys) => [...keys, key]);
      setCode(""); // One code, one use
    } catch (failure) {
      const failed = failedChange(key, failure);
      setProgress(failed);
      if (failed.state !== "not-sent") setCode("");
    }
  };
  const refresh = () => {
    setProgress(undefined);
    setChanged([]);
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
    <Dialog title={`Node Config Management ${serial}`} onClose={onClose} isHeld={isWorking}>
      <div className="config-about-node">
        <p className="config-warning">
          Warning: changes affect real nodes in the field. Each saved value goes to node {serial} at once and needs a 2FA passcode of its
          own.
        </p>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} aria-hidden />}
          disabled={!data}
          onClick={saveCsv}
          className="no-print"
        >
          Save CSV
        </Button>
      </div>
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
          onChange={setCode}
          ref={codeInput}
        />
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
          serial={serial}
          groups={groups}
          values={new Map(Object.entries(data.values))}
          isFetching={isFetching}
          workingKey={isWorking ? progress.key : undefined}
          changedKeys={changed}
          onSave={(key, newValue, oldValue) => void save(key, newValue, oldValue)}
        />
      )}
    </Dialog>
  );
}

function OutputLine({ progress: { state, text } }: { progress: ChangeProgress }) {
  const { label, kind } = changeStates[state];
  return (
    <Notice kind={kind}>
      {state !== "sending" && <strong className="config-state">{label}</strong>} <span className="config-text">{text}</span>
    </Notice>
  );
}

import { counted } from "@busbar/contract/values/counted.ts";
import { getSystemConfig, reloadSystemConfig, updateSystemConfig } from "@busbar/contract/system/system-config.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Client } from "#api/client.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { useLeave } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { textsOf } from "./setting-edits.ts";
import type { Edits, Settings } from "./setting-edits.ts";
import { SettingsForm } from "./settings-form.tsx";
import "./system-config.css";

/** SYS-05 */
export function SystemConfig() {
  const outcome = useOutcome();
  const [edits, setEdits] = useState<Edits>({});
  const leave = useLeave();
  const { data, error, refetch } = useApiQuery(getSystemConfig, {}, { refetchOnWindowFocus: false });
  const save = useApiMutation(async (call, settings: Settings) => {
    try {
      await send(call, settings, edits);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure;
      // Someone else saved meanwhile. What they changed stays, unless the same was changed here.
      const { data: fresh } = await refetch({ throwOnError: true });
      if (!fresh) throw failure;
      const contested = Object.keys(edits).filter((name) => fresh[name] && fresh[name].value !== edits[name]?.base);
      setEdits(rebased(edits, fresh));
      if (contested.length > 0) throw new ApiError(409, failure.errorCode, contestedMessage(contested));
      await send(call, fresh, edits);
    }
    // What was typed while it was saved is not saved.
    setEdits((now) => Object.fromEntries(Object.entries(now).filter(([name, { text }]) => text !== edits[name]?.text)));
    outcome.say({ kind: "success", text: "Changes saved successfully" });
  });
  const reload = useApiMutation(async (call) => {
    const read = await call(reloadSystemConfig, {});
    setEdits({});
    return read;
  });
  const begin = (run: () => void) => {
    outcome.clear();
    save.reset();
    reload.reset();
    run();
  };
  const failure = save.error ?? reload.error;
  return (
    <>
      <h1 className="page-title">Configure Application</h1>
      {!data && !error && <LoadingForm label="Loading the settings" fields={8} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && (
        <SettingsForm
          settings={data}
          edits={edits}
          onEdits={setEdits}
          isSaving={save.isPending}
          onSave={() => begin(() => save.mutate(data))}
        >
          {failure && <Notice kind="warning">{failureMessage(failure)}</Notice>}
          {reload.data && (
            <Notice kind={reload.data.invalid.length > 0 ? "warning" : "success"}>
              {counted(reload.data.loaded, "setting")} read from the database
              {reload.data.invalid.length > 0 && `; these cannot be used: ${reload.data.invalid.join(", ")}`}.
            </Notice>
          )}
          <MessageLine message={outcome.message} onCleared={outcome.clear} />
          <Button variant="default" loading={reload.isPending} onClick={() => leave(() => begin(reload.mutate))}>
            Reload from database
          </Button>
        </SettingsForm>
      )}
    </>
  );
}

const send = (call: Client, settings: Settings, edits: Edits) =>
  call(updateSystemConfig, { query: { revision: String(newestRevision(settings)) }, body: textsOf(settings, edits) });

const newestRevision = (settings: Settings): number => Math.max(0, ...Object.values(settings).map(({ revision }) => revision));

const rebased = (edits: Edits, settings: Settings): Edits =>
  Object.fromEntries(Object.entries(edits).map(([name, { text, base }]) => [name, { text, base: settings[name]?.value ?? base }]));

const contestedMessage = (names: readonly string[]): string =>
  `Someone else changed ${names.join(", ")} meanwhile. The new value is above the field. Save again to replace it with yours.`;

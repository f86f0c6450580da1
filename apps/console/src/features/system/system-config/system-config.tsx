import { counted } from "@busbar/contract/values/counted.ts";
import { getSystemConfig, reloadSystemConfig, updateSystemConfig } from "@busbar/contract/system/system-config.ts";
import { Anchor, Button } from "@mantine/core";
import { useState } from "react";
import type { Client } from "#api/client.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { putBackText } from "#ui/put-back.tsx";
import { useLeave } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { editsOf, textsOf, type Edits, type Settings } from "./setting-edits.ts";
import { SettingsForm } from "./settings-form.tsx";
import "./system-config.css";

/** SYS-05 */
export function SystemConfig() {
  return (
    <>
      <div className="report-head">
        <h1 className="page-title">Configure Application</h1>
        <Anchor href="#/changes?what=settings" size="sm" className="no-print">
          History of changes
        </Anchor>
      </div>
      <SettingsEditor />
    </>
  );
}

/** @param old values of before, as the server writes them, to be entered: only these settings are shown. */
export function SettingsEditor({ old }: { old?: Readonly<Record<string, unknown>> }) {
  const query = useApiQuery(getSystemConfig, {}, { refetchOnWindowFocus: false });
  return (
    <Loaded of={query} loading={<LoadingForm label="Loading the settings" fields={8} />}>
      {(data) => <LoadedSettings data={data} refetch={query.refetch} old={old} />}
    </Loaded>
  );
}

interface LoadedSettingsProps extends Pick<ReturnType<typeof useApiQuery<typeof getSystemConfig>>, "refetch"> {
  data: Settings;
  old: Readonly<Record<string, unknown>> | undefined;
}

function LoadedSettings({ data, refetch, old }: LoadedSettingsProps) {
  const outcome = useOutcome(old && { kind: "validation", text: putBackText });
  const [edits, setEdits] = useState<Edits>(() => (old ? editsOf(data, old) : {}));
  const leave = useLeave();
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
    <SettingsForm
      settings={data}
      only={old && Object.keys(old)}
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
      {!old && (
        <Button variant="default" loading={reload.isPending} onClick={() => leave(() => begin(reload.mutate))}>
          Reload from database
        </Button>
      )}
    </SettingsForm>
  );
}

const send = (call: Client, settings: Settings, edits: Edits) =>
  call(updateSystemConfig, { query: { revision: String(newestRevision(settings)) }, body: textsOf(settings, edits) });

const newestRevision = (settings: Settings): number => Math.max(0, ...Object.values(settings).map(({ revision }) => revision));

const rebased = (edits: Edits, settings: Settings): Edits =>
  Object.fromEntries(Object.entries(edits).map(([name, { text, base }]) => [name, { text, base: settings[name]?.value ?? base }]));

const contestedMessage = (names: readonly string[]): string =>
  `Someone else changed ${names.join(", ")} meanwhile. The new value is above the field. Save again to replace it with yours.`;

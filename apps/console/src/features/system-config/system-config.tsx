import { emptySettingMessage, getSystemConfig, reloadSystemConfig, updateSystemConfig } from "@busbar/contract/system-config.ts";
import type { SettingTexts, ShownSetting } from "@busbar/contract/system-config.ts";
import { Button, Select, TextInput, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#api/api-error.ts";
import { FailureState, LoadingRows } from "#ui/data-states.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import type { Message } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import "./system-config.css";

const queryKey = ["system-config"];

/** SYS-05 */
export function SystemConfig() {
  const call = useApi();
  const queries = useQueryClient();
  const [message, setMessage] = useState<Message | undefined>();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getSystemConfig, {}, { signal }),
    // Fields that somebody is typing into must not change under them.
    refetchOnWindowFocus: false,
  });
  const save = useMutation({
    mutationFn: (texts: SettingTexts) => call(updateSystemConfig, { body: texts }),
    onMutate: () => setMessage(undefined),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      setMessage({ kind: "success", text: "Changes saved successfully" });
    },
  });
  const reload = useMutation({
    mutationFn: () => call(reloadSystemConfig, {}),
    onMutate: () => save.reset(),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const failure = save.error ?? reload.error;
  return (
    <>
      <h1 className="page-title">Configure Application</h1>
      {!data && !error && <LoadingRows label="Loading the settings" height={56} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && (
        // What was stored or read again stands in new fields.
        <SettingsForm key={dataUpdatedAt} settings={data} isSaving={save.isPending} onSave={(texts) => save.mutate(texts)}>
          {failure && <Notice kind="warning">{failureMessage(failure)}</Notice>}
          {reload.data && (
            <Notice kind={reload.data.invalid.length > 0 ? "warning" : "success"}>
              {reload.data.loaded} settings read from the database
              {reload.data.invalid.length > 0 && `; these cannot be used: ${reload.data.invalid.join(", ")}`}.
            </Notice>
          )}
          <MessageLine message={message} onCleared={() => setMessage(undefined)} />
          <Button variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
            Reload from database
          </Button>
        </SettingsForm>
      )}
    </>
  );
}

interface SettingsFormProps {
  settings: Record<string, ShownSetting>;
  isSaving: boolean;
  onSave: (texts: SettingTexts) => void;
  /** Stands beside the button. */
  children: ReactNode;
}

function SettingsForm({ settings, isSaving, onSave, children }: SettingsFormProps) {
  const [texts, setTexts] = useState(() => Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])));
  const hasEmpty = Object.values(texts).some((text) => text.trim() === "");
  return (
    <form
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasEmpty) onSave(texts);
      }}
    >
      <div className="settings">
        {Object.entries(settings).map(([name, setting]) => (
          <SettingField
            key={name}
            name={name}
            setting={setting}
            text={texts[name] ?? ""}
            onChange={(text) => setTexts({ ...texts, [name]: text })}
          />
        ))}
      </div>
      <div className="settings-foot">
        {hasEmpty && <Notice kind="warning">{emptySettingMessage}</Notice>}
        <Button type="submit" loading={isSaving} disabled={hasEmpty}>
          Save
        </Button>
        {children}
      </div>
    </form>
  );
}

interface SettingFieldProps {
  name: string;
  setting: ShownSetting;
  text: string;
  onChange: (text: string) => void;
}

function SettingField({ name, setting, text, onChange }: SettingFieldProps) {
  const { type, description, isSecret, isDefault, value } = setting;
  const facts = [
    type,
    ...(isSecret ? ["secret, shown masked"] : []),
    ...(text === value ? [] : ["changed"]),
    ...(isDefault ? ["default"] : []),
  ];
  const shared = {
    label: name,
    description: `${description} (${facts.join(", ")})`,
    error: text.trim() === "" ? emptySettingMessage : undefined,
  };
  if (type === "flag")
    return <Select {...shared} data={["true", "false"]} value={text} allowDeselect={false} onChange={(next) => onChange(next ?? text)} />;
  if (type === "list")
    return (
      <Textarea
        {...shared}
        className="setting-list"
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      inputMode={type === "number" ? "decimal" : "text"}
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

import { emptySettingMessage, getSystemConfig, reloadSystemConfig, updateSystemConfig } from "@busbar/contract/system-config.ts";
import type { ShownSetting } from "@busbar/contract/system-config.ts";
import { Button, Group, Select, TextInput, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
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
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getSystemConfig, {}, { signal }),
    // Fields that somebody is typing into must not change under them.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <h1 className="page-title">Configure Application</h1>
      {!data && !error && <LoadingRows label="Loading the settings" height={56} />}
      {!data && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {data && <SettingsForm key={dataUpdatedAt} settings={data} />}
    </>
  );
}

function SettingsForm({ settings }: { settings: Record<string, ShownSetting> }) {
  const call = useApi();
  const queries = useQueryClient();
  const [texts, setTexts] = useState(() => Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])));
  const [message, setMessage] = useSavedMessage();
  const empty = Object.entries(texts).filter(([, text]) => text.trim() === "");
  const save = useMutation({
    mutationFn: () => call(updateSystemConfig, { body: texts }),
    onSuccess: async () => {
      setMessage({ kind: "success", text: "Changes saved successfully" });
      await queries.invalidateQueries({ queryKey });
    },
  });
  const reload = useMutation({
    mutationFn: () => call(reloadSystemConfig, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <form
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (empty.length === 0) save.mutate();
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
        {empty.length > 0 && <Notice kind="warning">{emptySettingMessage}</Notice>}
        {save.error && <Notice kind="warning">{failureMessage(save.error)}</Notice>}
        {reload.error && <Notice kind="warning">{failureMessage(reload.error)}</Notice>}
        {reload.data && (
          <Notice kind={reload.data.invalid.length > 0 ? "warning" : "success"}>
            {reload.data.loaded} settings read from the database
            {reload.data.invalid.length > 0 && `; these cannot be used: ${reload.data.invalid.join(", ")}`}.
          </Notice>
        )}
        <MessageLine message={message} onCleared={() => setMessage(undefined)} />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={empty.length > 0}>
            Save
          </Button>
          <Button variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
            Reload from database
          </Button>
        </Group>
      </div>
    </form>
  );
}

let saved: Message | undefined;

// The form is made anew with what was saved; what it says about that must outlast it.
function useSavedMessage() {
  const [message, setMessage] = useState(saved);
  return [
    message,
    (next: Message | undefined) => {
      saved = next;
      setMessage(next);
    },
  ] as const;
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
        className="setting-list mono"
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

import { KeyName, createAccessKey, createApiKey, revokeUserKey } from "@busbar/contract/user-keys.ts";
import type { UserKey } from "@busbar/contract/user-keys.ts";
import type { User } from "@busbar/contract/users.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FormEvent } from "react";
import { useApi } from "#api/api-context.ts";
import { failureMessage } from "#api/api-error.ts";
import { useOutcome } from "#api/use-outcome.ts";
import { FailureState, LoadingRows } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { NativeSelect } from "#ui/select.tsx";
import { KeyTable } from "./key-table.tsx";
import type { ListedKey } from "./key-table.tsx";
import { ShownSecret } from "./shown-secret.tsx";
import type { Secret } from "./shown-secret.tsx";
import { useReloadKeys, useUserKeys } from "./users.queries.ts";

const scopesByChoice = { "read and upload": ["read", "upload"], read: ["read"], upload: ["upload"] } as const;
const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "1095", label: "3 years" },
];

/** USR-09 */
export function KeysDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const reloadKeys = useReloadKeys(user.id);
  const { apiKeys, details } = useUserKeys(user.id);
  const [name, setName] = useState("");
  const [may, setMay] = useState<keyof typeof scopesByChoice>("read and upload");
  const [days, setDays] = useState("365");
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const nameProblem = KeyName.safeParse(name).error?.issues[0]?.message;
  const params = { id: String(user.id), name };
  const body = { scopes: [...scopesByChoice[may]], expiresInDays: Number(days) };

  const make = async (work: () => Promise<Secret[]>) => {
    setSecrets([]);
    await outcome.run(async () => {
      setSecrets(await work());
      setName("");
      void reloadKeys();
      return "Key made successfully";
    });
  };
  const makeApiKey = (event: FormEvent) => {
    event.preventDefault();
    if (nameProblem !== undefined) return outcome.say({ kind: "validation", text: nameProblem });
    void make(async () => [{ label: "API key", text: (await call(createApiKey, { params, body })).key }]);
  };
  const makeAccessKey = () => {
    if (nameProblem !== undefined) return outcome.say({ kind: "validation", text: nameProblem });
    void make(async () => {
      const { accessKey, secretToken } = await call(createAccessKey, { params, body });
      return [
        { label: "accessKey", text: accessKey },
        { label: "secretToken", text: secretToken },
      ];
    });
  };
  const revoke = (key: UserKey) =>
    void outcome.run(async () => {
      await call(revokeUserKey, { params: { id: String(user.id), keyId: String(key.id) } });
      void reloadKeys();
      return `Key ${key.name} revoked`;
    });

  const error = apiKeys.error ?? details.error;
  const isLoaded = apiKeys.data && details.data;
  return (
    <Dialog title={`API Keys and Access Keys of ${user.username}`} onClose={onClose}>
      <Stack gap="md">
        <form onSubmit={makeApiKey} noValidate>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Name"
              description="1 to 64 letters, digits, _ and -"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={name !== "" && nameProblem !== undefined ? nameProblem : undefined}
              autoComplete="off"
              spellCheck={false}
              w={280}
              data-autofocus
            />
            <NativeSelect
              label="May"
              data={Object.keys(scopesByChoice)}
              value={may}
              onChange={(event) => setMay(event.currentTarget.value as typeof may)}
            />
            <NativeSelect label="Expires in" data={lives} value={days} onChange={(event) => setDays(event.currentTarget.value)} />
            <Button type="submit" disabled={outcome.isWorking}>
              Create API Key
            </Button>
            <Button variant="default" onClick={makeAccessKey} disabled={outcome.isWorking}>
              Create Access Key
            </Button>
          </Group>
        </form>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        {secrets.length > 0 && <ShownSecret secrets={secrets} />}
        {!isLoaded && !error && <LoadingRows label="Loading the keys" rows={3} height={30} />}
        {!isLoaded && error && <FailureState message={failureMessage(error)} onRetry={() => void reloadKeys()} />}
        {apiKeys.data && details.data && (
          <>
            <KeyTable title="API keys" keys={apiKeys.data.map((line) => readKeyLine(line, details.data))} onRevoke={revoke} />
            <KeyTable
              title="Access keys"
              keys={details.data.filter(({ kind }) => kind === "access").map((key) => ({ ...key, details: key }))}
              onRevoke={revoke}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

/** `key, name, expiry`, and what else is known of that key. */
function readKeyLine(line: string, details: readonly UserKey[]): ListedKey {
  const [key = "", name = "", expiry = ""] = line.split(",").map((part) => part.trim());
  return { key, name, expiry: Math.floor(Date.parse(expiry) / 1000), details: details.find((each) => each.key === key) };
}

import type { CallInput } from "@busbar/contract/endpoint.ts";
import { KeyName, createAccessKey, createApiKey, revokeUserKey, type UserKey } from "@busbar/contract/access/user-keys.ts";
import type { User } from "@busbar/contract/access/users.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import * as z from "zod/mini";
import { useApi } from "#api/api-context.ts";
import { Loaded, bothOf } from "#ui/loaded.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { KeyTable, type ListedKey } from "./key-table.tsx";
import { ShownSecret, type Secret } from "./shown-secret.tsx";
import { useUserKeys } from "./users.queries.ts";

const scopesByChoice = { "read and upload": ["read", "upload"], read: ["read"], upload: ["upload"] } as const;
const mays = Object.keys(scopesByChoice) as (keyof typeof scopesByChoice)[];
const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "1095", label: "3 years" },
];
const NewKey = z.object({ name: KeyName, may: z.enum(mays), days: z.string() });
type NewKey = z.infer<typeof NewKey>;

// Help below: the inputs of a row are on one line.
const helpBelow: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

/** USR-09 */
export function KeysDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const { apiKeys, details } = useUserKeys(user.id);
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const form = useSaveForm<NewKey>({
    outcome,
    resolver: zodResolver(NewKey),
    defaultValues: { name: "", may: "read and upload", days: "365" },
  });

  const make = (ask: (input: CallInput<typeof createApiKey>) => Promise<Secret[]>) =>
    form.saving(async ({ name, may, days }) => {
      setSecrets([]);
      const input = { params: { id: String(user.id), name }, body: { scopes: [...scopesByChoice[may]], expiresInDays: Number(days) } };
      setSecrets(await ask(input));
      form.reset({ name: "", may, days });
      return "Key made successfully";
    });
  const makeApiKey = make(async (input) => [{ label: "API key", text: (await call(createApiKey, input)).key }]);
  const makeAccessKey = make(async (input) => {
    const { accessKey, secretToken } = await call(createAccessKey, input);
    return [
      { label: "accessKey", text: accessKey },
      { label: "secretToken", text: secretToken },
    ];
  });
  const revoke = (key: UserKey) =>
    void outcome.run(async () => {
      await call(revokeUserKey, { params: { id: String(user.id), keyId: String(key.id) } });
      return `Key ${key.name} revoked`;
    });

  return (
    <Dialog title={`API Keys and Access Keys of ${user.username}`} onClose={onClose}>
      <Stack gap="md">
        <SaveForm
          form={form}
          onSubmit={makeApiKey}
          saveLabel="Create API Key"
          label="New key"
          otherSave={
            <Button variant="default" onClick={() => void makeAccessKey()} disabled={!form.bar.isValid || form.bar.isWorking}>
              Create Access Key
            </Button>
          }
        >
          <Group align="flex-start" gap="sm">
            <TextField
              control={form.control}
              name="name"
              label="Name"
              description="1 to 64 letters, digits, _ and -"
              inputWrapperOrder={helpBelow}
              isRequired
              autoComplete="off"
              spellCheck={false}
              w={280}
              data-autofocus
            />
            <SelectField control={form.control} name="may" label="Scope" data={mays} />
            <SelectField control={form.control} name="days" label="Expires in" data={lives} />
          </Group>
        </SaveForm>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        {secrets.length > 0 && <ShownSecret secrets={secrets} />}
        <Loaded of={bothOf(apiKeys, details)} loading={<LoadingRows label="Loading the keys" rows={3} height={30} />}>
          {([lines, keys]) => (
            <>
              <KeyTable title="API keys" keys={lines.map((line) => readKeyLine(line, keys))} onRevoke={revoke} />
              <KeyTable
                title="Access keys"
                keys={keys.filter(({ kind }) => kind === "access").map((key) => ({ ...key, details: key }))}
                onRevoke={revoke}
              />
            </>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  );
}

/** `key, name, expiry`, and what else is known of that key. */
function readKeyLine(line: string, details: readonly UserKey[]): ListedKey {
  const [key = "", name = "", expiry = ""] = line.split(",").map((part) => part.trim());
  return { key, name, expiry: Math.floor(Date.parse(expiry) / 1000), details: details.find((each) => each.key === key) };
}

import { Button, Group, Stack, Textarea } from "@mantine/core";
import type { NodeCredentials } from "@busbar/contract/directory/node-credentials.ts";
import { useState, type SubmitEvent } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { CredentialPlan } from "./credential-plan.tsx";
import { MadeCredentials } from "./made-credentials.tsx";
import { readSerials } from "./serial-list.ts";

export interface CredentialsDialogProps {
  /** Without: several nodes, which are entered. */
  serial?: string | undefined;
  onClose: () => void;
}

/** Which nodes, what becomes of them, and then their secrets, once. */
export function CredentialsDialog({ serial, onClose }: CredentialsDialogProps) {
  const [text, setText] = useState(serial ?? "");
  const [serials, setSerials] = useState<readonly string[]>(serial === undefined ? [] : [serial]);
  const [made, setMade] = useState<NodeCredentials[] | undefined>();
  return (
    <Dialog title={serial === undefined ? "Credentials of several nodes" : `Credentials of node ${serial}`} onClose={onClose}>
      {made ? (
        <MadeCredentials credentials={made} onClose={onClose} />
      ) : serials.length === 0 ? (
        <SerialsForm text={text} onText={setText} onChosen={setSerials} />
      ) : (
        <CredentialPlan serials={serials} onMade={setMade} onBack={serial === undefined ? () => setSerials([]) : undefined} />
      )}
    </Dialog>
  );
}

interface SerialsFormProps {
  text: string;
  onText: (text: string) => void;
  onChosen: (serials: string[]) => void;
}

function SerialsForm({ text, onText, onChosen }: SerialsFormProps) {
  const [problem, setProblem] = useState<string | undefined>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const read = readSerials(text);
    if ("problem" in read) setProblem(read.problem);
    else onChosen(read.serials);
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Nodes">
      <UnsavedEdits when={text !== ""} />
      <Stack gap="sm">
        <Textarea
          label="Serial numbers"
          description="As they are scanned or pasted, with any separators; 10101-10120 is all of them"
          value={text}
          error={problem}
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
          onChange={(event) => {
            onText(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <Group justify="flex-end">
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}

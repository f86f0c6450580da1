import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { downloadFile } from "#lib/download.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { Notice } from "#ui/notice.tsx";

/** Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  return (
    <section aria-label="Recovery codes">
      <Notice kind="warning">
        Keep these recovery codes in a safe place: each works once in place of a 2FA code. They will never be shown again.
      </Notice>
      <ul className="recovery-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="sm">
        <CopyButton text={text} label="Copy all recovery codes" isInTabOrder />
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => downloadFile("busbar-recovery-codes.txt", new Blob([`${text}\n`], { type: "text/plain;charset=utf-8" }))}
        >
          Save as file
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </section>
  );
}

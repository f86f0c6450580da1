import { Button, Group, Stack } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { createCredentialSheet, type NodeCredentials } from "@busbar/contract/directory/node-credentials.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { useState } from "react";
import { useApiBytes } from "#api/api-context.ts";
import { announce } from "#lib/announcer.ts";
import { downloadFile } from "#lib/download.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { SaveCsvButton } from "#ui/file-buttons.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { QrCode } from "#ui/qr-code.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { madeColumns } from "./credential-columns.tsx";
import "./credentials.css";

const lossQuestion = {
  title: "Close without a copy?",
  text: "These credentials are shown once and are lost when this closes. New ones can be issued; the ones shown here are void then.",
  stay: "Back to the credentials",
  lose: "Close",
};

/** Shown once: in this answer of the server, and nowhere else. */
export function MadeCredentials({ credentials, onClose }: { credentials: readonly NodeCredentials[]; onClose: () => void }) {
  const bytes = useApiBytes();
  const outcome = useOutcome();
  const [isKept, setIsKept] = useState(false);
  const [only] = credentials;
  const name = credentials.length === 1 ? `node-${only?.serialNumber}-credentials` : "node-credentials";

  const saveSheet = async () => {
    const body = { credentials: credentials.map(({ serialNumber, password }) => ({ serialNumber, password })) };
    const isDone = await outcome.run(async () => {
      downloadFile(`${name}.pdf`, await (await bytes(createCredentialSheet, { body })).blob());
      return "Sheet saved";
    });
    if (!isDone) return;
    setIsKept(true);
    if (credentials.length > 1) return;
    announce("Sheet saved");
    onClose();
  };
  const saveCsv = () => {
    saveRows(`${name}.csv`, madeColumns, credentials);
    setIsKept(true);
  };

  return (
    <section aria-label="New credentials">
      <UnsavedEdits when={!isKept} question={lossQuestion} />
      <Stack gap="sm">
        <Notice kind="warning">
          Save these credentials now in a safe place. They will never be shown again, and earlier ones are void.
        </Notice>
        {credentials.length === 1 && only ? (
          <OneNode credentials={only} />
        ) : (
          <>
            <Facts>
              <Fact name="Broker">
                <code className="mono credential-text">{only?.broker}</code>
              </Fact>
              <Fact name="Client id and user name">The serial number</Fact>
            </Facts>
            <DataTable columns={madeColumns} rows={credentials} keyOf={({ serialNumber }) => serialNumber} aria-label="Passwords" />
          </>
        )}
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group justify="flex-end" gap="sm">
          <Button
            leftSection={<IconPrinter size={14} aria-hidden />}
            loading={outcome.isWorking}
            data-autofocus
            onClick={() => void saveSheet()}
          >
            {credentials.length === 1
              ? "Sheet for the installer (PDF)"
              : `Sheets for the installer (PDF, ${counted(credentials.length, "page")})`}
          </Button>
          <SaveCsvButton onClick={saveCsv} />
          <Button variant="default" onClick={onClose}>
            I have kept them
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

function OneNode({
  credentials: { serialNumber, broker, clientId, userName, password, group, address },
}: {
  credentials: NodeCredentials;
}) {
  const facts = [
    ["Broker", broker],
    ["Client id", clientId],
    ["User name", userName],
    ["Password", password],
    ["Group", group],
  ] as const;
  return (
    <div className="one-credential">
      <QrCode text={address} label={`QR code of the credentials of node ${serialNumber}`} />
      <Facts>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            <code className="mono credential-text">{value}</code>{" "}
            <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} isInTabOrder />
          </Fact>
        ))}
      </Facts>
    </div>
  );
}

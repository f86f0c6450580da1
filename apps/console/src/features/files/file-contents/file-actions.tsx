import { getRawFile } from "@busbar/contract/files/node-files.ts";
import { Button, Group } from "@mantine/core";
import { IconDownload, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useApiBytes } from "#api/api-context.ts";
import { saveStream } from "#api/save-stream.ts";
import { failureMessage } from "#lib/api-error.ts";
import { useExtractAgain } from "./file-contents.queries.ts";

/** The whole file to keep, and its extraction once more. */
export function FileActions({ fileName }: { fileName: string }) {
  const callBytes = useApiBytes();
  const again = useExtractAgain(fileName);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const save = async () => {
    setIsSaving(true);
    setProblem(undefined);
    try {
      const response = await callBytes(getRawFile, { params: { fileName } });
      await saveStream(response, fileName);
    } catch (error) {
      setProblem(failureMessage(error));
    }
    setIsSaving(false);
  };
  const message = problem ?? (again.error ? failureMessage(again.error) : undefined);
  return (
    <Group gap="xs" mb="xs" className="no-print">
      <Button variant="default" loading={isSaving} leftSection={<IconDownload size={14} aria-hidden />} onClick={() => void save()}>
        Download file
      </Button>
      <Button
        variant="default"
        loading={again.isPending}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() => again.mutate()}
      >
        Extract again
      </Button>
      {message && (
        <span role="alert" className="bad">
          {message}
        </span>
      )}
    </Group>
  );
}

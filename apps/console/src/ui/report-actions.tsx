import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { PrintButton } from "./file-buttons.tsx";

/** What every report can do: go to a file and to paper. */
export function ReportActions({ onCsv }: { onCsv: () => void }) {
  return (
    <Group gap="xs" className="no-print">
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={onCsv}>
        Export CSV
      </Button>
      <PrintButton />
    </Group>
  );
}

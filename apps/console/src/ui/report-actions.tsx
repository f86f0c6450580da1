import { Button, Group } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";

/** What every report can do: go to a file and to paper. */
export function ReportActions({ onCsv }: { onCsv: () => void }) {
  return (
    <Group gap="xs" className="no-print">
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={onCsv}>
        Export CSV
      </Button>
      <Button variant="default" leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => window.print()}>
        Print
      </Button>
    </Group>
  );
}

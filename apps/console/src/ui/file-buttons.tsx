import { Button, type ButtonProps } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";

export function SaveCsvButton(props: ButtonProps & { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} {...props}>
      Save CSV
    </Button>
  );
}

export function PrintButton(props: ButtonProps) {
  return (
    <Button variant="default" leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => window.print()} {...props}>
      Print
    </Button>
  );
}

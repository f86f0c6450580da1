import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, type ReactNode } from "react";
import { announce } from "#lib/announcer.ts";
import { formatCount } from "#lib/format-number.ts";

export interface ListCountProps {
  shown: number;
  total: number;
  /** What is counted, such as `node`. */
  noun: string;
  isFiltered: boolean;
  onClear: () => void;
  onExport: () => void;
  /** Beside the export. */
  children?: ReactNode;
}

const settledMs = 800;

/** How many of how many are shown, with a way to see all; read out once typing has settled. */
export function ListCount({ shown, total, noun, isFiltered, onClear, onExport, children }: ListCountProps) {
  const text = `${formatCount(shown)} of ${counted(total, noun)}`;
  useEffect(() => {
    const timer = setTimeout(() => announce(`Showing ${text}`), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Group gap="xs" className="list-count" justify="space-between">
      <Group gap="xs">
        <span className="tabular">{text}</span>
        {(isFiltered || shown < total) && (
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Show all
          </Button>
        )}
      </Group>
      <Group gap="xs" className="no-print">
        {children}
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconDownload size={13} aria-hidden />}
          onClick={onExport}
          disabled={shown === 0}
        >
          Export CSV
        </Button>
      </Group>
    </Group>
  );
}

import { Button, type ButtonProps } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import type { ComponentProps } from "react";

export type ColumnsButtonProps = ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps> & { hiddenCount: number };

/** Opens the choice of a list's columns, and says how many are hidden. */
export function ColumnsButton({ hiddenCount, ...rest }: ColumnsButtonProps) {
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconColumns3 size={14} aria-hidden />} {...rest}>
      Columns{hiddenCount > 0 && `: ${hiddenCount} hidden`}
    </Button>
  );
}

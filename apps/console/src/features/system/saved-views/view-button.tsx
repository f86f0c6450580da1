import { Button, type ButtonProps } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import type { ComponentProps } from "react";

export type ViewButtonProps = ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps> & { label: string };

/** Names the view that is open. */
export function ViewButton({ label, ...rest }: ViewButtonProps) {
  return (
    <Button variant="default" size="compact-sm" className="view-button" leftSection={<IconBookmark size={14} aria-hidden />} {...rest}>
      View: {label}
    </Button>
  );
}

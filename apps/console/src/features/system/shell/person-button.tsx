import { Button, type ButtonProps } from "@mantine/core";
import { IconUser } from "@tabler/icons-react";
import type { ComponentProps } from "react";

export type PersonButtonProps = ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps> & { name: string };

/** Opens what a person can do for themselves. */
export function PersonButton({ name, ...rest }: PersonButtonProps) {
  return (
    <Button variant="subtle" size="compact-sm" leftSection={<IconUser size={15} />} aria-label={`Signed in as ${name}`} {...rest}>
      <span className="person-name">{name}</span>
    </Button>
  );
}

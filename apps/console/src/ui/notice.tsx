import { Alert, Button, Group, Loader } from "@mantine/core";
import type { ReactNode } from "react";

export type NoticeKind = "success" | "error" | "validation" | "working" | "warning";

export interface NoticeProps {
  kind: NoticeKind;
  children: ReactNode;
  /** A button at the end of the line. */
  action?: ReactNode;
}

const colors: Record<NoticeKind, string> = { success: "green", error: "red", validation: "yellow", working: "blue", warning: "orange" };
// What went wrong interrupts a screen reader, the rest waits.
const roles: Record<NoticeKind, "alert" | "status"> = {
  success: "status",
  error: "alert",
  validation: "status",
  working: "status",
  warning: "alert",
};

/** One line in a box that says the present state. */
export function Notice({ kind, children, action }: NoticeProps) {
  return (
    <Alert color={colors[kind]} role={roles[kind]} py={6} icon={kind === "working" ? <Loader size={14} /> : undefined} className="notice">
      <Group justify="space-between" gap="xs">
        <span>{children}</span>
        {action}
      </Group>
    </Alert>
  );
}

/** At the end of a notice. */
export function NoticeButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {children}
    </Button>
  );
}

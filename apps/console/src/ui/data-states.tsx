import { Alert, Button, Center, Group, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Rows of grey where rows will be. */
export function LoadingRows({ rows = 8, height = 46, label }: { rows?: number; height?: number; label: string }) {
  return (
    <Stack gap={4} aria-busy="true">
      <output className="visually-hidden">{label}</output>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="xs" animate={false} />
      ))}
    </Stack>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py={48}>
      <Stack align="center" gap="xs">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Center>
  );
}

export function FailureState({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Alert color="red" role="alert" title="This could not be loaded">
      <Group justify="space-between">
        <Text size="sm">{message}</Text>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}

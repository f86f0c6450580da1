import { Alert, Button, Center, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

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

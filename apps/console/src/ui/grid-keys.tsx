import { Kbd } from "@mantine/core";

export interface GridKeysProps {
  /** What left and right walk. */
  sideways: string;
  /** What Enter does with a row. */
  enter: string;
}

/** The keys of a `Grid`, below it. */
export function GridKeys({ sideways, enter }: GridKeysProps) {
  return (
    <span aria-hidden="true">
      <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> rows, <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> {sideways},{" "}
      <Kbd size="xs">Enter</Kbd> {enter}, <Kbd size="xs">?</Kbd> all keys
    </span>
  );
}

import { Kbd } from "@mantine/core";

export interface GridKeysProps {
  /** What left and right walk. */
  sideways: string;
  /** What Enter does with a row. */
  enter: string;
  /** What Space does with a row, where it does something. */
  space?: string;
}

/** The keys of a `Grid`, below it. */
export function GridKeys({ sideways, enter, space }: GridKeysProps) {
  return (
    <span aria-hidden="true">
      <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> rows, <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> {sideways},{" "}
      <Kbd size="xs">Enter</Kbd> {enter},{" "}
      {space !== undefined && (
        <>
          <Kbd size="xs">Space</Kbd> {space},{" "}
        </>
      )}
      <Kbd size="xs">?</Kbd> all keys
    </span>
  );
}

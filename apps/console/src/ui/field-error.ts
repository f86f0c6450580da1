import type { ControllerFieldState } from "react-hook-form";

/** Marks a field whose value was refused by the server: it is said at once. */
export const refusedByServer = "server";

/** A red border at once (COM-03); in words when someone was at the field, tried to save, or the server refused it. */
export function errorOf({ error, isTouched, isDirty }: ControllerFieldState, { isSubmitted }: { isSubmitted: boolean }) {
  if (!error) return undefined;
  return isTouched || isDirty || isSubmitted || error.type === refusedByServer ? (error.message ?? true) : true;
}

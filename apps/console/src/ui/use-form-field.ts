import { useController, type FieldPath, type FieldValues, type UseControllerProps } from "react-hook-form";
import { afterPress } from "#lib/after-press.ts";

/** Every field of a form (.oxlintrc.json). One that is left by a press says what is wrong with it after the click has arrived. */
export function useFormField<Values extends FieldValues, Name extends FieldPath<Values> = FieldPath<Values>>(
  props: UseControllerProps<Values, Name>,
) {
  const { field, ...rest } = useController<Values, Name>(props);
  return { ...rest, field: { ...field, onBlur: () => afterPress(field.onBlur) } };
}

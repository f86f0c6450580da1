import { NativeSelect as LibraryNativeSelect, type NativeSelectProps } from "@mantine/core";
import { uniqueOptions } from "./unique-options.ts";

/** One of a short list, as the browser draws it: without the lists of `select.tsx`, which are large. */
export function NativeSelect({ data, ...rest }: NativeSelectProps) {
  return <LibraryNativeSelect {...rest} data={uniqueOptions(data)} />;
}

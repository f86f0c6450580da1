import { Autocomplete as LibraryAutocomplete, NativeSelect as LibraryNativeSelect, Select as LibrarySelect } from "@mantine/core";
import type { AutocompleteProps, NativeSelectProps, SelectProps } from "@mantine/core";
import { uniqueOptions } from "./unique-options.ts";

/** Above every dialog: its list is beside them in the page. */
const listAboveDialogs = { zIndex: 2000 };

// The only place where the library's selects are drawn (.oxlintrc.json): they throw at two options of one value.

/** One of a list. */
export function Select({ data, ...rest }: SelectProps) {
  return <LibrarySelect comboboxProps={listAboveDialogs} {...rest} data={uniqueOptions(data)} />;
}

/** Free text with suggestions. */
export function Autocomplete({ data, ...rest }: AutocompleteProps) {
  return <LibraryAutocomplete comboboxProps={listAboveDialogs} {...rest} data={uniqueOptions(data)} />;
}

/** One of a short list, as the browser draws it. */
export function NativeSelect({ data, ...rest }: NativeSelectProps) {
  return <LibraryNativeSelect {...rest} data={uniqueOptions(data)} />;
}

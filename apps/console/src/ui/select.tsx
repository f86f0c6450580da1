import { Autocomplete as LibraryAutocomplete, Select as LibrarySelect, type AutocompleteProps, type SelectProps } from "@mantine/core";
import { uniqueOptions } from "./unique-options.ts";

/** Above every dialog: its list is beside them in the page. */
const listAboveDialogs = { zIndex: 2000 };

// The library's selects are drawn here and in native-select.tsx only (.oxlintrc.json): they throw at two options of one value.

/** One of a list. */
export function Select({ data, ...rest }: SelectProps) {
  return <LibrarySelect comboboxProps={listAboveDialogs} {...rest} data={uniqueOptions(data)} />;
}

/** Free text with suggestions. */
export function Autocomplete({ data, ...rest }: AutocompleteProps) {
  return <LibraryAutocomplete comboboxProps={listAboveDialogs} {...rest} data={uniqueOptions(data)} />;
}

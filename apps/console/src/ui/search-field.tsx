import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

export interface SearchFieldProps {
  /** What is searched, which is also what is shown in the empty field. */
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** The field that filters a list while one types; `/` takes the keyboard there. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <TextInput
      className="list-search"
      aria-label={label}
      placeholder={label}
      data-search
      type="search"
      spellCheck={false}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

import { Checkbox, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { showOptions } from "./fleet-criteria.ts";
import type { FleetCriteria, ShowKey } from "./fleet-criteria.ts";

export interface FleetToolsProps {
  criteria: FleetCriteria;
  onChange: (criteria: FleetCriteria) => void;
}

const searchLabel = "SN/CustomerCode/CustomerName/Facility/Location"; // DSH-03

export function FleetTools({ criteria, onChange }: FleetToolsProps) {
  const toggle = (key: ShowKey) => {
    const show = new Set(criteria.show);
    if (!show.delete(key)) show.add(key);
    onChange({ ...criteria, show });
  };
  return (
    <search className="list-tools no-print">
      <TextInput
        className="list-search"
        aria-label={searchLabel}
        placeholder={searchLabel}
        data-search
        type="search"
        spellCheck={false}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={criteria.filterText}
        onChange={(event) => onChange({ ...criteria, filterText: event.currentTarget.value })}
      />
      <fieldset className="list-show">
        <legend className="visually-hidden">Show</legend>
        {showOptions.map(({ key, label }) => (
          <Checkbox key={key} label={label} checked={criteria.show.has(key)} onChange={() => toggle(key)} />
        ))}
      </fieldset>
    </search>
  );
}

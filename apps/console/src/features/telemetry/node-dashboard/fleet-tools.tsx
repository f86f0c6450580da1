import { Checkbox } from "@mantine/core";
import { SearchField } from "#ui/search-field.tsx";
import { showOptions, type FleetCriteria, type ShowKey } from "./fleet-criteria.ts";

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
      <SearchField label={searchLabel} value={criteria.filterText} onChange={(filterText) => onChange({ ...criteria, filterText })} />
      <fieldset className="list-show">
        <legend className="visually-hidden">Show</legend>
        {showOptions.map(({ key, label }) => (
          <Checkbox key={key} label={label} checked={criteria.show.has(key)} onChange={() => toggle(key)} />
        ))}
      </fieldset>
    </search>
  );
}

import { Checkbox, Select, Switch, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { DeploymentStatus } from "@busbar/contract/option-lists.ts";
import { placeOf, showOptions } from "./node-list-criteria.ts";
import type { NodeListCriteria } from "./node-list-criteria.ts";
import type { PlaceChoices } from "./node-list-view.ts";

export interface NodeListToolsProps {
  criteria: NodeListCriteria;
  places: PlaceChoices[];
  onChange: (criteria: NodeListCriteria) => void;
}

const searchLabel = "SN/CustomerCode/CustomerName/Facility/Location";
const allFacilities = { value: "all", label: "All Facilities" };
const longestList = 300;

export function NodeListTools({ criteria, places, onChange }: NodeListToolsProps) {
  const toggle = (status: DeploymentStatus) => {
    const show = new Set(criteria.show);
    if (!show.delete(status)) show.add(status);
    onChange({ ...criteria, show });
  };
  return (
    <search className="list-tools node-list-tools no-print">
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
      <Select
        className="place-filter"
        aria-label="Customer or facility"
        searchable
        allowDeselect={false}
        limit={longestList}
        nothingFoundMessage="No such customer or facility"
        data={[allFacilities, ...places]}
        value={criteria.place}
        onChange={(place) => onChange({ ...criteria, place: placeOf(place) })}
      />
      <fieldset className="list-show">
        <legend className="visually-hidden">Show</legend>
        {showOptions.map(({ status }) => (
          <Checkbox key={status} label={status} checked={criteria.show.has(status)} onChange={() => toggle(status)} />
        ))}
      </fieldset>
      <Switch
        size="xs"
        className="columns-switch"
        label="All columns"
        checked={criteria.hasAllColumns}
        onChange={(event) => onChange({ ...criteria, hasAllColumns: event.currentTarget.checked })}
      />
    </search>
  );
}
